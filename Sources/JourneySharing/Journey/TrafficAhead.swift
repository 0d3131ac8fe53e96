package import FleetEngine
package import Geo

/// The worst traffic between a vehicle and this trip's own next stop, as one answer of the server has it.
package struct TrafficAhead: Hashable, Sendable {
    /// Less of it delays no vehicle by as much as a minute, metres.
    package static let leastMeters = 100.0

    /// Slow or jammed, whichever is the worst on the way.
    package let speed: TrafficSpeed
    /// How much of the way is that bad or worse, metres.
    package let lengthMeters: Double

    /// Nil where traffic moves freely or is unknown, where the vehicle stands at a stop, and when the trip is over.
    package init?(_ trip: Trip) {
        guard trip.vehicleID != nil, !trip.status.isAtStop, !trip.status.isFinal else { return nil }
        for speed in [TrafficSpeed.trafficJam, .slow] {
            let meters = Self.meters(of: speed, trip)
            guard meters >= Self.leastMeters, meters.isFinite else { continue }
            self.speed = speed
            lengthMeters = meters
            return
        }
        return nil
    }

    /// On what is left of the active route, and on the later paths as far as the trip's own next stop.
    private static func meters(of speed: TrafficSpeed, _ trip: Trip) -> Double {
        let route = trip.activeRoute
        let driven = trip.remainingDistanceMeters.map { max(0, route.lengthMeters - $0) } ?? 0
        let later = trip.remainingWaypoints.dropFirst().prefix(trip.stopsBefore)
        return later.reduce(meters(of: speed, on: route, fromMeters: driven)) { $0 + meters(of: speed, on: $1.path, fromMeters: 0) }
    }

    private static func meters(of speed: TrafficSpeed, on route: RouteLine, fromMeters start: Double) -> Double {
        guard !route.isEmpty else { return 0 }
        return route.traffic.reduce(0) { $1.speed < speed ? $0 : $0 + max(0, $1.endMeters - max(start, $1.startMeters)) }
    }
}

extension JourneyTracker {
    /// The worst traffic on the way to this trip's own next stop; nil where there is none to speak of, where what is known is old, and where
    /// the vehicle has left its route.
    package var trafficAhead: TrafficAhead? { isLive && vehicle?.isOffRoute != true ? trip.flatMap { TrafficAhead($0) } : nil }
}
