import FoundationEssentials
import Geo
import Routing
import Testing

@testable import WebRouting

@Suite("A router's answer")
struct RouteAnswerTests {
    static func fixture(_ name: String) throws -> [UInt8] {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return Array(try Data(contentsOf: URL(filePath: "\(folder)/Fixtures/\(name).json")))
    }

    static func request(_ places: (Double, Double)...) -> RouteRequest {
        let coordinates = places.map { Coordinate(latitude: $0.0, longitude: $0.1) }
        return RouteRequest(origin: coordinates[0], destinations: coordinates.dropFirst().map { NavigationWaypoint(coordinate: $0) })
    }

    static let monaco = request((43.7345, 7.4215), (43.7352, 7.4230), (43.7360, 7.4240))
    static let vaduz = request((47.1410, 9.5215), (47.1440, 9.5205))

    private func read(_ text: String, _ request: RouteRequest) throws(WebRoutingError) -> PlannedRoute {
        try RouteAnswer.route(Array(text.utf8), for: request, planner: "test")
    }

    @Test("of OSRM: each leg has its line, the router's figures and streets, and its segments take as long as the leg with its turns")
    func osrm() throws {
        let route = try RouteAnswer.route(Self.fixture("osrm-monaco"), for: Self.monaco, planner: "OSRM")
        #expect(route.planner == "OSRM" && route.legs.count == 2)
        #expect(route.legs.map(\.lengthMeters) == [871.2, 22.8] && route.legs.map(\.durationSeconds) == [132.4, 5.4])
        let leg = route.legs[0]
        // The router's times for the segments add up to only 110.5 s, because they leave out the turns.
        #expect(abs(leg.segmentSeconds.reduce(0, +) - 132.4) < 1e-9)
        #expect(abs(leg.segmentSeconds[0] - 2.2 * 132.4 / 110.5) < 1e-9)
        #expect(leg.path.count == 62 && leg.path.last == route.legs[1].path.first)
        #expect(abs(Polyline(leg.path).lengthMeters - 871.2) < 5)
        #expect(leg.speedLimits.isEmpty)
        #expect(leg.steps.map(\.maneuver) == [.depart, .left, .keepRight, .right, .sharpRight, .left, .left, .arrive])
        #expect(leg.steps[1] == RouteStep(maneuver: .left, roadName: "Boulevard Albert 1er", offsetMeters: 21, lengthMeters: 219.5))
        #expect(leg.steps[0].roadName == nil && leg.steps.last?.lengthMeters == 0)
        #expect(abs((leg.steps.last?.offsetMeters ?? 0) - 871.2) < 0.2)
        #expect(leg.destination.coordinate == Self.monaco.destinations[0].coordinate)
    }

    @Test("of Valhalla: with speed limits")
    func valhalla() throws {
        let route = try RouteAnswer.route(Self.fixture("valhalla-vaduz"), for: Self.vaduz, planner: "Valhalla")
        let leg = try #require(route.legs.first)
        #expect(leg.lengthMeters == 652.096 && leg.durationSeconds == 95.143)
        #expect(abs(leg.segmentSeconds.reduce(0, +) - 95.143) < 1e-9)
        #expect(Set(leg.speedLimits.map(\.limit)) == [.kilometersPerHour(20), .kilometersPerHour(30)])
        #expect(leg.speedLimits.first?.offsetMeters == 0)
        #expect(abs(leg.speedLimits.map(\.lengthMeters).reduce(0, +) - 652.096) < 1e-6)
        #expect(leg.steps.contains { $0.roadName == "Kasparigass" && $0.maneuver == .right && $0.lengthMeters == 146 })
    }

