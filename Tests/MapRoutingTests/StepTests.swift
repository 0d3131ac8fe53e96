import Geo
import Glibc
import MapRouting
import Routing
import Testing
import TileSources
import VectorTiles

@Suite("The steps of a route on a map's roads")
struct StepTests {
    /// Returns each manoeuvre with its position in map units and the name of the road after it.
    private func words(_ map: MadeUpMap, _ from: (Int, Int), _ to: (Int, Int)) async throws -> [String] {
        let leg = try #require(try await map.way(from, to).legs.first)
        check(leg)
        return leg.steps.map { step in
            let units = (step.offsetMeters / MadeUpMap.meters(1_000) * 20).rounded() * 50
            return "\(step.maneuver) \(Int(units))" + (step.roadName.map { " \($0)" } ?? "")
        }
    }

    /// Checks the rules that all steps follow.
    private func check(_ leg: RouterLeg) {
        #expect(leg.steps.first?.maneuver == .depart && leg.steps.first?.offsetMeters == 0)
        #expect(leg.steps.last?.maneuver == .arrive && leg.steps.last?.lengthMeters == 0)
        #expect(leg.steps.count { $0.maneuver == .depart || $0.maneuver == .arrive } == 2)
        #expect(abs(leg.steps.reduce(0) { $0 + $1.lengthMeters } - leg.lengthMeters) < 0.01)
        for (step, next) in zip(leg.steps, leg.steps.dropFirst()) {
            #expect(abs(step.offsetMeters + step.lengthMeters - next.offsetMeters) < 0.01 && step.lengthMeters >= 0)
        }
    }

