import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FoundationEssentials
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Geo
import SwiftProtobuf

@testable import LocalFleetEngine

/// Calls the deliveries service over gRPC, with a token or without one.
struct DeliveryCaller {
    typealias Service = WireDeliveryService.Client<HTTP2ClientTransport.Posix>

    static let provider = World.provider
    let service: Service
    var metadata: Metadata = [:]

    /// Returns a caller that uses a token with these claims.
    func with(
        _ gate: AccessGate, _ role: AccountRole, _ claims: DeliveryClaims = DeliveryClaims(), isReadOnly: Bool = false
    ) async throws -> DeliveryCaller {
        let token = try await gate.mint(role, tripID: nil, vehicleID: nil, deliveries: claims, isReadOnly: isReadOnly).secret
        return DeliveryCaller(service: service, metadata: ["authorization": "Bearer \(token)"])
    }

    /// Runs `body` with a server on loopback and a client that is connected to it.
    static func with(
        gate: AccessGate? = nil, engine: LocalFleetEngine? = nil, time: any TimeSource = SystemTimeSource(),
        _ body: (DeliveryCaller, Servers) async throws -> Void
    ) async throws {
        try await Servers.with(gate: gate, time: time, engine: engine) { servers in
            try await withGRPCClient(transport: try servers.transport()) { client in
                try await body(DeliveryCaller(service: Service(wrapping: client)), servers)
            }
        }
    }

    /// Returns the status code of a failed call; nil if the call succeeds.
    static func code(_ work: () async throws -> some Sendable) async throws -> RPCError.Code? {
        do {
            _ = try await work()
            return nil
        } catch let error as RPCError { return error.code }
    }

    // MARK: Calls

    @discardableResult
    func createVan(_ id: String, _ change: (inout WireDeliveryVehicle) -> Void = { _ in }) async throws -> WireDeliveryVehicle {
        var request = WireCreateDeliveryVehicleRequest()
        request.parent = Self.provider
        request.deliveryVehicleID = id
        change(&request.deliveryVehicle)
        return try await service.createDeliveryVehicle(request, metadata: metadata)
    }

    func van(_ id: String) async throws -> WireDeliveryVehicle {
        try await service.getDeliveryVehicle(.with { $0.name = Self.van(id) }, metadata: metadata)
    }

    @discardableResult
    func updateVan(
        _ id: String, _ paths: [String], _ change: (inout WireDeliveryVehicle) -> Void = { _ in }
    ) async throws -> WireDeliveryVehicle {
        var request = WireUpdateDeliveryVehicleRequest()
        request.updateMask.paths = paths
        change(&request.deliveryVehicle)
        request.deliveryVehicle.name = Self.van(id)
        return try await service.updateDeliveryVehicle(request, metadata: metadata)
    }

    @discardableResult
    func setStops(_ stops: [WireVehicleJourneySegment], of id: String = "van") async throws -> WireDeliveryVehicle {
        try await updateVan(id, ["remaining_vehicle_journey_segments"]) { $0.remainingVehicleJourneySegments = stops }
    }

    func deleteVan(_ id: String) async throws {
        _ = try await service.deleteDeliveryVehicle(.with { $0.name = Self.van(id) }, metadata: metadata)
    }

    @discardableResult
    func createTask(_ id: String, _ change: (inout WireTask) -> Void = { _ in }) async throws -> WireTask {
        try await service.createTask(Self.newTask(id, change), metadata: metadata)
    }

    func createTasks(
        _ requests: [WireCreateTaskRequest], _ change: (inout WireBatchCreateTasksRequest) -> Void = { _ in }
    ) async throws -> [WireTask] {
        var batch = WireBatchCreateTasksRequest()
        batch.parent = Self.provider
        batch.requests = requests
        change(&batch)
        return try await service.batchCreateTasks(batch, metadata: metadata).tasks
    }

    func task(_ id: String) async throws -> WireTask {
        try await service.getTask(.with { $0.name = Self.task(id) }, metadata: metadata)
    }

    @discardableResult
    func updateTask(_ id: String, _ paths: [String], _ change: (inout WireTask) -> Void = { _ in }) async throws -> WireTask {
        var request = WireUpdateTaskRequest()
        request.updateMask.paths = paths
        change(&request.task)
        request.task.name = Self.task(id)
        return try await service.updateTask(request, metadata: metadata)
    }

    func deleteTask(_ id: String) async throws {
        _ = try await service.deleteTask(.with { $0.name = Self.task(id) }, metadata: metadata)
    }

    func track(_ id: String) async throws -> WireTaskTrackingInfo {
        try await service.getTaskTrackingInfo(
            .with { $0.name = "\(Self.provider)/taskTrackingInfo/\(id)" }, metadata: metadata)
    }

    // MARK: Messages

    static func van(_ id: String) -> String { "\(provider)/deliveryVehicles/\(id)" }
    static func task(_ id: String) -> String { "\(provider)/tasks/\(id)" }

    /// Returns a request for a new delivery task 1 km east of the centre. The task takes one minute, and its tracking id is `parcel-ID`.
    static func newTask(_ id: String, _ change: (inout WireTask) -> Void = { _ in }) -> WireCreateTaskRequest {
        var request = WireCreateTaskRequest()
        request.parent = provider
        request.taskID = id
        request.task.type = .delivery
        request.task.state = .open
        request.task.trackingID = "parcel-\(id)"
        request.task.taskDuration.seconds = 60
        request.task.plannedLocation.point = point(World.place(east: 1_000))
        change(&request.task)
        return request
    }

    /// Returns the stop with the given index. Each stop is one kilometre from the previous one.
    static func stop(_ index: Int, _ tasks: [String], _ state: WireVehicleStop.State = .new) -> WireVehicleJourneySegment {
        .with { segment in
            segment.stop.plannedLocation.point = point(World.place(east: Double(index + 1) * 1_000))
            segment.stop.state = state
            segment.stop.tasks = tasks.map { id in .with { $0.taskID = id } }
        }
    }

    static func point(_ place: Coordinate) -> WireLatLng {
        .with {
            $0.latitude = place.latitude
            $0.longitude = place.longitude
        }
    }
}
