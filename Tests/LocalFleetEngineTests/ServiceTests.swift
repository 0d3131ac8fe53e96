import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FoundationEssentials
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import GRPCProtobuf
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("The engine behind gRPC", .timeLimit(.minutes(1)))
struct ServiceTests {
    /// A stopped clock.
    private struct StoppedClock: TimeSource {
        func now() -> Date { World.start }
        func sleep(until deadline: Date) async throws { try Task.checkCancellation() }
    }

    private typealias Trips = WireTripService.Client<HTTP2ClientTransport.Posix>
    private typealias Vehicles = WireVehicleService.Client<HTTP2ClientTransport.Posix>

    private func withEngine(_ body: (LocalFleetEngine, Trips, Vehicles) async throws -> Void) async throws {
        try await Servers.with(time: StoppedClock()) { servers in
            try await withGRPCClient(transport: try servers.transport()) { client in
                try await body(servers.engine, Trips(wrapping: client), Vehicles(wrapping: client))
            }
        }
    }

    private func expect<Answer>(
        _ code: RPCError.Code, message: String? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Answer
    ) async -> RPCError? {
        do {
            _ = try await call()
            Issue.record("was not refused", sourceLocation: sourceLocation)
        } catch let error as RPCError {
            #expect(error.code == code, sourceLocation: sourceLocation)
            #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
            if let message { #expect(error.message == message, sourceLocation: sourceLocation) }
            return error
        } catch {
            Issue.record("\(error)", sourceLocation: sourceLocation)
        }
        return nil
    }

    @Test("a trip through the generated clients")
    func trip() async throws {
        try await withEngine { engine, trips, vehicles in
            _ = try await vehicles.createVehicle(.new("car"))
            let created = try await trips.createTrip(.new("t1"))
            #expect(created.name == "providers/plain/trips/t1" && created.tripStatus == .new)
            var update = WireUpdateTripRequest()
            update.name = created.name
            update.trip.vehicleID = "car"
            update.updateMask.paths = ["vehicle_id"]
            #expect(try await trips.updateTrip(update).remainingWaypoints.count == 2)
            var get = WireGetTripRequest()
            get.name = created.name
            let trip = try await trips.getTrip(get)
            #expect(trip.route.count == 2)
            #expect(try await engine.getTrip(get) == trip)
            var delete = WireDeleteVehicleRequest()
            delete.name = "providers/plain/vehicles/car"
            _ = await expect(.failedPrecondition) { try await vehicles.deleteVehicle(delete) }
            update.trip.tripStatus = .canceled
            update.updateMask.paths = ["trip_status"]
            _ = try await trips.updateTrip(update)
            _ = try await vehicles.deleteVehicle(delete)
            var remove = WireDeleteTripRequest()
            remove.name = created.name
            _ = try await trips.deleteTrip(remove)
            #expect(await engine.snapshot.tripCount == 0)
        }
    }

    @Test("a refusal arrives with code, message and faulty field")
    func refusals() async throws {
        try await withEngine { _, trips, vehicles in
            _ = await expect(.notFound, message: "no trip is named providers/plain/trips/t1") {
                var get = WireGetTripRequest()
                get.name = "providers/plain/trips/t1"
                return try await trips.getTrip(get)
            }
            let empty = await expect(.invalidArgument, message: "update_mask cannot be empty") {
                var update = WireUpdateVehicleRequest()
                update.name = "providers/plain/vehicles/car"
                return try await vehicles.updateVehicle(update)
            }
            let status = try empty?.unpackGoogleRPCStatus()
            #expect(status?.details.first?.badRequest?.violations.first?.field == "update_mask")
            _ = try await trips.createTrip(.new("t1"))
            _ = await expect(.alreadyExists) { try await trips.createTrip(.new("t1")) }
            _ = await expect(.invalidArgument) { try await trips.createTrip(.new("a/b")) }
            _ = await expect(.invalidArgument) { try await trips.createTrip(.new("t2") { $0.trip.pickupPoint.point.latitude = .nan }) }
        }
    }

    @Test("the provider is taken from the name, whatever the headers say")
    func metadata() async throws {
        try await withEngine { _, trips, _ in
            let metadata: Metadata = [
                "authorization": "Bearer nobody", "x-goog-request-params": "provider_id=providers/other",
                "google-cloud-resource-prefix": "providers/other", "x-unknown-bin": .binary([0, 1, 2]),
            ]
            let trip = try await trips.createTrip(.new("t1"), metadata: metadata)
            #expect(trip.name == "providers/plain/trips/t1")
        }
    }

    private struct Bytes: MessageSerializer, MessageDeserializer {
        func serialize<Output: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Output { Output(message) }
        func deserialize<Input: GRPCContiguousBytes>(_ bytes: Input) throws -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
    }

    @Test(
        "each of the thirteen calls exists, and refuses an empty message",
        arguments: WireTripService.Method.descriptors + WireVehicleService.Method.descriptors)
    func emptyMessages(method: MethodDescriptor) async throws {
        try await Servers.with(time: StoppedClock()) { servers in
            try await withGRPCClient(transport: try servers.transport()) { client in
                _ = await expect(.invalidArgument) {
                    try await client.unary(
                        request: ClientRequest(message: []), descriptor: method, serializer: Bytes(), deserializer: Bytes(),
                        options: .defaults
                    ) { try $0.message }
                }
            }
        }
    }

    @Test("settings, lists and searches through the generated clients")
    func otherCalls() async throws {
        try await withEngine { _, trips, vehicles in
            _ = try await vehicles.createVehicle(.new("car") { $0.vehicle.attributes = [.text("a", "1")] })
            _ = try await trips.createTrip(.new("t1"))
            var attributes = WireUpdateVehicleAttributesRequest()
            attributes.name = "providers/plain/vehicles/car"
            attributes.attributes = [.text("b", "2")]
            #expect(try await vehicles.updateVehicleAttributes(attributes).attributes.count == 2)
            var get = WireGetVehicleRequest()
            get.name = "providers/plain/vehicles/car"
            #expect(try await vehicles.getVehicle(get).attributes.count == 2)
            var list = WireListVehiclesRequest()
            list.parent = World.provider
            list.vehicleTypeCategories = [.auto]
            #expect(try await vehicles.listVehicles(list).totalSize == 1)
            var search = WireSearchTripsRequest()
            search.parent = World.provider
            #expect(try await trips.searchTrips(search).trips.count == 1)
            var near = WireSearchVehiclesRequest()
            near.parent = World.provider
            _ = await expect(.invalidArgument) { try await vehicles.searchVehicles(near) }
            near.pickupPoint = .at(World.pickup)
            (near.pickupRadiusMeters, near.count, near.minimumCapacity) = (2_000, 1, 1)
            (near.tripTypes, near.orderBy) = ([.exclusive], .pickupPointDistance)
            var type = WireVehicle.VehicleType()
            type.category = .auto
            near.vehicleTypes = [type]
            #expect(try await vehicles.searchVehicles(near).matches.count == 1)
            var report = WireReportBillableTripRequest()
            report.name = "providers/plain/billableTrips/t1"
            report.countryCode = "XX"
            _ = try await trips.reportBillableTrip(report)
        }
    }

    @Test("many callers at once: each update counts, none is lost")
    func concurrent() async throws {
        try await withEngine { engine, trips, vehicles in
            _ = try await vehicles.createVehicle(.new("car"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<40 {
                    group.addTask {
                        _ = try await trips.createTrip(.new("t\(index)") { $0.trip.vehicleID = "car" })
                        var get = WireGetTripRequest()
                        get.name = "providers/plain/trips/t\(index)"
                        #expect(try await trips.getTrip(get).vehicleID == "car")
                    }
                }
                try await group.waitForAll()
            }
            var get = WireGetVehicleRequest()
            get.name = "providers/plain/vehicles/car"
            let vehicle = try await engine.getVehicle(get)
            #expect(Set(vehicle.currentTrips) == Set((0..<40).map { "t\($0)" }))
            #expect(vehicle.waypoints.count == 80)
        }
    }

    @Test("every refusal of the domain has its gRPC code and its details")
    func details() {
        for code in StatusCode.allCases where code != .ok {
            #expect(FleetEngineError(code: code, message: "x").rpcStatus.code.rawValue == code.rawValue)
        }
        let all: [ErrorDetail] = [
            .retryInfo(delaySeconds: .infinity), .retryInfo(delaySeconds: .nan), .errorInfo(reason: "R", domain: "d", metadata: ["k": "v"]),
            .help([.init(description: "d", url: "u")]), .localizedMessage(locale: "en", message: "m"),
            .quotaFailure([.init(subject: "s", description: "d")]),
            .preconditionFailure([.init(type: "t", subject: "s", description: "d")]),
        ]
        #expect(FleetEngineError(code: .aborted, message: "x", details: all).rpcStatus.details.count == all.count)
    }
}
