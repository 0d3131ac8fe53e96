public import FoundationEssentials
public import Geo

/// What a phone says once about where it is, in the same units whatever its app counts in.
public struct PhoneFix: Hashable, Sendable {
    /// The accuracy that is assumed for a fix without one, metres.
    public static let assumedAccuracyMeters = 50.0

    /// Where the phone was.
    public var coordinate: Coordinate
    /// When it was there, which may be long before it says so.
    public var time: Date
    /// 0 ... 200 metres per second; nil when the phone does not say.
    public var speedMetersPerSecond: Double?
    /// 0 ..< 360 degrees clockwise from north.
    public var bearingDegrees: Double?
    /// Above 0, at most 100 km: how far off the place may be, metres.
    public var accuracyMeters: Double?
    /// Above the sea, -1,000 ... 20,000 metres.
    public var altitudeMeters: Double?
    /// What the phone's own navigation says; nil while it does not navigate.
    public var navigation: PhoneNavigation?

    /// A fix of which only place and time are known.
    public init(coordinate: Coordinate, time: Date) {
        self.coordinate = coordinate
        self.time = time
    }

    /// Whether the place is accurate enough to tell what lies within this distance from what does not.
    func fits(_ radiusMeters: Double) -> Bool { accuracyMeters ?? Self.assumedAccuracyMeters <= radiusMeters }
}

/// What the navigation in a phone says of the next stop.
public struct PhoneNavigation: Hashable, Sendable {
    /// Nil when it does not say.
    public var arrival: Date?
    /// 0 ... 10,000 km along the way, metres; nil when it does not say.
    public var remainingMeters: Double?

    /// - Parameter remainingMeters: along the way.
    public init(arrival: Date? = nil, remainingMeters: Double? = nil) {
        self.arrival = arrival
        self.remainingMeters = remainingMeters
    }
}

/// Why something well-formed that a phone has sent is not a fix. It is answered as if it were one: a phone sends again what is refused.
public enum PhoneOmission: String, CaseIterable, Hashable, Sendable {
    /// The phone shows that it is there, and says no place.
    case heartbeat = "heartbeat without a place"
    /// A message of the app about something else.
    case otherMessage = "message that is no position"
    /// Only who has the app's key can read it.
    case encrypted = "encrypted message"
    /// The phone says itself that it does not know where it is.
    case invalid = "position that the phone calls invalid"
    /// Degrees that no place on earth has.
    case place = "place that is not on earth"
    /// Exactly 0,0, which apps send while they have no fix.
    case zeroPlace = "place 0,0, which stands for no position"
    /// No time, or one before the year 2000.
    case time = "time that cannot be read or was before 2000"
    /// Over 60 s ahead.
    case future = "time over 60 s ahead"
    /// A record of positions that has no degrees.
    case noPlace = "entry without a place"
}

/// What one request of a phone brings.
public struct PhonePost: Hashable, Sendable {
    /// In the order in which they were sent.
    public internal(set) var fixes: [PhoneFix] = []
    /// How many of what it brings are left out, and why.
    public internal(set) var omissions: [PhoneOmission: Int] = [:]
    /// By how much the clock of the phone is ahead as the last fix says that was left out for an impossible time, seconds; negative for a clock
    /// that is behind. Nil where none was left out so.
    public internal(set) var clockAheadSeconds: Int?

    mutating func omit(_ reason: PhoneOmission) { omissions[reason, default: 0] += 1 }
}

/// A request that cannot be read, in one sentence for the person who set up the phone.
public struct PhonePostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    /// - Parameter wanted: what could be read.
    init(wanted: String) { description = "the request cannot be read: it needs \(wanted)" }
}
