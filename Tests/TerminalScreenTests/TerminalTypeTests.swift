import Geo
import TerminalCanvas
import TerminalHarness
import TerminalScreen
import Testing

/// A terminal type, with its properties according to terminfo.
struct TerminalType: CustomTestStringConvertible {
    let name: String
    let depth: ColorDepth
    var attributes: Attributes = [.bold, .dim, .underline, .reverse, .blink, .italic]
    /// The attributes that the terminal cannot combine with colours.
    var plainAttributes: Attributes = []
    var erasesWithBackground = false
    var wrapsAtOnce = false
    /// Whether the last cell of the screen is written one column too far to the left and then moved. This destroys a wide character that
    /// ends in the second-last column.
    var insertsLastCell = false

    var testDescription: String { name }

    static let all = [
        TerminalType(name: "xterm-256color", depth: .palette256, erasesWithBackground: true),
        TerminalType(name: "xterm-direct", depth: .direct, erasesWithBackground: true),
        TerminalType(name: "xterm", depth: .ansi8, erasesWithBackground: true),
        TerminalType(
            name: "linux", depth: .ansi8, attributes: [.bold, .dim, .underline, .reverse, .blink], plainAttributes: [.dim, .underline],
            erasesWithBackground: true),
        TerminalType(name: "vt100", depth: .none, attributes: [.bold, .underline, .reverse, .blink]),
        TerminalType(
            name: "screen-256color", depth: .palette256, attributes: [.bold, .dim, .underline, .reverse, .blink], insertsLastCell: true),
        TerminalType(name: "tmux-256color", depth: .palette256, insertsLastCell: true),
        TerminalType(
            name: "ansi", depth: .ansi8, attributes: [.bold, .underline, .reverse, .blink], plainAttributes: .underline, wrapsAtOnce: true,
            insertsLastCell: true),
    ].filter { PseudoTerminal.isInstalled($0.name) }

    /// Returns the colour that a terminal with direct colours shows. Such a terminal has only the first eight colours of the palette. It
    /// shows the others as RGB colours.
    private func direct(_ color: Color) -> Color {
        if case .palette(let index) = color.kind, index < 8 { return color }
        return color.components.map { .rgb($0.red, $0.green, $0.blue) } ?? color
    }

    /// Returns the canvas as a terminal of this type shows it.
    func shows(_ canvas: Canvas) -> Canvas {
        var shown = canvas
        let last = canvas.size.columns - 1
        for row in 0..<canvas.size.rows {
            for column in 0..<canvas.size.columns where canvas[column, row].width > 0 {
                var cell = canvas[column, row]
                cell.style = cell.style.reduced(to: depth)
                if depth == .direct {
                    cell.style.foreground = direct(cell.style.foreground)
                    cell.style.background = direct(cell.style.background)
                }
                cell.style.attributes.formIntersection(attributes)
                let hasColor = cell.style.foreground != .default || cell.style.background != .default
                if hasColor { cell.style.attributes.subtract(plainAttributes) }
                // The last cell of the screen loses its combining marks. With `wrapsAtOnce`, the last cell of every row loses them.
                let losesMarks = row == canvas.size.rows - 1 || wrapsAtOnce
                if losesMarks, column + Int(cell.width) > last { cell.glyph = Glyph(cell.glyph.base) }
                let isTorn = insertsLastCell && column == last - 2 || wrapsAtOnce && column == last - 1
                if row == canvas.size.rows - 1, cell.width == 2, isTorn {
                    cell = Cell(glyph: .space, style: cell.style)
                    shown[column + 1, row] = cell
                }
                shown[column, row] = cell
            }
        }
        return shown
    }
}

@Suite("Types of terminals", .serialized)
struct TerminalTypeTests {
    private func fixture(_ type: TerminalType, _ size: Size) throws -> ScreenFixture {
        let terminal = try PseudoTerminal(
            columns: size.columns, rows: size.rows, erasesWithBackground: type.erasesWithBackground, wrapsAtOnce: type.wrapsAtOnce)
        return try ScreenFixture(on: terminal, type: type.name) { $0.colorDepth = type.depth }
    }

