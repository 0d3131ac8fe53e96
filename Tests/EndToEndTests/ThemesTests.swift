import Foundation
import TerminalCanvas
import TerminalHarness
import Testing

@testable import ProgramHarness

/// Tests of the commands for themes. They run the real program with a configuration of their own.
@Suite("Themes as files", .timeLimit(.minutes(3)))
struct ThemesTests {
    /// A configuration directory, which is removed when this object is released.
    private final class Home {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        var setting: [String: String] { ["XDG_CONFIG_HOME": folder.path] }

        init(_ themes: [String: String] = [:]) throws {
            try FileManager.default.createDirectory(at: themesFolder, withIntermediateDirectories: true)
            for (name, text) in themes { try Data(text.utf8).write(to: file(name)) }
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func configure(_ text: String) throws { try Data(text.utf8).write(to: folder.appending(path: "tripwatch/config.toml")) }

        private var themesFolder: URL { folder.appending(path: "tripwatch/themes") }
        func file(_ name: String) -> URL { themesFolder.appending(path: name + ".toml") }
    }

    private struct Row: Decodable {
        var name: String
        var about: String
        var background: String
        var file: String?
    }

    @Test("list names all themes, as text and as JSON, and the user's themes with their files")
    func list() throws {
        let home = try Home(["mine": "about = \"My own\"\nbackground = \"light\"\n", "broken": "about = \n"])
        let words = try Program().run(["themes", "list"], setting: home.setting)
        #expect(words.status == 0 && words.errors.isEmpty)
        #expect(words.lines.contains("harbour-dark         dark   A quiet night map, the way in amber"), "\(words.lines)")
        #expect(words.lines.contains("mine                 light  My own (\(home.file("mine").path))"), "\(words.lines)")
        #expect(words.lines.contains { $0.hasPrefix("broken ") && $0.contains("themes check broken") })
        #expect(try Program().run(["themes"], setting: home.setting).lines == words.lines)

        let json = try Program().run(["themes", "list", "--json"], setting: home.setting)
        let rows = try JSONDecoder().decode([Row].self, from: Data(json.lines.joined().utf8))
        #expect(rows.map(\.name) == rows.map(\.name).sorted() && rows.count == 11)
        #expect(rows.first { $0.name == "mine" }?.file == home.file("mine").path)
        #expect(rows.first { $0.name == "mono" }.map { [$0.background, "\($0.file == nil)"] } == ["any", "true"])
        #expect(json.lines.joined().contains("\"file\":null"))
    }

    @Test("show prints a theme as written, and an unknown theme gives a message")
    func show() throws {
        let home = try Home(["mine": "inherits = \"mono\" # as it is\n"])
        #expect(try Program().run(["themes", "show", "mine"], setting: home.setting).lines == ["inherits = \"mono\" # as it is"])
        let own = try Program().run(["themes", "show", "harbour-light"], setting: home.setting)
        #expect(own.lines.contains("background = \"light\""))
        let missing = try Program().run(["themes", "show", "harbor-light"], setting: home.setting)
        #expect(missing.status == 1 && missing.lines.isEmpty)
        #expect(missing.errors.contains("there is no theme \"harbor-light\" (did you mean \"harbour-light\"?)"))
    }

