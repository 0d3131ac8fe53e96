public import FoundationEssentials
public import Geo

/// One position as a sensor gives it, before it is brought onto a road. Unknown figures are nil.
///
/// Sensors write unknown figures as negative or not-a-number values; the initialiser turns those into nil, so that no reader meets one.
public struct LocationFix: Hashable, Sendable {
    /// Faster than this is a broken figure, metres per second.
    public static let maximumSpeedMetersPerSecond = 1_000.0

    /// Where the sensor says that it is.
    public let coordinate: Coordinate
    /// The sensor's clock.
    public let time: Date
    /// Radius of 68 % certainty, metres, 0 or more.
    public let accuracyMeters: Double?
    /// Direction of movement, degrees clockwise from north, 0 ..< 360.
    public let courseDegrees: Double?
    /// 0 to `maximumSpeedMetersPerSecond`.
    public let speedMetersPerSecond: Double?
    /// Height above the WGS84 ellipsoid, metres.
    public let altitudeMeters: Double?
    /// How far off the speed may be with 68 % certainty, metres per second, 0 or more.
    public let speedAccuracyMetersPerSecond: Double?
    /// The nearest place on a road, as a router's map tells it; a navigator without a route reports it. Nil where roads are not known.
    public var nearestRoad: Coordinate?

    /// A fix of these figures; impossible ones become nil.
    public init(
        coordinate: Coordinate, time: Date, accuracyMeters: Double? = nil, courseDegrees: Double? = nil,
        speedMetersPerSecond: Double? = nil, altitudeMeters: Double? = nil, speedAccuracyMetersPerSecond: Double? = nil
    ) {
        self.coordinate = coordinate
        self.time = time
        self.accuracyMeters = accuracyMeters.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        self.courseDegrees = courseDegrees.flatMap { $0 >= 0 && $0.isFinite ? $0.truncatingRemainder(dividingBy: 360) : nil }
        self.speedMetersPerSecond = speedMetersPerSecond.flatMap { $0 >= 0 && $0 <= Self.maximumSpeedMetersPerSecond ? $0 : nil }
        self.altitudeMeters = altitudeMeters.flatMap { $0.isFinite ? $0 : nil }
        self.speedAccuracyMetersPerSecond = speedAccuracyMetersPerSecond.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
    }

    /// Whether place and time are real ones.
    var isUsable: Bool { coordinate.isValid && time.timeIntervalSinceReferenceDate.isFinite }
}

/// A position brought onto the route's road, or without a route onto the nearest one, where that was possible (the location of `GMSRoadSnappedLocationProviderListener`).
///
/// The SDK marks unknown figures with -1 or NaN; here they are nil, so that they cannot reach a server as numbers.
public struct RoadSnappedLocation: Hashable, Sendable {
    /// On the road if `isSnapped`, else the sensor's.
    public let coordinate: Coordinate
    /// The sensor's position.
    public let rawCoordinate: Coordinate
    /// Whether `coordinate` lies on a road.
    public let isSnapped: Bool
    /// The sensor's clock.
    public let timestamp: Date
    /// Radius of 68 % certainty, metres.
    public let accuracyMeters: Double?
    /// Degrees clockwise from north, 0 ..< 360.
    public let courseDegrees: Double?
    /// Metres a second, 0 to `LocationFix.maximumSpeedMetersPerSecond`.
    public let speedMetersPerSecond: Double?
    /// Height above the WGS84 ellipsoid, metres.
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
    /// Waits for the next fix, until `deadline` at the latest; after the deadline it returns a fix that is there already. One caller at a
    /// time.
    ///
    /// - Returns: the fixes in the order in which they were made, each once; nil if no fix came in time.
    /// - Throws: `LocationSourceError` when no more will come, `CancellationError` when the task is cancelled.
    func nextFix(until deadline: Date) async throws -> LocationFix?
}

/// Why a source gives no more fixes.
public enum LocationSourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It came to its end, as a recording does.
    case ended
    /// It broke off; in one sentence for people.
    case broken(String)

    public var description: String {
        switch self {
        case .ended: "the source of positions has come to its end"
        case .broken(let words): words
        }
    }
}
