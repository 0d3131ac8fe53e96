/// The markers on the map that a theme can style.
package enum ThemeMarker: Sendable, Hashable, CaseIterable {
    case vehicle
    /// A vehicle whose position is old.
    case vehicleStale
    case vehicleOffRoute
    case pickup
    case stop
    case dropoff
    /// The user's position.
    case you
    /// A vehicle that is not the vehicle of the shown trip.
    case other

    /// The theme scope that styles the marker.
    var scope: ThemeScope {
        switch self {
        case .vehicle: .vehicle
        case .vehicleStale: .vehicleStale
        case .vehicleOffRoute: .vehicleOffRoute
        case .pickup: .pickup
        case .stop: .stop
        case .dropoff: .dropoff
        case .you: .you
        case .other: .other
        }
    }

    /// Whether the marker turns with the vehicle's heading. A theme can override this.
    var isVehicle: Bool { self == .vehicle || self == .vehicleStale || self == .vehicleOffRoute }
}
