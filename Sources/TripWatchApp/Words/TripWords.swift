package import FleetEngine
package import JourneySharing

/// The words for states.
package enum TripWords {
    /// The word for a stop, at the head of a line.
    package static func stop(_ waypoint: WaypointType) -> String {
        switch waypoint {
        case .pickup: "Pickup"
        case .intermediate: "Stop"
        case .dropoff: "Arrival"
        case .unknown: "Next stop"
        }
    }

    /// The word in the corner of the screen and in front of plain lines.
    package static func freshness(_ state: Freshness) -> String {
        switch state {
        case .live: "live"
        case .quiet: "quiet"
        case .notLive: "not live"
        case .offline: "offline"
        case .stopped: "stopped"
        case .ended: "ended"
        }
    }

    /// An age for people: `3 s`, `2 min`, `1 h`.
    package static func age(_ seconds: Double) -> String {
        let whole = seconds.isNaN ? 0 : Int(min(max(seconds, 0), 1e7).rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min" }
        return "\(whole / 3_600) h"
    }
}
