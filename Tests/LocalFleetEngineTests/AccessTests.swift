import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FoundationEssentials
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import SwiftProtobuf
import Testing

@testable import LocalFleetEngine

/// The accounts that the server accepts, one for each role. They are created once for all tests, because creating a key takes time.
private let ring = AccountRing(
    AccountRole.allCases.compactMap { role in
        AccountFile(role: role, suffix: nil, form: .pem).flatMap { try? Account.make($0).account }
    })

func openGate() -> AccessGate { AccessGate(accounts: ring, deskKey: "desk-key") }

/// Makes calls, with a token or without one.
private struct Caller {
    typealias Client = GRPCClient<HTTP2ClientTransport.Posix>
    let client: Client
    let metadata: Metadata

    var trips: WireTripService.Client<HTTP2ClientTransport.Posix> { .init(wrapping: client) }
    var vehicles: WireVehicleService.Client<HTTP2ClientTransport.Posix> { .init(wrapping: client) }

    init(_ client: Client, _ gate: AccessGate, _ role: AccountRole, trip: String? = nil, vehicle: String? = nil) async throws {
        self.client = client
        metadata = ["authorization": "Bearer \(try await gate.mint(role, tripID: trip, vehicleID: vehicle).secret)"]
    }

    init(_ client: Client, authorization: String?) {
        self.client = client
        metadata = authorization.map { ["authorization": .string($0)] } ?? [:]
    }

    static func code(_ work: () async throws -> some Sendable) async throws -> RPCError.Code? {
        do {
            _ = try await work()
            return nil
        } catch let error as RPCError { return error.code }
    }

    static func trip(_ id: String) -> String { "providers/plain/trips/\(id)" }
    static func vehicle(_ id: String) -> String { "providers/plain/vehicles/\(id)" }

    func getTrip(_ id: String) async throws -> RPCError.Code? {
        try await Self.code { try await trips.getTrip(.with { $0.name = Self.trip(id) }, metadata: metadata) }
    }

    func updateTrip(_ id: String) async throws -> RPCError.Code? {
        try await Self.code {
            try await trips.updateTrip(
                .with {
                    $0.name = Self.trip(id)
                    $0.trip.tripStatus = .enrouteToPickup
                    $0.updateMask.paths = ["trip_status"]
                }, metadata: metadata)
        }
    }

    func createTrip(_ id: String, vehicle: String? = nil) async throws -> RPCError.Code? {
        try await Self.code {
            try await trips.createTrip(
                .with {
                    $0.parent = "providers/plain"
                    $0.tripID = id
                    $0.trip.tripType = .exclusive
                    $0.trip.numberOfPassengers = 1
                    $0.trip.pickupPoint.point.latitude = 1
                    $0.trip.dropoffPoint.point.latitude = 2
                    if let vehicle { $0.trip.vehicleID = vehicle }
                }, metadata: metadata)
        }
    }

    func deleteTrip(_ id: String) async throws -> RPCError.Code? {
        try await Self.code { try await trips.deleteTrip(.with { $0.name = Self.trip(id) }, metadata: metadata) }
    }

    func searchTrips(vehicle: String) async throws -> RPCError.Code? {
        try await Self.code {
            try await trips.searchTrips(
                .with {
                    $0.parent = "providers/plain"
                    $0.vehicleID = vehicle
                }, metadata: metadata)
        }
    }

    func createVehicle(_ id: String) async throws -> RPCError.Code? {
        try await Self.code {
            try await vehicles.createVehicle(
                .with {
                    $0.parent = "providers/plain"
                    $0.vehicleID = id
                    $0.vehicle.vehicleState = .online
                    $0.vehicle.supportedTripTypes = [.exclusive]
                    $0.vehicle.maximumCapacity = 4
                    $0.vehicle.vehicleType.category = .auto
                    $0.vehicle.attributes = [
                        .with {
                            $0.key = "colour"
                            $0.value = "red"
                        }
                    ]
                }, metadata: metadata)
        }
    }

    func getVehicle(_ id: String) async throws -> WireVehicle {
        try await vehicles.getVehicle(.with { $0.name = Self.vehicle(id) }, metadata: metadata)
    }

    func updateVehicle(_ id: String) async throws -> RPCError.Code? {
        try await Self.code {
            try await vehicles.updateVehicle(
                .with {
                    $0.name = Self.vehicle(id)
                    $0.vehicle.vehicleState = .online
                    $0.updateMask.paths = ["vehicle_state"]
                }, metadata: metadata)
        }
    }

    func updateAttributes(_ id: String) async throws -> RPCError.Code? {
        try await Self.code { try await vehicles.updateVehicleAttributes(.with { $0.name = Self.vehicle(id) }, metadata: metadata) }
    }
}

