public import FoundationEssentials
public import Geo

/// One position fix of a phone. The units are the same for all apps.
public struct PhoneFix: Hashable, Sendable {
    /// The accuracy that is assumed for a fix without a stated accuracy, in metres.
    public static let assumedAccuracyMeters = 50.0

    /// Position of the phone.
    public var coordinate: Coordinate
    /// Time of the fix, which may be long before the fix is sent.
    public var time: Date
    /// Speed, 0 ... 200 metres per second; nil if unknown.
    public var speedMetersPerSecond: Double?
    /// Course, 0 ..< 360 degrees clockwise from north; nil if unknown.
    public var bearingDegrees: Double?
    /// Accuracy: the expected error of the position, above 0 and at most 100,000 metres; nil if unknown.
    public var accuracyMeters: Double?
    /// Altitude above sea level, -1,000 ... 20,000 metres; nil if unknown.
    public var altitudeMeters: Double?
    /// Data from the phone's own navigation; nil while the phone is not navigating.
    public var navigation: PhoneNavigation?

    /// Creates a fix with a position and a time only.
    public init(coordinate: Coordinate, time: Date) {
        self.coordinate = coordinate
        self.time = time
    }

    /// Whether the position is accurate enough to decide whether the phone is within `radiusMeters` of a place.
    func fits(_ radiusMeters: Double) -> Bool { accuracyMeters ?? Self.assumedAccuracyMeters <= radiusMeters }
}

/// The arrival time and the distance to the next stop, as the phone's own navigation reports them.
public struct PhoneNavigation: Hashable, Sendable {
    /// Expected time of arrival; nil if unknown.
    public var arrival: Date?
    /// Remaining distance along the route, 0 ... 10,000 km, in metres; nil if unknown.
    public var remainingMeters: Double?

    /// - Parameter remainingMeters: distance along the route.
    public init(arrival: Date? = nil, remainingMeters: Double? = nil) {
        self.arrival = arrival
        self.remainingMeters = remainingMeters
    }
}

/// The reason why a well-formed part of a message was left out. The phone gets the same answer as for a fix, because it would send a
/// refused message again.
public enum PhoneOmission: String, CaseIterable, Hashable, Sendable {
    /// The phone only reports that it is running.
    case heartbeat = "heartbeat without a position"
    /// The app's message is about something other than a position.
    case otherMessage = "message without a position"
    /// The message is encrypted with the app's key.
    case encrypted = "encrypted message"
    /// The phone reports that its position is invalid.
    case invalid = "position that the phone marks as invalid"
    /// The latitude or longitude is out of range.
    case place = "latitude or longitude that is out of range"
    /// The position is exactly 0,0, which apps send while they have no fix.
    case zeroPlace = "position 0,0, which means that the phone has no fix"
    /// The time cannot be read, or is before the year 2000.
    case time = "time that cannot be read or is before 2000"
    /// The time is more than 60 s in the future.
    case future = "time more than 60 s in the future"
    /// The record has no latitude or longitude.
    case noPlace = "entry without a position"
}

/// The contents of one request that a phone has sent.
public struct PhonePost: Hashable, Sendable {
    /// The fixes in the order in which they were sent.
    public internal(set) var fixes: [PhoneFix] = []
    /// For each reason, the number of message parts that were left out.
    public internal(set) var omissions: [PhoneOmission: Int] = [:]
    /// The number of seconds by which the phone's clock is ahead; negative if it is behind. Computed from the last fix that was left
    /// out because of its time; nil without such a fix.
    public internal(set) var clockAheadSeconds: Int?

    mutating func omit(_ reason: PhoneOmission) { omissions[reason, default: 0] += 1 }
}

/// An error: the request cannot be read. The text is one sentence for the person who set up the phone.
public struct PhonePostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, as one sentence.
    public let description: String

    /// - Parameter wanted: a description of the expected contents.
    init(wanted: String) { description = "the request cannot be read: it needs \(wanted)" }
}
