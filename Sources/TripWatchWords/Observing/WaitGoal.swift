import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TripWatchSettings

/// The step of a trip that a user waits for. A later step reaches the earlier ones: a car that has left again was here.
package enum WaitGoal: Hashable, Sendable, CustomStringConvertible {
    /// The car is at most this far from the pickup, seconds.
    case near(seconds: Double)
    /// The car is at the pickup.
    case here
    /// The rider is in the car.
    case pickup
    case complete

    /// The longest time that can be waited for, seconds.
    package static let longestSeconds = 86_400.0

    /// Reads `here`, `pickup`, `complete`, or a time such as `90s`, `2min`, `1h`; nil for anything else.
    package init?(_ text: String) {
        switch text {
        case "here": self = .here
        case "pickup": self = .pickup
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
        case .pickup: "picked up"
        case .complete: "complete"
        }
    }

    /// Whether the trip has come this far. A time counts only while the car's position is live, so that an old number sends no rider out.
    package func isReached(by journey: JourneyTracker, now: Date) -> Bool {
        guard let trip = journey.trip, trip.status != .canceled, trip.status != .unknown else { return false }
        switch self {
        case .complete: return trip.status == .complete
        case .pickup: return !trip.status.isBeforePickup
        case .here: return trip.status == .arrivedAtPickup || !trip.status.isBeforePickup
        case .near(let seconds):
            if trip.status == .arrivedAtPickup || !trip.status.isBeforePickup { return true }
            guard trip.status == .enrouteToPickup, journey.hasLivePosition, let remaining = journey.remainingSeconds(now: now) else {
                return false
            }
            return remaining <= seconds
        }
    }
}
