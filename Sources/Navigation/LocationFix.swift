public import FoundationEssentials
public import Geo

/// One position from a sensor, before it is snapped to a road. Values that the sensor does not know are nil.
///
/// Sensors write unknown values as negative numbers or as not-a-number. The initialiser turns those into nil, but keeps a negative
/// altitude, because it may be real.
public struct LocationFix: Hashable, Sendable {
    /// Highest plausible speed, in metres per second. A higher speed counts as invalid.
    public static let maximumSpeedMetersPerSecond = 1_000.0

    /// Position of the sensor.
    public let coordinate: Coordinate
    /// Time by the sensor's clock.
    public let time: Date
    /// 68 % confidence radius, in metres, 0 or more.
    public let accuracyMeters: Double?
    /// Direction of movement, in degrees clockwise from north, 0 ..< 360.
    public let courseDegrees: Double?
    /// Speed, in metres per second, 0 to `maximumSpeedMetersPerSecond`.
    public let speedMetersPerSecond: Double?
    /// Height above the WGS84 ellipsoid, in metres.
    public let altitudeMeters: Double?
    /// Error of the speed at 68 % confidence, in metres per second, 0 or more.
    public let speedAccuracyMetersPerSecond: Double?
    /// The nearest point on a road of a router's map; nil if no road is near, or if the roads are unknown. A navigator without a route
    /// snaps the fix to this point.
    public var nearestRoad: Coordinate?

    /// Creates a fix. Values that are out of range become nil.
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

    /// Whether the coordinate and the time are valid.
    var isUsable: Bool { coordinate.isValid && time.timeIntervalSinceReferenceDate.isFinite }
}

/// A position on the road of the route, or on the nearest road if there is no route (the location of
/// `GMSRoadSnappedLocationProviderListener`). It is the sensor's position if the vehicle is off its route, or if no road is near.
///
/// The SDK marks unknown values with -1 or NaN. Here they are nil, so that they cannot reach a server as numbers.
public struct RoadSnappedLocation: Hashable, Sendable {
    /// The point on the road if `isSnapped`, otherwise the sensor's position.
    public let coordinate: Coordinate
    /// The sensor's position.
    public let rawCoordinate: Coordinate
    /// Whether `coordinate` lies on a road.
    public let isSnapped: Bool
    /// Time by the sensor's clock.
    public let timestamp: Date
    /// 68 % confidence radius, in metres.
    public let accuracyMeters: Double?
    /// Direction of movement, in degrees clockwise from north, 0 ..< 360.
    public let courseDegrees: Double?
    /// Speed, in metres per second, 0 to `LocationFix.maximumSpeedMetersPerSecond`.
    public let speedMetersPerSecond: Double?
    /// Height above the WGS84 ellipsoid, in metres.
    public let altitudeMeters: Double?

    /// - Parameter place: the point on the road; nil keeps the sensor's position.
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

/// A source of fixes, such as a receiver, a recording or a simulation.
public protocol LocationSource: Sendable {
    /// Name to show to users, such as `GPX file` or `gpsd`.
    var name: String { get }
    /// Waits for the next fix until `deadline`. After the deadline it returns a fix only if one is ready. Only one task may wait at a time.
    ///
    /// - Returns: each fix once, in the order in which the fixes were made; nil if no fix came in time.
    /// - Throws: `LocationSourceError` when the source has no more fixes, `CancellationError` when the task is cancelled.
    func nextFix(until deadline: Date) async throws -> LocationFix?
}

/// The reason a source gives no more fixes.
public enum LocationSourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The source has no more fixes, for example because a recording has ended.
    case ended
    /// The source failed. The text is one sentence for the user.
    case broken(String)

    public var description: String {
        switch self {
        case .ended: "the source of positions has ended"
        case .broken(let words): words
        }
    }
}
