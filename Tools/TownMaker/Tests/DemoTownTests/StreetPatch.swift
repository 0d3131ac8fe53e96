import Geo

@testable import DemoTown

/// A few crooked blocks with random speeds, one-way streets and gaps. The patch is so small that a test can check all routes.
struct StreetPatch {
    let roads: RoadGraph

    private static let size = 6
    private static let spacingMeters = 150.0
    private static let projection = TownProjection(center: DemoTown.marketSquare)

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let size = Self.size
        let spots = (0..<size * size).map { number in
            Vector2(
                x: Double(number % size - size / 2) * Self.spacingMeters + random.double(in: -50...50),
                y: Double(number / size - size / 2) * Self.spacingMeters + random.double(in: -50...50))
        }
        var pieces: [RoadGraph.Piece] = []
        for number in spots.indices {
            if number % size < size - 1 { Self.add(number, number + 1, spots, &pieces, &random) }
            if number / size < size - 1 { Self.add(number, number + size, spots, &pieces, &random) }
        }
        roads = RoadGraph(nodes: Self.projection.coordinates(of: spots), pieces: pieces, projection: Self.projection)
    }

    private static func add(
        _ from: Int, _ to: Int, _ spots: [Vector2], _ pieces: inout [RoadGraph.Piece], _ random: inout SeededRandom
    ) {
        guard random.chance(0.9) else { return }
        let (start, end) = (spots[from], spots[to])
        let bend = start.interpolated(to: end, fraction: 0.5) + (end - start).left * random.double(in: -0.2...0.2)
        let directions: [RoadGraph.Piece.Direction] = [.both, .both, .both, .both, .forward, .backward]
        let roadClass = RoadClass.allCases[random.int(in: 0...RoadClass.allCases.count - 1)]
        pieces.append(
            .init(
                from: from, to: to, points: projection.coordinates(of: [start, bend, end]), roadClass: roadClass,
                name: random.chance(0.8) ? "Street \(pieces.count)" : nil, speed: random.double(in: 4...22), isBridge: false,
                direction: directions[random.int(in: 0...directions.count - 1)]))
    }

    /// Returns a random place among the streets or slightly outside.
    static func randomPlace(_ random: inout SeededRandom) -> Coordinate {
        let reach = Double(size / 2) * spacingMeters + 150
        return DemoTown.marketSquare.offset(
            eastMeters: random.double(in: -reach...reach), northMeters: random.double(in: -reach...reach))
    }
}
