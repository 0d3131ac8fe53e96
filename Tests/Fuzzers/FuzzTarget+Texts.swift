import TOMLText
import TerminalCanvas
import TerminalScreen
import TripWatchSettings

extension FuzzTarget {
    /// The readers of files that users write.
    static let texts = [toml, configuration, theme, provider]
    /// The readers of bytes from a terminal.
    static let keys = [terminal]

    private static let tomlWords = [
        "\"", "'", "\"\"\"", "'''", "[", "]", "[[", "]]", "{", "}", "=", ",", ".", "#", "\n", "\r\n", "\\", "\\u0000", "\\U0010ffff",
        "\\ud800",
        "true", "nan", "1e999", "0x", "1979-05-27T07:32:00Z", "07:32", "\u{feff}", "\u{202e}", "\u{0}", "\u{85}", "_", "[profiles.a]\n",
        String(repeating: "[", count: 10_000), String(repeating: "{a=", count: 4_000), String(repeating: "a.", count: 10_000),
    ]

    private static let toml = FuzzTarget(
        "toml", seeds: ["a = 1\n[b.c]\nd = [1.5, 'x', {e = true}]\n[[f]]\ng = \"\"\"\n\\u00e9\"\"\"\n", "a.\"b\" = 1979-05-27T07:32:00Z"],
        endings: [".toml"], words: tomlWords
    ) { input, _ in
        let document = try TOMLDocument(utf8: input)
        _ = document.lines()
        guard let set = try? document.setting("a", to: .string("x\u{7f}\"\\")) else { return }
        guard try TOMLDocument(utf8: set).table["a"] == .string("x\u{7f}\"\\") else { throw FuzzFault(rule: "a set key has another value") }
        _ = try? TOMLDocument(utf8: set).commentingOut("a", showing: "1")
    }

    private static let configuration = FuzzTarget(
        "configuration", seeds: [Configuration.defaultText.replacing("\n#", with: "\n"), Configuration.defaultText],
        words: tomlWords + ConfigurationKey.all.map { $0.name + " = " }
    ) { input, _ in
        for profile in [nil, "a", "laptop"] {
            let read = Configuration.read(utf8: input, home: "/home/someone", directory: "/x", profile: profile)
            for message in read.messages { try FuzzFault.check(printable: "\(message)", of: "a message about the configuration") }
        }
        for key in ConfigurationKey.all.prefix(5) { _ = try? Configuration.unsetting(key.name, in: input) }
    }

    private static let theme = FuzzTarget(
        "theme", endings: [".toml"], words: tomlWords + ["inherits", "palette", "route", "map.road", "fg", "bg", "#ffffff", "a"]
    ) { input, _ in
        let catalog = ThemeCatalog(userThemes: ["a", "b"]) { name in
            name == "a.toml" ? input : Array("inherits = 'a'\n".utf8)
        }
        for message in catalog.load("b", depth: input.count.isMultiple(of: 2) ? .none : .palette256).messages {
            try FuzzFault.check(printable: message.description, of: "a theme's message")
        }
    }

    private static let terminal = FuzzTarget(
        "terminal",
        seeds: [
            "abcé東\u{1f697}\u{1b}[A\u{1b}OP\u{1b}[1;5C\u{1b}[15~\u{1b}[[A\u{1b}x",
            "\u{1b}[<0;10;5M\u{1b}[<0;10;5m\u{1b}[M !!\u{1b}[I\u{1b}[O",
            "\u{1b}[200~pasted\r\ntext\u{1b}[201~q", "\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\\u{1b}[?2031;1$y\u{1b}[?997;1n\u{1b}[?62;4c",
            "\u{1b}]11;#ffffff\u{7}\u{1b}P1$r0m\u{1b}\\\u{1b}[99999999999;99999999999u",
        ],
        words: [
            "\u{1b}", "\u{1b}[", "\u{1b}O", "\u{1b}]11;rgb:", "\u{1b}\\", "\u{7}", ";", "[<", "M", "~", "200~", "\u{1b}[201~", "rgba:", "/",
        ]
    ) { input, _ in
        for isAsked in [false, true] {
            var decoder = InputDecoder(keys: KeyTable(), mouse: true, size: Size(columns: 80, rows: 24))
            if isAsked { decoder.answers = TerminalAnswers() }
            decoder.awaitsAnswers = isAsked
            var events: [ScreenEvent] = []
            decoder.decode(input, into: &events)
            decoder.expire(into: &events)
            for case .paste(let text) in events { _ = sanitised(text) }
        }
    }
}
