import Driver
import FleetEngine
import FleetEngineGRPC
import Foundation
import Geo
import Navigation
import ProgramSurroundings
import Routing
import Testing

@testable import ProgramHarness
@testable import TripWatchOperations

/// A router that returns straight routes with a speed limit of 50 km/h.
private struct SlowTown: Router {
    let name = "slow town"

    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        let plain = try await StraightLineRouter(speedMetersPerSecond: 20).route(request)
        let legs = plain.legs.map { leg in
            var slow = leg
            slow.speedLimits = [SpeedLimitStretch(offsetMeters: 0, lengthMeters: leg.lengthMeters, limit: .kilometersPerHour(50))]
            return slow
        }
        do throws(RouteError) {
            return try PlannedRoute(planner: name, legs: legs)
        } catch {
            throw RoutingError("\(error)", isRetryable: false)
        }
    }
}

@Suite("What happens on a driver's way, against a server of this machine", .timeLimit(.minutes(3)))
struct OnTheWayTests {
    private static let speed = 60
    private let start = Coordinate(latitude: -36, longitude: -20)

    /// A simulated car. Its receiver sends no fixes for five minutes. There is a jam on the way to the pickup. On the way to the drop-off,
    /// the car takes a wrong turn.
    private var car: SimulatedVehicleConfiguration {
        var car = SimulatedVehicleConfiguration()
        car.startCoordinate = start
        car.simulation.straightSpeedMetersPerSecond = 25
        car.simulation.gaps = [SimulatedGap(afterSeconds: 60, durationSeconds: 300)]
        car.incidents = [
            SimulatedIncident(on: .pickup, atFraction: 0.4, .jam(lengthMeters: 600, speedMetersPerSecond: 2)),
            SimulatedIncident(on: .dropoff, atFraction: 0.3, .wrongTurn(.straight(turnDegrees: 90, lengthMeters: 400))),
        ]
        return car
    }

    /// Drives one trip. Writes to `output` the lines that the program would print.
    private func drive(_ server: LocalServer, output: Pipe) async throws {
        let endpoint = try ServerEndpoint(server.connection[1], security: .plaintext)
        let name = try VehicleName(provider: "demo", vehicle: "car-1")
        let time = SystemTimeSource(speed: Double(Self.speed))
        let lines = DriverLines(time: time, streams: StandardStreams(output: output.fileHandleForWriting.fileDescriptor))
        let car = SimulatedVehicle(car, time: time)
        let identity = ClientIdentity(role: .driver, vehicleID: name.vehicle, version: "0")
        try await withFleetEngineClient(endpoint: endpoint, identity: identity, tokens: nil) { client in
            let vehicle = Vehicle(
                name: name, state: .offline, supportedTripTypes: [.exclusive], maximumCapacity: 4, category: .auto,
                lastLocation: VehicleLocation(coordinate: start))
            _ = try await client.createVehicle(vehicle)
            let driver = TripDriver(
                client: client, vehicleName: name, assignment: .assigned(limit: 1), router: SlowTown(), source: car, time: time,
                onEvent: { lines.tell($0) })
            _ = await driver.run()
        }
        try output.fileHandleForWriting.close()
    }

    @Test("a server that is down is reported once, and again after another event")
    func retries() throws {
        let output = Pipe()
        let lines = DriverLines(
            time: SystemTimeSource(), streams: StandardStreams(output: output.fileHandleForWriting.fileDescriptor))
        let away = TripDriverFailure.fleetEngine(FleetEngineError(code: .unavailable, message: "away", origin: .network))
        for seconds in [1.0, 2, 4] { lines.tell(.retrying(away, afterSeconds: seconds)) }
        lines.tell(.online)
        lines.tell(.retrying(away, afterSeconds: 1))
        try output.fileHandleForWriting.close()
        let watch = LineWatch(output)
        // Waits for a line that never comes, so that the whole output is read.
        #expect(watch.line(with: "nothing like this") == nil)
        #expect(watch.all.count { $0.contains(" retrying    ") } == 2, "\(watch.all)")
    }

