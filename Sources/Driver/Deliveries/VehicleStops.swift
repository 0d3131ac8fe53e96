public import FleetEngine
import Geo

/// The list of a delivery vehicle's stops on the server (`DeliveryVehicleManager`). Only a trusted driver can change the list; any driver
/// can read it.
///
/// The server accepts the list only as a whole. To change the first stop, this type reads the list and sends the changed list
/// back.
public struct VehicleStops: Sendable {
    /// A change to the first stop.
    enum Step: Hashable, Sendable {
        case state(VehicleStopState)
        case remove
    }

    /// The vehicle that has the stops.
    public let vehicleName: DeliveryVehicleName
    private let client: any DeliveryDriverClient

    /// Creates the list of stops of an existing vehicle.
    public init(client: any DeliveryDriverClient, vehicleName: DeliveryVehicleName) {
        self.client = client
        self.vehicleName = vehicleName
    }

    /// Returns the stops on the list, in driving order.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    public func remainingVehicleStops() async throws(FleetEngineError) -> [VehicleStop] {
        try await client.getDeliveryVehicle(vehicleName).remainingSegments.map(\.stop)
    }

    /// Replaces the list of stops. The server closes the tasks of stops that are missing from the new list.
    /// - Parameter stops: at least one stop; all stops except the first must be NEW.
    /// - Returns: the stops on the list.
    /// - Throws: `FleetEngineError`: INVALID_ARGUMENT for an invalid list; PERMISSION_DENIED without a trusted driver's token.
    public func setVehicleStops(_ stops: [VehicleStop]) async throws(FleetEngineError) -> [VehicleStop] {
        guard !stops.isEmpty, stops.dropFirst().allSatisfy({ $0.state == .new }) else {
            throw FleetEngineError(
                code: .invalidArgument, message: "a list of stops must have at least one stop, and all stops after the first must be NEW",
                origin: .local)
        }
        return try await send(stops)
    }

    /// Reports that the vehicle is driving to its first stop.
    /// - Returns: the stops on the list.
    /// - Throws: `FleetEngineError`: FAILED_PRECONDITION if the list is empty; PERMISSION_DENIED without a trusted driver's token.
    public func enrouteToNextStop() async throws(FleetEngineError) -> [VehicleStop] { try await change(.state(.enroute)) }

    /// Reports that the vehicle has arrived at its first stop.
    /// - Returns: the stops on the list.
    /// - Throws: `FleetEngineError`: FAILED_PRECONDITION if the list is empty; PERMISSION_DENIED without a trusted driver's token.
    public func arrivedAtStop() async throws(FleetEngineError) -> [VehicleStop] { try await change(.state(.arrived)) }

    /// Removes the first stop from the list. The server closes the stop's tasks, which keep their outcomes.
    /// - Returns: the stops on the list.
    /// - Throws: `FleetEngineError`: FAILED_PRECONDITION if the list is empty; PERMISSION_DENIED without a trusted driver's token.
    public func completedStop() async throws(FleetEngineError) -> [VehicleStop] { try await change(.remove) }

    /// Changes the first stop.
    /// - Parameter expected: the stop that should be first; nil for any stop. If another stop is first, the list stays as it is.
    func change(_ step: Step, of expected: VehicleStop? = nil) async throws(FleetEngineError) -> [VehicleStop] {
        var stops = try await remainingVehicleStops()
        if let expected, !(stops.first.map { $0.isSame(as: expected) } ?? false) { return stops }
        guard var first = stops.first else {
            throw FleetEngineError(code: .failedPrecondition, message: "the vehicle has no stops left", origin: .local)
        }
        stops.removeFirst()
        if case .state(let state) = step {
            guard first.state != state else { return [first] + stops }
            first.state = state
            stops.insert(first, at: 0)
        }
        return try await send(stops)
    }

    private func send(_ stops: [VehicleStop]) async throws(FleetEngineError) -> [VehicleStop] {
        try await client.updateDeliveryVehicle(vehicleName, DeliveryVehicleUpdate(fields: [.stops], stops: stops)).remainingSegments
            .map(\.stop)
    }
}

extension VehicleStop {
    /// Whether both values describe the same stop: the same tasks at the same location. Their states may differ.
    func isSame(as other: VehicleStop) -> Bool {
        plannedLocation == other.plannedLocation && tasks.map(\.taskID) == other.tasks.map(\.taskID)
    }
}
