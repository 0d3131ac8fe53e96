import Geo
import Testing

@testable import DemoTown

@Suite("Streets as they grow")
struct StreetNetworkTests {
    @Test("The index finds every segment near a place, however wide the look is")
    func index() {
        let box = PlaneBox(minimum: Vector2(x: -3000, y: -200), maximum: Vector2(x: 3000, y: 200))
        var index = SegmentIndex(box: box, cellMeters: 45)
        var random = SeededRandom(seed: 4)
        func randomPoint() -> Vector2 { Vector2(x: random.double(in: -3100...3100), y: random.double(in: -250...250)) }
        let segments = (0..<150).map { _ -> (start: Vector2, end: Vector2) in
            let start = randomPoint()
            return (start, start + Vector2(angle: random.double(in: -3...3)) * random.double(in: 1...120))
        }
        for (number, segment) in segments.enumerated() { index.insert(number, of: 0, from: segment.start, to: segment.end) }
        for _ in 0..<150 {
            let low = randomPoint()
            let high = low + Vector2(x: random.double(in: 0...4000) * random.unit(), y: random.double(in: 0...200))
            var found: Set<Int> = []
            index.forEach(from: low, to: high) { found.insert($0).inserted || true }
            for (number, segment) in segments.enumerated() {
                let (west, east) = (min(segment.start.x, segment.end.x), max(segment.start.x, segment.end.x))
                let (south, north) = (min(segment.start.y, segment.end.y), max(segment.start.y, segment.end.y))
                let gap = max(west - high.x, low.x - east, south - high.y, low.y - north)
                if gap <= 0 { #expect(found.contains(number)) }
                // Points beyond the edge of the index belong to the outermost squares.
                if gap > 400 { #expect(!found.contains(number)) }
            }
        }
    }

    @Test("A place is crowded just when a road runs beside it within the radius", arguments: [30.0, 90, 400])
    func crowding(radius: Double) {
        var network = StreetNetwork(box: PlaneBox(minimum: Vector2(x: -4000, y: -600), maximum: Vector2(x: 4000, y: 600)))
        var random = SeededRandom(seed: UInt64(radius))
        var lines: [(start: Vector2, end: Vector2)] = []
        for number in 0..<40 {
            let start = Vector2(x: Double(number) * 180 - 3600, y: random.double(in: -400...400))
            let end = start + Vector2(angle: random.double(in: -0.3...0.3)) * 80
            lines.append((start, end))
            let road = network.addRoad(.init(roadClass: .residential, role: .street, family: 0))
            network.link(network.addVertex(at: start), network.addVertex(at: end), road: road, isBridge: false)
        }
        let east = Vector2(x: 1, y: 0)
        for _ in 0..<100 {
            let place = Vector2(x: random.double(in: -3900...3900), y: random.double(in: -550...550))
            let nearest = lines.map { Line.distance(from: place, toSegment: $0.start, $0.end) }.min() ?? .infinity
            guard abs(nearest - radius) > 0.01 else { continue }
            #expect(network.isCrowded(at: place, direction: east, radius: radius, except: -1, sine: 0.55) == (nearest < radius))
            #expect(!network.isCrowded(at: place, direction: east.left, radius: radius, except: -1, sine: 0.55))
        }
    }

    @Test("A street network cuts roads where they meet")
    func network() {
        var network = StreetNetwork(box: PlaneBox(minimum: Vector2(x: -200, y: -200), maximum: Vector2(x: 200, y: 200)))
        let first = network.addRoad(.init(roadClass: .primary, role: .street, family: 0))
        network.lay([Vector2(x: -100, y: 0), Vector2(x: 100, y: 0)], road: first)
        let second = network.addRoad(.init(roadClass: .residential, role: .street, family: 1))
        network.lay([Vector2(x: 10, y: -80), Vector2(x: 10, y: 80)], road: second)
        let third = network.addRoad(.init(roadClass: .residential, role: .street, family: 1))
        network.lay([Vector2(x: 20, y: -80), Vector2(x: 18, y: 3)], road: third)
        let junctions = network.positions.indices.filter { network.degree(of: $0) > 2 }
        #expect(junctions.count == 1, "the third road is bent to the junction that is there")
        #expect(network.positions[junctions[0]].distance(to: Vector2(x: 10, y: 0)) < 1e-9)
        #expect(network.degree(of: junctions[0]) == 5)
        network.pruneDeadEnds { _, length in length > 90 }
        #expect(junctions.allSatisfy { network.degree(of: $0) == 2 })
    }
}
