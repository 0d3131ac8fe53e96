import Foundation
import Geo
import Navigation
import Routing
import Testing

/// Compares all events of whole drives with the file in `Golden` that has the drive's name. `TRIPWATCH_WRITE_GOLDEN=1` writes the files
/// again; review the changes afterwards.
@Suite("Every event of whole drives")
struct GoldenDrivesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    struct Scene: Sendable, CustomTestStringConvertible {
        let name: String
        var route: @Sendable () throws -> NavigationRoute
        var simulation = SimulationConfiguration()
        /// Whether coordinates are written; false for routes that do not belong to the project.
        var showsPlaces = true
        var start = Fixture.start
        var testDescription: String { name }
    }

    private static let scenes: [Scene] =
        Fixture.shapes.map { shape in
            Scene(name: shape.name.replacing(" ", with: "-"), route: { try Fixture.route(shape.points) }, simulation: simulation { _ in })
        } + [
            Scene(name: "town", route: town, simulation: simulation { $0.noise = SimulatedNoise(accuracyMeters: 6) }),
            Scene(
                name: "jam-and-gap", route: town,
                simulation: simulation {
                    $0.jams = [SimulatedJam(offsetMeters: 500, lengthMeters: 600, speedMetersPerSecond: 2)]
                    $0.gaps = [SimulatedGap(afterSeconds: 40, durationSeconds: 30)]
                }),
            Scene(
                name: "wrong-turn", route: town,
                simulation: simulation {
                    $0.wrongTurn = SimulatedWrongTurn(
                        offsetMeters: 400, detour: .path(Fixture.path([(-150, 400), (-150, 900), (0, 900), (0, 1_000)])))
                }),
            // The sun sets a minute after the start. Later, the receiver delivers no positions for a while.
            Scene(
                name: "dusk", route: town,
                simulation: simulation { $0.gaps = [SimulatedGap(afterSeconds: 100, durationSeconds: 25)] },
                start: Fixture.start - 13_679),
            Scene(name: "too-fast", route: town, simulation: simulation { $0.speedMultiplier = 1.5 }),
        ]

    private static func simulation(_ change: (inout SimulationConfiguration) -> Void) -> SimulationConfiguration {
        var configuration = SimulationConfiguration()
        configuration.straightSpeedMetersPerSecond = 14
        change(&configuration)
        return configuration
    }

    /// Returns a route with two destinations, manoeuvres and speed limits.
    @Sendable private static func town() throws -> NavigationRoute {
        func leg(_ points: [(Double, Double)], _ title: String, _ steps: [RouteStep], _ limits: [SpeedLimitStretch]) -> RouterLeg {
            let path = Fixture.path(points)
            return RouterLeg(
                path: path, destination: NavigationWaypoint(title: title, coordinate: path[path.count - 1]),
                durationSeconds: Polyline(path).lengthMeters / 12, speedLimits: limits, steps: steps)
        }
        func step(_ maneuver: Maneuver, _ road: String?, _ offset: Double, _ length: Double) -> RouteStep {
            RouteStep(maneuver: maneuver, roadName: road, offsetMeters: offset, lengthMeters: length)
        }
        func limit(_ speed: Double, _ offset: Double, _ length: Double) -> SpeedLimitStretch {
            SpeedLimitStretch(offsetMeters: offset, lengthMeters: length, limit: .kilometersPerHour(speed))
        }
        return try NavigationRoute(legs: [
            leg(
                [(0, 0), (0, 1_000), (600, 1_000)], "Quay", [step(.depart, "Wick Lane", 0, 1_000), step(.right, "Anchor Row", 1_000, 600)],
                [limit(60, 0, 1_000), limit(40, 1_000, 600)]),
            leg(
                [(600, 1_000), (600, 200), (900, 200)], "Market", [step(.right, nil, 0, 800), step(.left, "Salt Street", 800, 300)],
                [limit(30, 0, 300)]),
        ])
    }

    /// Returns the drive as text, one line for each second with events.
    private func drive(_ scene: Scene) throws -> String {
        let route = try scene.route()
        var simulator = DrivingSimulator(route: route, configuration: scene.simulation, seed: 5, startingAt: scene.start)
        var navigator = NavigatorState()
        var configuration = NavigatorConfiguration()
        (configuration.timeUpdateThreshold, configuration.distanceUpdateThreshold) = (5, 50)
        navigator.reset(to: simulator.route, configuration)
        var (lines, standing) = ([String](), 0)
        for second in 1...3_000 where standing < 5 {
            let now = scene.start + Double(second)
            var events = simulator.advance(to: now).map { navigator.apply($0, at: now) } ?? []
            events += navigator.apply(.tick(now))
            if case .waitingAtStop = simulator.activity, navigator.hasArrived {
                simulator.proceed()
                events += navigator.apply(.continueToNextDestination) + navigator.apply(.setGuidanceActive(true))
            }
            standing = simulator.activity == .driving ? 0 : standing + 1
            if simulator.activity == .astray, let leg = navigator.currentRouteLeg, standing == 1 {
                events += navigator.apply(.reroute(RerouteReason(navigator.offRouteReason ?? .distance)))
                let path = [simulator.coordinate, leg.destination.coordinate]
                let way = try NavigationRoute(legs: [RouterLeg(path: path, destination: leg.destination, durationSeconds: 60)])
                simulator.follow(way)
                events += navigator.apply(.setRoute(simulator.route, .reroute))
            }
            let told = events.map { Self.words($0, showsPlaces: scene.showsPlaces) }
            if !told.isEmpty { lines.append("\(second): " + told.joined(separator: "; ")) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func whole(_ value: Double) -> String { String(format: "%.0f", value) }

    private static func words(_ location: RoadSnappedLocation, showsPlaces: Bool) -> String {
        let place = showsPlaces ? String(format: "at %.5f,%.5f", location.coordinate.latitude, location.coordinate.longitude) : "at"
        return location.isSnapped ? place : place + " raw"
    }

    private static func words(_ event: NavigatorEvent, showsPlaces: Bool) -> String {
        switch event {
        case .didUpdateLocation(let location): words(location, showsPlaces: showsPlaces)
        case .didChangeRoute(let change): "route \(change)"
        case .didArrive(let waypoint): "arrived \(waypoint.title)"
        case .didUpdateRemainingTime(let seconds): "\(whole(seconds)) s"
        case .didUpdateRemainingDistance(let meters): "\(whole(meters)) m"
        case .didLeaveRoute(let reason): "left \(reason)"
        case .didReturnToRoute: "back"
        case .didBeginRerouting(let reason): "rerouting \(reason)"
        case .didUpdateTraffic: "traffic"
        case .didUpdateDelayCategory(let category, let seconds): "delay \(category) \(whole(seconds))"
        case .didChangeSuggestedLightingMode(let mode): "light \(mode)"
        case .didUpdateSpeedingPercentage(let percent): "speeding \(whole(percent))"
        case .didUpdateSpeedAlertSeverity(let severity, _): "alert \(severity)"
        case .didUpdateNavInfo(let info):
            "\(info.nextStep.map { "\($0.maneuver)" } ?? "end") in \(whole(info.distanceToNextStepMeters)) on \(info.roadName ?? "-")"
        case .didLoseLocation(let seconds): "lost \(whole(seconds))"
        case .didRegainLocation(let seconds): "found \(whole(seconds))"
        }
    }

    @Test("A drive gives the same events as before", arguments: scenes)
    func golden(scene: Scene) throws {
        let file = Self.folder.appending(path: scene.name + ".txt")
        let driven = try drive(scene)
        if ProcessInfo.processInfo.environment["TRIPWATCH_WRITE_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try driven.write(to: file, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        for (line, known) in zip(driven.split(separator: "\n"), expected.split(separator: "\n")) { try #require(line == known) }
        #expect(driven == expected)
    }

    private static let answers = [
        "ferrostar-standard_osrm_polyline6_response", "ferrostar-valhalla_osrm_response", "ferrostar-valhalla_osrm_response_via_ways",
        "ferrostar-valhalla_self_intersecting_osrm_response", "ferrostar-valhalla_osrm_response_with_exit_info",
        "ferrostar-valhalla_osrm_with_roundabouts", "own-osrm-monaco", "own-valhalla-liechtenstein-osrmfmt-annotations",
    ].filter { SharedData.has("routes/\($0).json") }

    @Test("Drives along routers' own answers give the same events as before", arguments: answers)
    func routersAnswer(name: String) throws {
        let line = try RecordedDrivesTests.line(in: try SharedData.text("routes/\(name).json"))
        let route = try NavigationRoute(line: line, durationSeconds: line.lengthMeters / 12)
        try golden(scene: Scene(name: name, route: { route }, simulation: Self.simulation { _ in }, showsPlaces: false))
    }
}
