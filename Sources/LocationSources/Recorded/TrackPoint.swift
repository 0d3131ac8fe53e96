import FoundationEssentials
import Geo
import Navigation

/// A place of a recording, small enough to hold a million of them. Not-a-number stands for what is unknown.
struct TrackPoint: Hashable, Sendable {
    /// The accuracy of an ordinary receiver where its satellites stand ideally, metres: a dilution of precision is a multiple of it.
    static let metersPerDilution = 5.0
    /// The moments that a receiver may mean: 1980, when GPS time begins, to 2100.
    static let plausibleTimes = 315_532_800.0..<4_102_444_800.0

    var latitude = Double.nan
    var longitude = Double.nan
    /// Seconds since 1970.
    var time = Double.nan
    /// Above the ellipsoid, metres.
    var altitude = Double.nan
    /// Metres per second.
    var speed = Double.nan
    /// Degrees clockwise from north.
    var course = Double.nan
    /// Metres.
    var accuracy = Double.nan

    var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
    var isTimed: Bool { Self.plausibleTimes.contains(time) }

    /// Gives places without a time the one at which they are passed at an even pace between the nearest two that have one. Those before the first
    /// time and after the last, and those between times that do not rise, stay without.
    /// - Returns: how many got one.
    static func fillTimes(_ points: inout [TrackPoint]) -> Int {
        var filled = 0
        var known: Int?
        for index in points.indices where points[index].isTimed {
            defer { known = index }
            guard let known, index > known + 1 else { continue }
            let seconds = points[index].time - points[known].time
            let places = points[known...index]
            let steps = zip(places, places.dropFirst()).map { $0.coordinate.distanceMeters(to: $1.coordinate) }
            let meters = steps.reduce(0, +)
            guard seconds > 0, seconds <= RecordedPace.longestGapSeconds, meters > 0 else { continue }
            var along = 0.0
            for (step, between) in zip(steps, known + 1..<index) {
                along += step
                // One at the place of the one before, or of the next with a time, would have that one's time.
                guard step > 0, along < meters else { continue }
                points[between].time = points[known].time + seconds * along / meters
                filled += 1
            }
        }
        return filled
    }

    /// - Parameter moment: the time of the fix, whatever the recording says.
    func fix(at moment: Date) -> LocationFix {
        LocationFix(
            coordinate: coordinate, time: moment, accuracyMeters: accuracy > 0 ? accuracy : nil,
            courseDegrees: course <= 360 ? course : nil, speedMetersPerSecond: speed <= 200 ? speed : nil,
            altitudeMeters: abs(altitude) < 20_000 ? altitude : nil)
    }
}

extension TrackPoint {
    init(_ fix: LocationFix) {
        (latitude, longitude) = (fix.coordinate.latitude, fix.coordinate.longitude)
        time = fix.time.timeIntervalSince1970
        altitude = fix.altitudeMeters ?? .nan
        speed = fix.speedMetersPerSecond ?? .nan
        course = fix.courseDegrees ?? .nan
        accuracy = fix.accuracyMeters ?? .nan
    }
}