@Suite("Who may call", .timeLimit(.minutes(2)))
struct AccessTests {
    /// Runs `body` with an engine in which vehicle v1 has trip t1, v2 has t2, and t3 waits for a vehicle.
    private static func with(_ body: (Caller.Client, AccessGate) async throws -> Void) async throws {
        let gate = openGate()
        try await Servers.with(gate: gate) { servers in
            try await withGRPCClient(
                transport: try .http2NIOPosix(
                    target: .ipv4(address: "127.0.0.1", port: servers.grpcPort), transportSecurity: .plaintext)
            ) { client in
                let server = try await Caller(client, gate, .server, trip: "*", vehicle: "*")
                for id in ["v1", "v2"] { #expect(try await server.createVehicle(id) == nil) }
                #expect(try await server.createTrip("t1", vehicle: "v1") == nil)
                #expect(try await server.createTrip("t2", vehicle: "v2") == nil)
                #expect(try await server.createTrip("t3") == nil)
                try await body(client, gate)
            }
        }
    }

    @Test("every call without a valid token is UNAUTHENTICATED, with the message of the token check")
    func tokens() async throws {
        try await Self.with { client, _ in
            for authorization in [nil, "Bearer no.to.ken", "Basic abc"] {
                let caller = Caller(client, authorization: authorization)
                let codes = [try await caller.getTrip("t1"), try await caller.createVehicle("v9")]
                #expect(codes == [.unauthenticated, .unauthenticated])
            }
            let error = await #expect(throws: RPCError.self) {
                try await Caller(client, authorization: nil).getVehicle("v1")
            }
            #expect(error?.message == "the call has no token; send the header 'authorization: Bearer TOKEN'")
        }
    }

