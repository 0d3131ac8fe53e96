public import GRPCCore

extension LocalFleetEngine {
    /// Both services, for a server of any transport.
    public nonisolated var services: [any RegistrableRPCService] { [TripService(engine: self), VehicleService(engine: self)] }
}
