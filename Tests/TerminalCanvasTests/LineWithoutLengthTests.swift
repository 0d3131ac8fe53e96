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
        for x in 0..<raster.dotColumns where abs(Double(x) - 40) > width {
            for y in 0..<raster.dotRows { #expect(!raster.isSet(x: x, y: y), "\(x), \(y)") }
        }
    }
}
