import Testing

@testable import tripwatch

@Suite("Text of a manual page")
struct ManualTextTests {
    private func body(_ change: (inout ManualText) -> Void) -> String {
        var text = ManualText(name: "x", section: 1, source: "x", manual: "x")
        change(&text)
        return String(text.text.drop { $0 != "\n" }.dropFirst())
    }

    @Test("none of its text is taken for a control line or an escape")
    func escapes() {
        #expect(body { $0.paragraphs(".so /etc/passwd") } == "\\&.so /etc/passwd\n")
        #expect(body { $0.paragraphs("'tis \\n --flag") } == "\\&\\(aqtis \\en \\-\\-flag\n")
        #expect(body { $0.verbatim("a\n\n.b") } == ".PP\n.nf\n.RS 4\na\n\n\\&.b\n.RE\n.fi\n")
        #expect(body { $0.paragraphs("tea\u{7}\u{1b}[2J") } == "tea  [2J\n")
    }

    @Test("characters outside ASCII are written by number")
    func unicode() {
        #expect(body { $0.paragraphs("é 🚕") } == "\\[u00E9] \\[u1F695]\n")
    }

    @Test("paragraphs are separated, and the lines of each are joined")
    func paragraphs() {
        #expect(body { $0.paragraphs("one\nline\n\ntwo") } == "one line\n.PP\ntwo\n")
    }
}
