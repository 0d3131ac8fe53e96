import TerminalCanvas
import Testing

@testable import TerminalScreen

@Suite("Cells put in place of what ncurses writes")
struct CellPassTests {
    private static let xterm = [
        "bold": "\u{1b}[1m", "dim": "\u{1b}[2m", "smul": "\u{1b}[4m", "rmul": "\u{1b}[24m", "rev": "\u{1b}[7m", "smso": "\u{1b}[7m",
        "rmso": "\u{1b}[27m", "sgr0": "\u{1b}(B\u{1b}[m", "op": "\u{1b}[39;49m", "clear": "\u{1b}[H\u{1b}[2J", "smam": "\u{1b}[?7h",
        "rmam": "\u{1b}[?7l", "cuf": "\u{1b}[%p1%dC",
    ]

    /// A pass over a screen of 8 x 2 with a picture, and the picture's styles.
    private func pass(
        _ cells: [Cell] = [], strings: [String: String] = CellPassTests.xterm, flags: Set<String> = ["am", "xenl", "bce", "msgr"],
        depth: ColorDepth = .palette256
    ) -> CellPass {
        let capabilities = TerminalDialect.Capabilities(
            string: { Array((strings[$0] ?? "").utf8) }, hasFlag: { flags.contains($0) }, number: { _ in -1 })
        let dialect = TerminalDialect(capabilities, depth: depth)
        let table = StyleTable(dialect: dialect, depth: depth) { color in
            guard case .palette(let number) = color.kind else { return nil }
            return (.rendition("38;5;\(number)"), .rendition("48;5;\(number)"))
        }
        var pass = CellPass(table: table, dialect: dialect, isUTF8: true, size: Size(columns: 8, rows: 2)) { value in
            Unicode.Scalar(value).map { TextWidth.width(of: $0) } ?? -1
        }
        show(cells, in: &pass)
        return pass
    }

    /// Takes the cells of a picture, and returns the stand-ins.
    @discardableResult
    private func show(_ cells: [Cell], in pass: inout CellPass) -> String {
        var standIns = ""
        for start in stride(from: 0, to: cells.count, by: 8) {
            Array(cells[start..<min(start + 8, cells.count)]).withUnsafeBufferPointer { row in
                _ = pass.take(row, at: Position(column: 0, row: start / 8)) { standIns.unicodeScalars.append(Unicode.Scalar($0.standIn)) }
            }
        }
        return standIns
    }

    private func styled(_ pass: inout CellPass, _ text: String) -> String {
        let bytes = Array(text.utf8).withUnsafeBufferPointer { pass.drawn($0) }
        return String(decoding: bytes, as: UTF8.self).replacing("\u{1b}", with: "␛")
    }

    private func cell(_ scalar: Unicode.Scalar, _ foreground: UInt8?, _ background: UInt8?, _ attributes: Attributes = []) -> Cell {
        let colors = [foreground, background].map { $0.map { Color.palette($0) } ?? .default }
        return Cell(scalar, style: Style(foreground: colors[0], background: colors[1], attributes: attributes))
    }

    @Test("Both colours go out in one sequence, and what stands is not set again")
    func oneSequence() {
        var pass = pass([cell("a", 20, 30), cell("b", 20, 30), cell("c", 21, 30), cell("d", 21, nil)])
        #expect(styled(&pass, "\u{1b}[H\u{1b}[2Jabcd") == "␛[m␛[H␛[2J␛[38;5;20;48;5;30mab␛[38;5;21mc␛[49md")
        // The next picture begins where this one ended.
        show([cell("e", 20, 30), cell("f", 20, 30)], in: &pass)
        #expect(styled(&pass, "\u{1b}[Hab\u{1b}(B\u{1b}[m") == "␛[H␛[38;5;20;48;5;30mef")
        show([cell("g", 20, 30), cell("h", 20, 30)], in: &pass)
        #expect(styled(&pass, "\u{1b}[Hab") == "␛[Hgh")
    }

    @Test("A blank takes the foreground that stands, and what is erased the background alone")
    func blanks() {
        let rest = Array(repeating: cell(" ", 5, 30), count: 4)
        var pass = pass([cell("a", 20, 30), cell(" ", 99, 30), cell(" ", nil, 31, .bold), cell("b", 20, 31)] + rest)
        #expect(styled(&pass, "\u{1b}[H\u{1b}[2Ja  b\u{1b}[K") == "␛[m␛[H␛[2J␛[38;5;20;48;5;30ma ␛[48;5;31m b␛[48;5;30m␛[K")
    }

    @Test("The terminal's own background is drawn in with reverse video, which then stays for what can be had with it")
    func reverse() {
        let edge = cell("a", 20, nil, .reverse)
        var pass = pass([edge, cell("b", 21, 20), cell(" ", nil, 20), edge, cell("d", nil, nil)])
        #expect(styled(&pass, "\u{1b}[H\u{1b}[2Jab ad") == "␛[m␛[H␛[2J␛[7;38;5;20ma␛[48;5;21mb ␛[49ma␛[md")
        var plain = self.pass([cell(" ", 20, nil, .reverse)])
        #expect(styled(&plain, "\u{1b}[H\u{1b}[2J ") == "␛[m␛[H␛[2J␛[48;5;20m ")
    }

    @Test("Without an erased background blanks in colour are written")
    func withoutBackgroundErase() {
        var pass = pass([cell(" ", nil, 30), cell(" ", nil, nil), cell(" ", nil, 30)], flags: ["am", "xenl", "msgr"])
        #expect(styled(&pass, "\u{1b}[H\u{1b}[2Jxxx") == "␛[m␛[H␛[2J␛[48;5;30m ␛[C ")
    }

