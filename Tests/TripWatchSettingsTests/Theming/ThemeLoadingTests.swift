import TerminalCanvas
import TerminalMap
import Testing
import Themes

@testable import TripWatchSettings

/// Returns a theme catalogue whose user directory has the given files.
func catalog(_ files: [String: String]) -> ThemeCatalog {
    ThemeCatalog(userThemes: Array(files.keys)) { fileName in
        files[String(fileName.dropLast(".toml".count))].map { Array($0.utf8) }
    }
}

@Suite("Loading themes")
struct ThemeLoadingTests {
    private func load(_ text: String, depth: ColorDepth = .direct) -> LoadedTheme { catalog(["mine": text]).load("mine", depth: depth) }

    private func style(_ text: String, _ scope: ThemeScope) -> Style {
        let loaded = load(text)
        #expect(loaded.messages == [])
        return loaded.theme.style(scope)
    }

    @Test(
        "A colour can be written in every way",
        arguments: [
            ("\"default\"", Color.default), ("17", .palette(17)), ("\"17\"", .palette(17)), ("0", .palette(0)), ("255", .palette(255)),
            ("\"#0a7fFF\"", .rgb(10, 127, 255)), ("\"black\"", .palette(0)), ("\"white\"", .palette(7)), ("\"bright-black\"", .palette(8)),
            ("\"bright-white\"", .palette(15)), ("\"tea\"", .rgb(1, 2, 3)), ("\"green\"", .palette(99)), ("\"cup\"", .rgb(1, 2, 3)),
        ])
    func colors(word: String, color: Color) {
        let text = """
            stop = \(word)
            pickup = { bg = \(word) }
            [palette]
            cup = "mug"
            mug = "tea"
            tea = "#010203"
            green = 99
            red = "red"
            """
        #expect(style(text, .stop) == Style(foreground: color))
        #expect(style(text, .pickup) == Style(background: color))
    }

    @Test("A style can be a colour, a table, or tables inside each other")
    func styles() {
        let all = Style(foreground: .palette(1), background: .palette(2), attributes: [.bold, .dim, .underline, .reverse, .italic])
        let table = "{ fg = \"red\", bg = \"green\", bold = true, dim = true, underline = true, reverse = true, italic = true }"
        #expect(style("card = \(table)", .card) == all)
        #expect(style("\"dialog.focus\" = \(table)", .dialogFocus) == all)
        #expect(style("dialog.focus = \(table)", .dialogFocus) == all)
        #expect(style("[dialog]\nfocus = \(table)", .dialogFocus) == all)
        #expect(style("[map.road]\nfg = 3\nprimary = 4", .mapRoadPrimary) == Style(foreground: .palette(4)))
        #expect(style("[map.road]\nfg = 3\nprimary = 4", .mapRoadStreet) == Style(foreground: .palette(3)))
        #expect(style("card = { bold = false }", .card) == .plain)
        #expect(style("card = {}", .card) == .plain)
    }

    @Test("A scope takes the style of the longest prefix of its name, as a whole")
    func prefixes() {
        let text = "map = { fg = 1, bold = true }\n\"map.road\" = 2\n\"map.road.primary\" = { bg = 3 }"
        #expect(style(text, .mapWater) == Style(foreground: .palette(1), attributes: .bold))
        #expect(style(text, .mapRoadStreet) == Style(foreground: .palette(2)))
        #expect(style(text, .mapRoadPrimary) == Style(background: .palette(3)))
    }

    @Test("Parts that a theme leaves out come from the default theme for its background")
    func base() {
        let theme = load("stop = 1").theme
        #expect(theme.style(.stop) == Style(foreground: .palette(1)))
        #expect(theme.reduced(to: .palette256).style(.routeAhead).foreground == .palette(215))
        #expect(theme.polylineStyle(.behind).strokeWidth == 1)
        #expect(load("background = \"light\"").theme.reduced(to: .palette256).style(.routeAhead).foreground == .palette(130))
        #expect(load("background = \"any\"").theme.style(.routeAhead) == .plain)
        #expect(load("background = \"any\"").theme.background == nil)
        let light = catalog(["mine": ""]).load("mine", background: .light, depth: .direct).theme
        #expect(light.background == .light)
        #expect(light.reduced(to: .palette256).style(.routeAhead).foreground == .palette(130))
    }

