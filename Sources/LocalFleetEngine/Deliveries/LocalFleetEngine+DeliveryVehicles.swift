public import FleetEngine
public import FleetEngineAPI
public import FleetEngineCore
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Synchronization

extension LocalFleetEngine {
    /// See `FleetEngineState.createDeliveryVehicle`.
    public nonisolated func createDeliveryVehicle(
        _ request: WireCreateDeliveryVehicleRequest, account: String = EngineAccount.anonymous
    ) async throws(FleetEngineError) -> WireDeliveryVehicle {
        let name = try Check.deliveryVehicleName(parent: request.parent, id: request.deliveryVehicleID)
        let values = try DeliveryVehicleValues(request.deliveryVehicle)
        return try await change { state, now throws(FleetEngineError) in
            try state.createDeliveryVehicle(name, values, account: account, now: now)
        } answering: { answer, _ in
            answer.wire
        }
    }

    /// See `FleetEngineState.getDeliveryVehicle`.
    public nonisolated func getDeliveryVehicle(
        _ request: WireGetDeliveryVehicleRequest
    ) async throws(FleetEngineError) -> WireDeliveryVehicle {
        let name = try Check.deliveryVehicleName(request.name)
        return try await read(concerns: { changes, _ in changes.hasDeliveries }) { engine, now throws(FleetEngineError) in
            try engine.getDeliveryVehicle(name, now: now)
        }.wire
    }

    /// See `FleetEngineState.updateDeliveryVehicle`.
    public nonisolated func updateDeliveryVehicle(
        _ request: WireUpdateDeliveryVehicleRequest
    ) async throws(FleetEngineError) -> WireDeliveryVehicle {
        let name = try Check.deliveryVehicleName(request.deliveryVehicle.name, field: "delivery_vehicle.name")
        let mask = request.updateMask
        let values = try DeliveryVehicleValues(request.deliveryVehicle, hasAttributes: mask.paths.contains("attributes"))
        return try await change { state, now throws(FleetEngineError) in
            try state.updateDeliveryVehicle(name, values, mask: mask, now: now)
        } answering: { answer, _ in
            answer.wire
        }
    }

    /// See `FleetEngineState.deleteDeliveryVehicle`.
    public nonisolated func deleteDeliveryVehicle(_ request: WireDeleteDeliveryVehicleRequest) async throws(FleetEngineError) {
        let name = try Check.deliveryVehicleName(request.name)
        try await change { state, now throws(FleetEngineError) in ((), try state.deleteDeliveryVehicle(name)) }
    }

    /// See `FleetEngineState.listDeliveryVehicles`.
    public nonisolated func listDeliveryVehicles(
        _ request: WireListDeliveryVehiclesRequest
    ) async throws(FleetEngineError) -> WireListDeliveryVehiclesResponse {
        let listing = FleetEngineState.DeliveryListing(
            of: try Check.provider(request.parent), pageSize: request.pageSize, pageToken: request.pageToken, filter: request.filter)
        let window = try viewport(request)
        let limits = held.withLock { $0.engine.options.limits }
        let page = try await search { [self] now throws(FleetEngineError) -> FleetEngineState.DeliveryPage<DeliveryVehicleAnswer> in
            let list = try DeliveryVehicleListing(listing, within: window, limits: limits)
            let rows = held.withLock { $0.engine.deliveries.fleet(of: list.provider) }
            return list.page(of: rows, now: now) { names in
                held.withLock { held in names.compactMap { held.engine.deliveries.vehicles[$0] } }
            }
        }
        return .with {
            $0.deliveryVehicles = page.answers.map(\.wire)
            $0.nextPageToken = page.nextPageToken
            $0.totalSize = Int64(page.totalSize)
        }
    }

    private nonisolated func viewport(_ request: WireListDeliveryVehiclesRequest) throws(FleetEngineError) -> DeliveryViewport? {
        guard request.hasViewport else { return nil }
        guard request.viewport.hasLow, request.viewport.hasHigh else {
            throw .invalid("viewport", "viewport must have 'low' and 'high'")
        }
        return DeliveryViewport(low: request.viewport.low.coordinate, high: request.viewport.high.coordinate)
    }
}

extension ChangeSet {
    /// Whether the changes include a task or a delivery vehicle. An answer about a task contains data of its vehicle, and an
    /// answer about a vehicle contains data of its tasks.
    var hasDeliveries: Bool { !tasks.isEmpty || !deliveryVehicles.isEmpty }
}
