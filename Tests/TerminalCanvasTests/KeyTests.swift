import TerminalCanvas
import Testing

@Suite("Names of keys")
struct KeyTests {
    @Test(
        "key names are read back as they are written",
        arguments: [
            "q", "Q", "?", "ctrl-c", "alt-x", "alt-X", "ctrl-alt-shift-up", "esc", "shift-tab", "f1", "F12", "space", "pgup", "ins", "ä",
            "+", "-", "f",
        ])
    func names(text: String) throws {
        let key = try #require(Key(text))
        #expect(Key(key.description) == key)
        #expect(key.description.lowercased() == text.lowercased())
    }

    @Test("an invalid key name gives no key", arguments: ["", "f0", "f13", "ctrl-", "alt-", "ctrl-ctrl-c", "escape me", "ctrl"])
    func noNames(text: String) { #expect(Key(text) == nil) }

    @Test("Letters with Ctrl are lower case, others as they are")
    func modifiers() {
        #expect(Key("Ctrl-C") == .control("c"))
        #expect(Key("alt-X") == .alt("X"))
        #expect(Key("Shift-Up") == Key(.up, modifiers: .shift))
        #expect(Key("shift-tab") == Key(.backtab))
    }

    @Test(
        "key names are shown with capitals",
        arguments: [
            ("esc", "Esc"), ("ctrl-c", "Ctrl-C"), ("f1", "F1"), ("q", "q"), ("G", "G"), ("space", "Space"), ("shift-tab", "Shift-Tab"),
            ("ctrl-left", "Ctrl-Left"), ("alt-x", "Alt-x"), ("alt-X", "Alt-X"), ("alt--", "Alt--"), ("-", "-"),
        ])
    func titles(text: String, title: String) { #expect(Key(text)?.title == title) }
}