    @Test("an unreachable server has one line for reports and other calls, and one waiting time; only its answer is a refusal")
    func outage() throws {
        let (output, errors) = (Pipe(), Pipe())
        let streams = StandardStreams(
            output: output.fileHandleForWriting.fileDescriptor, error: errors.fileHandleForWriting.fileDescriptor)
        let away = FleetEngineError(code: .unavailable, message: "away", origin: .network)
        let lines = DriverLines(time: SystemTimeSource(), streams: streams, server: "here")
        lines.tell(.reportRefused(away, retryAfterSeconds: 5.4))
        lines.tell(.retrying(.fleetEngine(away), afterSeconds: 5.1))
        lines.tell(.reportRefused(FleetEngineError(code: .internal, message: "no"), retryAfterSeconds: 5.4))
        let van = DeliveryLines(
            try DeliveryVehicleName(provider: "demo", vehicle: "van"), time: SystemTimeSource(), streams: streams, server: "here")
        van.tell(.reportRefused(away, retryAfterSeconds: 5.4))
        van.tell(.retrying(.fleetEngine(away), afterSeconds: 5.1))
        van.tell(.refused(.setOff, FleetEngineError(code: .permissionDenied, message: "not trusted")))
        try output.fileHandleForWriting.close()
        try errors.fileHandleForWriting.close()
        let (watch, told) = (LineWatch(output), LineWatch(errors))
        #expect(watch.line(with: "nothing like this") == nil && told.line(with: "nothing like this") == nil)
        let retrying = "retrying    in 6 s: UNAVAILABLE: away"
        let refused = "refused     INTERNAL: no; trying again in 6 s"
        let command = "refused     set off: PERMISSION_DENIED: not trusted"
        #expect(watch.all.map { String($0.dropFirst(9)) } == [retrying, refused, retrying, command])
        #expect(told.all.count == 3 && told.all.prefix(2).allSatisfy { $0.hasSuffix(" Trying again in 6 s.") }, "\(told.all)")
        #expect(told.all.last?.contains("this token is not allowed to change the stops and tasks of van") == true, "\(told.all)")
    }

    @Test("a skipped status is reported in one sentence")
    func statusNotSent() throws {
        let output = Pipe()
        let lines = DriverLines(
            time: SystemTimeSource(), streams: StandardStreams(output: output.fileHandleForWriting.fileDescriptor))
        lines.tell(.notSent(try TripName(provider: "demo", trip: "t1"), .arrivedAtPickup, found: .new))
        try output.fileHandleForWriting.close()
        let watch = LineWatch(output)
        #expect(watch.line(with: " not sent    ARRIVED_AT_PICKUP: the trip has changed to NEW") != nil, "\(watch.all)")
    }

    @Test("a lost position, the delay of a jam, speeding and a wrong turn each have a line")
    func lines() async throws {
        let server = try LocalServer(speed: Self.speed)
        defer { server.stop() }
        let output = Pipe()
        let watch = LineWatch(output)
        let driving = Task { try await drive(server, output: output) }
        #expect(watch.line(with: "gps lost    no accurate position for ") != nil, "\(watch.all)")
        #expect(watch.line(with: "gps back    after ") != nil, "\(watch.all)")
        _ = try server.book(from: "-35.9700,-20.0000", to: "-35.9400,-20.0000")
        #expect(watch.line(with: "delay       heavy, ") != nil, "\(watch.all)")
        let speeding = try #require(watch.line(with: "speeding    "), "\(watch.all)")
        #expect(speeding.firstMatch(of: #/^\d\d:\d\d:\d\d speeding    \d+ % above the limit$/#) != nil, "\(speeding)")
        #expect(watch.line(with: "speed       within the limit again") != nil, "\(watch.all)")
        #expect(watch.line(with: "rerouting   the car has left its route") != nil, "\(watch.all)")
        #expect(watch.line(with: "route       changed, to ") != nil, "\(watch.all)")
        #expect(watch.line(with: ": completed") != nil, "\(watch.all)")
        try await driving.value
    }
}
