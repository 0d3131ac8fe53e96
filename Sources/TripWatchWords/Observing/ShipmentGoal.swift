import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TripWatchSettings

/// The step of a shipment that a user waits for. A successful shipment has reached every step, and a failed shipment has reached no step.
package enum ShipmentGoal: Hashable, Sendable, CustomStringConvertible {
    /// The vehicle needs at most this many seconds to reach the shipment's stop.
    case near(seconds: Double)
    /// At most this many stops come before the shipment's stop.
    case stops(Int)
    case done

    /// Reads a goal such as `20min`, `3stops`, `1stop`, `next` or `done`; nil for any other text.
    package init?(_ text: String) {
        switch text {
        case "next": self = .stops(0)
        case "done": self = .done
        default:
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            if ["stop", "stops"].contains(text.dropFirst(digits.count)), let count = Int(digits) {
                self = .stops(count)
            } else if let seconds = TimeSpanText.seconds(text), seconds <= WaitGoal.longestSeconds {
                self = .near(seconds: seconds)
            } else {
                return nil
            }
        }
    }

    package var description: String {
        switch self {
        case .near(let seconds): seconds >= 60 ? "\(Int(seconds / 60)) min away" : "\(Int(seconds)) s away"
        case .stops(0): "next"
        case .stops(let count): "\(count) stop\(count == 1 ? "" : "s") before"
        case .done: "done"
        }
    }

    /// Whether the shipment has reached the goal; true for every goal after a success. Otherwise, false if the shipment has failed or is
    /// not open, or if the server does not share the needed value. A goal with a time also needs current data.
    package func isReached(by tracker: ShipmentTracker, now: Date) -> Bool {
        guard let shipment = tracker.shipment, shipment.outcome != .failed else { return false }
        if shipment.outcome == .succeeded { return true }
        guard shipment.state == .open else { return false }
        switch self {
        case .done: return false
        case .stops(let count): return shipment.stopsBefore.map { $0 <= count } ?? false
        case .near(let seconds):
            guard tracker.isCurrent, let remaining = tracker.remainingSeconds(now: now) else { return false }
            return remaining <= seconds
        }
    }
}
