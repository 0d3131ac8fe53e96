import TerminalCanvas
import Testing

@Suite("Lines without length")
struct LineWithoutLengthTests {
    @Test("a wide line of one place is a dot of that width, not a row", arguments: [1.0, 1.5, 2, 3, 5])
    func onePlace(width: Double) {
        var raster = DotRaster(size: Size(columns: 40, rows: 10), painter: .braille)
        let place = DotPoint(x: 40, y: 20)
        raster.line(from: place, to: place, width: width, ink: Ink(priority: 1, style: .plain))
        raster.polyline([place, place, place], width: width, ink: Ink(priority: 1, style: .plain))
        for x in 0..<raster.dotColumns {
            for y in 0..<raster.dotRows {
                let off = DotPoint(x: Double(x) + 0.5, y: Double(y) + 0.5).distance(from: place, to: place) - width / 2
                // A thin line of length 0 is drawn as the dot at its position.
                let isMeant = width < 1.5 ? x == 40 && y == 20 : off < 0
                if abs(off) > 1e-9 { #expect(raster.isSet(x: x, y: y) == isMeant, "\(x), \(y)") }
            }
        }
    }
}
