package import FleetEngine
package import FleetEngineAPI

/// The answer to a read of a trip, vehicle or shipment, as received and not yet converted.
package enum ReceivedAnswer: Sendable {
    case trip(WireTrip, of: TripName)
    case vehicle(WireVehicle, of: VehicleName)
    case shipment(WireTaskTrackingInfo, of: TaskTrackingName)
}
