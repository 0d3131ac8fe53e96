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

    /// The even-odd rule by counting crossings to the left.
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

    @Test("numbers that are none paint nothing and do not trap")
    func hostile() {
        var plane = AreaPlane()
        plane.prepare(Size(columns: 3, rows: 3))
        for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            plane.addEdge(fromX: value, y: 0, toX: 3, y: value)
            plane.addEdge(fromX: 3, y: value, toX: value, y: 0)
            plane.paintPolygon(1)
            plane.paintLine(fromX: value, y: 0, toX: 1, y: 1, radius: 1, number: 1)
            plane.paintLine(fromX: 0, y: 0, toX: 1, y: 1, radius: value, number: 0)
        }
        plane.prepare(Size(columns: -1, rows: 4))
        plane.addEdge(fromX: 0, y: 0, toX: 1, y: 4)
        plane.paintPolygon(1)
    }

    @Test("every pattern of samples gets a block that differs in at most two")
    func edgeGlyphs() {
        #expect(EdgeGlyph.all.count == 256 && EdgeGlyph.halves.count == 256)
        #expect(EdgeGlyph.all[0b0000_1111].scalar == "▀" && !EdgeGlyph.all[0b0000_1111].isInverted)
        #expect(EdgeGlyph.all[0b1111_0000].scalar == "▀" && EdgeGlyph.all[0b1111_0000].isInverted)
        #expect(EdgeGlyph.halves.allSatisfy { $0.scalar == " " || $0.scalar == "▀" || $0.scalar == "▌" })
        let inverted = EdgeGlyph.all[0b1111_0000].cell(inside: .palette(17), outside: .default)
        #expect(inverted.style == Style(foreground: .palette(17), attributes: .reverse))
    }
}