    @Test("a rider may read his trip, and sees other cars without their riders")
    func consumer() async throws {
        try await Self.with { client, gate in
            let rider = try await Caller(client, gate, .consumer, trip: "t1")
            #expect(try await rider.getTrip("t1") == nil)
            for id in ["t2", "unknown"] { #expect(try await rider.getTrip(id) == .permissionDenied) }
            #expect(try await rider.updateTrip("t1") == .permissionDenied)
            #expect(try await rider.createTrip("t9") == .permissionDenied)
            let own = try await rider.getVehicle("v1")
            #expect(own.currentTrips == ["t1"] && own.attributes.count == 1 && own.waypoints.count == 2)
            let other = try await rider.getVehicle("v2")
            #expect(other.currentTrips == [] && other.attributes == [] && other.waypoints == [])
            #expect(other.name.hasSuffix("v2") && other.vehicleState == .online)
            #expect(try await Caller(client, gate, .consumer, trip: "*").getTrip("unknown") == .notFound)
        }
    }

    @Test("a driver may use his vehicle and the trips that it has now")
    func driver() async throws {
        try await Self.with { client, gate in
            let driver = try await Caller(client, gate, .driver, vehicle: "v1")
            #expect(try await driver.updateVehicle("v1") == nil)
            #expect(try await driver.getVehicle("v1").currentTrips == ["t1"])
            for id in ["v2", "unknown"] { #expect(try await driver.updateVehicle(id) == .permissionDenied) }
            #expect(try await driver.getTrip("t1") == nil)
            #expect(try await driver.updateTrip("t1") == nil)
            for id in ["t2", "t3", "unknown"] {
                #expect(try await driver.getTrip(id) == .permissionDenied)
                #expect(try await driver.updateTrip(id) == .permissionDenied)
            }
            #expect(try await driver.searchTrips(vehicle: "v1") == nil)
            for id in ["v2", ""] { #expect(try await driver.searchTrips(vehicle: id) == .permissionDenied) }
            #expect(try await driver.updateAttributes("v1") == .permissionDenied)
            #expect(try await driver.createVehicle("v1") == .permissionDenied)
            #expect(try await Caller(client, gate, .driver, trip: "t3", vehicle: "v1").getTrip("t3") == nil)
        }
    }

    @Test("a server may do everything except delete, within the ids of its token; an admin may do everything")
    func server() async throws {
        try await Self.with { client, gate in
            let server = try await Caller(client, gate, .server, trip: "*", vehicle: "*")
            #expect(try await server.getTrip("unknown") == .notFound)
            for id in ["t3", "unknown"] { #expect(try await server.deleteTrip(id) == .permissionDenied) }
            let narrow = try await Caller(client, gate, .server, trip: "t1")
            #expect(try await narrow.getTrip("t1") == nil)
            #expect(try await narrow.getTrip("t2") == .permissionDenied)
            #expect(try await narrow.createTrip("t9") == .permissionDenied)
            #expect(try await Caller.code { try await narrow.getVehicle("v1") } == .permissionDenied)
            let admin = try await Caller(client, gate, .admin)
            #expect(try await admin.deleteTrip("unknown") == .notFound)
            #expect(try await admin.deleteTrip("t3") == nil)
        }
    }
}

@Suite("The key of the provider API", .timeLimit(.minutes(1)))
struct DeskKeyTests {
    private static let key = (name: "Authorization", value: "Bearer desk-key")

    @Test("without the key nothing is looked up: both existing and unknown ids get 401", arguments: [nil, "Bearer other", "Basic a"])
    func refused(authorization: String?) async throws {
        try await ProviderHarness.with(gate: openGate()) { harness in
            let headers = authorization.map { [(name: "Authorization", value: $0)] } ?? []
            for path in ["/token/server", "/trip/t1", "/no/such/path", "/vehicles/", "/healthz/x"] {
                let answer = try await harness.ask("GET", path, headers: headers)
                #expect(answer.status == 401 && answer.headers("www-authenticate") == "Bearer", "\(path)")
                #expect(answer.text.contains("\"message\":") && answer.text.contains("\"status\":401"), "\(answer.text)")
            }
            #expect(try await harness.ask("POST", "/trip/new", "no JSON", headers: headers).status == 401)
            #expect(try await harness.ask("GET", "/healthz", headers: headers).status == 200)
        }
    }

    @Test("with the key the provider API works, and its tokens are signed")
    func tokens() async throws {
        let gate = openGate()
        try await ProviderHarness.with(gate: gate) { harness in
            #expect(try await harness.ask("GET", "/trip/t1", headers: [Self.key]).status == 404)
            for (path, role, trip, vehicle) in [
                ("/token/consumer/t1", AccountRole.consumer, "t1", String?.none), ("/token/driver/v1", .driver, nil, "v1"),
                ("/token/server", .server, "*", "*"),
            ] as [(String, AccountRole, String?, String?)] {
                let answer = try await harness.ask("GET", path, headers: [Self.key])
                #expect(answer.status == 200, "\(answer.text)")
                let body = try JSONDecoder().decode(TokenBody.self, from: Data(answer.text.utf8))
                let grant = try await gate.grant(authorization: "Bearer \(body.jwt)")
                #expect(grant.role == role && grant.tripID == trip && grant.vehicleID == vehicle)
                #expect(body.expirationTimestamp - body.creationTimestamp == 3_600_000)
            }
            gate.replace(accounts: AccountRing(), deskKey: "desk-key")
            let answer = try await harness.ask("GET", "/token/server", headers: [Self.key])
            #expect(answer.status == 500 && answer.text.contains("there is no server account"))
        }
    }

    @Test("the engine's own paths accept only tokens, by the same table as gRPC")
    func enginePaths() async throws {
        let gate = openGate()
        try await ProviderHarness.with(gate: gate) { harness in
            func ask(
                _ method: String, _ path: String, _ body: String? = nil, _ role: AccountRole, trip: String? = nil, vehicle: String? = nil
            ) async throws -> (status: Int, text: String) {
                let token = try await gate.mint(role, tripID: trip, vehicleID: vehicle).secret
                let answer = try await harness.ask(
                    method, "/v1/providers/plain/" + path, body, headers: [(name: "Authorization", value: "Bearer \(token)")])
                return (answer.status, answer.text)
            }
            for headers in [[], [Self.key]] {
                let answer = try await harness.ask("GET", "/v1/providers/plain/trips/t1", headers: headers)
                #expect(answer.status == 401 && answer.text.hasPrefix("{\"error\":{"), "\(answer.text)")
                #expect(answer.text.contains("\"status\":\"UNAUTHENTICATED\"") && answer.text.contains("\"code\":401"))
                #expect(try await harness.ask("GET", "/v1/no/such/path", headers: headers).status == 401)
            }
            let car = """
                {"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"vehicleType":{"category":"AUTO"},
                "attributes":[{"key":"colour","value":"red"}]}
                """
            #expect(try await ask("POST", "vehicles?vehicleId=v1", car, .driver, vehicle: "v1").status == 403)
            let made = try await ask("POST", "vehicles?vehicleId=v1", car, .server, trip: "*", vehicle: "*")
            #expect(made.status == 200, "\(made.text)")
            let seen = try await ask("GET", "vehicles/v1", nil, .consumer, trip: "t1")
            #expect(seen.status == 200 && !seen.text.contains("colour"), "\(seen.text)")
            #expect(try await ask("GET", "vehicles/v1", nil, .driver, vehicle: "v1").text.contains("colour"))
            for path in ["trips/t1", "trips/t2"] {
                let answer = try await ask("GET", path, nil, .consumer, trip: "t0")
                #expect(answer.status == 403 && answer.text.contains("\"PERMISSION_DENIED\""), "\(answer.text)")
                #expect(try await ask("GET", path, nil, .server, trip: "*").status == 404)
            }
            #expect(try await ask("DELETE", "vehicles/v1", nil, .server, vehicle: "*").status == 403)
            #expect(try await ask("DELETE", "vehicles/v1", nil, .admin).status == 200)
            let token = try await gate.mint(.admin, tripID: nil, vehicleID: nil).secret
            #expect(try await harness.ask("GET", "/trip/t1", headers: [(name: "Authorization", value: "Bearer \(token)")]).status == 401)
        }
    }

    @Test("an allowed web page asks before it sends the key, and gets an answer")
    func preflight() async throws {
        try await ProviderHarness.with(gate: openGate()) { harness in
            let answer = try await harness.ask("OPTIONS", "/trip/new", headers: [(name: "Origin", value: "http://localhost:3000")])
            #expect(answer.status == 204 && answer.headers("access-control-allow-headers")?.contains("Authorization") == true)
        }
    }
}
