import Geo
import Testing

@testable import DemoTown

@Suite("Routing")
struct RoutingTests {
    /// Returns a place within a few metres of a random road, or of the road with the number `edge`.
    private func randomPlace(on roads: RoadGraph, edge: Int? = nil, _ random: inout SeededRandom) -> Coordinate {
        let edge = edge ?? random.int(in: 0...roads.edges.count - 1)
        let line = Polyline(roads.geometry(ofEdge: edge))
        let place = line.coordinate(atMeters: random.unit() * line.lengthMeters) ?? DemoTown.marketSquare
        return place.offset(eastMeters: random.double(in: -5...5), northMeters: random.double(in: -5...5))
    }

    @Test("A* finds what Dijkstra finds", arguments: 1...12 as ClosedRange<UInt64>)
    func optimality(seed: UInt64) throws {
        let roads = StreetPatch(seed: seed).roads
        var random = SeededRandom(seed: seed)
        for _ in 0..<12 {
            let (start, end) = (randomPlace(on: roads, &random), randomPlace(on: roads, &random))
            let route = roads.route(from: start, to: end)
            let expected = Dijkstra(roads).seconds(from: start, to: end)
            #expect((route == nil) == (expected == nil), "\(start) → \(end)")
            if let route, let expected { #expect(abs(route.durationSeconds - expected) < 1e-6, "\(start) → \(end)") }
        }
    }

    @Test("One search to many places takes as long as one route to each", arguments: 1...6 as ClosedRange<UInt64>)
    func durations(seed: UInt64) {
        let roads = StreetPatch(seed: seed).roads
        var random = SeededRandom(seed: seed)
        let places = (0..<12).map { _ in randomPlace(on: roads, &random) } + [Coordinate(latitude: 48, longitude: 11)]
        for start in places {
            let all = roads.durations(from: start, to: places, withinSeconds: .infinity)
            let near = roads.durations(from: start, to: places, withinSeconds: 60)
            for (number, place) in places.enumerated() {
                let expected = roads.route(from: start, to: place)?.durationSeconds
                #expect((all[number] == nil) == (expected == nil))
                if let found = all[number], let expected { #expect(abs(found - expected) < 1e-6) }
                #expect(near[number] == all[number].flatMap { $0 <= 60 ? $0 : nil })
            }
        }
    }

    @Test("A route is sound")
    func soundness() throws {
        for town in Towns.few {
            var random = SeededRandom(seed: town.seed &+ 1)
            for _ in 0..<Towns.tries {
                let (start, end) = (randomPlace(on: town.roads, &random), randomPlace(on: town.roads, &random))
                check(try #require(town.roads.route(from: start, to: end)), from: start, to: end, in: town)
            }
        }
    }

    @Test("A route between corners is sound too, and no step of it is a scrap")
    func corners() throws {
        let town = Towns.standard
        for from in town.landmarks.prefix(Towns.tries) {
            for to in town.landmarks.prefix(Towns.tries) where from != to {
                let route = try #require(town.roads.route(from: from.coordinate, to: to.coordinate))
                check(route, from: from.coordinate, to: to.coordinate, in: town)
                let ends = [route.steps.first, route.steps.last].compactMap { $0 }
                #expect(route.steps.count == 1 || ends.allSatisfy { $0.distanceMeters >= 2 })
            }
        }
    }

    private func check(_ route: RoadRoute, from start: Coordinate, to end: Coordinate, in town: DemoTown) {
        let line = route.polyline
        #expect(line.coordinates.first == town.roads.nearestRoad(to: start, withinMeters: 300)?.coordinate)
        #expect(
            (line.coordinates.last?.distanceMeters(to: town.roads.nearestRoad(to: end, withinMeters: 300)?.coordinate ?? start) ?? 1) < 0.02
        )
        #expect(route.cumulativeSeconds.count == line.coordinates.count)
        #expect(route.segmentSpeedsMetersPerSecond.count == line.coordinates.count - 1)
        #expect(route.cumulativeSeconds.first == 0 && route.cumulativeSeconds.last == route.durationSeconds)
        #expect(zip(route.cumulativeSeconds, route.cumulativeSeconds.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(route.segmentSpeedsMetersPerSecond.allSatisfy { (3...25).contains($0) })
        let driving = zip(zip(line.cumulativeMeters, line.cumulativeMeters.dropFirst()), route.segmentSpeedsMetersPerSecond)
            .reduce(0) { $0 + ($1.0.1 - $1.0.0) / $1.1 }
        #expect(route.durationSeconds >= driving - 0.01)
        #expect(abs(route.steps.reduce(0) { $0 + $1.distanceMeters } - line.lengthMeters) < 0.01)
        #expect(abs(route.steps.reduce(0) { $0 + $1.durationSeconds } - route.durationSeconds) < 0.01)
        #expect(route.steps.first?.startVertex == 0 && route.steps.first?.turnDegrees == 0)
        #expect(route.steps.allSatisfy { abs($0.turnDegrees) <= 180 })
    }

    @Test("Every vertex between the ends lies on a road, and no one-way street is driven against its direction")
    func staysOnRoads() throws {
        let town = Towns.standard
        var random = SeededRandom(seed: 99)
        let oneWayEdges = town.roads.edges.indices.filter { town.roads.edges[$0].reverse == nil }
        var oneWays = 0
        for number in 0..<Towns.tries {
            // Half of the routes begin and end on one-way streets, because a random choice would rarely hit these few streets.
            let isAmongOneWays = number.isMultiple(of: 2)
            let places = (0..<2).map { _ in
                randomPlace(on: town.roads, edge: isAmongOneWays ? random.element(of: oneWayEdges) : nil, &random)
            }
            let (start, end) = (places[0], places[1])
            let route = try #require(town.roads.route(from: start, to: end))
            for (from, to) in zip(route.polyline.coordinates, route.polyline.coordinates.dropFirst()) {
                let middle = from.interpolated(to: to, fraction: 0.5)
                let found = try #require(town.roads.nearestRoad(to: middle, withinMeters: 0.1))
                let edge = town.roads.edges[found.edge]
                guard edge.reverse == nil, from.distanceMeters(to: to) > 1 else { continue }
                let heading = try #require(
                    Polyline(town.roads.geometry(ofEdge: found.edge)).bearingDegrees(atMeters: found.alongMeters, averagingOverMeters: 0.5))
                let offset = abs((from.bearingDegrees(to: to) - heading).remainder(dividingBy: 360))
                #expect(offset < 60, "\(edge.name ?? "?")")
                oneWays += 1
            }
        }
        #expect(oneWays > 10)
    }

    @Test("Nobody turns back between two nodes")
    func noTurningMidBlock() throws {
        let town = Towns.standard
        let roads = town.roads
        let oneWay = try #require(roads.edges.indices.first { roads.edges[$0].reverse == nil && roads.edges[$0].lengthMeters > 60 })
        let line = Polyline(roads.geometry(ofEdge: oneWay))
        let ahead = try #require(line.coordinate(atMeters: line.lengthMeters - 15))
        let behind = try #require(line.coordinate(atMeters: 15))
        let forward = try #require(roads.route(from: behind, to: ahead))
        #expect(abs(forward.polyline.lengthMeters - (line.lengthMeters - 30)) < 1)
        let round = try #require(roads.route(from: ahead, to: behind))
        #expect(round.polyline.lengthMeters > line.lengthMeters)
    }

    @Test("The same place twice is a route without length")
    func standingStill() throws {
        let town = Towns.standard
        let place = town.landmarks[0].coordinate
        let route = try #require(town.roads.route(from: place, to: place))
        #expect(route.polyline.coordinates.count >= 2)
        #expect(route.polyline.lengthMeters < 0.1)
        #expect(route.durationSeconds < 0.1)
    }

    @Test("Places off the road have no route")
    func offTheRoad() {
        let town = Towns.standard
        let out = Coordinate(latitude: 48, longitude: 11)
        #expect(town.roads.route(from: out, to: town.center) == nil)
        #expect(town.roads.route(from: town.center, to: out) == nil)
        #expect(town.roads.route(from: town.center, to: Coordinate(latitude: .nan, longitude: 0)) == nil)
        #expect(town.roads.geometry(ofEdge: -1).isEmpty)
        #expect(town.roads.geometry(ofEdge: .max).isEmpty)
    }

    @Test("Trips between landmarks take minutes, and some take six to ten of them")
    func trips() {
        for town in Towns.few {
            let places = town.landmarks.map(\.coordinate)
            let starts = places.prefix(Towns.tries)
            let durations = starts.flatMap { town.roads.durations(from: $0, to: places, withinSeconds: 1200) }
            #expect(durations.allSatisfy { $0 != nil }, "seed \(town.seed)")
            #expect(durations.contains { (360...600).contains($0 ?? 0) }, "seed \(town.seed)")
        }
    }
}

/// A plain Dijkstra search, without estimates, heaps or shortcuts. The edge with the shortest time is settled next.
struct Dijkstra {
    private let roads: RoadGraph

