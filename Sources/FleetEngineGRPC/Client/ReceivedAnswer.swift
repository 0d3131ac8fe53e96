package import FleetEngine
package import FleetEngineAPI

/// The answer to a read of a trip or vehicle, as received and before it is interpreted.
package enum ReceivedAnswer: Sendable {
    case trip(WireTrip, of: TripName)
    case vehicle(WireVehicle, of: VehicleName)
}
