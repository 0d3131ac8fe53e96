import Foundation
import Geo
import Synchronization
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("A router on the network for serve and drive", .timeLimit(.minutes(3)))
struct WebRouterTests {
    private final class Health: Sendable {
        let isUp = Mutex(false)
        /// The times at which the router received requests.
        let asked = Mutex<[Date]>([])
    }

    /// Returns a route in OSRM's format through the places of a request. The route has one corner.
    private static func route(_ path: String) -> String {
        let places = path.matches(of: #/(-?\d+\.\d+),(-?\d+\.\d+)/#).compactMap { match in
            Double(match.2).flatMap { latitude in Double(match.1).map { Coordinate(latitude: latitude, longitude: $0) } }
        }
        guard let start = places.first, let end = places.last else { return "" }
        let line = [start, Coordinate(latitude: start.latitude, longitude: end.longitude), end]
        let meters = Polyline(line).lengthMeters
        let geometry = EncodedPolyline.encode(line, precision: .six).replacing("\\", with: #"\\"#)
        return #"{"code":"Ok","routes":[{"geometry":"\#(geometry)","legs":[{"distance":\#(meters),"duration":300}]}]}"#
    }

    private let ends = ((50.0, 8.0), (50.02, 8.02))
    private let straightMeters = 2_600...2_700
    private let cornerMeters = 3_600...3_700

    @Test(
        "serve plans with the router; during a pause that the router requests, and when it is gone, the straight line is used and reported"
    )
    func serve() async throws {
        let server: Program.Running
        let calls: RESTCalls
        let errors: LineWatch
        let address: String
        let health = Health()
        (server, calls, errors, address) = try await ScriptedHTTPServer.with { request, _ in
            health.asked.withLock { $0.append(Date()) }
            return health.isUp.withLock { $0 }
                ? .reply(200, Self.route(request.path)) : .reply(503, headers: [("retry-after", "8")], "")
        } _: { router in
            let server = try Program().start([
                "serve", "--grpc-port", "0", "--http-port", "0", "--router", "osrm:\(router.address)/?key=secret", "--log", "-",
            ])
            let calls = try RESTCalls(server.line())
            let errors = LineWatch(server.errors)
            try calls.book("early", from: ends.0, to: ends.1)
            #expect(straightMeters.contains(try calls.metersLeft("early")))
            #expect(
                errors.line(with: "tripwatch: the route is a straight line: ")
                    == "tripwatch: the route is a straight line: the router at \(router.address) answers with HTTP 503")
            health.isUp.withLock { $0 = true }
            // The server calls the router again after the pause that the router requested. The usual pause is shorter.
            let meters = try calls.metersLeft("early", until: cornerMeters.contains)
            #expect(cornerMeters.contains(meters), "\(meters) m")
            #expect(errors.line(with: "tripwatch: the router answers again") != nil)
            let asked = health.asked.withLock { $0 }
            let seconds = asked.map { $0.timeIntervalSince(asked.first ?? $0) }
            // Requests that were sent together with the first one arrive less than two seconds after it.
            #expect((seconds.last ?? 0) > 7.9 && !seconds.contains { (2...7.9).contains($0) }, "\(seconds)")
            return (server, calls, errors, router.address)
        }
        defer { server.stop() }
        try calls.book("late", from: (50.03, 8.03), to: (50.05, 8.05))
        #expect(straightMeters.contains(try calls.metersLeft("late")))
        #expect(errors.line(with: "tripwatch: the route is a straight line: the router at \(address) does not answer (") != nil)
        server.stop()
        #expect(!errors.all.contains { $0.contains("secret") })
    }

    @Test(
        "drive uses the straight line if the router is down, and says so once, even with a given route that does not reach the stop",
        arguments: [[], ["--route", "50.0,8.0;50.001,8.0"]])
    func drive(way: [String]) throws {
        let port = try UnansweredPort()
        let server = try LocalServer(speed: 20)
        defer { server.stop() }
        try RESTCalls(server.desk).put("car-1", at: ends.0)
        let router = ["--router", "valhalla:http://127.0.0.1:\(port.number)?key=secret"]
        let car = try server.drive(router + ["--dwell", "1", "--trips", "1"] + way)
        defer { car.stop() }
        let (lines, errors) = (LineWatch(car.output), LineWatch(car.errors))
        #expect(lines.line(with: "online") != nil, "\(lines.all)")
        #expect(try server.book(from: "50.0,8.0", to: "50.005,8.005") != nil)
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        car.waitForEnd()
        #expect(car.process.terminationStatus == 0)
        #expect(
            errors.all.filter { $0.contains("straight line") } == [
                "tripwatch: the route is a straight line: the router at http://127.0.0.1:\(port.number) does not answer (connection refused)"
            ])
        #expect(!errors.all.contains { $0.contains("secret") })
    }

    @Test("an unknown router and an invalid address are refused without showing a key")
    func refused() throws {
        for router in ["osrm:ftp://r.example?key=secret", "valhalla:http://name:secret@r.example", "osrm:"] {
            let outcome = try Program().run(["serve", "--grpc-port", "0", "--http-port", "0", "--router", router])
            #expect(outcome.status == 64 && outcome.errors.contains("URL needs an http or https URL"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("secret"))
        }
        let unknown = try Program().run(["serve", "--router", "graphhopper:http://r.example"])
        #expect(unknown.status == 64 && unknown.errors.contains("osrm:URL"), "\(unknown.errors)")
    }
}
