public import FleetEngine

/// A driver's client whose vehicle is made by the first call that does not find it: at the start, and after a server has lost it.
public struct SelfCreatingVehicle: DriverClient {
    private let client: any FleetEngineClient
    private let vehicle: Vehicle
    private let onCreate: @Sendable () -> Void

    /// - Parameters:
    ///   - vehicle: what it is made as. Without a location it has none until the first report.
    ///   - onCreate: told each time that it was made; must not block.
    public init(_ client: any FleetEngineClient, vehicle: Vehicle, onCreate: @escaping @Sendable () -> Void = {}) {
        self.client = client
        self.vehicle = vehicle
        self.onCreate = onCreate
    }

    public func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle {
        try await creating(name) { () async throws(FleetEngineError) in try await client.getVehicle(name) }
    }

    public func updateVehicle(_ name: VehicleName, _ update: VehicleUpdate) async throws(FleetEngineError) -> Vehicle {
        try await creating(name) { () async throws(FleetEngineError) in try await client.updateVehicle(name, update) }
    }

    public func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip { try await client.getTrip(request) }

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
            // Two calls at once both find none, and one of them makes it.
            guard error.code == .alreadyExists else { throw error }
        }
        return try await call()
    }
}
