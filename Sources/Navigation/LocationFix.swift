public import FoundationEssentials
public import Geo

/// One position as a sensor gives it, before it is brought onto a road. What is unknown is nil.
///
/// Sensors write unknown figures as negative or not-a-number values; the initialiser turns those into nil, so no such value gets any further.
public struct LocationFix: Hashable, Sendable {
    /// Faster than this is a broken figure, metres per second.
    public static let maximumSpeedMetersPerSecond = 1_000.0

    public let coordinate: Coordinate
    /// The sensor's clock.
    public let time: Date
    /// Radius of 68 % certainty, metres, 0 or more.
    public let accuracyMeters: Double?
    /// Direction of movement, degrees clockwise from north, 0 ..< 360.
    public let courseDegrees: Double?
    /// 0 to `maximumSpeedMetersPerSecond`.
    public let speedMetersPerSecond: Double?
    public let altitudeMeters: Double?

    public init(
        coordinate: Coordinate, time: Date, accuracyMeters: Double? = nil, courseDegrees: Double? = nil,
        speedMetersPerSecond: Double? = nil, altitudeMeters: Double? = nil
    ) {
        self.coordinate = coordinate
        self.time = time
        self.accuracyMeters = accuracyMeters.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        self.courseDegrees = courseDegrees.flatMap { $0 >= 0 && $0.isFinite ? $0.truncatingRemainder(dividingBy: 360) : nil }
        self.speedMetersPerSecond = speedMetersPerSecond.flatMap { $0 >= 0 && $0 <= Self.maximumSpeedMetersPerSecond ? $0 : nil }
        self.altitudeMeters = altitudeMeters.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Whether place and time are real ones.
    var isUsable: Bool { coordinate.isValid && time.timeIntervalSinceReferenceDate.isFinite }
}

/// A position brought onto the route's road where that was possible (the location of `GMSRoadSnappedLocationProviderListener`).
///
/// The SDK marks unknown figures with -1 or NaN; here they are nil, so that they cannot reach a server as numbers.
public struct RoadSnappedLocation: Hashable, Sendable {
    /// On the road if `isSnapped`, else the sensor's.
    public let coordinate: Coordinate
    /// The sensor's position.
    public let rawCoordinate: Coordinate
    public let isSnapped: Bool
    /// The sensor's clock.
    public let timestamp: Date
    /// Radius of 68 % certainty, metres.
    public let accuracyMeters: Double?
    /// Degrees clockwise from north, 0 ..< 360.
    public let courseDegrees: Double?
    public let speedMetersPerSecond: Double?
    public let altitudeMeters: Double?

    /// - Parameter snappedTo: the place on the road; nil leaves the position as the sensor gave it.
    public init(_ fix: LocationFix, snappedTo place: Coordinate? = nil) {
        coordinate = place ?? fix.coordinate
        rawCoordinate = fix.coordinate
        isSnapped = place != nil
        timestamp = fix.time
        accuracyMeters = fix.accuracyMeters
        courseDegrees = fix.courseDegrees
        speedMetersPerSecond = fix.speedMetersPerSecond
        altitudeMeters = fix.altitudeMeters
    }
}

/// Where fixes come from: a receiver, a recording, a simulation.
public protocol LocationSource: Sendable {
    /// For people, such as `GPX file` or `gpsd`.
    var name: String { get }
    /// The fixes in the order in which they were made. The stream ends with the source and throws when it breaks off.
    func fixes() async throws -> AsyncThrowingStream<LocationFix, any Error>
}
