/// The words for the time that is left. One rule for every view, so that no two of them disagree.
public struct ETAText: Hashable, Sendable {
    /// The remaining time in the steps of the words.
    public enum Value: Hashable, Sendable {
        /// No estimate came.
        case unknown
        /// At most 30 s or 50 m.
        case arriving
        /// More than 30 s and less than 60 s.
        case lessThanAMinute
        /// Rounded up, so that the rider never comes too late; 1 ... 59.
        case minutes(Int)
        /// Hours and the minutes beyond them, 0 ... 59; together rounded up to whole minutes.
        case hours(Int, minutes: Int)
        /// The estimate has passed, the vehicle is still away.
        case overdue
    }

    /// The remaining time that the words say.
    public let value: Value
    /// The position behind it is old: the number is not a live one.
    public let isApproximate: Bool

    /// - Parameters:
    ///   - remainingSeconds: until the shown arrival; negative when it has passed; nil when unknown.
    ///   - remainingMeters: to the stop, nil when unknown.
    ///   - isLive: whether the position is recent enough to count down to a minute.
    public init(remainingSeconds: Double?, remainingMeters: Double? = nil, isLive: Bool = true) {
        isApproximate = !isLive
        value = Self.value(remainingSeconds, remainingMeters)
    }

    /// Within this distance a vehicle is arriving, whatever its estimate says, metres.
    public static let arrivingMeters = 50.0
    /// Seconds within which it is arriving.
    public static let arrivingSeconds = 30.0
    private static let overdueSeconds = 60.0

    private static func value(_ seconds: Double?, _ meters: Double?) -> Value {
        if let meters, meters.isFinite, meters <= arrivingMeters { return .arriving }
        guard let seconds, seconds.isFinite else { return .unknown }
        if seconds < -overdueSeconds { return .overdue }
        if seconds <= arrivingSeconds { return .arriving }
        if seconds < 60 { return .lessThanAMinute }
        let minutes = Int((min(seconds, 1e8) / 60).rounded(.up))
        return minutes < 60 ? .minutes(minutes) : .hours(minutes / 60, minutes: minutes % 60)
    }

    /// How long the value stays what it is while time passes, seconds; nil where time alone does not change it.
    public static func secondsToNext(remainingSeconds: Double?, remainingMeters: Double? = nil) -> Double? {
        switch value(remainingSeconds, remainingMeters) {
        case .unknown, .overdue: return nil
        case .arriving:
            if let remainingMeters, remainingMeters.isFinite, remainingMeters <= arrivingMeters { return nil }
            return remainingSeconds.map { $0 + overdueSeconds }
        case .lessThanAMinute: return remainingSeconds.map { $0 - arrivingSeconds }
        case .minutes, .hours: return remainingSeconds.map { $0 > 60 ? $0 - 60 * (($0 / 60).rounded(.up) - 1) : 0 }
        }
    }

    /// The number or the word alone: `6 min`, `<1 min`, `1 h 05 min`, `arriving`.
    public var short: String {
        switch value {
        case .unknown: "no ETA yet"
        case .arriving: "arriving"
        case .lessThanAMinute: "<1 min"
        case .minutes(let minutes): "\(minutes) min"
        case .hours(let hours, let minutes): "\(hours) h \(minutes < 10 ? "0" : "")\(minutes) min"
        case .overdue: "about now"
        }
    }

    /// With `about` before a number that is not live.
    public var text: String {
        switch value {
        case .minutes, .hours, .lessThanAMinute: isApproximate ? "about \(short)" : short
        case .arriving: isApproximate ? "about now" : short
        case .unknown, .overdue: short
        }
    }

    /// A sentence part for a screen reader: `6 minutes`, `1 hour and 5 minutes`.
    public var spoken: String {
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        let words =
            switch value {
            case .unknown: "an unknown time"
            case .arriving: "arriving"
            case .lessThanAMinute: "less than a minute"
            case .minutes(let minutes): count(minutes, "minute")
            case .hours(let hours, 0): count(hours, "hour")
            case .hours(let hours, let minutes): "\(count(hours, "hour")) and \(count(minutes, "minute"))"
            case .overdue: "any minute"
            }
        return isApproximate && value != .unknown && value != .overdue && value != .arriving ? "about \(words)" : words
    }
}