    @Test("A theme inherits scopes, palette and background, and changes those that it sets")
    func inheritance() {
        let files = [
            "child": "inherits = \"parent\"\nstop = \"tea\"\n[palette]\ntea = 5", "plain": "inherits = \"parent\"",
            "parent": """
            inherits = "grand"
            pickup = "tea"
            stop = { fg = 9, bold = true }
            [palette]
            tea = 4
            """, "grand": "background = \"any\"\nabout = \"old\"\ndropoff = { fg = \"milk\", italic = true }\n[palette]\nmilk = 7\ntea = 3",
        ]
        let child = catalog(files).load("child", depth: .direct)
        #expect(child.messages == [])
        #expect(child.theme.background == nil)
        #expect(child.theme.style(.stop) == Style(foreground: .palette(5)))
        #expect(child.theme.style(.pickup).foreground == .palette(5))
        #expect(child.theme.style(.dropoff) == Style(foreground: .palette(7), attributes: .italic))
        #expect(child.theme.style(.routeAhead) == .plain)
        #expect(catalog(files).load("plain", depth: .direct).theme.style(.pickup).foreground == .palette(4))
    }

    @Test("A theme may have the name of a bundled one and build on it")
    func namesake() {
        let mine = catalog(["harbour-dark": "inherits = \"harbour-dark\"\n[palette]\nlamp = 99"]).load("harbour-dark", depth: .direct)
        #expect(mine.messages == [])
        #expect(mine.theme.style(.routeAhead).foreground == .palette(99))
        #expect(mine.theme.reduced(to: .palette256).style(.mapWater).foreground == .palette(24))
        let standard = catalog(["harbour-dark": "stop = 1"]).load(background: .dark, depth: .palette256).theme
        #expect(standard.style(.stop).foreground == .palette(1))
        let broken = catalog(["harbour-dark": "stop = "]).load("harbour-dark", depth: .palette256)
        #expect(broken.messages.map(\.severity) == [.error])
        #expect(broken.theme.name == "harbour")
    }

    @Test("A colour's counterpart among the sixteen is used at that depth, and dropped if an inheriting theme changes the colour")
    func siblings() {
        let parent =
            "stop = \"tea\"\npickup = \"cup\"\ndropoff = \"milk\"\n[palette]\ntea = 215\ncup = \"tea\"\nmilk = 231\n[palette16]\ntea = \"cyan\""
        let files = ["mine": parent, "child": "inherits = \"mine\"\n[palette]\ntea = 203"]
        for depth in [ColorDepth.ansi16, .ansi8] {
            let theme = catalog(files).load("mine", depth: depth).theme
            #expect(theme.style(.stop).foreground == .palette(6))
            #expect(theme.style(.pickup).foreground == .palette(6))
            #expect(theme.style(.dropoff).foreground == Color.palette(231).reduced(to: depth))
            let child = catalog(files).load("child", depth: depth)
            #expect(child.messages == [])
            #expect(child.theme.style(.stop).foreground == Color.palette(203).reduced(to: depth))
        }
        #expect(catalog(files).load("mine", depth: .palette256).theme.style(.stop).foreground == .palette(215))
        #expect(catalog(files).load("mine", depth: .none).theme.style(.stop) == .plain)
    }

    @Test("A colour's direct counterpart is used at that depth, and dropped if an inheriting theme changes the colour")
    func directSiblings() {
        let files = [
            "mine": "stop = \"tea\"\npickup = \"cup\"\n[palette]\ntea = 215\ncup = \"tea\"\n[palette_direct]\ntea = \"#ffb057\"",
            "child": "inherits = \"mine\"\n[palette]\ntea = 203",
        ]
        let mine = catalog(files).load("mine", depth: .direct)
        #expect(mine.messages == [])
        for scope in [ThemeScope.stop, .pickup] {
            #expect(mine.theme.style(scope).foreground == .rgb(0xff, 0xb0, 0x57))
            #expect(mine.theme.reduced(to: .palette256).style(scope).foreground == .palette(215))
        }
        #expect(catalog(files).load("child", depth: .direct).theme.style(.stop).foreground == .palette(203))
    }

    @Test("The user's theme names are added to the bundled ones, and a name is never a path")
    func names() {
        let catalog = catalog(["b": "", "../a": "", "": "", "a b": "", "harbour-dark": "", ".x": "", String(repeating: "n", count: 65): ""])
        #expect(catalog.names == (ThemeCatalog.embeddedNames + ["b"]).sorted())
        let spy = ThemeCatalog { fileName in
            Issue.record("asked for \(fileName)")
            return nil
        }
        for name in ["../../etc/passwd", "a/b", "", "a\u{0}b", "a.b", "ä", "a\n"] {
            let loaded = spy.load(name, depth: .palette256)
            #expect(loaded.theme.name == "harbour")
            #expect(loaded.messages.count == 1)
            #expect(loaded.messages.first?.severity == .error)
            #expect(spy.text(of: name) == nil)
        }
    }

    @Test("The text of a theme can be shown; the user's theme has priority over the bundled one")
    func texts() {
        #expect(catalog([:]).text(of: "mono")?.contains("background = \"any\"") == true)
        #expect(catalog(["mono": "stop = 1"]).text(of: "mono") == "stop = 1")
        #expect(catalog([:]).text(of: "nothing") == nil)
    }
}
