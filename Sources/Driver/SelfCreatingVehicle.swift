public import FleetEngine

/// A driver's client that creates the driver's vehicle if the server does not know it: at the start, or after the server has lost
/// it.
public struct SelfCreatingVehicle: DriverClient {
    private let client: any FleetEngineClient
    private let vehicle: Vehicle
    private let onCreate: @Sendable () -> Void

    /// - Parameters:
    ///   - vehicle: settings of the new vehicle. If they have no location, the vehicle has no position until the first report.
    ///   - onCreate: called each time the vehicle is created; must not block.
    public init(_ client: any FleetEngineClient, vehicle: Vehicle, onCreate: @escaping @Sendable () -> Void = {}) {
        self.client = client
        self.vehicle = vehicle
        self.onCreate = onCreate
    }

    /// Reads the vehicle. If the server does not know it, the vehicle is created first.
    /// - Throws: `FleetEngineError` of the call, or of creating the vehicle.
    public func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle {
        try await creating(name) { () async throws(FleetEngineError) in try await client.getVehicle(name) }
    }

    /// Changes the fields in the mask of `update`. If the server does not know the vehicle, it is created first.
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
            // If two concurrent calls do not find the vehicle, only one of them creates it.
            guard error.code == .alreadyExists else { throw error }
        }
        return try await call()
    }
}
