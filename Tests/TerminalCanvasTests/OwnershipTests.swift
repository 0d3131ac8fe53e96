import TerminalCanvas
import Testing

@Suite("The owner of a cell, and the cell's contents")
struct OwnershipTests {
    private let road = Ink(priority: 5, style: Style(foreground: .palette(240)))
    private let route = Ink(priority: 9, style: Style(foreground: .palette(214), attributes: .bold), asciiMark: "#")
    private let size = Size(columns: 4, rows: 2)

    private func level(_ y: Double) -> (DotPoint, DotPoint) { (DotPoint(x: 0, y: y), DotPoint(x: 7, y: y)) }

    @Test("The stronger class takes the cell, whichever comes first", arguments: [true, false])
    func stronger(routeFirst: Bool) {
        var raster = DotRaster(size: size, painter: .braille)
        let upright = (DotPoint(x: 2, y: 0), DotPoint(x: 2, y: 7))
        if routeFirst { raster.line(from: upright.0, to: upright.1, ink: route) }
        raster.line(from: level(1).0, to: level(1).1, ink: road)
        if !routeFirst { raster.line(from: upright.0, to: upright.1, ink: route) }
        var canvas = Canvas(size: size)
        raster.paint(into: &canvas)
        #expect(canvas.text() == "⠒⡇⠒⠒\n ⡇")
        #expect(canvas[1, 0].style == route.style)
        #expect(canvas[0, 0].style == road.style)
        #expect(raster.priority(column: 1, row: 0) == 9)
        #expect(raster.priority(column: 0, row: 1) == nil)
        #expect(raster.isTaken(column: 0, row: 0, from: 5) && !raster.isTaken(column: 0, row: 0, from: 6))
    }

    @Test("Equally strong classes share the dots in the style of the first")
    func equal() {
        var raster = DotRaster(size: size, painter: .braille)
        raster.line(from: level(0).0, to: level(0).1, ink: road)
        raster.line(from: level(3).0, to: level(3).1, ink: Ink(priority: 5, style: Style(foreground: .palette(9))))
        var canvas = Canvas(size: size)
        raster.paint(into: &canvas)
        #expect(canvas.text() == "⣉⣉⣉⣉\n")
        #expect(canvas[0, 0].style == road.style)
    }

    @Test("A reserved cell stays free of weaker dots and accepts stronger ones")
    func reserved() {
        var raster = DotRaster(size: size, painter: .braille)
        raster.line(from: level(1).0, to: level(1).1, ink: road)
        raster.reserve(column: 1, row: 0, priority: 7)
        raster.line(from: level(2).0, to: level(2).1, ink: road)
        #expect(raster.text == "⠶ ⠶⠶\n")
        raster.line(from: level(2).0, to: level(2).1, ink: route)
        #expect(raster.text == "⠤⠤⠤⠤\n")
        raster.reserve(column: 9, row: 9, priority: 255)
    }

    @Test("The strip along a line is reserved like a cell: weaker dots go, stronger stay, nothing is drawn", arguments: Painter.allCases)
    func reservedStrip(painter: Painter) {
        var raster = DotRaster(size: Size(columns: 9, rows: 5), painter: painter)
        let (columns, rows) = (Double(raster.dotColumns), Double(raster.dotRows))
        for y in 0..<raster.dotRows { raster.line(from: DotPoint(x: 0, y: Double(y)), to: DotPoint(x: columns, y: Double(y)), ink: road) }
        let upright = [DotPoint(x: columns / 2, y: -50), DotPoint(x: columns / 2, y: rows + 50)]
        raster.line(from: DotPoint(x: 0, y: rows / 2), to: DotPoint(x: columns, y: rows / 2), ink: route)
        raster.reserve(along: upright, width: 1, priority: 7)
        var canvas = Canvas(size: raster.size)
        raster.paint(into: &canvas)
        for row in 0..<5 {
            for column in 0..<9 {
                #expect((canvas[column, row] != .blank) == (column != 4 || row == 2), "\(column) \(row)")
                #expect(raster.priority(column: column, row: row) == (row == 2 ? 9 : column == 4 ? 7 : 5))
            }
        }
        raster.reserve(along: [DotPoint(x: .nan, y: 0), DotPoint(x: 3, y: .infinity)], width: .nan, priority: 255)
        raster.reserve(along: [], priority: 255)
        #expect(raster.priority(column: -1, row: 0) == nil && raster.priority(column: 0, row: 5) == nil)
    }

