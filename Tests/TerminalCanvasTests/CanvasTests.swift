import Geo
import TerminalCanvas
import Testing

@Suite("Canvas")
struct CanvasTests {
    private let red = Style(foreground: .palette(196))

    @Test("Every size works, hostile ones are clamped")
    func sizes() {
        let widths = Array(0...8) + Array(stride(from: 9, through: 300, by: 23)) + [300]
        let heights = Array(0...5) + Array(stride(from: 6, through: 100, by: 19)) + [100]
        for columns in widths {
            for rows in heights {
                var canvas = Canvas(size: Size(columns: columns, rows: rows))
                #expect(canvas.size == Size(columns: columns, rows: rows))
                canvas.write("東京駅 Ferry", column: columns - 5, row: rows - 1, style: red)
                canvas.fill(Rectangle(column: -3, row: -3, columns: 7, rows: 7), with: Cell("駅"))
                canvas.draw(canvas, at: Position(column: 1, row: 1))
                #expect(canvas.keepsWideCharactersWhole)
                #expect(canvas.text().utf8.count { $0 == 0x0a } == max(0, rows - 1))
                _ = canvas.ansi(colors: .palette256)
            }
        }
        #expect(Canvas(size: Size(columns: .max, rows: -4)).size == Size(columns: 2_000, rows: 0))
        #expect(Canvas(size: Size(columns: 3, rows: .max)).size.rows == 2_000)
    }

    @Test("Outside the canvas, cells read as blank and writing changes nothing")
    func outside() {
        var canvas = Canvas(size: Size(columns: 3, rows: 2))
        let before = canvas
        for (column, row) in [(-1, 0), (3, 0), (0, -1), (0, 2), (Int.max, Int.max), (Int.min, Int.min)] {
            #expect(canvas[column, row] == .blank)
            canvas[column, row] = Cell("x")
            #expect(canvas.write("xyz", column: column, row: row < 0 ? row : 2, style: red) == 0)
        }
        #expect(canvas == before)
        #expect(canvas.row(2).isEmpty)
        #expect(canvas.row(-1).isEmpty)
        #expect(canvas.row(1).count == 3)
    }

    @Test("Writing clips at both edges and at the limit")
    func clipping() {
        var canvas = Canvas(size: Size(columns: 6, rows: 1))
        #expect(canvas.write("abcdef", column: -2, row: 0, style: red) == 6)
        #expect(canvas.text() == "cdef")
        #expect(canvas.write("123456789", column: 2, row: 0, style: red) == 4)
        #expect(canvas.text() == "cd1234")
        #expect(canvas.write("zzzz", column: 0, row: 0, style: red, limit: 2) == 2)
        #expect(canvas.text() == "zz1234")
        #expect(canvas.write("zzzz", column: 0, row: 0, style: red, limit: -5) == 0)
        #expect(canvas.write("q", column: 5, row: 0, style: red, limit: .max) == 1)
        #expect(canvas.write("q", column: .min, row: 0, style: red, limit: .max) == 0)
    }

    @Test("Wide characters are never split")
    func wide() {
        var canvas = Canvas(size: Size(columns: 6, rows: 1))
        #expect(canvas.write("東京駅", column: 0, row: 0, style: red) == 6)
        #expect(canvas.text() == "東京駅")
        #expect(canvas[1, 0].width == 0)
        canvas.write("x", column: 1, row: 0, style: .plain)
        #expect(canvas.text() == " x京駅")
        #expect(canvas[0, 0].style == red)
        canvas.write("yy", column: 3, row: 0, style: .plain)
        #expect(canvas.text() == " x yy")
        canvas = Canvas(size: Size(columns: 5, rows: 1))
        #expect(canvas.write("東京駅", column: 0, row: 0, style: red) == 4)
        #expect(canvas.text() == "東京")
        #expect(canvas.write("東京駅", column: -1, row: 0, style: red) == 6)
        #expect(canvas.text() == " 京駅")
        #expect(canvas.write("東京駅", column: 0, row: 0, style: red, limit: 3) == 2)
    }

    @Test("Marks join the character before them, controls vanish")
    func marksAndControls() {
        var canvas = Canvas(size: Size(columns: 8, rows: 1))
        #expect(canvas.write("\u{301}e\u{301}\u{200d}\u{323}x\u{1b}[2J\r\n\u{202e}", column: 0, row: 0, style: .plain) == 5)
        #expect(canvas[0, 0].glyph.scalars == ["e", "\u{301}", "\u{323}"])
        #expect(canvas.text().unicodeScalars.map { $0 } == Array("e\u{301}\u{323}x[2J".unicodeScalars))
    }

