import Geo
import TerminalCanvas
import Testing

@Suite("Lines of dots")
struct LineTests {
    private let size = Size(columns: 20, rows: 10)

    @Test("A window shows exactly the part of a line that lies in it", arguments: [Painter.braille, .sextant, .halfBlock])
    func clipping(painter: Painter) {
        var generator = SeededRandom(seed: 11)
        let cell = painter.dotsPerCell
        for round in 0..<200 {
            let (a, b) = (DotPoint.random(in: -90...150, using: &generator), DotPoint.random(in: -90...150, using: &generator))
            let width = [1.0, 1, 2, 3.5][round % 4]
            var whole = DotRaster(size: Size(columns: 260, rows: 260), painter: painter)
            var window = DotRaster(size: size, painter: painter)
            let (dx, dy) = (Double(100 * cell.columns), Double(100 * cell.rows))
            whole.line(from: DotPoint(x: a.x + dx, y: a.y + dy), to: DotPoint(x: b.x + dx, y: b.y + dy), width: width, ink: line)
            window.line(from: a, to: b, width: width, ink: line)
            for y in 0..<window.dotRows {
                for x in 0..<window.dotColumns
                where window.isSet(x: x, y: y) != whole.isSet(x: x + 100 * cell.columns, y: y + 100 * cell.rows) {
                    let centre = DotPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)
                    #expect(width > 1 && abs(centre.distance(from: a, to: b) - width / 2) < 1e-6, "\(a) \(b) at \(x) \(y)")
                }
            }
        }
    }

    @Test("A thin line has one dot a step, stays within a dot of the true one and has no gaps")
    func shape() {
        var generator = SeededRandom(seed: 12)
        for _ in 0..<300 {
            let (a, b) = (DotPoint.random(in: 0...39, using: &generator), DotPoint.random(in: 0...39, using: &generator))
            var raster = DotRaster(size: size, painter: .braille)
            raster.line(from: a, to: b, ink: line)
            let dots = raster.dots
            let steps = max(abs(Int(a.x) - Int(b.x)), abs(Int(a.y) - Int(b.y)))
            #expect(dots.count == steps + 1)
            #expect(dots.contains([Int(a.x), Int(a.y)]) && dots.contains([Int(b.x), Int(b.y)]))
            for dot in dots {
                #expect(DotPoint(x: Double(dot[0]) + 0.5, y: Double(dot[1]) + 0.5).distance(from: a, to: b) <= 1.5)
                let neighbours = dots.count { $0 != dot && abs($0[0] - dot[0]) <= 1 && abs($0[1] - dot[1]) <= 1 }
                #expect(neighbours >= min(steps, 1))
            }
            var back = DotRaster(size: size, painter: .braille)
            back.line(from: b, to: a, ink: line)
            #expect(back.dots == dots)
        }
    }

    @Test("Lines that begin a thousand million dots away pass through the right places")
    func farAway() {
        var generator = SeededRandom(seed: 13)
        var seen = 0
        for _ in 0..<400 {
            let aim = DotPoint.random(in: 0...40, using: &generator)
            let away = DotPoint.random(in: -1e9...1e9, using: &generator)
            let fraction = Double.random(in: 0.2...3, using: &generator)
            let beyond = DotPoint(x: aim.x - (away.x - aim.x) * fraction, y: aim.y - (away.y - aim.y) * fraction)
            for width in [1.0, 3] {
                var raster = DotRaster(size: size, painter: .braille)
                raster.line(from: away, to: beyond, width: width, ink: line)
                for dot in raster.dots {
                    seen += 1
                    #expect(
                        DotPoint(x: Double(dot[0]) + 0.5, y: Double(dot[1]) + 0.5).distance(from: away, to: beyond) < max(1.5, width / 2)
                            + 0.01)
                }
                if aim.x > 2, aim.x < 38, aim.y > 2, aim.y < 38 { #expect(!raster.dots.isEmpty) }
            }
        }
        #expect(seen > 1_000)
    }

    @Test("A wide line has the dots within half its width")
    func width() {
        var generator = SeededRandom(seed: 14)
        for _ in 0..<120 {
            let (a, b) = (DotPoint.random(in: -10...50, using: &generator), DotPoint.random(in: -10...50, using: &generator))
            let width = Double.random(in: 1.5...9, using: &generator)
            var raster = DotRaster(size: size, painter: .braille)
            raster.line(from: a, to: b, width: width, ink: line)
            for y in 0..<raster.dotRows {
                for x in 0..<raster.dotColumns {
                    let off = DotPoint(x: Double(x) + 0.5, y: Double(y) + 0.5).distance(from: a, to: b) - width / 2
                    if abs(off) > 1e-9 { #expect(raster.isSet(x: x, y: y) == (off < 0)) }
                }
            }
        }
    }

    @Test("Level and upright lines are exactly as wide as asked, at any offset")
    func exactWidth() {
        for offset in [0.0, 0.25, 0.5, 0.99] {
            var level = DotRaster(size: size, painter: .braille)
            level.line(from: DotPoint(x: -5, y: 10 + offset), to: DotPoint(x: 60, y: 10 + offset), width: 2, ink: line)
            #expect((0..<40).count { level.isSet(x: 20, y: $0) } == 2)
            var upright = DotRaster(size: size, painter: .braille)
            upright.line(from: DotPoint(x: 10 + offset, y: -5), to: DotPoint(x: 10 + offset, y: 60), width: 3, ink: line)
            #expect((0..<40).count { upright.isSet(x: $0, y: 20) } == 3)
        }
    }

    @Test("A wide polyline has no holes at its joints")
    func joints() {
        var generator = SeededRandom(seed: 15)
        for _ in 0..<40 {
            let points = (0..<6).map { _ in DotPoint.random(in: -5...45, using: &generator) }
            var raster = DotRaster(size: size, painter: .braille)
            raster.polyline(points, width: 3, ink: line)
            for y in 0..<raster.dotRows {
                for x in 0..<raster.dotColumns {
                    let centre = DotPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)
                    let off = (zip(points, points.dropFirst()).map { centre.distance(from: $0, to: $1) }.min() ?? 99) - 1.5
                    if abs(off) > 1e-9 { #expect(raster.isSet(x: x, y: y) == (off < 0)) }
                }
            }
        }
    }

    @Test("A route that leaves and returns is not joined by a chord")
    func leavesAndReturns() {
        var raster = DotRaster(size: size, painter: .braille)
        let points = [DotPoint(x: 5, y: 5), DotPoint(x: 5, y: 500), DotPoint(x: 35, y: 500), DotPoint(x: 35, y: 5)]
        raster.polyline(points, ink: line)
        #expect(raster.dots == Set((5..<40).flatMap { [[5, $0], [35, $0]] }))
    }

    @Test("Coordinates that are not places interrupt a line and do nothing else", arguments: Painter.allCases)
    func hostile(painter: Painter) {
        let odd: [Double] = [
            .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e9, -1e9, 1e300, 0,
            -0.0, 7.5,
        ]
        var raster = DotRaster(size: size, painter: painter)
        for a in odd {
            for b in odd {
                for c in odd {
                    let points = [DotPoint(x: a, y: b), DotPoint(x: c, y: a), DotPoint(x: b, y: 3)]
                    for width in [1, 2, c] {
                        raster.line(from: points[0], to: points[1], width: width, ink: line)
                        raster.polyline(points, width: width, dashes: .dashed, phase: c, ink: line)
                    }
                    raster.plot(points[0], ink: line)
                }
            }
        }
        var clean = DotRaster(size: size, painter: .braille)
        clean.polyline([DotPoint(x: 1, y: 1), DotPoint(x: .nan, y: 1), DotPoint(x: 9, y: 1)], ink: line)
        #expect(clean.dots == [[9, 1]])
        clean.polyline([DotPoint(x: 1, y: 1), DotPoint(x: 1e300, y: 1)], ink: line)
        #expect(clean.dots.count == 39)
    }

    @Test("A line can be drawn on a raster of any size")
    func sizes() {
        for columns in [0, 1, 2, 3, 33, 300] {
            for rows in [0, 1, 2, 3, 25, 100] {
                for painter in Painter.allCases {
                    var raster = DotRaster(size: Size(columns: columns, rows: rows), painter: painter)
                    let points = [DotPoint(x: -9, y: -9), DotPoint(x: 700, y: 3), DotPoint(x: 300, y: 500)]
                    raster.polyline(points, width: 3, dashes: .dashed, ink: line)
                    raster.polyline(points, ink: line)
                    var canvas = Canvas(size: Size(columns: columns / 2 + 1, rows: rows + 1))
                    raster.paint(into: &canvas, at: Position(column: -1, row: -1))
                    raster.clear()
                    #expect(raster.dots.isEmpty)
                }
            }
        }
        #expect(DotRaster(size: Size(columns: .max, rows: 1), painter: .braille).size.columns == 2_000)
    }
}
