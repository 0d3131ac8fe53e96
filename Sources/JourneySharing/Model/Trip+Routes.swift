public import FleetEngine
public import Geo

extension Trip {
    /// Path from the vehicle's next stop to this trip's drop-off, with its traffic.
    public var remainingRoute: RouteLine { remainingWaypoints.dropFirst().reduce(RouteLine()) { $0.appending($1.path) } }

    /// Length of `remainingRoute`, in metres; nil if no stop follows the vehicle's next stop, or while the length of a leg is unknown.
    public var remainingRouteDistanceMeters: Double? {
        let legs = remainingWaypoints.dropFirst()
        guard !legs.isEmpty else { return nil }
        var sum = 0.0
        for leg in legs {
            guard let meters = leg.distanceMeters else { return nil }
            sum += meters
        }
        return sum
    }
}
