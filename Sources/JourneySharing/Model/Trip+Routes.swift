public import FleetEngine
public import Geo

extension Trip {
    /// The path after the next stop, up to this trip's drop-off, with its traffic.
    public var remainingRoute: RouteLine { remainingWaypoints.dropFirst().reduce(RouteLine()) { $0.appending($1.path) } }

    /// Metres of `remainingRoute`; nil without later legs, or while the length of one is unknown.
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
