import EngineWorld
import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import GRPCServing
import Geo
import Synchronization
import Testing
import TripTesting

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("The live client against the engine", .timeLimit(.minutes(1)))
struct LiveClientTests {
    private typealias Client = GRPCFleetEngineClient<HTTP2ClientTransport.Posix>

    private func withClient(_ body: (Client) async throws -> Void) async throws {
        try await Servers.with(time: StoppedTime()) { servers in
            let client = Client(transport: try servers.transport(), identity: .init(role: .driver, version: "test"), tokens: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.runConnections() }
                defer { client.beginGracefulShutdown() }
                try await body(client)
            }
        }
    }

    private struct StoppedTime: TimeSource {
        func now() -> Date { World.start }
        func sleep(until deadline: Date) async throws { try Task.checkCancellation() }
    }

    @Test("a trip from booking to its end, as driver and rider see it")
    func wholeTrip() async throws {
        try await withClient { client in
            let car = try VehicleName(provider: "plain", vehicle: "car")
            let name = try TripName(provider: "plain", trip: "t1")
            let made = try await client.createVehicle(
                Vehicle(
                    name: car, state: .online, supportedTripTypes: [.exclusive], maximumCapacity: 4, category: .auto,
                    lastLocation: VehicleLocation(coordinate: World.centre), attributes: ["b": "2", "a": "1"]))
            #expect(made.name == car && made.state == .online && made.attributes == ["a": "1", "b": "2"])
            let booked = try await client.createTrip(
                NewTrip(name: name, type: .exclusive, pickupPoint: World.pickup, dropoffPoint: World.dropoff))
            #expect(booked.status == .new && booked.vehicleID == nil && booked.pickupPoint == World.pickup)
            _ = try await client.updateTrip(TripUpdateRequest(name: name, vehicleID: "car"))
            var update = VehicleUpdate(fields: [.location, .route, .remainingDistance, .remainingTime])
            update.location = VehicleLocation(coordinate: World.place(east: 100), headingDegrees: 90, speedMetersPerSecond: 8.25)
            update.route = RouteLine([World.place(east: 100), World.pickup])
            (update.remainingDistanceMeters, update.remainingTimeSeconds) = (900, 90)
            let moved = try await client.updateVehicle(car, update)
            #expect(moved.currentTrips == ["t1"] && moved.lastLocation?.coordinate == World.place(east: 100))
            let trip = try await client.getTrip(GetTripRequest(name: name))
            #expect(trip.vehicleID == "car" && trip.activeRoute.coordinates.count == 2 && trip.remainingDistanceMeters == 900)
            #expect(trip.lastLocation?.headingDegrees == 90 && trip.lastLocation?.speedMetersPerSecond == 8.25)
            #expect(trip.etaToNextWaypoint == World.start.addingTimeInterval(90))
            let known = try await client.getTrip(GetTripRequest(name: name, activeRouteVersion: trip.activeRouteVersion))
            #expect(known.activeRoute.isEmpty && known.activeRouteVersion == trip.activeRouteVersion)
            #expect(try await client.updateTrip(TripUpdateRequest(name: name, status: .canceled)).status == .canceled)
            try await client.deleteTrip(name)
            #expect(try await client.getVehicle(car).currentTrips.isEmpty)
        }
    }

    @Test("a refusal arrives with its code, its message and the faulty field")
    func refusals() async throws {
        try await withClient { client in
            let name = try TripName(provider: "plain", trip: "t1")
            let missing = await #expect(throws: FleetEngineError.self) { try await client.getTrip(GetTripRequest(name: name)) }
            #expect(missing?.code == .notFound && missing?.message == "no trip is named providers/plain/trips/t1")
            let car = try VehicleName(provider: "plain", vehicle: "car")
            let empty = await #expect(throws: FleetEngineError.self) { try await client.updateVehicle(car, VehicleUpdate(fields: [])) }
            #expect(empty?.code == .invalidArgument && empty?.message == "update_mask cannot be empty")
            guard case .badRequest(let violations) = empty?.details.first else {
                Issue.record("\(String(describing: empty))")
                return
            }
            #expect(violations.map(\.field) == ["update_mask"])
        }
    }
}

/// A token source that returns a new token for each request, and records what each token was requested for.
private final class NumberedTokens: AccessTokenProvider {
    private let asked = Mutex<[AuthorizationContext]>([])
    let canRenew: Bool

    init(canRenew: Bool = true) { self.canRenew = canRenew }

    var contexts: [AuthorizationContext] { asked.withLock { $0 } }

    func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        let number = asked.withLock { asked in
            asked.append(context)
            return asked.count
        }
        return AccessToken(secret: "token-\(number)")
    }
}

