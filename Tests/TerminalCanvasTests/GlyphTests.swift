import TerminalCanvas
import Testing

@Suite("Glyphs and cells")
struct GlyphTests {
    @Test("A glyph holds a base and two marks, no more")
    func marks() {
        let glyph = Glyph("e", combining: "\u{301}", "\u{323}", "\u{302}")
        #expect(glyph.scalars == ["e", "\u{301}", "\u{323}"])
        #expect(glyph.base == "e")
        #expect(!glyph.isSingleScalar)
        #expect(Glyph("\u{10ffff}").scalars == [" "])
        #expect(Glyph("\u{2ffff}").scalars == [" "])
        #expect(Glyph("\u{10fffd}").scalars == ["\u{10fffd}"])
    }

    @Test(
        "Nothing that moves the cursor gets into a glyph",
        arguments: [
            "\u{0}", "\u{7}", "\u{1b}", "\u{7f}", "\u{9b}", "\u{ad}", "\u{202e}", "\u{200d}", "\u{fe0f}", "\u{feff}", "\u{2028}",
            "\u{e0041}", "\u{301}",
        ] as [Unicode.Scalar])
    func harmless(scalar: Unicode.Scalar) {
        #expect(Glyph(scalar) == .space)
        let marked = Glyph("a", combining: scalar)
        #expect(marked.scalars == (scalar == "\u{301}" ? ["a", scalar] : ["a"]))
    }

    @Test("Only combining marks count as marks")
    func notMarks() {
        #expect(Glyph("a", combining: "b") == Glyph("a"))
        #expect(Glyph("a", combining: "東") == Glyph("a"))
    }

    @Test("A cell that shows nothing is blank")
    func blank() {
        #expect(Glyph.space.isBlank)
        #expect(Glyph("\u{2800}").isBlank)
        #expect(!Glyph("\u{2801}").isBlank)
        #expect(!Glyph(" ", combining: "\u{301}").isBlank)
    }

    @Test("A cell made from a character has its width")
    func width() {
        #expect(Cell("東").width == 2)
        #expect(Cell("⣿").width == 1)
        #expect(Cell("▸").width == 1)
    }

    @Test("Rectangles never overflow")
    func rectangles() {
        let extremes = [Int.min, -1, 0, 1, 7, Int.max]
        let screen = Rectangle(Size(columns: 80, rows: 24))
        for column in extremes {
            for columns in extremes {
                let block = Rectangle(column: column, row: column, columns: columns, rows: columns)
                let inside = block.intersection(screen)
                #expect(inside.isEmpty || inside.column >= 0 && inside.endColumn <= 80 && inside.endRow <= 24)
                for count in extremes {
                    #expect(block.inset(columns: count, rows: count).columns <= max(0, columns))
                    let (left, rest) = block.split(left: count)
                    #expect(left.columns + rest.columns == max(0, columns))
                    let (above, below) = block.split(bottom: count)
                    #expect(above.rows + below.rows == max(0, columns))
                    _ = block.split(right: count)
                    _ = block.split(top: count)
                    _ = block.centred(Size(columns: count, rows: count))
                }
            }
        }
        #expect(screen.inset(columns: 2, rows: 1) == Rectangle(column: 2, row: 1, columns: 76, rows: 22))
        #expect(screen.split(right: 26).right == Rectangle(column: 54, row: 0, columns: 26, rows: 24))
        #expect(screen.centred(Size(columns: 40, rows: 10)) == Rectangle(column: 20, row: 7, columns: 40, rows: 10))
    }
}
