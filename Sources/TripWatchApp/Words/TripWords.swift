public import FleetEngine
public import JourneySharing

/// What states are called in front of people.
public enum TripWords {
    /// The phase, as the rider lives it.
    public static func phase(_ status: TripStatus, stopIndex: Int = 0, hasVehicle: Bool = true) -> String {
        let stopNumber = min(max(stopIndex, 0), 9_998) + 1
        return switch status {
        case .unknown: "Waiting for news"
        case .new: hasVehicle ? "Car assigned" : "Looking for a car"
        case .enrouteToPickup: "On the way to you"
        case .arrivedAtPickup: "Your car is here"
        case .enrouteToIntermediateDestination: "On the way to stop \(stopNumber)"
        case .arrivedAtIntermediateDestination: "Waiting at stop \(stopNumber)"
        case .enrouteToDropoff: "On the way"
        case .complete: "You have arrived"
        case .canceled: "Trip cancelled"
        }
    }

    /// What happens at a stop, at the head of a line.
    public static func stop(_ waypoint: WaypointType) -> String {
        switch waypoint {
        case .pickup: "Pickup"
        case .intermediate: "Stop"
        case .dropoff: "Arrival"
        case .unknown: "Next stop"
        }
    }

    /// The word in the corner of the screen and in front of plain lines.
    public static func freshness(_ state: Freshness) -> String {
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
    public static func age(_ seconds: Double) -> String {
        let whole = seconds.isNaN ? 0 : Int(min(max(seconds, 0), 1e7).rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min" }
        return "\(whole / 3_600) h"
    }
}