    init(_ roads: RoadGraph) { self.roads = roads }

    func seconds(from start: Coordinate, to end: Coordinate) -> Double? {
        guard let first = roads.nearestRoad(to: start, withinMeters: 300), let last = roads.nearestRoad(to: end, withinMeters: 300) else {
            return nil
        }
        let goals = roads.terminals(of: last)
        var open: [Int: Double] = [:]
        var settled: Set<Int> = []
        var best = Double.infinity
        for terminal in roads.terminals(of: first) {
            let edge = roads.edges[terminal.edge]
            for goal in goals where goal.edge == terminal.edge && goal.alongMeters >= terminal.alongMeters {
                best = min(best, (goal.alongMeters - terminal.alongMeters) / edge.speedMetersPerSecond)
            }
            open[terminal.edge] = (edge.lengthMeters - terminal.alongMeters) / edge.speedMetersPerSecond
        }
        while let (edge, seconds) = open.min(by: { $0.value < $1.value }), seconds < best {
            open[edge] = nil
            settled.insert(edge)
            for next in roads.edges.indices where roads.edges[next].from == roads.edges[edge].to {
                let entered = seconds + roads.turns.seconds(from: edge, to: next)
                for goal in goals where goal.edge == next {
                    best = min(best, entered + goal.alongMeters / roads.edges[next].speedMetersPerSecond)
                }
                guard !settled.contains(next) else { continue }
                let left = entered + roads.edges[next].lengthMeters / roads.edges[next].speedMetersPerSecond
                open[next] = min(open[next] ?? .infinity, left)
            }
        }
        return best.isFinite ? best : nil
    }
}
