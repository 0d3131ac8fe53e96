import FoundationEssentials
import Geo
import Navigation

/// A point of a recording. It needs little memory, because a recording can have a million points. Unknown values are NaN.
struct TrackPoint: Hashable, Sendable {
    /// Accuracy of an ordinary receiver at a dilution of precision of 1, in metres. The accuracy is proportional to the dilution.
    static let metersPerDilution = 5.0
    /// Plausible times, in seconds since 1970: from 1980, when GPS time begins, to 2100.
    static let plausibleTimes = 315_532_800.0..<4_102_444_800.0

    var latitude = Double.nan
    var longitude = Double.nan
    /// Seconds since 1970.
    var time = Double.nan
    /// Altitude above the ellipsoid, in metres.
    var altitude = Double.nan
    /// Speed, in metres per second.
    var speed = Double.nan
    /// Course, in degrees clockwise from north.
    var course = Double.nan
    /// Accuracy, in metres.
    var accuracy = Double.nan

    var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
    var isTimed: Bool { Self.plausibleTimes.contains(time) }

    /// Interpolates the missing times between two known times, assuming a constant speed. No times are interpolated if the second known
    /// time is not after the first, or if the gap is longer than `RecordedPace.longestGapSeconds`. A point gets no time if it has the same
    /// position as the point before it, or if the remaining distance to the second known point is 0.
    /// - Returns: number of interpolated times.
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
                // Two points at the same position would get the same time.
                guard step > 0, along < meters else { continue }
                points[between].time = points[known].time + seconds * along / meters
                filled += 1
            }
        }
        return filled
    }

    /// - Parameter moment: the time of the fix. It replaces the recorded time.
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
