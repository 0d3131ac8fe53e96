import Testing

@testable import TileSources

@Suite struct PlainTextTests {
    @Test(
        "attributions lose their tags and keep their words",
        arguments: [
            (
                "&copy; <a href=\"https://openmaptiles.org/\">OpenMapTiles</a> <a href='x'>&copy; OpenStreetMap contributors</a>",
                "© OpenMapTiles © OpenStreetMap contributors"
            ),
            ("<p>One</p><p>Two<br/>Three</p>", "One Two Three"),
            ("Jam&nbsp;&amp;&nbsp;Bread", "Jam & Bread"),
            ("&#169; &#xA9; &#Xa9;", "© © ©"),
            ("&lt;b&gt; is not bold", "<b> is not bold"),
            ("a < b and b > a", "a < b and b > a"),
            ("<a title=\"a > b\">link</a>", "link"),
            ("<script>alert('x')</script>Kept<STYLE>p{}</STYLE >!", "Kept!"),
            ("<!-- no <b> --> yes", "yes"),
            ("&unknown; &; & &#; &#xd800; &#1114112;", "&unknown; &; & &#; &#xd800; &#1114112;"),
            ("cut <a href='never closed", "cut"),
            ("<3 hearts </>", "<3 hearts"),
            ("", ""), ("  \n\t ", ""), ("<br><br>", ""),
        ])
    func html(html: String, plain: String) {
        #expect(PlainText.line(fromHTML: html) == plain)
    }

    @Test("no character that moves the cursor or turns the text gets through")
    func controls() {
        #expect(PlainText.line("\u{1b}[31mred\u{7}\u{9b}0m\u{202e}evil\u{200b}\u{feff}") == "[31mred0mevil")
        #expect(PlainText.line(fromHTML: "&#27;[2J&#x9b;2J&#8238;x&#0;y") == "[2J2Jxy")
        #expect(PlainText.line("one\r\ntwo\u{2028}three\u{85}four") == "one two three four")
        #expect(PlainText.line("Zürich 札幌 Αθήνα") == "Zürich 札幌 Αθήνα")
    }

    @Test("very long texts are cut, in reasonable time")
    func length() {
        #expect(PlainText.line(String(repeating: "x", count: 5000)).count == PlainText.maximumLength + 1)
        for piece in ["<a ", "<!--", "<script>", "&amp", "&#", "<a href=\"", "e\u{301}", "\u{301}"] {
            let text = PlainText.line(fromHTML: String(repeating: piece, count: 200_000))
            #expect(text.unicodeScalars.count <= PlainText.maximumLength + 1)
        }
    }
}
