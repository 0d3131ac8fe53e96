import FoundationEssentials
import Geo
import Testing

@testable import DemoTown

/// Checks a few towns. To check the first thousand towns, run `TRIPWATCH_SEEDS=1000 swift test -c release --filter EverySeed`.
@Suite("Every seed")
struct EverySeedTests {
    private static let seeds: [UInt64] = Array(Set(Towns.few.map(\.seed)).union(0..<((try? SeedCount.asked()) ?? 0))).sorted()

    @Test("Every seed gives a sound town", arguments: seeds)
    func soundTown(seed: UInt64) {
        let checks = TownChecks(town: Towns.town(seed))
        checks.planarity()
        checks.bridges()
        checks.bridgeLengths()
        checks.strongConnection()
        checks.size()
        checks.roadsOnLand()
        checks.speeds()
        checks.geometry()
        checks.oneRunPerName()
        checks.spelling()
        checks.coverage()
        checks.landmarks()
        checks.ride()
    }

    @Test("How many of the first seeds are looked at is a number of some size")
    func seedCount() throws {
        #expect(throws: Never.self) { try SeedCount.asked() }
        #expect(try SeedCount.asked(in: [:]) == 0)
        #expect(try SeedCount.asked(in: [SeedCount.variable: "1"]) == 1)
        #expect(try SeedCount.asked(in: [SeedCount.variable: "100000"]) == 100_000)
        for wrong in ["", "0", "-1", "1e3", "many", "100001", "99999999999999999999"] {
            let error = #expect(throws: SeedCount.Wrong.self) { try SeedCount.asked(in: [SeedCount.variable: wrong]) }
            #expect(error?.description == "TRIPWATCH_SEEDS must be a whole number from 1 to 100000, not \"\(wrong)\"")
        }
    }
}

/// Number of seeds that are tested in addition to the usual ones. The additional seeds are 0, 1, 2 and so on.
enum SeedCount {
    static let variable = "TRIPWATCH_SEEDS"
    static let bounds: ClosedRange<UInt64> = 1...100_000

    struct Wrong: Error, CustomStringConvertible {
        let text: String
        var description: String { "\(variable) must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound), not \"\(text)\"" }
    }

    /// Reads the number of seeds from the environment.
    /// - Returns: the number; 0 if the variable is not set.
    /// - Throws: `Wrong`.
    static func asked(in environment: [String: String] = ProcessInfo.processInfo.environment) throws -> UInt64 {
        guard let text = environment[variable] else { return 0 }
        guard let count = UInt64(text), bounds.contains(count) else { throw Wrong(text: text) }
        return count
    }
}

/// Checks of the properties that every town must have.
struct TownChecks {
    let town: DemoTown
}

// MARK: - Roads

extension TownChecks {
    /// Checks that no two roads cross without a junction.
    func planarity() {
        let roads = town.roads
        let crossings = SegmentPairs(roads.segments()).crossings()
        #expect(crossings.isEmpty, "seed \(town.seed): \(crossings.count), first near \(String(describing: crossings.first?.0.start))")
    }

    /// Checks that roads cross water and rails on bridges only.
    func bridges() {
        let roads = SegmentPairs(town.roads.segments { !$0.isBridge })
        var barriers: [Segment] = []
        for feature in town.features where feature.kind == .water {
            for ring in feature.rings.map({ $0.map { Spot($0) } }) {
                barriers += zip(ring, ring.dropFirst() + [ring[0]]).map { Segment(start: $0, end: $1, owner: 0) }
            }
        }
        for feature in town.features where feature.kind == .railway {
            let line = feature.coordinates.map { Spot($0) }
            barriers += zip(line, line.dropFirst()).map { Segment(start: $0, end: $1, owner: 1) }
        }
        #expect(barriers.count > 100)
        let wet = barriers.filter { barrier in roads.near(barrier).contains { $0.crosses(barrier) } }
        #expect(wet.isEmpty, "seed \(town.seed): \(wet.count), first near \(String(describing: wet.first?.start))")
    }

    /// Checks that the town has several bridges, and that no bridge is too short or too long.
    func bridgeLengths() {
        let bridges = town.roads.edges.filter { $0.isBridge && ($0.isForward || $0.reverse == nil) }
        #expect(bridges.count >= 6, "seed \(town.seed)")
        #expect(bridges.allSatisfy { (12...340).contains($0.lengthMeters) }, "seed \(town.seed): \(bridges.map(\.lengthMeters))")
    }

    /// Checks that every place can be reached from every other place.
    func strongConnection() {
        let roads = town.roads
        #expect(reached(from: 0, in: roads, backwards: false) == roads.nodes.count, "seed \(town.seed)")
        #expect(reached(from: 0, in: roads, backwards: true) == roads.nodes.count, "seed \(town.seed)")
    }

    /// Checks that dead ends and loops are not too short, and that the number of pieces of road is in the usual range.
    func size() {
        let pieces = town.roads.edges.filter { $0.isForward || $0.reverse == nil }
        #expect((1500...4200).contains(pieces.count), "seed \(town.seed): \(pieces.count)")
        var degrees = [Int](repeating: 0, count: town.roads.nodes.count)
        for piece in pieces {
            degrees[piece.from] += 1
            degrees[piece.to] += 1
        }
        for piece in pieces where degrees[piece.from] == 1 || degrees[piece.to] == 1 {
            #expect(piece.lengthMeters >= 25, "seed \(town.seed): a stub of \(piece.lengthMeters) m")
        }
        for piece in pieces where piece.from == piece.to { #expect(piece.lengthMeters > 60, "seed \(town.seed)") }
    }

    private func reached(from start: Int, in roads: RoadGraph, backwards: Bool) -> Int {
        var successors = [[Int]](repeating: [], count: roads.nodes.count)
        for edge in roads.edges {
            if backwards { successors[edge.to].append(edge.from) } else { successors[edge.from].append(edge.to) }
        }
        var seen: Set<Int> = [start]
        var open = [start]
        while let node = open.popLast() {
            for next in successors[node] where seen.insert(next).inserted { open.append(next) }
        }
        return seen.count
    }
}