    @Test("Restyling keeps the characters")
    func restyle() {
        var canvas = Canvas(size: Size(columns: 4, rows: 2))
        canvas.write("abcd", column: 0, row: 1, style: .plain)
        canvas.restyle(Rectangle(column: 1, row: 1, columns: 2, rows: 9), with: red)
        canvas.restyle(Rectangle(column: 2, row: 0, columns: 9, rows: 9)) { $0.attributes.insert(.bold) }
        #expect(canvas.text() == "\nabcd")
        #expect(
            (0..<4).map { canvas[$0, 1].style } == [
                .plain, red, Style(foreground: .palette(196), attributes: .bold), Style(attributes: .bold),
            ])
    }

    @Test("Drawing one canvas on another clips on all sides")
    func drawing() {
        var canvas = Canvas(size: Size(columns: 4, rows: 3), fill: Cell("."))
        var other = Canvas(size: Size(columns: 4, rows: 2), fill: Cell("#"))
        other.write("東東", column: 0, row: 0, style: .plain)
        canvas.draw(other, at: Position(column: -1, row: -1))
        #expect(canvas.text() == "###.\n....\n....")
        canvas.draw(other, at: Position(column: -1, row: 1))
        #expect(canvas.text() == "###.\n 東.\n###.")
        canvas.draw(other, at: Position(column: 3, row: 2))
        #expect(canvas.text() == "###.\n 東.\n###")
        canvas.draw(other, at: Position(column: .max, row: .min))
        canvas.draw(other, at: Position(column: .min, row: .max))
        #expect(canvas.keepsWideCharactersWhole)
        #expect(canvas.cropped(Rectangle(column: 1, row: 1, columns: 9, rows: 1)).text() == "東.")
        #expect(canvas.cropped(Rectangle(column: 2, row: 1, columns: 2, rows: 2)).text() == " .\n#")
    }

    @Test("Moving a canvas in place gives the same result as drawing its copy over it", arguments: 0..<20)
    func scroll(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let size = Size(columns: random.int(in: 1...12), rows: random.int(in: 1...6))
        var canvas = Canvas(size: size)
        for row in 0..<size.rows {
            for _ in 0..<3 { canvas.write("東a京b", column: random.int(in: -3...size.columns), row: row, style: red) }
        }
        for (right, down) in [(0, 0), (1, 0), (-1, 0), (2, 1), (-3, -2), (0, 3), (0, -1), (size.columns, 0), (Int.min, Int.max)] {
            var (moved, drawn) = (canvas, canvas)
            moved.scroll(columns: right, rows: down)
            drawn.draw(canvas, at: Position(column: right, row: down))
            #expect(moved == drawn && moved.keepsWideCharactersWhole, "\(right) \(down)")
        }
    }

    @Test("Whatever is written where, wide characters stay whole")
    func random() {
        var generator = SeededRandom(seed: 41)
        let words = ["東京", "ab", "é駅x", "\u{1f600}", "e\u{301}", ""]
        for _ in 0..<60 {
            var canvas = Canvas(
                size: Size(columns: .random(in: 0...9, using: &generator), rows: .random(in: 0...4, using: &generator)), fill: Cell("駅"))
            for _ in 0..<80 {
                let column = Int.random(in: -4...10, using: &generator)
                let row = Int.random(in: -2...5, using: &generator)
                let size = Int.random(in: 0...6, using: &generator)
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: canvas[column, row] = Cell("東")
                case 1: canvas[column, row] = Cell(glyph: Glyph("z"), style: red, width: UInt8.random(in: 0...3, using: &generator))
                case 2: canvas.fill(Rectangle(column: column, row: row, columns: size, rows: size), with: size < 3 ? Cell("駅") : .blank)
                case 3: canvas.draw(canvas, at: Position(column: column, row: row))
                case 4: canvas.restyle(Rectangle(column: column, row: row, columns: size, rows: size), with: red)
                default: canvas.write(words[size % words.count], column: column, row: row, style: red, limit: size)
                }
                #expect(canvas.keepsWideCharactersWhole)
            }
        }
    }
}
