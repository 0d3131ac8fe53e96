import Geo
import TerminalCanvas
import TerminalHarness
import Testing

@testable import TerminalScreen

@Suite("Rows as ncurses gets them")
struct RowPreparationTests {
    private func preparation(isUTF8: Bool = true, wrapsAtOnce: Bool = false, insertsLastCell: Bool = false) -> RowPreparation {
        let rules = GlyphRules(isUTF8: isUTF8, wrapsAtOnce: wrapsAtOnce, insertsLastCell: insertsLastCell) { value in
            guard isUTF8 || value < 0x7f else { return -1 }
            return Unicode.Scalar(value).map { TextWidth.width(of: $0) } ?? -1
        }
        return RowPreparation(looks: LookTable(depth: .palette256, numbersDirectly: false), rules: rules)
    }

    private func prepared(_ cells: [Cell], _ preparation: RowPreparation? = nil) -> [RowPreparation.PreparedCell] {
        var canvas = Canvas(size: Size(columns: cells.count, rows: 2))
        for (column, cell) in cells.enumerated() { canvas[column, 0] = cell }
        var preparation = preparation ?? self.preparation()
        return preparation.prepare(canvas, row: 0)
    }

    private func cell(_ scalar: Unicode.Scalar, _ foreground: UInt8?, _ background: UInt8?, _ attributes: Attributes = []) -> Cell {
        let colors = [foreground, background].map { $0.map { Color.palette($0) } ?? .default }
        return Cell(scalar, style: Style(foreground: colors[0], background: colors[1], attributes: attributes))
    }

    private func look(_ foreground: Int32, _ background: Int32, _ attributes: Attributes = []) -> Look {
        Look(colors: ColorPair(foreground: foreground, background: background), attributes: attributes)
    }

    @Test("A blank takes the look before it, or else the one after it, if that shows the same background")
    func blanks() {
        let row = prepared([
            cell("a", 20, 30), cell(" ", 99, 30), cell(" ", nil, 31, .bold), cell(" ", 5, 31), cell("b", 21, 31), cell(" ", 1, nil),
            cell("c", 22, 32),
        ])
        let looks = [look(20, 30), look(20, 30), look(21, 31), look(21, 31), look(21, 31), look(-1, -1), look(22, 32)]
        #expect(row.map(\.look) == looks)
    }

    @Test("Blanks keep their underline, and no blank starts to blink or changes colour with reverse video")
    func blanksThatShowMore() {
        let row = prepared([
            cell("a", 20, nil, .blink), cell(" ", nil, nil), cell(" ", nil, nil, .underline), cell("b", 20, nil, .reverse),
            cell(" ", nil, 20),
            cell("c", 20, nil, [.reverse, .bold]), cell(" ", nil, 20),
        ])
        #expect(row[1].look == look(-1, -1) && row[2].look == look(-1, -1, .underline))
        #expect(row[4].look == look(20, -1, .reverse) && row[6].look == look(-1, 20))
    }

    @Test("Two swapped colours need no reverse video, unless bold or dim changes one of them")
    func reverse() {
        let row = prepared([cell("a", 1, 2, .reverse), cell("b", 1, 2, [.reverse, .bold]), cell("c", nil, 2, .reverse)])
        #expect(row.map(\.look) == [look(2, 1), look(1, 2, [.reverse, .bold]), look(-1, 2, .reverse)])
    }

    @Test("Every row shows the contents of the canvas", arguments: 1...20 as ClosedRange<UInt64>)
    func sameAppearance(seed: UInt64) {
        var maker = CanvasMaker(generator: SeededRandom(seed: seed))
        let cells = (0..<200).map { _ in Bool.random(using: &maker.generator) ? maker.cell() : Cell(" ", style: maker.style()) }
        let row = prepared(cells.map { $0.width == 1 ? $0 : .blank })
        #expect(row.count == 200)
        var looks = LookTable(depth: .palette256, numbersDirectly: false)
        for (cell, seen) in zip(cells, row) where cell.width == 1 {
            let wanted = looks.look(of: cell.style)
            guard cell.glyph.isBlank, let color = wanted.blankColor else {
                #expect(seen.look == wanted)
                continue
            }
            #expect(seen.glyph == .space && seen.look.blankColor == color && seen.look.suitsBlanks)
        }
    }

