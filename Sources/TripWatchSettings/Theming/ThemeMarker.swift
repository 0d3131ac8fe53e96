/// The markers that a theme styles.
package enum ThemeMarker: Sendable, Hashable, CaseIterable {
    case vehicle
    /// A vehicle whose position is old.
    case vehicleStale
    case vehicleOffRoute
    case pickup
    case stop
    case dropoff
    /// Where the user is.
    case you
    /// Everything that belongs to another trip.
    case other

    /// The scope with its look.
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

    /// Whether it turns with its heading unless the theme says otherwise.
    var isVehicle: Bool { self == .vehicle || self == .vehicleStale || self == .vehicleOffRoute }
}
