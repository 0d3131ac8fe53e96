import Geo
import TerminalCanvas

extension DotPoint {
    static func random(in range: ClosedRange<Double>, using generator: inout SeededRandom) -> DotPoint {
        DotPoint(x: .random(in: range, using: &generator), y: .random(in: range, using: &generator))
    }

    /// Returns the distance from this point to the line segment between two points.
    func distance(from a: DotPoint, to b: DotPoint) -> Double {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let squared = dx * dx + dy * dy
        let along = squared > 0 ? min(max(((x - a.x) * dx + (y - a.y) * dy) / squared, 0), 1) : 0
        let (px, py) = (x - a.x - along * dx, y - a.y - along * dy)
        return (px * px + py * py).squareRoot()
    }
}

extension Canvas {
    /// Whether every wide character has both halves.
    var keepsWideCharactersWhole: Bool {
        (0..<size.rows).allSatisfy { row in
            (0..<size.columns).allSatisfy { column in
                switch self[column, row].width {
                case 0: column > 0 && self[column - 1, row].width == 2
                case 1: true
                case 2: column + 1 < size.columns && self[column + 1, row].width == 0
                default: false
                }
            }
        }
    }
}

extension DotRaster {
    /// The positions of the set dots.
    var dots: Set<[Int]> {
        var all: Set<[Int]> = []
        for y in 0..<dotRows {
            for x in 0..<dotColumns where isSet(x: x, y: y) { all.insert([x, y]) }
        }
        return all
    }

    /// The raster as text, one character for each cell.
    var text: String {
        var canvas = Canvas(size: size)
        paint(into: &canvas)
        return canvas.text()
    }
}

let line = Ink(priority: 10, style: .plain)
