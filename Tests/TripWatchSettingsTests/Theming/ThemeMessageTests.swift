import TerminalCanvas
import Testing

@testable import TripWatchSettings

@Suite("Mistakes in a theme")
struct ThemeMessageTests {
    private struct Unreadable: Error, CustomStringConvertible { var description: String { "permission denied\u{1b}[31m" } }

    private func messages(_ text: String) -> [String] {
        catalog(["mine": text]).load("mine", depth: .palette256).messages.map(\.description)
    }

    @Test(
        "Each mistake is one sentence with file, key, value and what is allowed",
        arguments: [
            (
                "stop = \"blurple\"",
                "mine.toml: stop.fg: \"blurple\" is not a colour; use a name from [palette], default, 0 to 255, \"#rrggbb\""
            ),
            ("stop = 256", "mine.toml: stop.fg: 256 is not a colour; use"),
            ("stop = -1", "mine.toml: stop.fg: -1 is not a colour; use"),
            ("stop = \"#12345\"", "mine.toml: stop.fg: \"#12345\" is not a colour; use"),
            ("stop = \"#+12345\"", "mine.toml: stop.fg: \"#+12345\" is not a colour"),
            ("stop = \"gren\"", "mine.toml: stop.fg: \"gren\" is not a colour (did you mean \"green\"?); use"),
            ("stop = 1.5", "mine.toml: stop: 1.5 is not allowed; use a colour or a table"),
            ("stop = true", "mine.toml: stop: true is not allowed; use a colour or a table"),
            ("stop = 14:07:12", "mine.toml: stop: a time is not allowed"),
            ("[[stop]]\nfg = 1", "mine.toml: stop: a list is not allowed"),
            ("stop = { bg = true }", "mine.toml: stop.bg: true is not a colour"),
            ("stop = { bold = 1 }", "mine.toml: stop.bold: 1 is not allowed; use true or false"),
            ("stop = { bald = true }", "mine.toml: stop.bald: there is no such key; did you mean \"bold\"?"),
            (
                "stop = { colour = 1 }",
                "mine.toml: stop.colour: there is no such key; use fg, bg, bold, dim, underline, reverse, italic, icon"
            ),
            ("card = { icon = \"x\" }", "mine.toml: card.icon: there is no such key; use fg, bg, bold"),
            ("\"map.raod.primary\" = 1", "mine.toml: map.raod.primary: there is no such key; did you mean \"map.road.primary\"?"),
            ("map.raod.primary = 1", "mine.toml: map.raod: there is no such key; did you mean \"road\"?"),
            (
                "\"map.road.cowpath\" = 1",
                "mine.toml: map.road.cowpath: there is no such key; the keys under map.road are map.road.motorway, map.road.primary"
            ),
            (
                "zebra = 1",
                "mine.toml: zebra: there is no such key; the keys are inherits, background, about, palette, palette16, palette_direct, banner, card"
            ),
            ("inherit = \"mono\"", "mine.toml: inherit: there is no such key; did you mean \"inherits\"?"),
            ("pallete = {}", "mine.toml: pallete: there is no such key; did you mean \"palette\"?"),
            ("inherits = 3", "mine.toml: inherits: 3 is not allowed; use the name of a theme"),
            (
                "inherits = \"harbor-dark\"",
                "mine.toml: inherits: there is no theme \"harbor-dark\" (did you mean \"harbour-dark\"?); the themes are colour-blind"
            ),
            ("inherits = \"../x\"", "mine.toml: inherits: \"../x\" is not a theme name; use letters, digits"),
            ("background = \"drak\"", "mine.toml: background: \"drak\" is not allowed; use \"dark\", \"light\" or \"any\""),
            ("about = 1", "mine.toml: about: 1 is not allowed; use a line of text"),
            ("palette = 1", "mine.toml: palette: 1 is not allowed; use a table of names and colours"),
            ("[palette]\na = \"blurple\"", "mine.toml: palette.a: \"blurple\" is not a colour"),
            ("[palette]\nabcd = 1\nb = \"abdc\"", "mine.toml: palette.b: \"abdc\" is not a colour (did you mean \"abcd\"?)"),
            ("[palette]\ndefault = 1", "mine.toml: palette.default: \"default\" is always the terminal's own colour"),
            (
                "[palette]\na = 1\n[palette16]\na = 16",
                "mine.toml: palette16.a: 16 is not one of the sixteen colours; use default, 0 to 15, black"
            ),
            (
                "[palette]\nlamp = 1\n[palette16]\nlmap = 1",
                "mine.toml: palette16.lmap: there is no such name in [palette]; did you mean \"lamp\"?"
            ),
            ("route = { width = 9 }", "mine.toml: route.width: 9 is not allowed; use a number of dots from 0 to 8"),
            ("route = { width = nan }", "mine.toml: route.width: nan is not allowed"),
            ("route = { traffic = \"on\" }", "mine.toml: route.traffic: \"on\" is not allowed; use true or false"),
            ("vehicle = { z = 1.5 }", "mine.toml: vehicle.z: 1.5 is not allowed; use a whole number"),
            ("vehicle = { anchor = [0.5] }", "mine.toml: vehicle.anchor: a list is not allowed; use a list of two numbers"),
            ("vehicle = { anchor = [0.5, -inf] }", "mine.toml: vehicle.anchor: a list is not allowed"),
            ("vehicle = { icon = \"12345\" }", "mine.toml: vehicle.icon: \"12345\" is not allowed; use text of 1 to 4 cells"),
            ("vehicle = { icon = \"\\u001b[2J\" }", "mine.toml: vehicle.icon: \"[2J\" is not allowed"),
            ("vehicle = { icon = { text = \"x\", ascii = \"é\" } }", "mine.toml: vehicle.icon: a table is not allowed"),
            ("vehicle = { icon = { text = \"x\", headings = [\"a\"] } }", "mine.toml: vehicle.icon: a table is not allowed"),
            ("\"bad\\u001b[31mkey\" = 1", "mine.toml: bad[31mkey: there is no such key"),
        ])
    func sentences(text: String, beginning: String) {
        let all = messages(text)
        #expect(all.count == 1)
        #expect(all.first?.hasPrefix(beginning) == true, "\(all)")
        for message in all {
            #expect(!message.contains("\n") && message.count < 700)
            #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f })
        }
    }