    @Test("Each type shows the contents of the canvas, as far as it can, whatever was shown before", arguments: TerminalType.all)
    func randomPictures(type: TerminalType) async throws {
        for seed in 0..<3 as Range<UInt64> {
            var maker = CanvasMaker(generator: SeededRandom(seed: 100 + seed))
            let size = Size(columns: .random(in: 1...60, using: &maker.generator), rows: .random(in: 1...12, using: &maker.generator))
            let fixture = try fixture(type, size)
            #expect(fixture.screen.colorDepth == type.depth)
            var canvas = Canvas(size: size)
            for _ in 0..<12 {
                maker.change(&canvas)
                try fixture.show(canvas, as: type.shows(canvas))
            }
            await fixture.close()
        }
    }

    @Test("Fields of blanks and edges in the terminal's own background, as a map has them", arguments: TerminalType.all)
    func mapLikePictures(type: TerminalType) async throws {
        var generator = SeededRandom(seed: 5)
        let size = Size(columns: 64, rows: 16)
        let fixture = try fixture(type, size)
        let fields: [Color] = [.default, .palette(22), .palette(24), .palette(52)]
        for _ in 0..<6 {
            var canvas = Canvas(size: size)
            for row in 0..<size.rows {
                var field = Color.default
                for column in 0..<size.columns {
                    if Int.random(in: 0..<8, using: &generator) == 0 { field = fields.randomElement(using: &generator) ?? .default }
                    let style =
                        switch Int.random(in: 0..<8, using: &generator) {
                        case 0: Style(foreground: field, attributes: .reverse)
                        case 1: Style(foreground: .palette(250), background: field)
                        case 2: Style(foreground: .palette(9), background: field, attributes: .underline)
                        default: Style(foreground: .palette(7), background: field)
                        }
                    canvas[column, row] = Cell(["⣤", "⠉", " ", " "].randomElement(using: &generator) ?? " ", style: style)
                }
            }
            try fixture.show(canvas, as: type.shows(canvas))
        }
        await fixture.close()
    }

    @Test("A picture that moves in any direction appears unchanged", arguments: TerminalType.all)
    func moves(type: TerminalType) async throws {
        var maker = CanvasMaker(generator: SeededRandom(seed: 11))
        let size = Size(columns: 64, rows: 16)
        var world: [[Cell]] = []
        for _ in 0..<40 { world.append((0..<160).map { _ in Bool.random(using: &maker.generator) ? maker.cell() : .blank }) }
        let fixture = try fixture(type, size)
        for (left, top) in [(40, 10), (60, 10), (80, 10), (70, 10), (70, 14), (70, 5), (90, 7), (91, 7), (90, 8)] {
            var canvas = Canvas(size: size)
            // The last row does not move. In the program, it is the footer.
            for row in 0..<size.rows {
                for column in 0..<size.columns {
                    canvas[column, row] = row == size.rows - 1 ? world[0][column] : world[top + row][left + column]
                }
            }
            try fixture.show(canvas, as: type.shows(canvas))
        }
        await fixture.close()
    }

    @Test("The screen is right after the window changes, whatever was there before", arguments: TerminalType.all)
    func resizes(type: TerminalType) async throws {
        var maker = CanvasMaker(generator: SeededRandom(seed: 8))
        let fixture = try fixture(type, Size(columns: 20, rows: 5))
        var events = fixture.screen.events.makeAsyncIterator()
        for size in [(30, 4), (12, 9), (20, 5)].map({ Size(columns: $0.0, rows: $0.1) }) {
            fixture.terminal.resize(columns: size.columns, rows: size.rows)
            raiseWindowChange()
            #expect(await events.next() == .resize(size))
            let canvas = Canvas(size: size, fill: maker.cell())
            try fixture.show(canvas, as: type.shows(canvas))
        }
        await fixture.close()
    }
}
