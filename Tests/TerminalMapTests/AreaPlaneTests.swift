import Geo
import TerminalCanvas
import Testing

@testable import TerminalMap

@Suite struct AreaPlaneTests {
    private typealias Point = (x: Double, y: Double)

    private func add(_ ring: [Point], to plane: inout AreaPlane) {
        guard var previous = ring.last else { return }
        for point in ring {
            plane.addEdge(fromX: previous.x, y: previous.y, toX: point.x, y: point.y)
            previous = point
        }
    }

    /// Returns whether a point is inside by the even-odd rule. The rule counts the crossings to the left of the point.
    private func isInside(_ x: Double, _ y: Double, _ rings: [[Point]]) -> Bool {
        var crossings = 0
        for ring in rings {
            guard var a = ring.last else { continue }
            for b in ring {
                if (a.y <= y) != (b.y <= y), a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x) <= x { crossings += 1 }
                a = b
            }
        }
        return crossings % 2 == 1
    }

    @Test("a polygon paints the samples inside it and no other, whatever it looks like", arguments: 0..<40)
    func polygons(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var plane = AreaPlane()
        plane.prepare(Size(columns: random.int(in: 1...90), rows: random.int(in: 1...12)))
        let rings: [[Point]] = (0...random.int(in: 0...2)).map { _ in
            (0..<random.int(in: 3...9)).map { _ in
                (random.double(in: -60...Double(plane.columns) + 60), random.double(in: -30...Double(plane.rows) + 30))
            }
        }
        for ring in rings { add(ring, to: &plane) }
        plane.paintPolygon(7)
        for y in 0..<plane.rows {
            for x in 0..<plane.columns {
                let expected: UInt8 = isInside(Double(x) + 0.5, Double(y) + 0.5, rings) ? 7 : 0
                #expect(plane.sample(x, y) == expected, "sample \(x) \(y)")
            }
        }
    }

    @Test("a wide line paints what is no farther than its radius", arguments: 0..<40)
    func lines(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var plane = AreaPlane()
        plane.prepare(Size(columns: 40, rows: 12))
        let a: Point = (random.double(in: -30...110), random.double(in: -20...70))
        let b: Point = seed % 5 == 0 ? (random.double(in: -30...110), a.y) : (random.double(in: -30...110), random.double(in: -20...70))
        let radius = random.double(in: 0.5...9)
        plane.paintLine(fromX: a.x, y: a.y, toX: b.x, y: b.y, radius: radius, number: 3)
        let length = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)
        for y in 0..<plane.rows {
            for x in 0..<plane.columns {
                let (px, py) = (Double(x) + 0.5 - a.x, Double(y) + 0.5 - a.y)
                let share = min(1, max(0, (px * (b.x - a.x) + py * (b.y - a.y)) / length))
                let (dx, dy) = (px - share * (b.x - a.x), py - share * (b.y - a.y))
                let distance = (dx * dx + dy * dy).squareRoot()
                if abs(distance - radius) > 1e-6 { #expect((plane.sample(x, y) == 3) == (distance < radius)) }
            }
        }
    }

    @Test("a clip keeps everything else as it was, and the next frame begins empty")
    func clipping() {
        var plane = AreaPlane()
        plane.prepare(Size(columns: 50, rows: 5))
        plane.clip(to: AreaPlane.Clip(left: 70, top: 3, right: 81, bottom: 9))
        add([(-5, -5), (500, -5), (500, 500), (-5, 500)], to: &plane)
        plane.paintPolygon(1)
        plane.paintLine(fromX: 0, y: 5, toX: 100, y: 5, radius: 20, number: 2)
        for y in 0..<plane.rows {
            for x in 0..<plane.columns { #expect((plane.sample(x, y) == 2) == ((70..<81).contains(x) && (3..<9).contains(y))) }
        }
        plane.prepare(Size(columns: 50, rows: 5))
        #expect(plane.samples.allSatisfy { $0 == AreaPlane.nothing })
        #expect(plane.sample(-1, 0) == 0 && plane.sample(0, 99) == 0)
    }

    /// Paints a polygon in a plane, which may have been used before, and returns the indexes of its samples.
    private func samples(of rings: [[Point]], in plane: inout AreaPlane) -> Set<Int> {
        plane.prepare(Size(columns: 40, rows: 12))
        for ring in rings { add(ring, to: &plane) }
        plane.paintPolygon(5)
        return Set(plane.samples.indices.filter { plane.samples[$0] == 5 })
    }

    @Test("areas that meet at an edge neither overlap nor leave a gap", arguments: 0..<40)
    func neighbours(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var plane = AreaPlane()
        let points = (0..<4).map { _ -> Point in (random.double(in: -20...100), random.double(in: -20...70)) }
        let one = samples(of: [[points[0], points[1], points[2]]], in: &plane)
        let other = samples(of: [[points[3], points[2], points[1]]], in: &plane)
        let both = samples(of: [[points[0], points[1], points[3], points[2]]], in: &plane)
        #expect(one.symmetricDifference(other) == both)
        var fresh = AreaPlane()
        #expect(samples(of: [[points[3], points[2], points[1]]], in: &fresh) == other, "something was left behind")
    }

    @Test("a hole stays open, a polygon far beyond the plane fills all of it, and one without an inside fills nothing")
    func special() {
        var plane = AreaPlane()
        let holed = samples(of: [[(0, 0), (80, 0), (80, 48), (0, 48)], [(20, 16), (40, 16), (40, 32), (20, 32)]], in: &plane)
        #expect(holed.count == 80 * 48 - 20 * 16 && !holed.contains(24 * 80 + 30) && holed.contains(24 * 80 + 19))
        #expect(samples(of: [[(-1e9, -1e9), (1e9, -1e9), (1e9, 1e9), (-1e9, 1e9)]], in: &plane).count == 80 * 48)
        #expect(
            samples(of: [[], [(1, 1)], [(1, 1), (9, 9)], [(100, 5), (200, 5), (200, 20)], [(5, -9), (9, -2), (2, -2)]], in: &plane).isEmpty)
    }

    @Test("coordinates that are not numbers cause no crash, and leave nothing for the next polygon")
    func hostile() {
        var plane = AreaPlane()
        plane.prepare(Size(columns: 3, rows: 3))
        let values = [Double.nan, .infinity, -.infinity, 1e300, -1e300]
        for value in values {
            plane.addEdge(fromX: value, y: 0, toX: 3, y: value)
            plane.addEdge(fromX: 3, y: value, toX: value, y: 0)
            plane.paintPolygon(1)
            plane.paintLine(fromX: value, y: 0, toX: 1, y: 1, radius: 1, number: 2)
            plane.paintLine(fromX: 0, y: 0, toX: 1, y: 1, radius: value, number: 3)
            plane.clip(to: AreaPlane.Clip(left: value, top: 0, right: 9, bottom: value))
            plane.clip(to: nil)
        }
        plane.prepare(Size(columns: 3, rows: 3))
        add([(1, 1), (4, 1), (4, 4), (1, 4)], to: &plane)
        plane.paintPolygon(4)
        #expect(plane.samples.count { $0 == 4 } == 9 && plane.samples.count { $0 == AreaPlane.nothing } == 63)
        for value in values where !value.isFinite { plane.paintLine(fromX: value, y: 0, toX: 1, y: 1, radius: 1, number: 2) }
        #expect(!plane.samples.contains(2), "a line from nowhere")
        plane.prepare(Size(columns: -1, rows: 4))
        plane.addEdge(fromX: 0, y: 0, toX: 1, y: 4)
        plane.paintPolygon(1)
        #expect(plane.samples.isEmpty)
    }

    @Test("every pattern of samples gets the block with the fewest differences, half of the samples at most")
    func edgeGlyphs() throws {
        let shapes: [Unicode.Scalar: UInt8] = [
            " ": 0x00, "▀": 0x0f, "▌": 0x55, "▘": 0x05, "▝": 0x0a, "▖": 0x50, "▗": 0xa0, "▚": 0xa5, "▂": 0xc0, "▆": 0xfc,
        ]
        #expect(EdgeGlyph.all.count == 256 && EdgeGlyph.halves.count == 256)
        for pattern in UInt8.min...UInt8.max {
            func wrong(_ shape: UInt8) -> Int { min((shape ^ pattern).nonzeroBitCount, (~shape ^ pattern).nonzeroBitCount) }
            for (table, known) in [(EdgeGlyph.all, shapes), (EdgeGlyph.halves, shapes.filter { " ▀▌".unicodeScalars.contains($0.key) })] {
                let glyph = table[Int(pattern)]
                let shape = try #require(known[glyph.scalar])
                let difference = ((glyph.isInverted ? ~shape : shape) ^ pattern).nonzeroBitCount
                #expect(difference == known.values.map(wrong).min(), "\(pattern)")
                #expect(difference <= 4)
            }
        }
        for (pattern, glyph) in EdgeGlyph.braille.enumerated() where pattern > 0 {
            // The bits of a Braille character in the reading order of its dots, row by row.
            let dots = [0, 3, 1, 4, 2, 5, 6, 7].map { (Int(glyph.scalar.value) - 0x2800) >> $0 & 1 }
            #expect(dots.enumerated().reduce(0) { $0 | $1.element << $1.offset } == pattern && !glyph.isInverted)
        }
    }

    @Test("on the terminal's own background no block is inverted, which only reverse video could draw")
    func uprightGlyphs() throws {
        let shapes: [Unicode.Scalar: UInt8] = [
            " ": 0x00, "▀": 0x0f, "▄": 0xf0, "▌": 0x55, "▐": 0xaa, "▘": 0x05, "▝": 0x0a, "▖": 0x50, "▗": 0xa0, "▚": 0xa5, "▞": 0x5a,
            "▂": 0xc0,
            "▆": 0xfc,
        ]
        let halves = shapes.filter { " ▀▄▌▐".unicodeScalars.contains($0.key) }
        for (table, known) in [(EdgeGlyph.uprightAll, shapes), (EdgeGlyph.uprightHalves, halves)] {
            #expect(table.count == 256)
            for pattern in UInt8.min...UInt8.max {
                let glyph = table[Int(pattern)]
                let shape = try #require(known[glyph.scalar])
                #expect(!glyph.isInverted && (shape ^ pattern).nonzeroBitCount == known.values.map { ($0 ^ pattern).nonzeroBitCount }.min())
            }
        }
    }
}
