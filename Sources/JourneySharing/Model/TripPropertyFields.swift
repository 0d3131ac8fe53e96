public import FleetEngine
import Geo

/// Parts of a trip that an update changed. Bit numbers are those of the iOS SDK's `GMTSTripPropertyFields`.
public struct TripPropertyFields: OptionSet, Hashable, Sendable {
    /// Bits, numbered as in `GMTSTripPropertyFields`.
    public let rawValue: UInt32
    /// Creates the fields with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Name of the trip, in the first answer only.
    public static let tripName = Self(rawValue: 1 << 0)
    /// `vehicleID`: a vehicle was assigned, replaced or removed.
    public static let vehicleID = Self(rawValue: 1 << 1)
    /// `type`.
    public static let tripType = Self(rawValue: 1 << 2)
    /// `status`.
    public static let tripStatus = Self(rawValue: 1 << 3)
    /// `pickupPoint`.
    public static let pickupLocation = Self(rawValue: 1 << 4)
    /// `pickupTime`.
    public static let pickupTime = Self(rawValue: 1 << 5)
    /// `dropoffPoint`.
    public static let dropoffLocation = Self(rawValue: 1 << 6)
    /// `dropoffTime`.
    public static let dropoffTime = Self(rawValue: 1 << 7)
    /// Any value of `lastLocation`.
    public static let routeLastVehicleLocation = Self(rawValue: 1 << 8)
    /// `numberOfPassengers`.
    public static let numberOfPassengers = Self(rawValue: 1 << 9)
    /// Any value of `remainingWaypoints`.
    public static let remainingWaypoints = Self(rawValue: 1 << 10)
    /// `intermediateDestinations`.
    public static let intermediateDestinations = Self(rawValue: 1 << 11)
    /// `intermediateDestinationIndex`.
    public static let intermediateDestinationIndex = Self(rawValue: 1 << 12)
    /// `remainingDistanceMeters`.
    public static let remainingDistanceOfActiveRoute = Self(rawValue: 1 << 13)
    /// `remainingRouteDistanceMeters`.
    public static let distanceOfRemainingRoute = Self(rawValue: 1 << 14)
    /// The path of `activeRoute`, without its traffic.
    public static let activeRoute = Self(rawValue: 1 << 15)
    /// Traffic of `activeRoute`.
    public static let activeRouteTraffic = Self(rawValue: 1 << 16)
    /// The path of `remainingRoute`, without its traffic.
    public static let remainingRoute = Self(rawValue: 1 << 17)
    /// Traffic of `remainingRoute`.
    public static let remainingRouteTraffic = Self(rawValue: 1 << 18)
}

extension TripPropertyFields {
    /// Creates the fields that differ between two states of a trip. Without an earlier state, all fields that have a value count as
    /// changed.
    public init(from old: Trip?, to new: Trip) {
        self = []
        func mark<Value: Equatable>(_ field: Self, _ value: (Trip) -> Value, empty: Value) {
            if value(new) != (old.map(value) ?? empty) { insert(field) }
        }
        if old?.name != new.name { insert(.tripName) }
        mark(.vehicleID, \.vehicleID, empty: nil)
        mark(.tripType, \.type, empty: .unknown)
        if old?.status != new.status { insert(.tripStatus) }
        mark(.pickupLocation, \.pickupPoint, empty: nil)
        mark(.pickupTime, \.pickupTime, empty: nil)
        mark(.dropoffLocation, \.dropoffPoint, empty: nil)
        mark(.dropoffTime, \.dropoffTime, empty: nil)
        mark(.routeLastVehicleLocation, \.lastLocation, empty: nil)
        mark(.numberOfPassengers, \.numberOfPassengers, empty: 0)
        mark(.remainingWaypoints, \.remainingWaypoints, empty: [])
        mark(.intermediateDestinations, \.intermediateDestinations, empty: [])
        mark(.intermediateDestinationIndex, \.intermediateDestinationIndex, empty: 0)
        mark(.remainingDistanceOfActiveRoute, \.remainingDistanceMeters, empty: nil)
        mark(.distanceOfRemainingRoute, \.remainingRouteDistanceMeters, empty: nil)
        mark(.activeRoute, \.activeRoute.line, empty: Polyline([]))
        mark(.activeRouteTraffic, \.activeRoute.traffic, empty: [])
        markRemainingRoute(from: old?.remainingWaypoints ?? [], to: new.remainingWaypoints)
    }

    /// Compares the routes leg by leg instead of joining them first, because this runs for every poll.
    private mutating func markRemainingRoute(from old: [TripWaypoint], to new: [TripWaypoint]) {
        guard contains(.remainingWaypoints) else { return }
        let (old, new) = (old.dropFirst(), new.dropFirst())
        if !old.elementsEqual(new, by: { $0.path.line == $1.path.line }) { insert(.remainingRoute) }
        let (oldTraffic, newTraffic) = (old.lazy.map(\.path.traffic), new.lazy.map(\.path.traffic))
        if !oldTraffic.filter({ !$0.isEmpty }).elementsEqual(newTraffic.filter { !$0.isEmpty }) { insert(.remainingRouteTraffic) }
    }
}
