package import FleetEngine
import FoundationEssentials
package import JourneySharing

/// Words for states, times and amounts.
package enum TripWords {
    /// Returns the word for a stop, at the start of a line.
    package static func stop(_ waypoint: WaypointType) -> String {
        switch waypoint {
        case .pickup: "Pickup"
        case .intermediate: "Stop"
        case .dropoff: "Arrival"
        case .unknown: "Next stop"
        }
    }

    /// Returns words for the number of other riders' stops before the user's own stop.
    package static func stopsBefore(_ count: Int) -> String { "\(count) stop\(count == 1 ? "" : "s") before yours" }

    /// Returns the text of a duration, in seconds: `0:42`, `12:05`, `1:02:03`.
    package static func stopwatch(_ seconds: Double) -> String {
        let whole = Int(seconds.isFinite ? min(max(seconds, 0), 10_000_000) : 0)
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        if whole < 3_600 { return "\(whole / 60):\(two(whole % 60))" }
        return "\(whole / 3_600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    }

    /// Pads a text with spaces to the width of its column. A longer text is not cut.
    static func column(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }

    /// Returns a file size in decimal units: "812 bytes", "412 KB", "1.2 MB".
    package static func fileSize(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(max(0, bytes)) bytes"
        case ..<999_500: "\((bytes + 500) / 1_000) KB"
        default: "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
        }
    }

    /// Returns the word for the freshness, in the corner of the screen and at the start of plain lines.
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

    /// Returns an age in words: `3 s`, `2 min`, `1 h`.
    package static func age(_ seconds: Double) -> String {
        let whole = whole(seconds)
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min" }
        return "\(whole / 3_600) h"
    }

    /// Returns a duration in the largest unit that gives a whole number: `90 s`, `2 min`, `36 h`.
    package static func span(_ seconds: Double) -> String {
        let whole = whole(seconds)
        if whole % 3_600 == 0, whole > 0 { return "\(whole / 3_600) h" }
        return whole % 60 == 0 && whole > 0 ? "\(whole / 60) min" : "\(whole) s"
    }

    /// Returns the seconds until the text for an age changes, as the age grows.
    package static func secondsToNextAge(_ seconds: Double) -> Double {
        let whole = whole(seconds)
        let unit = whole < 60 ? 1 : whole < 3_600 ? 60 : 3_600
        return Double((whole / unit + 1) * unit) - 0.5 - seconds
    }

    /// Returns the remaining time of a countdown. Seconds are rounded up: `3 s` is shown until two seconds are left. Minutes and hours are
    /// rounded down.
    package static func countdown(_ seconds: Double) -> String { age(seconds.rounded(.up)) }

    /// Returns the seconds until the text of a countdown changes; in the last second, the seconds until the end of the countdown. Nil after
    /// the end.
    package static func secondsToNextCountdown(_ seconds: Double) -> Double? {
        let whole = whole(seconds.rounded(.up))
        guard seconds > 0, whole > 1 else { return seconds > 0 ? (seconds < 1 ? seconds : 0) : nil }
        let unit = whole < 60 ? 1 : whole < 3_600 ? 60 : 3_600
        return seconds - Double(whole / unit * unit - 1)
    }

    /// Returns the words for a vehicle that arrives soon: `2 min away`, `<1 min away`, `arriving`, `about now`.
    package static func away(_ eta: ETAText) -> String {
        switch eta.value {
        case .lessThanAMinute, .minutes, .hours: "\(eta.short) away"
        case .unknown, .arriving: "arriving"
        case .overdue: eta.short
        }
    }

    /// Returns words for the difference from the announced time: `on time`, `2 min late`, `1 min early`.
    package static func punctuality(minutesLate minutes: Int) -> String {
        minutes == 0 ? "on time" : "\(difference(minutes: minutes)) \(minutes > 0 ? "late" : "early")"
    }

    /// Returns the size of a difference between two times: `9 min`, `3 h 20 min`, `2 d 4 h`.
    package static func difference(minutes: Int) -> String {
        largestUnits(minutes: minutes, [" d", " h", " min"]) { "\($0)\($1)" }.joined(separator: " ")
    }

    /// Returns the size of a difference between two times for a screen reader: `9 minutes`, `2 days and 4 hours`.
    static func spokenDifference(minutes: Int) -> String {
        largestUnits(minutes: minutes, ["day", "hour", "minute"], SpokenOutput.count).joined(separator: " and ")
    }

    /// Returns a difference in days and hours, or in hours and minutes if it is below a day. Units that are 0 are left out, but a
    /// difference of 0 is 0 minutes.
    /// - Parameters:
    ///   - units: the words for days, hours and minutes.
    ///   - words: returns a number with its unit.
    private static func largestUnits(minutes: Int, _ units: [String], _ words: (Int, String) -> String) -> [String] {
        let all = Int(clamping: minutes.magnitude)
        let numbers = [all / 1_440, all / 60 % 24, all < 1_440 ? all % 60 : 0]
        let texts = zip(numbers, units).filter { $0.0 > 0 }.map { words($0, $1) }
        return texts.isEmpty ? units.suffix(1).map { words(0, $0) } : texts
    }

    /// Returns the numbers of added and of removed stops, after a colon: `: 2 added, 1 removed`. A number that is 0 is left out. The text
    /// is empty if both are 0.
    package static func stops(added: Int, removed: Int) -> String {
        let parts = [added > 0 ? "\(added) added" : "", removed > 0 ? "\(removed) removed" : ""].filter { !$0.isEmpty }
        return parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
    }

    private static func whole(_ seconds: Double) -> Int { seconds.isNaN ? 0 : Int(min(max(seconds, 0), 1e7).rounded()) }
}

extension JourneyTracker {
    /// Returns the drop-off time of a complete trip as the server reports it; nil if the server reports no time, or a time in the future.
    func arrivedAt(now: Date) -> Date? {
        guard let trip, trip.status == .complete, let told = trip.actualDropoff?.time ?? trip.dropoffTime else { return nil }
        return told.timeIntervalSince(serverNow(now)) <= TripHistory.toleranceSeconds ? told : nil
    }

    /// For an order, the time at which the courier arrives at the shop. Nil for a ride, after the courier's arrival at the shop, and while
    /// the time is unknown.
    var shopArrivalAhead: Date? {
        isShopAhead ? arrivals[.pickup].shown : nil
    }
}