    @Test("A wide character is one cell, or two blanks where it would be cut in half")
    func wide() {
        var canvas = Canvas(size: Size(columns: 3, rows: 1))
        canvas[0, 0] = Cell("東")
        var usual = preparation()
        #expect(usual.prepare(canvas, row: 0).map(\.glyph) == [Glyph("東"), .space])
        var inserting = preparation(insertsLastCell: true)
        #expect(inserting.prepare(canvas, row: 0).map(\.glyph) == [.space, .space, .space])
        var plain = preparation(isUTF8: false)
        #expect(plain.prepare(canvas, row: 0).map(\.glyph) == [Glyph("?"), .space, .space])
    }

    @Test("Marks are left out at the end of a row if the terminal wraps at once")
    func marks() {
        let marked = Glyph("e", combining: "\u{301}")
        let row = [Cell(glyph: marked), Cell(glyph: marked)]
        #expect(prepared(row).map(\.glyph) == [marked, marked])
        #expect(prepared(row, preparation(wrapsAtOnce: true)).map(\.glyph) == [marked, Glyph("e")])
    }
}

@Suite("Pictures that moved to the left")
struct LeftMoveTests {
    private func picture(_ columns: Int, offset: Int) -> Canvas {
        var canvas = Canvas(size: Size(columns: columns, rows: 12))
        for row in 0..<12 {
            for column in 0..<columns {
                let value = UInt32(truncatingIfNeeded: (column + offset) &* 7_919 &+ row &* 104_729)
                canvas[column, row] = Cell(Unicode.Scalar(0x2801 + value % 254) ?? "x")
            }
        }
        return canvas
    }

    @Test("a move is found with its columns, and with the rows that become cheaper by it")
    func found() {
        var new = picture(80, offset: 20)
        let old = picture(80, offset: 0)
        for column in 0..<80 { new[column, 5] = old[column, 5] }
        let move = LeftMove(from: old, to: new)
        #expect(move?.columns == 20)
        #expect(move?.rows == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11])
    }

    @Test("No move is found if pictures are equal, unlike, blank, of another size or moved to the right")
    func none() {
        let old = picture(80, offset: 0)
        #expect(LeftMove(from: old, to: old) == nil)
        #expect(LeftMove(from: old, to: picture(80, offset: 100_000)) == nil)
        #expect(LeftMove(from: old, to: picture(80, offset: -20)) == nil)
        #expect(LeftMove(from: old, to: picture(79, offset: 20)) == nil)
        #expect(
            LeftMove(from: Canvas(size: old.size), to: Canvas(size: old.size, fill: Cell(" ", style: Style(background: .palette(1)))))
                == nil)
        #expect(
            LeftMove(from: Canvas(size: Size(columns: 1, rows: 1)), to: Canvas(size: Size(columns: 1, rows: 1), fill: Cell("x"))) == nil)
    }

    @Test("A row whose wide character would be cut in half is not moved")
    func wide() {
        var old = picture(80, offset: 0)
        var new = picture(80, offset: 20)
        // A move by 20 columns would cut these wide characters in half. In row 2, the character is in columns 19 and 20, and column 20
        // would become the first column. In row 3, the character is in columns 59 and 60 before the move. The blanks that the move leaves
        // at the end of the row begin in column 60, where the character's second half is.
        old[19, 2] = Cell("東")
        new[78, 2] = Cell("東")
        old[59, 3] = Cell("東")
        new[39, 3] = Cell("東")
        #expect(LeftMove(from: old, to: new)?.rows == [0, 1, 4, 5, 6, 7, 8, 9, 10, 11])
    }
}
