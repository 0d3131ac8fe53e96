public import FleetEngine

/// A driver's client that creates its vehicle on the first call that does not find it: at the start, and after a server has lost it.
public struct SelfCreatingVehicle: DriverClient {
    private let client: any FleetEngineClient
    private let vehicle: Vehicle
    private let onCreate: @Sendable () -> Void

    /// - Parameters:
    ///   - vehicle: settings of the new vehicle. Without a location it has no position before the first report.
    ///   - onCreate: called each time the vehicle is created; must not block.
    public init(_ client: any FleetEngineClient, vehicle: Vehicle, onCreate: @escaping @Sendable () -> Void = {}) {
        self.client = client
        self.vehicle = vehicle
        self.onCreate = onCreate
    }

    /// Reads the vehicle. A vehicle that the server does not know is created first.
    /// - Throws: `FleetEngineError` of the call, or of creating the vehicle.
    public func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle {
        try await creating(name) { () async throws(FleetEngineError) in try await client.getVehicle(name) }
    }

    /// Changes the fields that `update` names. A vehicle that the server does not know is created first.
    /// - Throws: `FleetEngineError` of the call, or of creating the vehicle.
    public func updateVehicle(_ name: VehicleName, _ update: VehicleUpdate) async throws(FleetEngineError) -> Vehicle {
        try await creating(name) { () async throws(FleetEngineError) in try await client.updateVehicle(name, update) }
    }

    /// Passes the call to the wrapped client.
    public func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip { try await client.getTrip(request) }

    /// Passes the call to the wrapped client.
    public func updateTrip(_ request: TripUpdateRequest) async throws(FleetEngineError) -> Trip { try await client.updateTrip(request) }

    private func creating(
        _ name: VehicleName, _ call: () async throws(FleetEngineError) -> Vehicle
    ) async throws(FleetEngineError) -> Vehicle {
        do throws(FleetEngineError) {
            return try await call()
        } catch {
            guard error.code == .notFound, error.origin == .server, name == vehicle.name else { throw error }
        }
        do throws(FleetEngineError) {
            _ = try await client.createVehicle(vehicle)
            onCreate()
        } catch {
            // Of two concurrent calls that miss the vehicle, only one creates it.
            guard error.code == .alreadyExists else { throw error }
        }
        return try await call()
    }
}
