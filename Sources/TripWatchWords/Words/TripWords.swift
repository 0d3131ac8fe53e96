package import FleetEngine
import FoundationEssentials
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

    /// How many stops of other riders the car makes first.
    package static func stopsBefore(_ count: Int) -> String { "\(count) stop\(count == 1 ? "" : "s") before yours" }

    /// How long a file is, for people: "812 bytes", "412 KB", "1.2 MB" (thousands).
    package static func fileSize(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(max(0, bytes)) bytes"
        case ..<999_500: "\((bytes + 500) / 1_000) KB"
        default: "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
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
        let whole = whole(seconds)
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min" }
        return "\(whole / 3_600) h"
    }

    /// How long something takes or stands, as it was asked for: `90 s`, `2 min`, `36 h`.
    package static func span(_ seconds: Double) -> String {
        let whole = whole(seconds)
        if whole % 3_600 == 0, whole > 0 { return "\(whole / 3_600) h" }
        return whole % 60 == 0 && whole > 0 ? "\(whole / 60) min" : "\(whole) s"
    }

    /// Until an age that grows has other words, seconds.
    package static func secondsToNextAge(_ seconds: Double) -> Double {
        let whole = whole(seconds)
        let unit = whole < 60 ? 1 : whole < 3_600 ? 60 : 3_600
        return Double((whole / unit + 1) * unit) - 0.5 - seconds
    }

    /// The time to come in a countdown, rounded up: `3 s` until two are left.
    package static func countdown(_ seconds: Double) -> String { age(seconds.rounded(.up)) }

    /// Until a countdown has other words, seconds; nil at its end. Within its last second it may be told as over.
    package static func secondsToNextCountdown(_ seconds: Double) -> Double? {
        let whole = whole(seconds.rounded(.up))
        guard seconds > 0, whole > 1 else { return seconds > 0 ? (seconds < 1 ? seconds : 0) : nil }
        let unit = whole < 60 ? 1 : whole < 3_600 ? 60 : 3_600
        return seconds - Double(whole / unit * unit - 1)
    }

    /// The minutes that a car is away, as they are counted down: the last one is whole until it is here.
    package static func minutesAway(_ seconds: Double) -> Int { max(1, whole((seconds / 60).rounded(.up))) }

    /// How something came against what was announced: `on time`, `2 min late`, `1 min early`.
    package static func punctuality(minutesLate minutes: Int) -> String {
        minutes == 0 ? "on time" : "\(minutes.magnitude) min \(minutes > 0 ? "late" : "early")"
    }

    private static func whole(_ seconds: Double) -> Int { seconds.isNaN ? 0 : Int(min(max(seconds, 0), 1e7).rounded()) }
}

extension JourneyTracker {
    /// When a trip that is complete was, as the server says; nil where it says nothing, or a time that is still to come.
    func arrivedAt(now: Date) -> Date? {
        guard let trip, trip.status == .complete, let told = trip.actualDropoff?.time ?? trip.dropoffTime else { return nil }
        return told.timeIntervalSince(serverNow(now)) <= TripHistory.toleranceSeconds ? told : nil
    }

    /// When the courier of an order comes to the shop; nil where that has been, where it is not known, and for a ride.
    var shopArrivalAhead: Date? {
        isShopAhead ? arrivals[.pickup].shown : nil
    }
}
