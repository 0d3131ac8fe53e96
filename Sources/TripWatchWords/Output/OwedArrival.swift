import FleetEngine
import JourneySharing

/// Tracks whether the last line about the status or the car lacked the arrival. If so, a line with the arrival follows once it is known.
struct OwedArrival: Sendable {
    private(set) var isOwed = false

    /// Records a fact for which a line was printed.
    mutating func note(_ fact: TripFact, _ journey: JourneyTracker) {
        switch fact {
        case .status(let status, _) where !(status.isAtStop && journey.kind == .ride) && !status.isFinal:
            isOwed = journey.forecast.shown == nil
        case .vehicle(.some) where journey.trip?.status == .new: isOwed = journey.forecast.shown == nil
        case .promise(let waypoint, _, _) where waypoint != journey.estimate?.waypoint: break
        case .status, .vehicle(nil), .eta, .promise: isOwed = false
        case .vehicle, .location, .route, .waypoints, .pickupChanged, .stopsChanged, .dropoffChanged, .traffic, .drawn, .freshness, .near,
            .failure, .recovered, .end:
            break
        }
    }
}
