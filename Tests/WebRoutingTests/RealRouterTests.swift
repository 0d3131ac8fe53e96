import Foundation
import Geo
import MapRouting
import Routing
import Testing
import TileSources
import TripTesting
import WebRouting

/// The OSRM and Valhalla programs from the Python wheels `osrm-bindings` and `pyvalhalla`, and the data for their maps.
enum RealRouters {
    static let data: String = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return folder.deletingLastPathComponent().appending(path: "shared/data").path
    }()
    static let osrm = folder("TRIPWATCH_OSRM_DIR", with: "bin/osrm-routed")
    static let valhalla = folder("TRIPWATCH_VALHALLA_DIR", with: "bin/valhalla_service")

    private static func folder(_ variable: String, with program: String) -> String? {
        guard let folder = ProcessInfo.processInfo.environment[variable], !folder.isEmpty,
            FileManager.default.isExecutableFile(atPath: "\(folder)/\(program)"), FileManager.default.fileExists(atPath: data)
        else { return nil }
        return folder
    }
}

/// The process of a router that answers on loopback and has a folder of its own.
private struct RouterProcess {
    let port: Int
    private let process = Process()
    private let folder: URL

    /// Runs the commands that build the map, each after the previous one has ended. Then starts the router.
    init(_ name: String, _ steps: (_ folder: String, _ port: Int) -> [[String]]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A port that is free now, and that no other process takes before the router does.
        port = try UnansweredPort().number
        let steps = steps(folder.path, port)
        for step in steps.dropLast() {
            let process = Process()
            try Self.start(process, step, folder)
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "\(step)")
        }
        try Self.start(process, try #require(steps.last), folder)
    }

    private static func start(_ process: Process, _ words: [String], _ folder: URL) throws {
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.currentDirectoryURL = folder
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
    }

    /// Kills the router. If it were stopped normally, Valhalla would wait half a minute for open calls.
    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns the first answer of a router that has just started. The wait ends with the time limit of the test.
    func firstAnswer(_ address: WebRouterAddress, _ request: RouteRequest) async throws -> PlannedRoute {
        while true {
            do {
                // Each try uses a new `WebRouter`, because after a failure a `WebRouter` sends no requests for a while.
                return try await WebRouter(address).route(request)
            } catch {
                try #require(process.isRunning && error.isRetryable, "\(error)")
            }
        }
    }
}

private func request(_ from: (Double, Double), _ to: (Double, Double), course: Double? = nil) -> RouteRequest {
    RouteRequest(
        origin: Coordinate(latitude: from.0, longitude: from.1), originCourseDegrees: course,
        destinations: [NavigationWaypoint(coordinate: Coordinate(latitude: to.0, longitude: to.1))])
}

private func holdsTogether(_ route: PlannedRoute) -> Bool {
    route.legs.allSatisfy { leg in
        abs(leg.segmentSeconds.reduce(0, +) - leg.durationSeconds) < 1e-6 && leg.segmentSeconds.count == leg.path.count - 1
            && abs(Polyline(leg.path).lengthMeters / max(leg.lengthMeters, 1) - 1) < 0.02
    }
}

@Suite("OSRM's own program", .enabled(if: RealRouters.osrm != nil), .timeLimit(.minutes(3)))
struct RealOSRMTests {
    private static func start(_ map: String) throws -> RouterProcess {
        let programs = RealRouters.osrm ?? ""
        return try RouterProcess("osrm") { folder, port in
            let name = "\(folder)/\(URL(filePath: map).lastPathComponent)"
            return [
                ["/bin/cp", map, name], ["\(programs)/bin/osrm-extract", "-p", "\(programs)/share/profiles/car.lua", "-t", "2", name],
                ["\(programs)/bin/osrm-contract", "-t", "2", name.replacing(".osm.pbf", with: ".osrm")],
                [
                    "\(programs)/bin/osrm-routed", "--algorithm", "ch", "-i", "127.0.0.1", "-p", "\(port)", "-t", "1",
                    name.replacing(".osm.pbf", with: ".osrm"),
                ],
            ]
        }
    }

