/// Markers that a theme styles.
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
    /// A vehicle that does not belong to the shown trip.
    case other

    /// The scope of the marker.
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

    /// Whether the marker turns with its heading, unless the theme overrides it.
    var isVehicle: Bool { self == .vehicle || self == .vehicleStale || self == .vehicleOffRoute }
}
