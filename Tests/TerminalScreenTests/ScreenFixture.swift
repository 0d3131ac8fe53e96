import Geo
import Glibc
import TerminalCanvas
import TerminalHarness
import TerminalScreen
import Testing

/// Sends SIGWINCH to this process, as if the window's size had changed.
func raiseWindowChange() {
    kill(getpid(), SIGWINCH)
}

/// A screen on a pseudo-terminal. The screen belongs to this process.
final class ScreenFixture {
    let terminal: PseudoTerminal
    let screen: TerminalScreen

    convenience init(
        _ size: Size = Size(columns: 80, rows: 24), type: String = "xterm-256color",
        change: (inout TerminalScreen.Options) -> Void = { _ in }
    ) throws {
        try self.init(on: PseudoTerminal(columns: size.columns, rows: size.rows), type: type, change: change)
    }

    init(
        on terminal: PseudoTerminal, type: String = "xterm-256color", change: (inout TerminalScreen.Options) -> Void = { _ in }
    ) throws {
        self.terminal = terminal
        var options = TerminalScreen.Options()
        options.device = .path(terminal.path)
        options.terminalType = type
        options.colorDepth = .palette256
        options.forceUTF8 = true
        // The screen must not hold standard error back, so that the test's own output stays visible.
        options.holdsStandardError = false
        change(&options)
        screen = try TerminalScreen.open(options: options)
    }

    /// Presents a canvas, and waits until the terminal shows it.
    func show(_ canvas: Canvas, as wanted: Canvas? = nil, title: String? = nil) throws {
        screen.present(canvas, title: title)
        let terminal = terminal
        do {
            try terminal.wait(for: "the canvas", seconds: 10) {
                !terminal.virtual.modes.contains(2026) && terminal.virtual.difference(from: wanted ?? canvas) == nil
            }
        } catch {
            throw HarnessError(
                "not seen at \(canvas.size): \(terminal.virtual.difference(from: wanted ?? canvas) ?? "") \(terminal.visibleOutput.suffix(300))"
            )
        }
    }

    /// Waits until all requested output is written. Rings the bell to find out.
    /// - Returns: the number of bytes written so far.
    func bytesSoFar() throws -> Int {
        // The second bell rings only after all output that was requested before the first bell has been written.
        for _ in 0..<2 {
            let bells = terminal.virtual.bells
            screen.ring()
            try terminal.wait(for: "the bell", seconds: 10) { terminal.virtual.bells > bells }
        }
        return terminal.output.count
    }

    /// Returns the number of bytes that are written during `work`.
    func bytes(during work: () throws -> Void) throws -> Int {
        let before = try bytesSoFar()
        try work()
        return try bytesSoFar() - before - 2
    }

    func close() async {
        _ = await screen.close()
        terminal.drain()
        #expect(terminal.virtual.unknown.isEmpty, "\(terminal.virtual.unknown)")
    }
}

/// Makes canvases with very different cells.
struct CanvasMaker {
    var generator: SeededRandom
    var colors: [Color] =
        [.default, .default] + [1, 7, 9, 15, 22, 46, 196, 231, 240].map { .palette($0) } + [.rgb(1, 2, 3), .rgb(250, 128, 30)]

    private static let scalars: [Unicode.Scalar] = Array("aZ~0 .#é⠿⣿⡀─│●▀東京駅🚕".unicodeScalars)
    private static let marks: [Unicode.Scalar] = ["\u{301}", "\u{323}", "\u{308}"]

    mutating func style() -> Style {
        Style(
            foreground: colors.randomElement(using: &generator) ?? .default,
            background: colors.randomElement(using: &generator) ?? .default,
            attributes: Attributes(rawValue: UInt8.random(in: 0...3, using: &generator) == 0 ? .random(in: 0..<64, using: &generator) : 0))
    }

    mutating func cell() -> Cell {
        var cell = Cell(CanvasMaker.scalars.randomElement(using: &generator) ?? " ", style: style())
        if cell.glyph.base.properties.isAlphabetic, Bool.random(using: &generator) {
            for mark in CanvasMaker.marks.prefix(Int.random(in: 1...2, using: &generator)) { cell.glyph = cell.glyph.adding(mark) }
        }
        return cell
    }

    /// Changes some cells, a rectangle, a line of text, or the whole canvas.
    mutating func change(_ canvas: inout Canvas) {
        let columns = canvas.size.columns
        let rows = canvas.size.rows
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: canvas = Canvas(size: canvas.size, fill: cell())
        case 1:
            for row in 0..<rows {
                for column in 0..<columns { canvas[column, row] = cell() }
            }
        case 2...4:
            let place = Rectangle(
                column: .random(in: 0..<columns, using: &generator), row: .random(in: 0..<rows, using: &generator),
                columns: .random(in: 1...columns, using: &generator), rows: .random(in: 1...rows, using: &generator))
            canvas.fill(place, with: cell())
        case 5:
            canvas.write(
                "6 min e\u{301} 東京駅", column: .random(in: -3..<columns, using: &generator), row: .random(in: 0..<rows, using: &generator),
                style: style())
        default:
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                canvas[.random(in: 0..<columns, using: &generator), .random(in: 0..<rows, using: &generator)] = cell()
            }
        }
    }
}
