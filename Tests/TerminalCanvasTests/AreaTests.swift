import TerminalCanvas
import Testing

@Suite("Areas")
struct AreaTests {
    private let size = Size(columns: 40, rows: 12)

    /// Even-odd rule by counting the edges to the left; `nil` when too near an edge to call.
    private func isInside(_ point: DotPoint, _ rings: [[DotPoint]]) -> Bool? {
        var inside = false
        for ring in rings {
            for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                if point.distance(from: a, to: b) < 1e-7 { return nil }
                if (a.y <= point.y) != (b.y <= point.y), a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) < point.x { inside.toggle() }
            }
        }
        return inside
    }

    @Test("Dots are set where the even-odd rule says inside", arguments: [Painter.braille, .sextant, .halfBlock, .ascii])
    func evenOdd(painter: Painter) {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<60 {
            let rings = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                (0..<Int.random(in: 3...9, using: &generator)).map { _ in DotPoint.random(in: -40...120, using: &generator) }
            }
            var raster = DotRaster(size: size, painter: painter)
            raster.fillPolygon(rings, ink: line)
            for y in 0..<raster.dotRows {
                for x in 0..<raster.dotColumns {
                    guard let inside = isInside(DotPoint(x: Double(x) + 0.5, y: Double(y) + 0.5), rings) else { continue }
                    #expect(raster.isSet(x: x, y: y) == inside, "\(painter) \(x) \(y)")
                }
            }
        }
    }

    @Test("A cell takes the colour when four of its eight places are inside", arguments: Painter.allCases)
    func cells(painter: Painter) {
        var generator = SeededGenerator(seed: 32)
        let dots = painter.dotsPerCell
        for _ in 0..<40 {
            let ring = (0..<6).map { _ in DotPoint.random(in: -30...100, using: &generator) }
            var raster = DotRaster(size: size, painter: painter)
            raster.fillCells([ring], color: .palette(17), priority: 1)
            for row in 0..<size.rows {
                for column in 0..<size.columns {
                    var (count, unsure) = (0, false)
                    for place in 0..<8 {
                        let x = (Double(column) + (Double(place % 2) + 0.5) / 2) * Double(dots.columns)
                        let y = (Double(row) + (Double(place / 2) + 0.5) / 4) * Double(dots.rows)
                        let inside = isInside(DotPoint(x: x, y: y), [ring])
                        unsure = unsure || inside == nil
                        count += inside == true ? 1 : 0
                    }
                    if !unsure { #expect((raster.background(column: column, row: row) != .default) == (count >= 4)) }
                }
            }
        }
    }

    @Test("Areas that meet at an edge neither overlap nor leave a gap")
    func neighbours() {
        var generator = SeededGenerator(seed: 33)
        for _ in 0..<40 {
            let (a, b) = (DotPoint.random(in: -20...90, using: &generator), DotPoint.random(in: -20...90, using: &generator))
            let (c, d) = (DotPoint.random(in: -20...90, using: &generator), DotPoint.random(in: -20...90, using: &generator))
            func dots(_ ring: [DotPoint]) -> Set<[Int]> {
                var raster = DotRaster(size: size, painter: .braille)
                raster.fillPolygon([ring], ink: line)
                return raster.dots
            }
            let (one, other) = (dots([a, b, c]), dots([c, b, d]))
            #expect(one.symmetricDifference(other) == dots([a, b, d, c]))
        }
    }

    @Test("A hole stays open, a big far polygon fills all, a ring of nothing fills nothing")
    func special() {
        let square = [DotPoint(x: 0, y: 0), DotPoint(x: 80, y: 0), DotPoint(x: 80, y: 48), DotPoint(x: 0, y: 48)]
        let hole = [DotPoint(x: 20, y: 16), DotPoint(x: 40, y: 16), DotPoint(x: 40, y: 32), DotPoint(x: 20, y: 32)]
        var raster = DotRaster(size: size, painter: .braille)
        raster.fillCells([square, hole], color: .palette(17), priority: 1)
        #expect(raster.background(column: 15, row: 5) == .default)
        #expect(raster.background(column: 9, row: 5) == .palette(17))
        let far = [DotPoint(x: -1e9, y: -1e9), DotPoint(x: 1e9, y: -1e9), DotPoint(x: 1e9, y: 1e9), DotPoint(x: -1e9, y: 1e9)]
        raster.clear()
        raster.fillPolygon([far], ink: line)
        #expect(raster.dots.count == 80 * 48)
        raster.clear()
        raster.fillPolygon([[], [DotPoint(x: 1, y: 1)], [DotPoint(x: 1, y: 1), DotPoint(x: 9, y: 9)]], ink: line)
        raster.fillPolygon([[DotPoint(x: .nan, y: 1), DotPoint(x: .nan, y: 9), DotPoint(x: 9, y: .infinity)]], ink: line)
        #expect(raster.dots.isEmpty)
    }

    @Test("One fill leaves nothing behind for the next")
    func independent() {
        var generator = SeededGenerator(seed: 34)
        var shared = DotRaster(size: size, painter: .braille)
        for round in 0..<50 {
            let ring = (0..<5).map { _ in DotPoint.random(in: -30...110, using: &generator) }
            shared.clear()
            var fresh = DotRaster(size: size, painter: .braille)
            if round % 3 == 0 { shared.fillCells([ring.reversed()], color: .palette(1), priority: 0) }
            shared.fillPolygon([ring], ink: line)
            fresh.fillPolygon([ring], ink: line)
            #expect(shared.dots == fresh.dots)
        }
    }

    @Test("A texture thins the dots out and moves with its offset")
    func texture() {
        let square = [DotPoint(x: 0, y: 0), DotPoint(x: 16, y: 0), DotPoint(x: 16, y: 16), DotPoint(x: 0, y: 16)]
        var raster = DotRaster(size: size, painter: .braille)
        raster.fillPolygon([square], texture: .sparse, ink: line)
        #expect(raster.dots == Set([0, 8].flatMap { y in [0, 8].flatMap { x in [[x, y], [x + 4, y + 4]] } }))
        raster.clear()
        raster.fillPolygon([square], texture: .sparse.moved(x: 3, y: -1), ink: line)
        #expect(raster.isSet(x: 3, y: 7) && raster.isSet(x: 7, y: 3) && !raster.isSet(x: 0, y: 0))
        raster.fillPolygon([square], texture: DotTexture(rows: 1, offsetX: .min, offsetY: .max), ink: line)
    }
}