    @Test("A syntax error states its position, and the default theme is used")
    func syntax() {
        let loaded = catalog(["mine": "stop = 1\nstop = = 2"]).load("mine", background: .light, depth: .palette256)
        #expect(loaded.theme.name == "harbour-light")
        #expect(loaded.messages.map(\.severity) == [.error])
        #expect(loaded.messages.first?.description.hasPrefix("mine.toml: line 2, column ") == true)
    }

    @Test("An unknown theme is reported, with the nearest existing one")
    func missing() {
        let loaded = catalog([:]).load("harbor-drak", depth: .palette256)
        #expect(loaded.theme.name == "harbour")
        #expect(
            loaded.messages.first?.description.hasPrefix("theme: there is no theme \"harbor-drak\" (did you mean \"harbour-dark\"?)")
                == true
        )
        #expect(catalog([:]).load("nothing", depth: .ansi16).theme.name == "terminal-16")
    }

    @Test("A file that cannot be read gives one sentence")
    func unreadable() {
        let loaded = ThemeCatalog(userThemes: ["mine"]) { _ in throw Unreadable() }.load("mine", depth: .palette256)
        #expect(loaded.theme.name == "harbour")
        #expect(loaded.messages.map(\.description) == ["mine.toml: the file cannot be read: permission denied[31m"])
    }

    @Test("Hostile files give one sentence each")
    func hostile() {
        let files: [String: [UInt8]] = [
            "large": [UInt8](repeating: 0x23, count: 10_000_000), "latin": [0x61, 0x3d, 0x22, 0xe4, 0x22], "nul": Array("a = 1\u{0}".utf8),
            "deep": Array(("a = " + String(repeating: "[", count: 50_000)).utf8),
            "long": Array((String(repeating: "a.", count: 30_000) + "b = 1").utf8),
            "noise": (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 31) },
        ]
        let catalog = ThemeCatalog(userThemes: Array(files.keys)) { files[String($0.dropLast(5))] }
        for name in files.keys {
            let loaded = catalog.load(name, depth: .palette256)
            #expect(loaded.theme.name == "harbour")
            #expect(loaded.messages.count == 1 && loaded.messages.first?.severity == .error, "\(name)")
        }
    }

    @Test("Themes that inherit from each other, and names that refer to each other, are reported once")
    func circles() {
        let files = [
            "a": "inherits = \"b\"\nstop = 1", "b": "inherits = \"c\"", "c": "inherits = \"a\"\npickup = 2", "self": "inherits = \"self\"",
            "broken": "inherits = \"syntax\"\nstop = 1", "syntax": "= =",
        ]
        let loaded = catalog(files).load("a", depth: .direct)
        #expect(loaded.messages.map(\.description) == ["c.toml: inherits: these themes inherit from each other: a, b, c, a"])
        #expect(loaded.theme.name == "a")
        #expect(loaded.theme.style(.pickup).foreground == .palette(2))
        #expect(
            catalog(files).load("self", depth: .direct).messages.map(\.description)
                == ["self.toml: inherits: these themes inherit from each other: self, self"])
        let broken = catalog(files).load("broken", depth: .direct)
        #expect(broken.theme.style(.stop).foreground == .palette(1))
        #expect(broken.messages.map(\.severity) == [.warning])

        let palette = catalog(["mine": "stop = \"a\"\npickup = \"d\"\n[palette]\na = \"b\"\nb = \"c\"\nc = \"a\"\nd = \"a\"\ne = 5"])
        #expect(
            palette.load("mine", depth: .direct).messages.map(\.description)
                == ["mine.toml: palette.a: these names refer only to each other: \"a\", \"b\", \"c\", \"a\"; give one of them a colour"])
        let line = (0..<12).reduce(into: [String: String]()) { $0["t\($1)"] = "inherits = \"t\($1 + 1)\"" }
        #expect(catalog(line).load("t0", depth: .direct).messages.first?.sentence.hasPrefix("the chain of inherited themes") == true)
    }

    @Test("Thousands of mistakes give twenty sentences and the number of the others")
    func many() {
        let wrong = (0..<4_000).map { "k\($0) = 1" }.joined(separator: "\n")
        let all = messages(wrong)
        #expect(all.count == 21)
        #expect(all.last == "mine.toml: too many errors; 3980 not shown")
        let names = (0..<3_000).map { "k\($0) = \"k\($0 + 1)\"" }.joined(separator: "\n")
        #expect(messages("[palette]\n" + names).count == 1)
    }

    @Test(
        "A route in the colour of water is a fault, in the scope that the file sets",
        arguments: [
            ("\"map.water\" = 110", "map.water.fg: route.later has"), ("\"map.water\" = \"#87afd7\"", "map.water.fg: route.later has"),
            ("\"map.water\" = { fg = 24, bg = 110 }", "map.water.bg: route.later has"),
            ("\"route.later\" = { fg = \"tide\", width = 2 }\n[palette]\ntide = 75", "route.later.fg: map.water has"),
            ("[palette]\ntide = 110", "palette.tide: map.water: route.later has"),
            ("\"map.water\" = 111", ""),
        ])
    func water(text: String, beginning: String) {
        let faults = catalog(["mine": "inherits = \"harbour-dark\"\nbackground = \"dark\"\n\(text)"]).faults(of: "mine").map(\.description)
        #expect(faults.isEmpty == beginning.isEmpty && faults.allSatisfy { $0.hasPrefix("mine.toml: ") }, "\(faults)")
        #expect(
            beginning.isEmpty
                || faults.contains {
                    $0.hasPrefix("mine.toml: \(beginning) the same colour, so the route cannot be seen on water; choose another colour")
                }, "\(faults)")
    }

    @Test("If a part of a theme is wrong, the rest is used")
    func partial() {
        let loaded = catalog(["mine": "stop = \"blurple\"\npickup = 4\ncard = { fg = 3, bg = \"nope\", bold = true }"]).load(
            "mine", depth: .direct)
        #expect(loaded.messages.count == 2)
        #expect(loaded.messages.allSatisfy { $0.severity == .warning })
        #expect(loaded.theme.name == "mine")
        #expect(loaded.theme.style(.pickup).foreground == .palette(4))
        #expect(loaded.theme.style(.card) == Style(foreground: .palette(3), attributes: .bold))
    }
}
