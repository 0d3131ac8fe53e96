import Geo
import TerminalCanvas
import Testing

@Suite("Canvas as text")
struct CanvasTextTests {
    @Test("Blanks at the end of a row are removed, those inside stay")
    func text() {
        var canvas = Canvas(size: Size(columns: 10, rows: 3))
        canvas.write("a  \u{2800}b ", column: 1, row: 0, style: .plain)
        canvas.write("🚕 é \u{2800}", column: 0, row: 2, style: .plain)
        #expect(canvas.text() == " a  \u{2800}b\n\n🚕 é")
    }

    @Test("Sequences contain only what changes")
    func sequences() {
        var canvas = Canvas(size: Size(columns: 8, rows: 2))
        let style = Style(foreground: .palette(9), background: .palette(236), attributes: [.bold])
        canvas.write("ab", column: 0, row: 0, style: style)
        canvas.write(
            "c", column: 2, row: 0, style: Style(foreground: .palette(2), background: .palette(236), attributes: [.bold, .underline]))
        canvas.write("d", column: 3, row: 0, style: Style(background: .rgb(1, 2, 3)))
        #expect(canvas.ansi(colors: .direct) == "\u{1b}[1;91;48;5;236mab\u{1b}[4;32mc\u{1b}[0;48;2;1;2;3md\u{1b}[m\n")
        #expect(canvas.ansi(colors: .ansi8).hasPrefix("\u{1b}[1;31;40mab"))
        #expect(canvas.ansi(colors: .none) == canvas.text())
    }

    @Test("A coloured blank counts, a plain one does not")
    func blanks() {
        var canvas = Canvas(size: Size(columns: 4, rows: 1))
        canvas.write("   ", column: 0, row: 0, style: Style(foreground: .palette(3)))
        #expect(canvas.ansi(colors: .palette256) == "")
        canvas[1, 0].style.background = .palette(20)
        #expect(canvas.ansi(colors: .palette256) == "\u{1b}[33m \u{1b}[48;5;20m \u{1b}[m")
    }

    @Test("A terminal that reads the sequences shows the canvas", arguments: [ColorDepth.ansi8, .ansi16, .palette256, .direct])
    func roundTrip(depth: ColorDepth) {
        var generator = SeededRandom(seed: 5)
        for _ in 0..<30 {
            var canvas = Canvas(size: Size(columns: 12, rows: 4))
            for _ in 0..<25 {
                var style = Style()
                style.foreground =
                    [.default, .palette(.random(in: 0...255, using: &generator)), .rgb(200, 90, 10)].randomElement(using: &generator)
                    ?? .default
                style.background =
                    [.default, .palette(.random(in: 0...255, using: &generator)), .rgb(0, 90, 99)].randomElement(using: &generator)
                    ?? .default
                style.attributes = Attributes(rawValue: .random(in: 0...63, using: &generator))
                canvas.write(
                    ["x", "東京", "e\u{301}", "⣿⣿⣿"].randomElement(using: &generator) ?? "", column: .random(in: 0...11, using: &generator),
                    row: .random(in: 0...3, using: &generator), style: style)
            }
            let shown = Terminal.show(canvas.ansi(colors: depth), size: canvas.size)
            for row in 0..<4 {
                for column in 0..<12 {
                    let cell = canvas[column, row]
                    #expect(shown[column, row].glyph == cell.glyph)
                    guard !cell.glyph.isBlank || shown[column, row].style != .plain else { continue }
                    #expect(shown[column, row].style == cell.style.reduced(to: depth))
                }
            }
        }
    }
}

/// A simulated terminal: shows text with escape sequences on a canvas.
private enum Terminal {
    static func show(_ text: String, size: Size) -> Canvas {
        var canvas = Canvas(size: size)
        var style = Style.plain
        for (row, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var column = 0
            for (index, part) in line.split(separator: "\u{1b}[", omittingEmptySubsequences: false).enumerated() {
                var words = String(part)
                if index > 0, let end = part.firstIndex(of: "m") {
                    apply(part[..<end].split(separator: ";").compactMap { Int($0) }, to: &style)
                    words = String(part[part.index(after: end)...])
                }
                column += canvas.write(words, column: column, row: row, style: style)
            }
        }
        return canvas
    }

    private static func apply(_ parameters: [Int], to style: inout Style) {
        var rest = (parameters.isEmpty ? [0] : parameters)[...]
        while let code = rest.popFirst() {
            switch code {
            case 0: style = .plain
            case 1: style.attributes.insert(.bold)
            case 2: style.attributes.insert(.dim)
            case 3: style.attributes.insert(.italic)
            case 4: style.attributes.insert(.underline)
            case 5: style.attributes.insert(.blink)
            case 7: style.attributes.insert(.reverse)
            default: color(code, &rest, &style)
            }
        }
    }

    private static func color(_ code: Int, _ rest: inout ArraySlice<Int>, _ style: inout Style) {
        let color: Color
        switch code % 10 {
        case 8 where rest.popFirst() == 5: color = .palette(UInt8(rest.popFirst() ?? 0))
        case 8: color = .rgb(UInt8(rest.popFirst() ?? 0), UInt8(rest.popFirst() ?? 0), UInt8(rest.popFirst() ?? 0))
        case 9: color = .default
        default: color = .palette(UInt8(code % 10 + (code >= 90 ? 8 : 0)))
        }
        if (30..<40).contains(code) || (90..<98).contains(code) { style.foreground = color } else { style.background = color }
    }
}
