package import FleetEngine

/// The name of a trip or a shipment at its provider.
package enum FollowedName: Hashable, Sendable, CustomStringConvertible {
    case trip(TripName)
    case shipment(TaskTrackingName)

    /// The full name.
    package var description: String {
        switch self {
        case .trip(let name): name.description
        case .shipment(let name): name.description
        }
    }

    /// The word for the trip or shipment in sentences.
    package var noun: String {
        switch self {
        case .trip: "trip"
        case .shipment: "shipment"
        }
    }

    /// The bare id and the key under which logs show it.
    package var logged: (key: String, id: String) {
        switch self {
        case .trip(let name): ("trip", name.trip)
        case .shipment(let name): ("tracking", name.trackingID)
        }
    }
}
