package import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TripWatchSettings

/// The step of a trip that a user waits for. A trip that has passed a step counts as having reached it: a car that has left the
/// pickup has reached ``here``.
///
/// ``here`` and ``pickup`` are steps of rides; ``shop`` and ``pickedUp`` are steps of orders.
package enum WaitGoal: Hashable, Sendable, CustomStringConvertible {
    /// The car needs at most this many seconds to reach the pickup of a ride, or the drop-off of an order.
    case near(seconds: Double)
    /// The car is at the pickup.
    case here
    /// The rider is in the car.
    case pickup
    /// The courier is at the shop.
    case shop
    /// The courier is on the way to the drop-off.
    case pickedUp
    case complete

    /// The longest time that a goal can have, in seconds.
    package static let longestSeconds = 86_400.0

    /// Reads a goal: `here`, `pickup`, `shop`, `picked-up`, `complete`, or a time of at most a day, such as `90s`, `2min`, `1h`; nil for
    /// any other text.
    package init?(_ text: String) {
        switch text {
        case "here": self = .here
        case "pickup": self = .pickup
        case "shop": self = .shop
        case "picked-up": self = .pickedUp
        case "complete": self = .complete
        default:
            guard let seconds = TimeSpanText.seconds(text), seconds <= Self.longestSeconds else { return nil }
            self = .near(seconds: seconds)
        }
    }

    package var description: String {
        switch self {
        case .near(let seconds): seconds >= 60 ? "\(Int(seconds / 60)) min away" : "\(Int(seconds)) s away"
        case .here: "here"
        case .pickup, .pickedUp: "picked up"
        case .shop: "at the shop"
        case .complete: "complete"
        }
    }

    /// The reason why a trip of this kind does not have this step, as part of a sentence; nil if it has the step.
    package func refusal(for kind: TripKind) -> String? {
        switch (self, kind) {
        case (.here, .order), (.pickup, .order):
            "the trip is an order, so --until takes a time before the drop-off (such as 5min), or 'shop', 'picked-up' or 'complete'."
        case (.shop, .ride), (.pickedUp, .ride):
            "the trip is a ride, so --until takes a time before the pickup (such as 5min), or 'here', 'pickup' or 'complete'."
        default: nil
        }
    }

    /// Whether the trip has reached the goal. For a goal with a time, the remaining time counts only with a live or quiet position, so that
    /// an old position does not send the rider out too early.
    package func isReached(by journey: JourneyTracker, now: Date) -> Bool {
        guard let trip = journey.trip, trip.status != .canceled, trip.status != .unknown else { return false }
        switch self {
        case .complete: return trip.status == .complete
        case .pickup: return !trip.status.isBeforePickup
        case .here, .shop: return trip.status == .arrivedAtPickup || !trip.status.isBeforePickup
        case .pickedUp: return trip.status == .enrouteToDropoff || trip.status == .complete
        case .near(let seconds): return isNear(trip.status, journey, seconds: seconds, now: now)
        }
    }

    private func isNear(_ status: TripStatus, _ journey: JourneyTracker, seconds: Double, now: Date) -> Bool {
        switch journey.kind {
        case .ride:
            if status == .arrivedAtPickup || !status.isBeforePickup { return true }
            guard status == .enrouteToPickup else { return false }
        case .order:
            if status == .complete { return true }
            guard status != .new else { return false }
        }
        guard journey.hasLivePosition, let remaining = journey.remainingSeconds(now: now) else { return false }
        return remaining <= seconds
    }
}