    @Test("turns have a step with the name of the road after them; bends and side streets have none")
    func turns() async throws {
        var map = MadeUpMap()
        let (high, station, lane) = ([(500, 500), (2_500, 500)], [(2_500, 100), (2_500, 2_500)], [(2_500, 2_500), (1_000, 2_500)])
        map.add(high)
        map.add(station)
        map.add(lane)
        // A side street, and a road that leads straight on where the route turns into the lane.
        map.add([(1_500, 500), (1_500, 1_000)])
        map.add([(2_500, 2_500), (2_500, 3_000)])
        // This road continues the lane after a bend.
        map.add([(1_000, 2_500), (1_000, 3_500)])
        for (name, line) in [("High Street", high), ("Station Road", station), ("Rue \u{e9}troite", lane)] { map.name(name, line) }
        #expect(
            try await words(map, (600, 500), (1_000, 3_400)) == [
                "depart 0 High Street", "right 1900 Station Road", "right 3900 Rue \u{e9}troite", "arrive 6300 Rue \u{e9}troite",
            ])
        #expect(
            try await words(map, (1_000, 3_400), (600, 500)) == [
                "depart 0 Rue \u{e9}troite", "left 2400 Station Road", "left 4400 High Street", "arrive 6300 High Street",
            ])
    }

    @Test("a request without steps gives the same route")
    func withoutSteps() async throws {
        var map = MadeUpMap()
        map.add([(500, 500), (2_500, 500)])
        map.add([(2_500, 500), (2_500, 2_500)])
        let destination = NavigationWaypoint(coordinate: MadeUpMap.place(2_500, 2_400))
        var request = RouteRequest(origin: MadeUpMap.place(600, 500), destinations: [destination])
        let router = MapRouter(source: map)
        let whole = try #require(try await router.way(request).legs.first)
        request.needsSteps = false
        let leg = try #require(try await router.way(request).legs.first)
        #expect(leg.steps.isEmpty && !whole.steps.isEmpty)
        #expect(leg.path == whole.path && leg.segmentSeconds == whole.segmentSeconds)
    }

    @Test("a road that continues under another name is straight on; the name of a crossing or adjacent road is not used for it")
    func names() async throws {
        var map = MadeUpMap()
        map.add([(500, 2_000), (3_500, 2_000)])
        map.add([(1_200, 1_000), (1_200, 3_000)])
        map.add([(500, 2_040), (1_100, 2_040)])
        map.name("East Road", [(2_000, 2_000), (3_500, 2_000)])
        map.name("West Road", [(500, 2_000), (2_000, 2_000)])
        map.name("Crossing", [(1_200, 1_000), (1_200, 3_000)])
        map.name("Beside", [(500, 2_040), (1_100, 2_040)])
        map.add([(2_000, 2_000), (2_000, 1_000)])
        #expect(
            try await words(map, (600, 2_000), (3_000, 2_000)) == [
                "depart 0 West Road", "straight 1400 East Road", "arrive 2400 East Road",
            ])
    }

    @Test("roads without names have steps without them, also across tiles")
    func nameless() async throws {
        var map = MadeUpMap()
        map.add([(2_500, 500), (6_000, 500)])
        map.add([(6_000, 100), (6_000, 3_000)])
        #expect(try await words(map, (2_600, 500), (6_000, 2_500)) == ["depart 0", "right 3400", "arrive 5400"])
    }

    @Test("a ring is a roundabout: one step into it and one out of it, whatever exits are passed")
    func roundabout() async throws {
        var map = MadeUpMap()
        // The ring is drawn counterclockwise, because traffic drives on the right.
        let ring = (0...16).map { index in
            let angle = Double(index) / 16 * 2 * Double.pi
            return (Int((2_000 + 50 * cos(angle)).rounded()), Int((2_000 - 50 * sin(angle)).rounded()))
        }
        map.add(ring)
        map.add([(500, 2_000), (1_950, 2_000)])
        map.add([(2_050, 2_000), (3_500, 2_000)])
        map.add([(2_000, 2_050), (2_000, 3_500)])
        let steps = try await words(map, (600, 2_000), (3_000, 2_000))
        #expect(steps.map { $0.prefix { $0 != " " } } == ["depart", "enterRoundabout", "exitRoundabout", "arrive"], "\(steps)")
    }

    @Test("a drive onto a motorway by its ramp, on the right side at a fork, and off it again")
    func motorway() async throws {
        var map = MadeUpMap()
        map.add([(-500, 2_000), (1_000, 2_000)])
        map.add([(1_000, 2_000), (1_000, 3_000)])
        map.add(.motorway, flags: [.link, .noBackward], [(1_000, 2_000), (1_500, 1_850)])
        map.add(.motorway, flags: .noBackward, [(500, 1_850), (1_500, 1_850), (2_500, 1_850)])
        map.add(.motorway, flags: .noBackward, [(2_500, 1_850), (3_500, 1_950)])
        map.add(.motorway, flags: .noBackward, [(2_500, 1_850), (3_500, 1_750)])
        map.add(.motorway, flags: [.link, .noBackward], [(3_500, 1_950), (3_900, 2_100)])
        map.add(.motorway, flags: .noBackward, [(3_500, 1_950), (4_500, 1_950)])
        map.add([(3_900, 2_100), (3_900, 3_000)])
        map.add([(3_900, 2_100), (3_900, 2_000)])
        let steps = try await words(map, (600, 2_000), (3_900, 2_900))
        #expect(
            steps.map { $0.prefix { $0 != " " } } == ["depart", "onRamp", "merge", "keepRight", "offRamp", "right", "arrive"], "\(steps)")
    }

    @Test(
        "the steps of every route of the test data add up to it, and most of each route has a name", .enabled(if: RealRoutes.arePresent),
        arguments: RealRoutes.all)
    func real(route: RealRoute) async throws {
        let router = MapRouter(source: try BaseMapFile(path: RealRoutes.folder + "/map/tiles/" + route.map))
        let way = try await router.way(
            RouteRequest(origin: route.stops[0], destinations: route.stops.dropFirst().map { NavigationWaypoint(coordinate: $0) }))
        way.legs.forEach(check)
        let steps = way.legs.flatMap(\.steps)
        let named = steps.reduce(0) { $0 + ($1.roadName == nil ? 0 : $1.lengthMeters) }
        let meters = steps.reduce(0) { $0 + $1.lengthMeters }
        #expect(named > 0.7 * meters, "\(Int(named)) of \(Int(meters)) m, \(steps.count) steps")
        #expect(meters / Double(steps.count) > 40, "\(steps.count) steps on \(Int(meters)) m")
    }

    @Test("names are found in every schema", .enabled(if: RealRoutes.arePresent), arguments: RealRoutes.ends)
    func everySchema(ends: RealRoutes.Ends) async throws {
        let router = MapRouter(source: try BaseMapFile(path: RealRoutes.folder + "/map/tiles/" + ends.file))
        let way = try await router.way(RouteRequest(origin: ends.from, destinations: [NavigationWaypoint(coordinate: ends.to)]))
        let leg = try #require(way.legs.first)
        check(leg)
        #expect(leg.steps.reduce(0) { $0 + ($1.roadName == nil ? 0 : $1.lengthMeters) } > 0.7 * leg.lengthMeters, "\(leg.steps)")
    }
}
