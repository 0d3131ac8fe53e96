package import FleetEngine
package import FleetEngineAPI

/// The answer to a read of a trip, vehicle or shipment, in the form in which it arrived, before it is converted.
package enum ReceivedAnswer: Sendable {
    case trip(WireTrip, of: TripName)
    case vehicle(WireVehicle, of: VehicleName)
    case shipment(WireTaskTrackingInfo, of: TaskTrackingName)
}