    @Test("finds routes in Monaco, with and without a course, and none where it has no roads")
    func monaco() async throws {
        let process = try Self.start(RealRouters.data + "/navigation/osm/monaco.osm.pbf")
        defer { process.stop() }
        let address = try #require(WebRouterAddress(.osrm, url: "http://127.0.0.1:\(process.port)"))
        let route = try await process.firstAnswer(address, request((43.731142, 7.419758), (43.736825, 7.419505)))
        #expect(abs(route.legs[0].lengthMeters - 2_000.1) < 1 && abs(route.legs[0].durationSeconds - 146.8) < 1)
        #expect(holdsTogether(route) && route.legs[0].steps.contains { $0.roadName == "Rue Grimaldi" })
        let router = WebRouter(address)
        #expect(holdsTogether(try await router.route(request((43.731142, 7.419758), (43.736825, 7.419505), course: 68))))
        await #expect(throws: RoutingError.self) { try await router.route(request((0, 0), (1, 1))) }
        // No road at the start runs in this direction, but a route is still found.
        #expect(try await router.route(request((43.731142, 7.419758), (43.736825, 7.419505), course: 158)).legs.count == 1)
    }

    @Test("finds the same routes as the roads of the tiles of the same town: all of them, most within 5 % of the length")
    func againstTiles() async throws {
        let process = try Self.start(RealRouters.data + "/map/osm/monaco.osm.pbf")
        defer { process.stop() }
        let address = try #require(WebRouterAddress(.osrm, url: "http://127.0.0.1:\(process.port)"))
        let map = MapRouter(source: try BaseMapFile(path: RealRouters.data + "/map/tiles/monaco.pmtiles"))
        let places = [
            (43.7300, 7.4170), (43.7340, 7.4215), (43.7390, 7.4260), (43.7430, 7.4300), (43.7470, 7.4340), (43.7365, 7.4200),
        ]
        var ratios: [Double] = []
        for from in places {
            for to in places where to != from {
                let theirs = try await process.firstAnswer(address, request(from, to))
                let ours = try await map.route(request(from, to))
                ratios.append(ours.legs[0].lengthMeters / theirs.legs[0].lengthMeters)
            }
        }
        let off = ratios.map { abs($0 - 1) }.sorted()
        #expect(off.count == 30 && off[off.count / 2] < 0.05, "\(ratios)")
    }
}

@Suite("Valhalla's own program", .enabled(if: RealRouters.valhalla != nil), .timeLimit(.minutes(3)))
struct RealValhallaTests {
    @Test("finds routes in Liechtenstein with speed limits, and none where it has no roads")
    func liechtenstein() async throws {
        let programs = RealRouters.valhalla ?? ""
        let process = try RouterProcess("valhalla") { folder, port in
            let sockets = ["loki", "thor", "odin"].map { "--\($0)-service-proxy ipc://\(folder)/\($0)" }.joined(separator: " ")
            let configure =
                "python3 \(programs)/valhalla_build_config.py --mjolnir-tile-dir \(folder)/tiles --mjolnir-admin '' --mjolnir-timezone '' "
                + "--httpd-service-listen tcp://127.0.0.1:\(port) --httpd-service-loopback ipc://\(folder)/back "
                + "--httpd-service-interrupt ipc://\(folder)/stop \(sockets) > valhalla.json"
            let map = RealRouters.data + "/navigation/osm/liechtenstein.osm.pbf"
            return [
                ["/bin/sh", "-c", configure], ["\(programs)/bin/valhalla_build_tiles", "-c", "valhalla.json", "-j", "2", map],
                ["\(programs)/bin/valhalla_service", "valhalla.json", "1"],
            ]
        }
        defer { process.stop() }
        let address = try #require(WebRouterAddress(.valhalla, url: "http://127.0.0.1:\(process.port)"))
        var way = request((47.1410, 9.5215), (47.1660, 9.5100))
        way.destinations.append(NavigationWaypoint(coordinate: Coordinate(latitude: 47.15, longitude: 9.52)))
        let route = try await process.firstAnswer(address, way)
        #expect(route.legs.count == 2 && holdsTogether(route))
        #expect(route.legs[0].speedLimits.contains { $0.limit == .kilometersPerHour(50) })
        let router = WebRouter(address)
        way.originCourseDegrees = 108
        #expect(try await router.route(way).legs.count == 2)
        for far in [request((0, 0), (1, 1)), request((47.1410, 9.5215), (47.05, 9.9))] {
            await #expect(throws: RoutingError.self) { try await router.route(far) }
        }
    }
}
