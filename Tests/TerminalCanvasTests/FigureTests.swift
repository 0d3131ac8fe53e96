import TerminalCanvas
import Testing

@Suite("Big figures, bars and curves")
struct FigureTests {
    private func drawn(_ text: String, _ height: BigText.Height, _ painter: Painter = .braille) -> String {
        let big = BigText(text, height: height, painter: painter)
        var canvas = Canvas(size: big.size)
        #expect(big.draw(into: &canvas, at: .zero, style: .plain) == big.size.columns)
        return canvas.text()
    }

    @Test("Figures of three, four and five rows")
    func big() {
        #expect(drawn("6", .three) == "⣿⠛⠛\n⣿⠛⣿\n⠛⠛⠛")
        #expect(drawn("6", .four) == "⣿⡿⠿⠿⠇\n⣿⣧⣤⣤⡄\n⣿⡏⠉⣿⡇\n⠿⠿⠿⠿⠇")
        #expect(drawn("HERE", .three) == "⣿ ⣿ ⣿⠛⠛ ⣿⠛⣿ ⣿⠛⠛\n⣿⠛⣿ ⣿⠛⠛ ⣿⠛⣤ ⣿⠛⠛\n⠛ ⠛ ⠛⠛⠛ ⠛ ⠛ ⠛⠛⠛")
        #expect(drawn("1:0", .five).split(separator: "\n").count == 5)
        #expect(BigText("1:0", height: .five).size == Size(columns: 16, rows: 5))
        #expect(BigText("12", height: .four).size == Size(columns: 11, rows: 4))
        #expect(drawn("6", .three, .halfBlock) == "█▀▀\n█▀█\n▀▀▀")
        #expect(drawn("6", .four, .sextant) == "█▀▀\n█▀█\n▀▀▀")
        #expect(BigText("6", height: .five, painter: .halfBlock).size == Size(columns: 6, rows: 5))
    }

    @Test("Every figure differs from every other")
    func distinct() {
        let characters = "0123456789:.<>~-+HERDNWh "
        for painter in [Painter.braille, .halfBlock] {
            for height in BigText.Height.allCases {
                #expect(Set(characters.map { drawn(String($0), height, painter) }).count == characters.count)
            }
        }
    }

    @Test("Without figures the text stays text")
    func plain() {
        #expect(drawn("6", .five, .ascii) == "6")
        #expect(drawn("sofort", .three) == "sofort")
        #expect(BigText("東", height: .three).isPlain)
        #expect(BigText("", height: .three).size == .zero)
        #expect(drawn("", .four) == "")
        #expect(BigText(String(repeating: "8", count: 10_000)).size.columns == 64 * 4 - 1)
    }

    @Test("A figure that does not fit is clipped and blanks nothing around it")
    func clipped() {
        var canvas = Canvas(size: Size(columns: 4, rows: 3), fill: Cell("."))
        BigText("1").draw(into: &canvas, at: Position(column: 2, row: 1), style: .plain)
        #expect(canvas.text() == "....\n..⠛⣿\n...⣿")
    }

    @Test(
        "A bar is full only at the end",
        arguments: [
            (nil, "⠄⠄⠄⠄"), (0, "⠄⠄⠄⠄"), (0.5, "⠶⠶⠄⠄"), (0.4, "⠶⠆⠄⠄"), (0.999, "⠶⠶⠶⠆"), (1, "⠶⠶⠶⠶"), (7, "⠶⠶⠶⠶"), (-3, "⠄⠄⠄⠄"),
            (.nan, "⠄⠄⠄⠄"),
            (.infinity, "⠶⠶⠶⠶"),
        ] as [(Double?, String)])
    func bar(fraction: Double?, expected: String) {
        #expect(ProgressBar(fraction: fraction).text(columns: 4) == expected)
    }

    @Test("Bars of other painters and any width")
    func bars() {
        #expect(ProgressBar(fraction: 0.45, painter: .ascii).text(columns: 18) == "[#######.........]")
        #expect(ProgressBar(fraction: 0.5, painter: .halfBlock).text(columns: 4) == "▬▬∙∙")
        for painter in Painter.allCases {
            for columns in -1...40 {
                for step in 0...10 {
                    let text = ProgressBar(fraction: Double(step) / 10, painter: painter).text(columns: columns)
                    #expect(displayWidth(text) == max(0, columns))
                }
            }
        }
        var canvas = Canvas(size: Size(columns: 8, rows: 1))
        let (done, rest) = (Style(foreground: .palette(214)), Style(attributes: .dim))
        #expect(ProgressBar(fraction: 0.5).draw(into: &canvas, column: 1, row: 0, columns: 6, done: done, rest: rest) == 6)
        #expect(canvas.text() == " ⠶⠶⠶⠄⠄⠄")
        #expect(canvas[3, 0].style == done && canvas[4, 0].style == rest)
    }

    private func curve(_ values: [Double?], _ columns: Int, rows: Int = 1, span: Double = 0, _ painter: Painter = .braille) -> String {
        var canvas = Canvas(size: Size(columns: columns, rows: rows))
        Sparkline(values: values, minimumSpan: span, painter: painter).draw(into: &canvas, in: Rectangle(canvas.size), style: .plain)
        return canvas.text()
    }

    @Test("A promise that moved once is one step")
    func sparkline() {
        let values = [Double?](repeating: 12, count: 21) + [Double?](repeating: 13, count: 19)
        #expect(curve(values, 20, span: 3) == "⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠔⠒⠒⠒⠒⠒⠒⠒⠒⠒")
        #expect(curve([5, 5, 5], 3) == curve([7], 3))
        #expect(curve([0, 3], 1) == "⡸")
        #expect(curve([0, nil, .nan, 3], 2) == "⡀⠈")
        #expect(curve([], 4) == "")
        #expect(curve([nil], 4) == "")
        #expect(curve([0, 1, 2], 3, span: 0, .ascii) == "_-^")
        #expect(curve([0, 1], 2, rows: 2, .ascii) == " *\n*")
        #expect(curve([-.greatestFiniteMagnitude, .greatestFiniteMagnitude, 0], 3, rows: 2, span: .infinity).count > 0)
    }
}