    @Test("check reports every fault with its line, by name and by file, and nothing if there is no fault")
    func check() throws {
        let text = """
            inherits = "parent"
            stop = "blurple"
            zebra = 1

            [route]
            ahead = { width = 99 }
            this is no TOML
            behind = { bald = true }
            later.fg = 300
            = 4

            [palette16]
            nobody = "red"
            [palette_direct]
            nobody = "red"
            """
        let parent = "\nabout = 3\n"
        let home = try Home(["mine": text, "parent": parent])
        let lines = [
            "2: stop.fg: \"blurple\" is not a colour", "3: zebra: there is no such key",
            "6: route.ahead.width: 99 is not allowed; use a number",
            "7: ", "8: route.behind.bald: there is no such key; did you mean \"bold\"?", "9: route.later.fg: 300 is not a colour", "10: ",
            "13: palette16.nobody: there is no such name in [palette]", "15: palette_direct.nobody: there is no such name in [palette]",
        ]
        let path = home.file("mine").path
        for (word, shown) in [("mine", path), (path, path)] {
            let checked = try Program().run(["themes", "check", word], setting: home.setting)
            #expect(checked.status == 1)
            let wanted = lines.map { "\(shown):\($0)" } + ["\(home.file("parent").path):2: about: 3 is not allowed"]
            #expect(checked.lines.count == wanted.count, "\(checked.lines)")
            for (line, beginning) in zip(checked.lines, wanted) { #expect(line.hasPrefix(beginning), "\(line)") }
        }
        for name in ["harbour", "harbour-dark", "mono", "terminal-16", "high-contrast-light"] {
            let checked = try Program().run(["themes", "check", name], setting: home.setting)
            #expect(checked.status == 0 && checked.lines.isEmpty && checked.errors.isEmpty)
        }
        let missing = try Program().run(["themes", "check", "/nowhere/at/all.toml"], setting: home.setting)
        #expect(missing.status == 1 && missing.errors.contains("cannot be read"))
    }

    @Test("the example in docs/themes.md has no fault and its stated effect, and the page lists all scopes")
    func example() throws {
        let text = try String(contentsOf: Program.package.appending(path: "docs/themes.md"), encoding: .utf8)
        let example = try #require(text.split(separator: "```toml\n").dropFirst().first?.split(separator: "```").first)
        let home = try Home(["example": String(example)])
        let checked = try Program().run(["themes", "check", "example"], setting: home.setting)
        #expect(checked.status == 0 && checked.lines.isEmpty, "\(checked.lines)")
        let listed = try Program().run(["themes"], setting: home.setting)
        #expect(listed.lines.contains { $0.hasPrefix("example ") && $0.contains("dark   The night map, with a green lamp") })
        // A theme that uses every scope in the page's tables must have no unknown scope.
        let scopes = text.split(separator: "## The scopes").dropFirst().joined().split(separator: "`").enumerated().filter {
            !$0.offset.isMultiple(of: 2)
        }
        let all = try Home(["all": scopes.map { "\"\($0.element)\" = 1\n" }.joined()])
        #expect(try Program().run(["themes", "check", "all"], setting: all.setting).lines == [])
        #expect(scopes.count > 60)
    }

    @Test(
        "the screen uses a user's theme, in direct colours if COLORTERM says so, and otherwise in 256",
        .enabled(if: PseudoTerminal.isInstalled("xterm-direct"), "the package ncurses-term is not installed"))
    func colors() throws {
        let text =
            "background = \"dark\"\ntitle = { fg = \"a\", bg = \"b\" }\n[palette]\na = 231\nb = 53\n[palette_direct]\nb = \"#31293a\"\n"
        let home = try Home(["mine": text])
        let cases: [([String: String], [String], Color)] = [
            (["COLORTERM": "truecolor"], [], .rgb(0x31, 0x29, 0x3a)), (["COLORTERM": "24bit"], [], .rgb(0x31, 0x29, 0x3a)),
            (["COLORTERM": "yes"], [], .palette(53)), ([:], [], .palette(53)), ([:], ["--colors", "direct"], .rgb(0x31, 0x29, 0x3a)),
            (["COLORTERM": "truecolor"], ["--colors", "256"], .palette(53)),
        ]
        for (setting, arguments, color) in cases {
            let demo = try ProgramOnTerminal(
                ["demo", "--theme", "mine"] + arguments, setting: home.setting.merging(setting) { $1 })
            try demo.wait(for: "tripwatch")
            #expect(demo.terminal.virtual.cells[0].style.background == color, "\(setting) \(arguments)")
            demo.press("q")
            #expect(try demo.end() == 0)
            #expect(demo.terminal.virtual.unknown.isEmpty)
        }
    }

    @Test("check finds unreadable text: too little contrast, and a background without its foreground")
    func readability() throws {
        let text = """
            inherits = "harbour-dark"
            background = "dark"
            title = { bg = 53 }
            "text.quiet" = 238
            route = 236
            "map.road" = 235
            dialog = { fg = 245, bg = 240 }
            card = { fg = "red" }
            [palette]
            buoy = 22
            lamp = 236
            """
        let home = try Home(["mine": text, "both": "background = \"any\"\nevent = 252\ncard = { fg = 231, bg = 53 }\n"])
        let path = home.file("mine").path
        let checked = try Program().run(["themes", "check", path], setting: home.setting)
        let beginnings = [
            "3: title.bg: a background without a foreground", "4: text.quiet.fg: the contrast on dark backgrounds is 1.",
            "5: route.fg: the contrast",
            "7: dialog.fg: the contrast with its background is", "10: palette.buoy: ", "11: palette.lamp: ",
        ]
        #expect(checked.status == 1 && checked.lines.count == beginnings.count, "\(checked.lines)")
        for (line, beginning) in zip(checked.lines, beginnings) { #expect(line.hasPrefix("\(path):\(beginning)"), "\(line)") }
        #expect(
            checked.lines.dropFirst().first?.hasSuffix("to 1, but must be at least 4.5; choose a lighter colour") == true,
            "\(checked.lines)")
        #expect(checked.lines.dropFirst(2).first?.contains("but must be at least 3; choose a lighter colour") == true, "\(checked.lines)")
        let both = try Program().run(["themes", "check", "both"], setting: home.setting)
        #expect(both.status == 1 && both.lines.count == 1, "\(both.lines)")
        #expect(both.lines.first?.contains(":2: event.fg: the contrast on light backgrounds is 1.") == true, "\(both.lines)")
        #expect(both.lines.first?.hasSuffix("choose another colour, add a bg, or set background = \"dark\"") == true, "\(both.lines)")
    }

    @Test("USR1 loads theme and keys of a changed configuration, reports its faults, and no title is set if none is wanted")
    func renewal() throws {
        let home = try Home()
        try home.configure("theme = \"harbour-dark\"\nwindow_title = false\n")
        let demo = try ProgramOnTerminal(["demo"], setting: home.setting)
        try demo.wait(for: "min")
        #expect(!demo.terminal.visibleOutput.contains("]0;") && !demo.terminal.visibleOutput.contains("]2;"))
        try home.configure("theme = \"harbour-light\"\n[keys]\nunits = \"U\"\n")
        demo.signal(SIGUSR1)
        try demo.wait(for: "The configuration was reloaded.")
        demo.press("d")
        try demo.wait(for: "harbour-light")
        demo.press("\u{1b}")
        try demo.wait(for: "the end of the details") { !$0.contains("harbour-light") }
        demo.press("U")
        try demo.wait(for: "Units: US")
        try home.configure("[keys]\nunits = \"Hyper-U\"\n")
        demo.signal(SIGUSR1)
        try demo.wait(for: "is not allowed")
        demo.press("q")
        #expect(try demo.end() == 0)
    }

    @Test("t goes through all themes on the running screen, and shows the name of each")
    func preview() throws {
        let home = try Home(["mine": "background = \"dark\"\ntitle = { fg = 231, bg = 53 }\n"])
        let demo = try ProgramOnTerminal(["demo", "--theme", "high-contrast-light"], setting: home.setting)
        try demo.wait(for: "min")
        demo.press("t")
        try demo.wait(for: "Theme: mine")
        #expect(demo.terminal.virtual.cells[0].style.background == .palette(53))
        demo.press("t")
        try demo.wait(for: "Theme: mono")
        #expect(demo.terminal.virtual.cells[0].style.background == .default)
        demo.press("q")
        #expect(try demo.end() == 0)
    }
}
