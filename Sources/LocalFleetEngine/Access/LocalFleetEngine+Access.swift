public import FleetEngine
import FleetEngineAPI
public import FleetEngineAccess
import Synchronization

extension LocalFleetEngine {
    /// Whether a token allows a call, by the table of roles; the engine is looked at only where the table wants to know who has a trip.
    ///
    /// - Throws: PERMISSION_DENIED with the reason, whether or not there is such a trip or vehicle.
    public nonisolated func check(_ grant: AccessGrant, for call: EngineCall) async throws(FleetEngineError) {
        var vehicle: String?
        if let trip = RoleTable.tripToLookUp(grant, call) { vehicle = await servingVehicle(of: trip) }
        if case .denied(let reason) = RoleTable.decision(grant, call, tripVehicle: vehicle) {
            throw FleetEngineError(code: .permissionDenied, message: reason)
        }
    }

    /// The bare id of the vehicle that has a trip now.
    private nonisolated func servingVehicle(of trip: TripName) async -> String? {
        let record = try? await read(concerns: { $0.concerns(trip, in: $1) }) { engine, now throws(FleetEngineError) in
            try engine.tripRecord(trip, now)
        }
        return record?.servingVehicle?.vehicle
    }
}

extension WireVehicle {
    /// Leaves out what a rider may see only of the vehicle that has his trip.
    mutating func hideTrips(from grant: AccessGrant) {
        guard RoleTable.hidesTrips(grant, currentTrips: currentTrips) else { return }
        waypoints = []
        currentTrips = []
        attributes = []
    }
}
