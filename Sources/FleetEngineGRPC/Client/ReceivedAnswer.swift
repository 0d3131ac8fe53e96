package import FleetEngine
package import FleetEngineAPI

/// What a read of a trip or vehicle brought, as it came and before anything is made of it.
package enum ReceivedAnswer: Sendable {
    case trip(WireTrip, of: TripName)
    case vehicle(WireVehicle, of: VehicleName)
}
