import Geo
import Testing
import VectorTiles

@testable import TownTiles

@Suite struct TileCutterTests {
    private let cutter: TileCutter

    init() throws {
        cutter = TileCutter(id: try #require(TileID(zoom: 10, x: 500, y: 600)))
    }

    private func randomLine(_ random: inout SeededRandom, count: Int) -> [Spot] {
        (0..<count).map { _ in Spot(x: random.double(in: -3000...7000), y: random.double(in: -3000...7000)) }
    }

    private func isInside(_ spot: Spot) -> Bool {
        (-128.001...4224.001).contains(spot.x) && (-128.001...4224.001).contains(spot.y)
    }

    @Test("a clipped line keeps the parts inside the tile, and never joins separate parts", arguments: 0..<30)
    func lines(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let line = randomLine(&random, count: random.int(in: 2...12))
        let pieces = cutter.clippedLine(line)
        for piece in pieces {
            #expect(piece.count > 1 && piece.allSatisfy(isInside))
            for (start, end) in zip(piece, piece.dropFirst()) {
                let middle = Spot(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
                #expect(zip(line, line.dropFirst()).contains { distance(middle, $0, $1) < 1e-6 })
            }
        }
        let kept = pieces.flatMap { piece in zip(piece, piece.dropFirst()).map { hypot($0, $1) } }.reduce(0, +)
        var expected = 0.0
        for (start, end) in zip(line, line.dropFirst()) {
            let steps = 2000
            let inside = (0..<steps).filter { step in
                let share = (Double(step) + 0.5) / Double(steps)
                return isInside(Spot(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share))
            }
            expected += hypot(start, end) * Double(inside.count) / Double(steps)
        }
        #expect(abs(kept - expected) < 60)
    }

    @Test("a clipped ring covers the same places of the tile", arguments: 0..<30)
    func rings(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let ring = randomLine(&random, count: random.int(in: 3...8))
        let clipped = cutter.clippedRing(ring)
        #expect(clipped.allSatisfy(isInside))
        for _ in 0..<200 {
            let spot = Spot(x: random.double(in: -120...4216), y: random.double(in: -120...4216))
            #expect(covers(ring, spot) == covers(clipped, spot))
        }
    }

    @Test("thinning out moves no line by more than the tolerance", arguments: 0..<20)
    func thinning(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var (x, y) = (0.0, 0.0)
        let line = (0..<200).map { _ in
            x += random.double(in: 0...9)
            y += random.double(in: -4...4)
            return Spot(x: x, y: y)
        }
        for tolerance in [0.5, 2, 8] {
            let thin = TileCutter.thinned(line, tolerance: tolerance)
            #expect(thin.first == line.first && thin.last == line.last && thin.count < line.count)
            for spot in line {
                let nearest = zip(thin, thin.dropFirst()).map { distance(spot, $0, $1) }.min() ?? .infinity
                #expect(nearest <= tolerance + 1e-9)
            }
        }
        #expect(TileCutter.thinned([], tolerance: 1).isEmpty)
        let square = [Spot(x: 0, y: 0), Spot(x: 50, y: 0.1), Spot(x: 100, y: 0), Spot(x: 100, y: 100), Spot(x: 0, y: 100)]
        #expect(TileCutter.thinnedRing(square, tolerance: 1).count == 4)
    }

    private func hypot(_ a: Spot, _ b: Spot) -> Double { ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot() }

    private func distance(_ spot: Spot, _ start: Spot, _ end: Spot) -> Double {
        let length = hypot(start, end) * hypot(start, end)
        let dot = (spot.x - start.x) * (end.x - start.x) + (spot.y - start.y) * (end.y - start.y)
        let share = length > 0 ? min(1, max(0, dot / length)) : 0
        return hypot(spot, Spot(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share))
    }

    private func covers(_ ring: [Spot], _ spot: Spot) -> Bool {
        guard var a = ring.last else { return false }
        var isInside = false
        for b in ring {
            if (a.y <= spot.y) != (b.y <= spot.y), a.x + (spot.y - a.y) / (b.y - a.y) * (b.x - a.x) > spot.x { isInside.toggle() }
            a = b
        }
        return isInside
    }
}
