import FleetEngine
import FleetEngineGRPC
import Foundation
import Geo
import Glibc
import Testing

@testable import ProgramHarness

@Suite("Driving, against a server of this machine", .timeLimit(.minutes(3)))
struct DriveTests {
    /// A straight route to the north, 6.7 km long.
    private static let way = "-36.0000,-20.0000;-35.9400,-20.0000"
    private let pickup = "-35.9900,-20.0000"
    private let dropoff = "-35.9500,-20.0000"

    @Test("a driver survives the server's restart: the lost trip is reported, the vehicle is created again, the next trip is served")
    func restart() throws {
        var server = try LocalServer(speed: 20, restarts: true)
        defer { server.stop() }
        let car = try server.drive("--create", "--route", Self.way)
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: "online") != nil)
        let first = try #require(try server.book(from: pickup, to: dropoff))
        #expect(lines.line(with: "ENROUTE_TO_PICKUP") != nil)
        let start = lines.all.count
        try server.restart()
        #expect(lines.line(with: "created     providers/demo/vehicles/car-1") != nil)
        #expect(lines.line(with: "ended       \(first): lost: the server no longer knows the trip") != nil, "\(lines.all)")
        #expect(lines.line(with: "waiting     for a trip", after: start) != nil)
        let second = try #require(try server.book(from: pickup, to: dropoff))
        #expect(lines.line(with: "trip        \(second)", after: start) != nil, "\(lines.all)")
        #expect(car.process.isRunning)
        #expect(lines.all.count { $0.hasSuffix(" online") } == 1)
    }

    @Test("without its vehicle, drive reports that once and exits with 3")
    func missing() throws {
        let server = try LocalServer(speed: 60)
        defer { server.stop() }
        let outcome = try Program().run(
            ["drive", "--vehicle", "car-9", "--simulate", "--route", Self.way, "--provider", "demo"] + server.connection)
        #expect(outcome.status == 3 && outcome.lines.allSatisfy { !$0.contains("NOT_FOUND") }, "\(outcome.lines)")
        #expect(outcome.errors.split(separator: "\n").count { $0.contains("has no vehicle car-9") } == 1, "\(outcome.errors)")
    }

    @Test("with --keep-trying it continues, and reports its updates as refused once, and then as accepted again")
    func refused() throws {
        var server = try LocalServer(speed: 60, restarts: true)
        defer { server.stop() }
        let car = try server.drive("--keep-trying", "--route", Self.way)
        defer { car.stop() }
        let lines = LineWatch(car.output)
        let refusal = try #require(lines.line(with: " refused     NOT_FOUND: "))
        let form =
            #/^\d\d:\d\d:\d\d refused +NOT_FOUND: .+; trying again in \d+ (s|min); create the vehicle on the server, or start with --create$/#
        #expect(refusal.firstMatch(of: form) != nil, "\(refusal)")
        // A second driver of the same car creates the vehicle. From then on, the server also accepts the first driver's reports.
        #expect(!lines.all.contains { $0.contains("online") })
        let other = try server.drive("--create", "--route", Self.way)
        defer { other.stop() }
        #expect(lines.line(with: " online") != nil, "\(lines.all)")
        other.stop()
        #expect(lines.all.count { $0.contains(" refused     NOT_FOUND: ") } == 1)
        // The restarted server does not have the vehicle. It refuses the reports until a third driver creates the vehicle.
        let gone = lines.all.count
        try server.restart()
        #expect(lines.line(with: " refused     NOT_FOUND: ", after: gone) != nil, "\(lines.all)")
        let third = try server.drive("--create", "--route", Self.way)
        defer { third.stop() }
        let accepted = try #require(lines.line(with: " reports are accepted again, ", after: gone), "\(lines.all)")
        let words = #/ accepted    reports are accepted again, \d+ s after the first failed report$/#
        #expect(accepted.firstMatch(of: words) != nil, "\(accepted)")
        #expect(car.process.isRunning)
    }

    @Test("the end of failed polls is reported in a line, even if the reports never failed")
    func polls() throws {
        let server = try LocalServer(speed: 20)
        defer { server.stop() }
        let car = try server.drive("--create", "--route", Self.way)
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: " online") != nil, "\(lines.all)")
        let answer = try server.plan(faults: #"[{"rpc":"GetVehicle","code":"UNAVAILABLE","count":2}]"#)
        #expect(answer.contains("200 OK"), "\(answer)")
        let retrying = try #require(lines.line(with: " retrying    in "), "\(lines.all)")
        #expect(retrying.contains(": UNAVAILABLE"), "\(retrying)")
        let back = try #require(lines.line(with: " back        the server answers again, after "), "\(lines.all)")
        let form = #/^\d\d:\d\d:\d\d back +the server answers again, after \d+ (s|min) without an answer$/#
        #expect(back.firstMatch(of: form) != nil, "\(back)")
        #expect(!lines.all.contains { $0.contains(" refused ") }, "\(lines.all)")
    }

    /// Ends a drive, and checks that a signal ended its process, and that the car is offline.
    private func endOffline(by signals: Set<Int32>, _ end: (LocalServer, Program.Running) throws -> Void) throws {
        let server = try LocalServer(speed: 1)
        defer { server.stop() }
        let car = try server.drive("--create", "--route", Self.way)
        defer { car.stop() }
        while let line = car.line(), !line.hasSuffix(" online") {}
        try end(server, car)
        car.waitForEnd()
        #expect(car.process.terminationReason == .uncaughtSignal && signals.contains(car.process.terminationStatus))
        let vehicle = try RESTCalls(server.desk).ask("GET", "vehicles/car-1")
        #expect(vehicle.contains("\"OFFLINE\""), "\(vehicle)")
    }

    @Test("two signals at once, equal or not, end the drive as one; the car is offline then", arguments: [SIGTERM, SIGINT, SIGHUP])
    func offlineAfterSignals(second: Int32) throws {
        try endOffline(by: [SIGTERM, second]) { server, car in
            let answer = try server.plan(faults: #"[{"rpc":"UpdateVehicle","code":null,"delay_ms":500}]"#)
            #expect(answer.contains("200 OK"))
            kill(car.process.processIdentifier, SIGTERM)
            kill(car.process.processIdentifier, second)
        }
    }

    @Test("a closed pipe, of lines or of messages, ends the drive by its signal; the car is offline then", arguments: [true, false])
    func offlineWithoutReader(ofMessages: Bool) throws {
        try endOffline(by: [SIGPIPE]) { server, car in
            // The route to the pickup causes a message about the missing map.
            try (ofMessages ? car.errors : car.output).fileHandleForReading.close()
            _ = try server.book(from: pickup, to: dropoff)
        }
    }

    @Test("a car that starts far from any road drives to its route, and is not reported as off route")
    func awayFromRoads() async throws {
        let server = try LocalServer(speed: 60)
        defer { server.stop() }
        let endpoint = try ServerEndpoint(server.connection[1], security: .plaintext)
        let identity = ClientIdentity(role: .driver, vehicleID: "car-1", version: "0")
        try await withFleetEngineClient(endpoint: endpoint, identity: identity, tokens: nil) { client in
            let place = VehicleLocation(coordinate: Coordinate(latitude: -36.03, longitude: -20.03))
            _ = try await client.createVehicle(
                Vehicle(
                    name: try VehicleName(provider: "demo", vehicle: "car-1"), state: .online, supportedTripTypes: [.exclusive],
                    maximumCapacity: 4, category: .auto, lastLocation: place))
        }
        let car = try server.program.start(
            ["drive", "--vehicle", "car-1", "--simulate", "--auto", "--router", "demo", "--speed", "60", "--dwell", "5", "--trips", "1"]
                + server.connection)
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: " online") != nil, "\(lines.all)")
        _ = try server.book(from: "-36.0050,-19.9900", to: "-36.0100,-19.9800")
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        #expect(!lines.all.contains { $0.contains("rerouting") }, "\(lines.all)")
    }

    @Test("a token command gets the vehicle's id for every call, a token address has it in its path")
    func tokens() throws {
        let server = try LocalServer(speed: 60)
        defer { server.stop() }
        let asked = FileManager.default.temporaryDirectory.appending(path: "tripwatch-asked-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: asked) }
        // The token is valid for only a second and a half, so that each kind of call requests a new one.
        let command =
            "echo \"$TRIPWATCH_VEHICLE_ID|$TRIPWATCH_TRIP_ID\" >> '\(asked.path)'; "
            + "echo \"{\\\"jwt\\\":\\\"t\\\",\\\"expirationTimestamp\\\":$(( $(date +%s%3N) + 1500 ))}\""
        for source in [["--token-command", command], ["--token-url", "\(server.desk)/token/driver/{vehicleID}"]] {
            let car = try server.program.start(
                ["drive", "--vehicle", "car-1", "--simulate", "--create", "--speed", "60", "--dwell", "5", "--trips", "1"]
                    + ["--route", Self.way] + source + server.connection)
            defer { car.stop() }
            let lines = LineWatch(car.output)
            #expect(lines.line(with: " online") != nil, "\(lines.all)")
            _ = try server.book(from: pickup, to: "-35.9800,-20.0000")
            #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
            car.waitForEnd()
            #expect(car.process.terminationStatus == 0)
            #expect(!lines.all.contains { $0.contains("retrying") || $0.contains("refused") }, "\(lines.all)")
        }
        let contexts = try String(contentsOf: asked, encoding: .utf8).split(separator: "\n")
        #expect(!contexts.isEmpty && contexts.allSatisfy { $0 == "car-1|" }, "\(contexts)")
    }

    @Test("with --route, a driver that restarts in the middle of a trip continues from the car's position")
    func startedAgain() throws {
        let server = try LocalServer(speed: 30)
        defer { server.stop() }
        let car = try server.drive("--create", "--route", Self.way, "--dwell", "5")
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: " online") != nil)
        let trip = try #require(try server.book(from: pickup, to: dropoff))
        let rider = try server.program.start(["follow", trip, "--output", "json", "--interval", "1"] + server.connection)
        defer { rider.stop() }
        let seen = LineWatch(rider.output)
        #expect(lines.line(with: "ENROUTE_TO_DROPOFF") != nil)
        let leaving = seen.all.count
        #expect(seen.line(with: "\"event\":\"location\"", after: leaving) != nil)
        car.stop()
        let again = try server.drive("--route", Self.way, "--trips", "1")
        defer { again.stop() }
        let restarted = LineWatch(again.output)
        // The whole route from the pickup on is 4.4 km long.
        let way = try #require(restarted.line(with: "route       to "))
        let kilometers = try #require(way.firstMatch(of: #/: ([0-9.]+) km/#).flatMap { Double($0.1) }, "\(way)")
        #expect(kilometers < 4.3, "\(way)")
        #expect(restarted.line(with: "COMPLETE") != nil, "\(restarted.all)")
        let latitudes = seen.all.compactMap { $0.firstMatch(of: #/"event":"location","latitude":(-?[0-9.]+)/#).flatMap { Double($0.1) } }
        // The car drives only north. It must not return to the start of the route, nor move back farther than the error of a fix.
        #expect(latitudes.count > 3)
        #expect(zip(latitudes, latitudes.dropFirst()).allSatisfy { $1 > $0 - 0.0005 }, "\(latitudes)")
    }
}