    @Test("Where the last cell is moved to its place by an insertion it keeps its style")
    func insertedCorner() {
        let cells = Array(repeating: cell(" ", nil, nil), count: 14) + [cell("y", 1, nil), cell("z", 2, nil)]
        var strings = CellPassTests.xterm
        strings["smam"] = nil
        var pass = pass(cells, strings: strings)
        #expect(
            styled(&pass, "\u{1b}[H\u{1b}[2J\u{1b}[2;7Hz\u{8}\u{1b}[1@y")
                == "␛[m␛[H␛[2J␛[2;7H␛[38;5;2mz\u{8}␛[1@␛[38;5;1my")
    }

    @Test("What is not known passes, and what is written nobody knows where has the screen painted anew")
    func unknown() {
        var pass = pass([cell("a", 20, nil), cell("b", 20, nil)])
        #expect(styled(&pass, "\u{1b}[H\u{1b}[2Ja\u{1b}cb\u{1b}[Ha") == "␛[m␛[H␛[2J␛[38;5;20ma␛c␛[Ha")
        var isLost = pass.isLost
        #expect(isLost)
        pass.startOver(size: Size(columns: 8, rows: 2))
        isLost = pass.isLost
        #expect(!isLost)
        // Cut off anywhere it must not stop.
        for text in ["\u{1b}", "\u{1b}[", "\u{1b}[12;", "\u{1b}(", "é"] {
            for length in 1...text.utf8.count {
                var other = self.pass()
                _ = Array(text.utf8.prefix(length)).withUnsafeBufferPointer { other.drawn($0) }
            }
        }
    }

    @Test("What has not changed is stepped over, or written once more where that is shorter")
    func steps() {
        let row = "abcdefgh".unicodeScalars.map { cell($0, 20, nil) }
        var pass = pass(row)
        _ = styled(&pass, "\u{1b}[H\u{1b}[2Jabcdefgh")
        var next = row
        (next[0], next[2], next[7]) = (cell("A", 20, nil), cell("C", 20, nil), cell("H", 20, nil))
        #expect(show(row, in: &pass).isEmpty)
        let standIns = show(next, in: &pass)
        // ncurses sees another character in every place, and none beside one like it.
        #expect(standIns.count == 8 && zip(standIns, standIns.dropFirst()).allSatisfy { $0 != $1 })
        #expect(styled(&pass, "\u{1b}[H\(standIns)") == "␛[HAbC␛[4CH")
        // In another style than the one that stands nothing is written once more.
        next[1] = cell("b", 21, nil)
        show(next, in: &pass)
        _ = styled(&pass, "\u{1b}[Habcdefgh")
        (next[0], next[2]) = (cell("x", 20, nil), cell("z", 20, nil))
        show(next, in: &pass)
        #expect(styled(&pass, "\u{1b}[Hxbz\u{1b}[1;8H") == "␛[Hx␛[Cz␛[1;8H")
    }

    @Test("A wide character takes two places of ncurses, which may go on between them")
    func wide() {
        var pass = pass([cell("世", 20, nil), Cell(glyph: .space, width: 0), cell("b", 20, nil)])
        #expect(styled(&pass, "\u{1b}[H\u{1b}[2Jabc") == "␛[m␛[H␛[2J␛[38;5;20m世b")
        show([cell("界", 20, nil), Cell(glyph: .space, width: 0), cell("c", 20, nil)], in: &pass)
        #expect(styled(&pass, "\u{1b}[Ha\u{1b}[Cc") == "␛[H界\u{8}␛[Cc")
    }

    @Test("After a new beginning nothing is taken for granted")
    func startingOver() {
        var pass = pass([cell("a", 20, nil)])
        _ = styled(&pass, "\u{1b}[H\u{1b}[2Ja")
        pass.startOver(size: Size(columns: 8, rows: 2))
        show([cell("b", nil, nil)], in: &pass)
        #expect(styled(&pass, "\u{1b}[H\u{1b}[2Ja") == "␛[m␛[H␛[2Jb")
    }

    @Test("A terminal that ends attributes together, and colours in a way of its own, gets that")
    func oldTerminal() {
        let strings = [
            "bold": "\u{1b}[1m", "smul": "\u{1b}[4m", "rmul": "\u{1b}[m", "sgr0": "\u{1b}[0;10m", "op": "\u{1b}[x",
            "clear": "\u{1b}[H\u{1b}[J",
        ]
        var pass = pass([cell("a", 1, nil, .bold), cell("b", 1, nil, .underline), cell("c", nil, nil)], strings: strings, depth: .ansi8)
        #expect(
            styled(&pass, "\u{1b}[H\u{1b}[Jabc")
                == "␛[0;10m␛[x␛[H␛[J␛[1;38;5;1ma␛[0;10m␛[x␛[4;38;5;1mb␛[0;10m␛[xc")
    }

    @Test("Where attributes disturb moves nothing is on while the cursor moves")
    func unsafeMoves() {
        var pass = pass([cell("a", 1, nil), cell("b", nil, nil), cell("c", 1, nil)], flags: ["am", "bce"])
        #expect(styled(&pass, "\u{1b}[H\u{1b}[2Ja\u{1b}[Cc") == "␛[m␛[H␛[2J␛[38;5;1ma␛[m␛[C␛[38;5;1mc")
    }
}