    @Test("for places outside the router's map: refused, although the router says Ok")
    func far() throws {
        let request = Self.request((0, 0), (1, 1))
        #expect {
            try RouteAnswer.route(Self.fixture("osrm-far"), for: request, planner: "OSRM")
        } throws: { error in
            guard case .tooFar(let place, let meters) = error as? WebRoutingError else { return false }
            return place == request.origin && (4_800_000...5_000_000).contains(meters)
        }
        // A request for places outside the map fails even if the answer has no `waypoints`.
        let text = try String(decoding: Self.fixture("osrm-far"), as: UTF8.self).replacing("waypoints", with: "places")
        #expect(throws: WebRoutingError.self) { try read(text, request) }
        // Only one end of this request is near a road on the map.
        let near = Self.request((43.715, 7.3494), (43.9, 7.3494))
        #expect(throws: WebRoutingError.self) { try read(text, near) }
    }

    /// Creates an answer with one leg along `line`. `leg` is JSON with more members of the leg.
    private func answer(_ line: [(Double, Double)], leg: String, duration: String = "10") -> String {
        let text = EncodedPolyline.encode(line.map { Coordinate(latitude: $0.0, longitude: $0.1) }, precision: .six)
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return #"{"code":"Ok","routes":[{"geometry":"\#(escaped)","legs":[{"distance":100,"duration":\#(duration)\#(leg)}]}]}"#
    }

    private let near = Self.request((50, 8), (50, 8.001))

    @Test("segments of no length are left out, and their time goes to the next, or at the end to the last")
    func emptySegments() throws {
        let line = [(50.0, 8.0), (50.0, 8.0), (50.0, 8.0005), (50.0, 8.0005), (50.0, 8.001), (50.0, 8.001)]
        let leg = try read(
            answer(
                line,
                leg:
                    #","annotation":{"duration":[1,3,0,5,1],"maxspeed":[{"speed":5,"unit":"km/h"},{"speed":30,"unit":"mph"},null,{"none":true},{"unknown":true}]}"#
            ),
            near
        ).legs[0]
        #expect(leg.path.count == 3)
        #expect(leg.segmentSeconds == [4, 6])
        #expect(leg.speedLimits.map(\.limit) == [.milesPerHour(30), .unlimited])
        #expect(leg.speedLimits.map { $0.lengthMeters.rounded() } == [50, 50])
    }

    @Test("lists that do not fit the line, invalid times, and unknown limits are left out")
    func misfits() throws {
        let line = [(50.0, 8.0), (50.0, 8.0005), (50.0, 8.001)]
        for annotation in ["{}", #"{"duration":[1]}"#, #"{"duration":[0,0]}"#, #"{"duration":[null,null]}"#, #"{"duration":[-1,-5]}"#] {
            let leg = try read(answer(line, leg: #","annotation":\#(annotation)"#), near).legs[0]
            #expect(leg.segmentSeconds.isEmpty && leg.speedLimits.isEmpty && leg.path.count == 3, "\(annotation)")
        }
        let leg = try read(answer(line, leg: #","annotation":{"duration":[null,2],"maxspeed":[{"speed":-3},{"speed":1e9}]}"#), near).legs[0]
        #expect(leg.segmentSeconds == [0, 10] && leg.speedLimits.isEmpty)
    }

    @Test("a route from a place to the same place is one place")
    func standing() throws {
        let line = [(50.0, 8.0), (50.0, 8.0)]
        let leg = try read(answer(line, leg: #","annotation":{"duration":[0]}"#, duration: "0"), Self.request((50, 8), (50, 8))).legs[0]
        #expect(leg.path.count == 1 && leg.segmentSeconds.isEmpty)
    }

    @Test(
        "an answer without a route is reported with its own reason",
        arguments: [
            (#"{"code":"NoRoute","message":"Impossible route between points"}"#, WebRoutingError.noWay("Impossible route between points")),
            (#"{"code":"Ok","routes":[]}"#, .noWay("Ok")), ("<html>busy</html>", .notUnderstood("it is not JSON in OSRM's format")),
            ("", .notUnderstood("it is not JSON in OSRM's format")), ("[1]", .notUnderstood("it is not JSON in OSRM's format")),
            (#"{"code":"Ok","routes":[{"geometry":"","legs":[]}]}"#, .notUnderstood("the number of its legs is 0 instead of 1")),
            (#"{"code":"Ok","routes":[{"geometry":"","legs":[{"duration":1}]}]}"#, .notUnderstood("a leg has no geometry")),
            (#"{"code":"Ok","routes":[{"geometry":"_","legs":[{"duration":1}]}]}"#, .notUnderstood("its geometry cannot be decoded")),
            (
                #"{"code":"Ok","routes":[{"geometry":"","legs":[{"duration":1}]}],"waypoints":[{"location":[900,900]}]}"#,
                .notUnderstood("a coordinate is out of range")
            ),
        ])
    func noRoute(text: String, error: WebRoutingError) {
        #expect(throws: error) { try read(text, near) }
    }

    @Test("an answer with too many JSON values or points is too large")
    func tooLarge() {
        let routes = String(repeating: "{},", count: WebRouter.maximumValueCount / 2)
        let points = String(repeating: "??", count: PlannedRoute.maximumCoordinates + 1)
        for route in [routes + "{}", #"{"geometry":"\#(points)","legs":[{"duration":1},{"duration":1}]}"#] {
            #expect(throws: WebRoutingError.tooLarge) { try read(#"{"code":"Ok","routes":[\#(route)]}"#, Self.monaco) }
        }
    }

    @Test("a leg with impossible figures is refused", arguments: ["-1", "1e300"])
    func figures(duration: String) {
        let line = [(50.0, 8.0), (50.0, 8.001)]
        #expect(throws: WebRoutingError.notUnderstood("leg 0 has an impossible distance or duration")) {
            try read(answer(line, leg: "", duration: duration), near)
        }
    }

    @Test("each prefix of an answer is refused, and none causes a crash")
    func truncated() throws {
        let bytes = try Self.fixture("valhalla-vaduz")
        for count in stride(from: 0, to: bytes.count - 1, by: 7) {
            #expect(throws: WebRoutingError.self) { try RouteAnswer.route(Array(bytes.prefix(count)), for: Self.vaduz, planner: "") }
        }
    }

    @Test("a status other than 200 means that there is no route, or that the router refuses")
    func statuses() {
        func refusal(_ status: Int, _ text: String) -> WebRoutingError { RouteAnswer.refusal(status: status, Array(text.utf8)) }
        #expect(refusal(400, #"{"code":"NoSegment","message":"Could not find"}"#) == .noWay("Could not find"))
        #expect(
            refusal(400, #"{"error_code":442,"error":"No path could be found for input"}"#) == .noWay("No path could be found for input"))
        #expect(refusal(400, #"{"code":"InvalidUrl","message":"URL string malformed"}"#) == .refused(status: 400, "URL string malformed"))
        #expect(refusal(404, #"{"error":"Try any of: '/route'"}"#) == .refused(status: 404, "Try any of: '/route'"))
        #expect(refusal(502, "<html>Bad gateway</html>") == .refused(status: 502, ""))
        #expect(refusal(502, "").isRetryable && refusal(429, "").isRetryable && !refusal(401, "").isRetryable)
    }
}

private enum Recorded {
    static let folder =
        (#filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3) + ["..", "shared", "data", "navigation", "routes"])
        .joined(separator: "/")
    static var arePresent: Bool { FileManager.default.fileExists(atPath: folder) }
}

@Suite("Recorded answers of routers", .enabled(if: Recorded.arePresent))
struct RecordedAnswersTests {
    /// The places in an answer. The tests make the matching request from them.
    private struct Places: Decodable {
        struct Place: Decodable { var location: [Double] }
        var waypoints: [Place]
    }

    private func request(_ bytes: [UInt8]) -> RouteRequest? {
        guard let places = try? JSONDecoder().decode(Places.self, from: Data(bytes)).waypoints, places.count > 1 else { return nil }
        let coordinates = places.compactMap {
            $0.location.count == 2 ? Coordinate(latitude: $0.location[1], longitude: $0.location[0]) : nil
        }
        return RouteRequest(origin: coordinates[0], destinations: coordinates.dropFirst().map { NavigationWaypoint(coordinate: $0) })
    }

    @Test("each answer is a route or refused, and OSRM's and Valhalla's own are consistent routes")
    func all() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Recorded.folder).filter { $0.hasSuffix(".json") }.sorted()
        var routes: Set<String> = []
        for file in files {
            let bytes = Array(try Data(contentsOf: URL(filePath: "\(Recorded.folder)/\(file)")))
            let anywhere = RouteAnswerTests.request((0, 0), (1, 1))
            guard let route = try? RouteAnswer.route(bytes, for: request(bytes) ?? anywhere, planner: file) else { continue }
            routes.insert(file)
            for leg in route.legs where !leg.segmentSeconds.isEmpty {
                #expect(abs(leg.segmentSeconds.reduce(0, +) - leg.durationSeconds) < 1e-6, "\(file)")
                #expect(leg.segmentSeconds.count == leg.path.count - 1, "\(file)")
                #expect(abs(Polyline(leg.path).lengthMeters / max(leg.lengthMeters, 1) - 1) < 0.02, "\(file)")
            }
        }
        #expect(
            routes.isSuperset(of: [
                "own-osrm-monaco.json", "own-valhalla-liechtenstein-osrmfmt-annotations.json", "ferrostar-valhalla_osrm_response.json",
                "ferrostar-valhalla_osrm_with_roundabouts.json", "ferrostar-valhalla_self_intersecting_osrm_response.json",
            ]), "\(routes.sorted())")
    }
}