/// Accepts only the tokens in a list, like a server whose keys have changed.
private final class Gate: Sendable {
    private let state: Mutex<(accepted: Set<String>, code: RPCError.Code, refusals: Int)>

    init(accepted: Set<String>) { state = Mutex((accepted, .unauthenticated, 0)) }

    var refusals: Int { state.withLock { $0.refusals } }

    func accept(_ secrets: Set<String>, refusingWith code: RPCError.Code) {
        state.withLock { $0 = (secrets, code, 0) }
    }

    func guarding(_ method: GRPCMethod) -> GRPCMethod {
        guard case .unary(let answer) = method.work else { return method }
        return .unary { head, message in
            try self.check(head.authorization?.dropFirst("Bearer ".count))
            return try await answer(head, message)
        }
    }

    private func check(_ secret: Substring?) throws(RPCError) {
        let refusal: RPCError.Code? = state.withLock { state in
            if let secret, state.accepted.contains(String(secret)) { return nil }
            state.refusals += 1
            return state.code
        }
        if let refusal { throw RPCError(code: refusal, message: "not this token") }
    }
}

@Suite("The tokens of a driver's calls", .timeLimit(.minutes(1)))
struct DriverTokenTests {
    private typealias Client = GRPCFleetEngineClient<HTTP2ClientTransport.Posix>

    private func withClient(_ tokens: NumberedTokens, _ gate: Gate, _ body: (Client) async throws -> Void) async throws {
        let time = ManualTimeSource(World.start)
        let engine = LocalFleetEngine(time: time)
        let guarded = EngineMethods(engine: engine, gate: nil).all.mapValues { gate.guarding($0) }
        try await Servers.with(time: time, engine: engine, methods: guarded) { servers in
            let client = Client(
                transport: try servers.transport(), identity: .init(role: .driver, vehicleID: "car", version: "test"),
                tokens: AccessTokenCache(provider: tokens, time: time))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.runConnections() }
                defer { client.beginGracefulShutdown() }
                try await body(client)
            }
        }
    }

    private func calls(_ client: Client) async throws {
        let car = try VehicleName(provider: "plain", vehicle: "car")
        let name = try TripName(provider: "plain", trip: "t1")
        _ = try await client.createVehicle(
            Vehicle(name: car, state: .online, supportedTripTypes: [.exclusive], maximumCapacity: 4, category: .auto))
        _ = try await client.createTrip(
            NewTrip(name: name, type: .exclusive, pickupPoint: World.pickup, dropoffPoint: World.dropoff, vehicleID: "car"))
        _ = try await client.getTrip(GetTripRequest(name: name))
        _ = try await client.updateTrip(TripUpdateRequest(name: name, status: .enrouteToPickup))
        _ = try await client.updateVehicle(car, VehicleUpdate(fields: [.state], state: .online))
        #expect(try await client.getVehicle(car).currentTrips == ["t1"])
    }

    @Test("every call asks for the vehicle's token, and one token is used for all calls")
    func context() async throws {
        let tokens = NumberedTokens()
        try await withClient(tokens, Gate(accepted: ["token-1"])) { client in try await calls(client) }
        #expect(tokens.contexts == [AuthorizationContext(vehicleID: "car")])
    }

    @Test(
        "a token without expiry that is refused is renewed once, silently", arguments: [RPCError.Code.unauthenticated, .permissionDenied])
    func renewed(code: RPCError.Code) async throws {
        let (tokens, gate) = (NumberedTokens(), Gate(accepted: ["token-1"]))
        try await withClient(tokens, gate) { client in
            try await calls(client)
            gate.accept(["token-2"], refusingWith: code)
            let name = try TripName(provider: "plain", trip: "t1")
            #expect(try await client.getTrip(GetTripRequest(name: name)).status == .enrouteToPickup)
            // If several calls are refused at the same time, the client requests only one new token for all of them.
            gate.accept(["token-3"], refusingWith: code)
            await withTaskGroup(of: Bool.self) { group in
                for _ in 1...10 { group.addTask { (try? await client.getTrip(GetTripRequest(name: name))) != nil } }
                for await isRead in group { #expect(isRead) }
            }
            #expect(tokens.contexts.count == 3 && Set(tokens.contexts).count == 1)
        }
    }

    @Test("a call that is refused with the new token too fails; a source without another token is not asked")
    func refused() async throws {
        for canRenew in [true, false] {
            let (tokens, gate) = (NumberedTokens(canRenew: canRenew), Gate(accepted: []))
            try await withClient(tokens, gate) { client in
                let car = try VehicleName(provider: "plain", vehicle: "car")
                let failure = await #expect(throws: FleetEngineError.self) { try await client.getVehicle(car) }
                #expect(failure?.code == .unauthenticated && failure?.message == "not this token")
                #expect(gate.refusals == (canRenew ? 2 : 1))
            }
        }
    }
}