    @Test("Where nothing was drawn, the canvas is unchanged; elsewhere the ink's style replaces the cell's")
    func transparent() {
        var canvas = Canvas(size: size, fill: Cell("x"))
        var raster = DotRaster(size: size, painter: .braille)
        raster.reserve(column: 0, row: 0, priority: 3)
        raster.paint(into: &canvas)
        #expect(canvas.text() == "xxxx\nxxxx")
        raster.line(from: level(1).0, to: level(1).1, ink: road)
        raster.line(from: level(5).0, to: level(5).1, ink: Ink(priority: 1, style: Style(background: .palette(1))))
        raster.paint(into: &canvas, at: Position(column: 2, row: 0))
        #expect(canvas.text() == "xx⠒⠒\nxx⠒⠒")
        #expect(canvas[2, 0].style == road.style && canvas[2, 1].style == Style(background: .palette(1)))
    }

    @Test("A texture repeats every eight dots, to the left and above as well")
    func texture() {
        let covered = (-8..<16).flatMap { y in (-8..<16).filter { DotTexture.sparse.covers($0, y) }.map { [$0, y] } }
        #expect(covered == [-8, -4, 0, 4, 8, 12].flatMap { y in [0, 8, 16].map { [($0 - (y & 4 == 0 ? 8 : 4)), y] } })
        for texture in [DotTexture.sparse, .dotted, .waves] {
            let count = (0..<64).count { texture.covers($0 & 7, $0 >> 3) }
            #expect(
                count == texture.rows.nonzeroBitCount
                    && (0..<64).allSatisfy { texture.covers($0 & 7, .min) == texture.covers(($0 & 7) - 800, 0) })
        }
    }

    @Test("Each painter has its characters")
    func painters() {
        func drawn(_ painter: Painter, _ dots: [(Int, Int)]) -> String {
            var raster = DotRaster(size: Size(columns: 1, rows: 1), painter: painter)
            for (x, y) in dots { raster.plot(DotPoint(x: Double(x), y: Double(y)), ink: road) }
            return raster.text
        }
        let braille: [(Int, Int, UInt32)] = [(0, 0, 1), (0, 1, 2), (0, 2, 4), (1, 0, 8), (1, 1, 16), (1, 2, 32), (0, 3, 64), (1, 3, 128)]
        for (x, y, bit) in braille { #expect(drawn(.braille, [(x, y)]).unicodeScalars.first?.value == 0x2800 + bit) }
        #expect(drawn(.sextant, [(0, 0)]) == "\u{1fb00}")
        #expect(drawn(.sextant, [(1, 2), (0, 2), (1, 1), (0, 1), (1, 0)]) == "\u{1fb3b}")
        #expect(drawn(.sextant, [(0, 0), (0, 1), (0, 2)]) == "▌")
        #expect(drawn(.sextant, [(1, 0), (1, 1), (1, 2)]) == "▐")
        #expect(drawn(.sextant, [(0, 0), (1, 1), (0, 2)]) == "\u{1fb17}")
        #expect(drawn(.sextant, [(0, 1), (0, 2), (1, 0)]) == "\u{1fb14}")
        #expect(drawn(.sextant, (0..<6).map { ($0 % 2, $0 / 2) }) == "█")
        #expect(drawn(.halfBlock, [(0, 0)]) == "▀")
        #expect(drawn(.halfBlock, [(0, 1)]) == "▄")
        #expect(drawn(.halfBlock, [(0, 0), (0, 1)]) == "█")
        #expect(drawn(.ascii, [(0, 0)]) == ".")
        #expect(drawn(.braille, [(-1, 0), (2, 0), (0, 4)]) == "")
    }

    @Test("ASCII lines follow their direction, cross in a plus and use the mark of their class")
    func ascii() {
        var raster = DotRaster(size: Size(columns: 9, rows: 5), painter: .ascii)
        raster.polyline([DotPoint(x: 0, y: 1), DotPoint(x: 8, y: 1)], ink: road)
        raster.polyline([DotPoint(x: 6, y: 0), DotPoint(x: 6, y: 4)], width: 5, ink: road)
        raster.polyline([DotPoint(x: 0, y: 2), DotPoint(x: 2, y: 4)], ink: road)
        raster.polyline([DotPoint(x: 2, y: 4), DotPoint(x: 4, y: 2)], ink: road)
        #expect(raster.text == "      |\n------+--\n\\   / |\n \\ /  |\n  +   |")
        raster.polyline([DotPoint(x: 0, y: 3), DotPoint(x: 6, y: 3), DotPoint(x: 6, y: 0)], ink: route)
        #expect(raster.text == "      #\n------#--\n\\   / #\n#######\n  +   |")
        var gentle = DotRaster(size: Size(columns: 9, rows: 3), painter: .ascii)
        gentle.line(from: DotPoint(x: 0, y: 0), to: DotPoint(x: 8, y: 2), ink: road)
        #expect(gentle.text == "--\n  \\---\n      \\--")
    }
}
