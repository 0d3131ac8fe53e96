import Geo
import TerminalCanvas
import Testing

@Suite("Fitting, wrapping, transliterating")
struct FittingTests {
    @Test(
        "Text is cut with an ellipsis, wide characters whole",
        arguments: [
            ("Northgate Station", 20, "Northgate Station"), ("Northgate Station", 10, "Northgate…"),
            ("Northgate Station", 11, "Northgate…"),
            ("東京駅前", 8, "東京駅前"), ("東京駅前", 7, "東京駅…"), ("東京駅前", 6, "東京…"), ("abc", 1, "…"), ("abc", 0, ""), ("abc", -3, ""),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("a\nb\u{1b}c", 9, "a bc"),
        ])
    func cut(text: String, columns: Int, expected: String) {
        #expect(fitted(text, columns: columns) == expected)
    }

    @Test("The ASCII ellipsis takes two cells")
    func dots() {
        #expect(fitted("Northgate", columns: 5, ellipsis: "..") == "Nor..")
        #expect(fitted("Northgate", columns: 1, ellipsis: "..") == ".")
        #expect(fitted("Northgate", columns: 9, ellipsis: "..") == "Northgate")
    }

    @Test("Padding fills to the column")
    func padding() {
        #expect(padded("東", columns: 5) == "東   ")
        #expect(padded("東", columns: 5, alignment: .right) == "   東")
        #expect(padded("ab", columns: 5, alignment: .centre) == " ab  ")
        #expect(padded("東京駅", columns: 4) == "東… ")
        var generator = SeededRandom(seed: 8)
        for _ in 0..<300 {
            let text = String((0..<12).map { _ in ["a", "東", "e\u{301}", " ", "🚕"].randomElement(using: &generator) ?? "a" }.joined())
            let columns = Int.random(in: 0...25, using: &generator)
            #expect(displayWidth(padded(text, columns: columns, alignment: .right)) == columns)
            #expect(displayWidth(fitted(text, columns: columns)) <= columns)
            #expect(wrapped(text, columns: columns).allSatisfy { displayWidth($0) <= columns })
        }
    }

    @Test("Lines break at spaces, long words are cut, and the last line shows that text is missing")
    func wrapping() {
        #expect(wrapped("Connection lost. Trying again", columns: 12) == ["Connection", "lost. Trying", "again"])
        #expect(wrapped("abcdefgh ij", columns: 3) == ["abc", "def", "gh", "ij"])
        #expect(wrapped("one two three four", columns: 8, maximumLines: 2) == ["one two", "three f…"])
        #expect(wrapped("東京駅", columns: 1) == [])
        #expect(wrapped("", columns: 5) == [])
        #expect(wrapped("x", columns: 0) == [])
    }

    @Test(
        "Letters and signs are converted to ASCII",
        arguments: [
            ("Größe Škoda Łódź Ñandú", "Grosse Skoda Lodz Nandu"), ("Œuvre Þór Ærø", "OEuvre Thor AEro"), ("Αθήνα", "Athina"),
            ("Площадь Ленина", "Ploshchad Lenina"),
            ("Київ", "Kiyiv"), ("“a” – ‘b’…", "\"a\" - 'b'.."), ("© OpenStreetMap", "(c) OpenStreetMap"),
            ("▸ ▾ ◉ ⚑ ∙ ◦ ✓ ✗ ⚠ ┆ ╎", "> v @ F - o x ! ! | |"),
            ("東", "?"), ("e\u{301}", "e"), ("↑→↓←", "^>v<"), ("20 °C", "20 degC"), ("ＡＢ", "AB"), ("⠒⠶⠄⡇⢸⣿", "-#.||#"),
            ("a\u{202e}\u{1b}b\nc", "ab c"),
        ])
    func ascii(text: String, expected: String) {
        #expect(transliterated(text) == expected)
    }

    @Test("A canvas in ASCII has only ASCII characters, in the same columns")
    func asciiCanvas() {
        var canvas = Canvas(size: Size(columns: 12, rows: 1))
        canvas.write("▸é東⠒e\u{301}…x", column: 0, row: 0, style: Style(foreground: .palette(2)))
        canvas.reduceToASCII()
        #expect(canvas.text() == ">e? -e.x")
        #expect(canvas[2, 0] == Cell("?", style: Style(foreground: .palette(2))))
        #expect(canvas.keepsWideCharactersWhole)
    }
}
