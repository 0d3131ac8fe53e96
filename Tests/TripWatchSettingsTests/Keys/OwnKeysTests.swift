import TerminalCanvas
import Testing

@testable import TripWatchSettings

@Suite("The user's own keys")
struct OwnKeysTests {
    private func key(_ name: String) throws -> Key { try #require(OwnKeys.key(name)) }

    @Test("an action gets other keys, several, or none, and its old keys are free")
    func given() throws {
        let own = [OwnKeys(.theme, [try key("T"), try key("F5")]), OwnKeys(.units, []), OwnKeys(.share, [try key("t")])]
        let (map, conflicts) = KeyMap.standard.with(own)
        #expect(conflicts.isEmpty)
        #expect(map.action(for: .character("T")) == .theme && map.action(for: Key(.function(5))) == .theme)
        #expect(map.action(for: .character("t")) == .share)
        #expect(map.action(for: .character("u")) == nil && map.action(for: .character("s")) == nil)
        #expect(map.binding(of: .theme)?.keysText == "T  F5" && map.binding(of: .theme)?.hintKeys == "T")
        #expect(map.binding(of: .units)?.hintKeys == "")
        #expect(map.binding(of: .follow)?.keysText == "f")
    }

    @Test("two actions that swap their keys do not conflict")
    func swapped() throws {
        let (map, conflicts) = KeyMap.standard.with([OwnKeys(.theme, [try key("m")]), OwnKeys(.painter, [try key("t")])])
        #expect(conflicts.isEmpty)
        #expect(map.action(for: .character("m")) == .theme && map.action(for: .character("t")) == .painter)
    }

    @Test("a key that another action keeps is reported, and the setting is ignored, but only on the page of the conflict")
    func conflicts() throws {
        let own = [OwnKeys(.theme, [try key("o")])]
        #expect(KeyMap.standard.with(own).conflicts.isEmpty)
        let driving = KeyMap.driving.with(own)
        #expect(driving.conflicts == [KeyMap.Conflict(action: .theme, key: .character("o"), other: .online)])
        #expect(driving.map.action(for: .character("t")) == .theme && driving.map.action(for: .character("o")) == .online)
        let both = KeyMap.standard.with([OwnKeys(.theme, [try key("z")]), OwnKeys(.units, [try key("z")])])
        #expect(both.conflicts.map(\.action) == [.units])
        #expect(both.map.action(for: .character("z")) == .theme && both.map.action(for: .character("u")) == .units)
    }

    @Test("Ctrl-C quits and Ctrl-Z suspends, whatever is set")
    func fixed() throws {
        let own = [OwnKeys(.quit, [try key("Q")]), OwnKeys(.suspend, []), OwnKeys(.theme, [.control("c")])]
        let (map, conflicts) = KeyMap.standard.with(own)
        #expect(conflicts.map(\.action) == [.theme])
        #expect(map.action(for: .control("c")) == .quit && map.action(for: .character("Q")) == .quit)
        #expect(map.action(for: .character("q")) == nil && map.action(for: .control("z")) == .suspend)
    }

    @Test(
        "keys by their names",
        arguments: [
            ("x", Key.character("x")), ("X", .character("X")), ("Ctrl-X", .control("x")), ("F5", Key(.function(5))),
            ("Space", .character(" ")), ("Enter", Key(.enter)), ("é", .character("é")), ("e\u{301}", .character("é")),
            ("Tab", Key(.tab)), ("ß", .character("ß")), ("PgUp", Key(.pageUp)), (",", .character(",")),
        ])
    func names(name: String, key: Key) { #expect(OwnKeys.key(name) == key) }

    @Test(
        "an invalid key name gives no key",
        arguments: ["", "xy", "F13", "Hyper-X", "Alt-x", "\u{1b}", "Ins", "Ctrl-I", "Ctrl-h", "Ctrl-J", "Ctrl-@"])
    func noKey(name: String) { #expect(OwnKeys.key(name) == nil) }

    @Test("in the file's table, each fault is reported separately, and the rest is used")
    func table() {
        let read = configuration(
            """
            [keys]
            theme = "T"
            units = []
            select-trip = [1, 2, 3]
            shere = "S"
            painter = "Hyper-M"
            share = "f"
            """)
        let words = read.messages.map(\.description)
        #expect(words.count == 3, "\(words)")
        #expect(words.contains { $0.contains("line 5: keys.shere: there is no such action; did you mean \"share\"?") }, "\(words)")
        #expect(words.contains { $0.contains("line 6: keys.painter: \"Hyper-M\" is not allowed; use a key such as") })
        #expect(words.contains { $0.contains("line 7: keys.share: f is also the key of 'follow' in follow") })
        #expect(read.configuration.keys?.map(\.action) == [.theme, .units, .selectTrip, .share])
    }

    @Test("all invalid keys of a list are reported together")
    func severalFaults() {
        let read = configuration("[keys]\nquit = [\"Ctrl-Alt-Hyper-X\", \"q\", \"zz\"]\n")
        let words = read.messages.map(\.description)
        #expect(words.count == 1 && words[0].contains("\"Ctrl-Alt-Hyper-X\", \"zz\" are not allowed; use a key such as"), "\(words)")
    }

    @Test("a profile's keys override the others")
    func profile() {
        let text = "[keys]\ntheme = \"T\"\nunits = \"U\"\n[profiles.p.keys]\ntheme = \"F5\"\n"
        let keys = configuration(text, profile: "p").configuration.keys ?? []
        #expect(Set(keys) == [OwnKeys(.units, [.character("U")]), OwnKeys(.theme, [Key(.function(5))])])
    }

    @Test("the list has every action once, with its keys and its description")
    func list() {
        let lines = KeyMap.list([OwnKeys(.theme, [.character("T")])])
        #expect(Set(lines.map { String($0.prefix { $0 != " " }) }) == Set(AppAction.allCases.map(\.rawValue)))
        #expect(lines.count == AppAction.allCases.count)
        #expect(lines.allSatisfy { $0.contains("  ") && !$0.hasSuffix(" ") })
        #expect(lines.contains { $0.hasPrefix("theme ") && $0.contains("  T  ") && $0.hasSuffix("next theme") })
        #expect(lines.contains { $0.hasPrefix("pan-left ") && $0.hasSuffix("pan left") })
    }
}
