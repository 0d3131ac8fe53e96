public import FoundationEssentials

/// Text of the remaining time until an arrival. All views use this rule, so that they agree.
public struct ETAText: Hashable, Sendable {
    /// Remaining time, in the steps that the text distinguishes.
    public enum Value: Hashable, Sendable {
        /// No estimate is known.
        case unknown
        /// The estimated time has passed or is unknown, and at most 50 m remain. In the first minute after the estimated time, the distance
        /// may also be unknown, or up to 300 m.
        case arriving
        /// Less than a minute.
        case lessThanAMinute
        /// Whole minutes, 1 ... 59.
        case minutes(Int)
        /// Whole hours and the remaining minutes, 0 ... 59.
        case hours(Int, minutes: Int)
        /// The estimated time has passed, and more than 300 m remain. If it passed over a minute ago, more than 50 m or an unknown distance
        /// is enough.
        case overdue
    }

    /// Remaining time that the text shows.
    public let value: Value
    /// Whether the position is old, so that the number is only approximate.
    public let isApproximate: Bool

    /// Creates the text that is shown beside the current time and the arrival time. Its minutes are the difference between these two
    /// clock times; see ``ClockMinutes``.
    /// - Parameters:
    ///   - arrival: shown arrival time; nil if unknown.
    ///   - now: current time, on the clock that is shown.
    ///   - remainingMeters: metres to the stop; nil if unknown.
    ///   - isLive: whether the position is recent enough for an exact number of minutes.
    public init(arrival: Date?, now: Date, remainingMeters: Double? = nil, isLive: Bool = true) {
        isApproximate = !isLive
        let seconds = arrival.map { $0.timeIntervalSince(now) }
        value = Self.value(seconds, minutes: arrival.map { ClockMinutes.count(from: now, to: $0) } ?? 0, remainingMeters)
    }

    /// Creates the text that is shown where no clock is shown. Its minutes are rounded up.
    /// - Parameters:
    ///   - remainingSeconds: seconds until the arrival; negative if it has passed; nil if unknown.
    ///   - remainingMeters: metres to the stop; nil if unknown.
    ///   - isLive: whether the position is recent enough for an exact number of minutes.
    public init(remainingSeconds: Double?, remainingMeters: Double? = nil, isLive: Bool = true) {
        isApproximate = !isLive
        let seconds = remainingSeconds.flatMap { $0.isFinite ? min(max($0, 0), Self.longestSeconds) : nil } ?? 0
        value = Self.value(remainingSeconds, minutes: seconds < 60 ? 0 : Int((seconds / 60).rounded(.up)), remainingMeters)
    }

    /// Distance at which a vehicle without a remaining time counts as arriving, in metres.
    public static let arrivingMeters = 50.0
    private static let overdueSeconds = 60.0
    /// Distance beyond which a vehicle does not count as arriving, in metres: about a minute's drive in dense traffic.
    private static let farMeters = 300.0
    private static let longestSeconds = 1e8

    private static func value(_ seconds: Double?, minutes: Int, _ meters: Double?) -> Value {
        guard let seconds, seconds.isFinite else { return isNear(meters) ? .arriving : .unknown }
        if seconds <= 0, isNear(meters) { return .arriving }
        if seconds < -overdueSeconds || seconds <= 0 && (meters ?? 0) > farMeters { return .overdue }
        if seconds <= 0 { return .arriving }
        if minutes < 1 { return .lessThanAMinute }
        return minutes < 60 ? .minutes(minutes) : .hours(minutes / 60, minutes: minutes % 60)
    }

    private static func isNear(_ meters: Double?) -> Bool { meters.map { $0 <= arrivingMeters } == true }

    /// Returns the time until the value changes without a new answer, in seconds; nil if time alone does not change it.
    public static func secondsToNext(arrival: Date?, now: Date, remainingMeters: Double? = nil) -> Double? {
        guard let arrival else { return nil }
        let seconds = arrival.timeIntervalSince(now)
        return switch ETAText(arrival: arrival, now: now, remainingMeters: remainingMeters).value {
        case .unknown, .overdue: nil
        case .arriving: isNear(remainingMeters) ? nil : seconds + overdueSeconds
        case .lessThanAMinute: seconds
        case .minutes, .hours: ClockMinutes.secondsToNext(now)
        }
    }

    /// Short text: `6 min`, `<1 min`, `1 h 05 min`, `arriving`. It does not mark an approximate number, but an approximate `<1 min` becomes
    /// `1 min`.
    public var short: String {
        switch value {
        case .unknown: "no ETA yet"
        case .arriving: "arriving"
        case .lessThanAMinute: isApproximate ? "1 min" : "<1 min"
        case .minutes(let minutes): "\(minutes) min"
        case .hours(let hours, let minutes): "\(hours) h \(minutes < 10 ? "0" : "")\(minutes) min"
        case .overdue: "about now"
        }
    }

    /// Text for display; `about` marks a value that is only approximate.
    public var text: String {
        switch value {
        case .lessThanAMinute, .minutes, .hours: isApproximate ? "about \(short)" : short
        case .arriving: isApproximate ? "about now" : short
        case .unknown, .overdue: short
        }
    }

    /// Part of a sentence for a screen reader: `6 minutes`, `1 hour and 5 minutes`.
    public var spoken: String {
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        let words =
            switch value {
            case .unknown: "an unknown time"
            case .arriving: "arriving"
            case .lessThanAMinute: isApproximate ? "a minute" : "less than a minute"
            case .minutes(let minutes): count(minutes, "minute")
            case .hours(let hours, 0): count(hours, "hour")
            case .hours(let hours, let minutes): "\(count(hours, "hour")) and \(count(minutes, "minute"))"
            case .overdue: "any minute"
            }
        return isApproximate && value != .unknown && value != .overdue && value != .arriving ? "about \(words)" : words
    }
}
