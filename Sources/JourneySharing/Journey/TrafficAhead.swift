package import FleetEngine
package import Geo

/// Worst traffic between a vehicle and this trip's own next stop, from one answer of the server.
package struct TrafficAhead: Hashable, Sendable {
    /// Shortest length of slow or jammed traffic that counts, in metres. A shorter stretch delays a vehicle by less than a minute.
    package static let leastMeters = 100.0

    /// The worst traffic between the vehicle and the stop, slow or jammed.
    package let speed: TrafficSpeed
    /// Total length of the stretches with this traffic or worse, in metres.
    package let lengthMeters: Double

    /// Creates the value for a trip. Nil if less than 100 m of the way has slow traffic, the trip has no vehicle, the vehicle is at a stop,
    /// or the trip is over.
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

    /// Returns the total length of the stretches with this speed or a worse one, up to the trip's own next stop, in metres.
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
    /// Worst traffic between the vehicle and this trip's own next stop. Nil if there is no traffic that counts
    /// (see ``TrafficAhead/init(_:)``), the position is old, or the vehicle has left its route.
    package var trafficAhead: TrafficAhead? { isLive && vehicle?.isOffRoute != true ? trip.flatMap { TrafficAhead($0) } : nil }
}
