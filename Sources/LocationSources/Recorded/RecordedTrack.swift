import FoundationEssentials
public import Geo
import Navigation

/// A finished drive that can be driven again: points with their times, or a line without times.
public struct RecordedTrack: Sendable {
    /// Maximum number of points. With one point per second, that is a drive of 11 days.
    public static let maximumCount = 1_000_000
    /// Maximum number of segments and routes. Each needs more memory than a point.
    public static let maximumPartCount = 100_000
    /// Speed on a line without times: 50 km/h, in metres per second.
    public static let lineMetersPerSecond = 50 / 3.6
    /// Minimum distance between two consecutive points of a timed drive's `line`, in metres. The last point may be nearer. The minimum
    /// removes the noise of a receiver that does not move.
    private static let lineStepMeters = 15.0

    enum Places: Sendable {
        /// Points in the order of their times.
        case timed([TrackPoint])
        case line(Polyline)
    }

    let places: Places
    /// Number of points that were left out. A point is left out if its position is invalid or exactly 0,0. A timed drive also leaves out
    /// points that have no time, or the same time as the point before, unless a time can be interpolated. Except after a clock jump, it
    /// also leaves out points that are earlier than the point before. A line keeps only the track with the most points, or the route with
    /// the most points if no track has points. The points of the other tracks, or of the other routes, count as left out.
    public let omittedCount: Int
    /// Number of clock jumps in the file: backwards, or by more than a day. In the drive, a jump takes one second.
    public let jumpCount: Int
    /// Number of points whose time is interpolated between two points with a time.
    public let interpolatedCount: Int
    /// The reason why the file's times are not used. Nil for a file without times.
    public let unusedTimes: UnusedTimes?

    /// Error that stopped the reading before the end of the file; nil if the whole file was read.
    public internal(set) var breakOff: LocationFileError?

    /// The driven path, for a router.
    public var line: Polyline {
        guard case .timed(let points) = places else { return wholeLine }
        var kept: [Coordinate] = []
        for point in points where kept.last.map({ $0.distanceMeters(to: point.coordinate) >= Self.lineStepMeters }) ?? true {
            kept.append(point.coordinate)
        }
        if let last = points.last?.coordinate, kept.last != last { kept.append(last) }
        return Polyline(kept)
    }

    private var wholeLine: Polyline { if case .line(let line) = places { line } else { Polyline([]) } }

    /// Duration of the drive, in seconds.
    public var durationSeconds: Double {
        switch places {
        case .timed(let points): points.last?.time ?? 0
        case .line(let line): line.lengthMeters / Self.lineMetersPerSecond
        }
    }

    /// Number of fixes of the drive.
    public var count: Int {
        switch places {
        case .timed(let points): points.count
        case .line(let line): Int((line.lengthMeters / Self.lineMetersPerSecond).rounded(.up)) + 1
        }
    }

    /// Finds a fix of the drive by its index.
    /// - Returns: the fix, and its time in seconds since the first one; nil beyond the last fix.
    func point(_ index: Int) -> (seconds: Double, point: TrackPoint)? {
        guard index >= 0, index < count else { return nil }
        switch places {
        case .timed(let points): return (points[index].time, points[index])
        case .line(let line):
            let seconds = min(Double(index), durationSeconds)
            let meters = seconds * Self.lineMetersPerSecond
            guard let place = line.coordinate(atMeters: meters) else { return nil }
            var point = TrackPoint()
            (point.latitude, point.longitude) = (place.latitude, place.longitude)
            point.course = line.bearingDegrees(atMeters: meters) ?? .nan
            point.speed = line.lengthMeters > 0 ? Self.lineMetersPerSecond : .nan
            return (seconds, point)
        }
    }
}

extension RecordedTrack {
    /// - Parameters:
    ///   - points: points with their times. `time` becomes the seconds since the first one.
    ///   - omitted: number of points that were already left out.
    ///   - interpolated: number of interpolated times.
    ///   - settings: how often the clock was set back, as counted by the caller.
    init(timed points: [TrackPoint], omitted: Int = 0, interpolated: Int = 0, settings: Int = 0) {
        var pace = RecordedPace()
        var kept: [TrackPoint] = []
        kept.reserveCapacity(points.count)
        for var point in points {
            guard point.isTimed, point.coordinate.isBelievablePosition, let offset = pace.offset(of: point.time) else { continue }
            point.time = offset
            kept.append(point)
        }
        places = .timed(kept)
        omittedCount = omitted + points.count - kept.count
        jumpCount = pace.jumpCount + settings
        interpolatedCount = interpolated
        unusedTimes = nil
    }

    /// Creates a line that is driven at 50 km/h.
    init(line: [Coordinate], omitted: Int, unusedTimes: UnusedTimes? = nil) {
        places = .line(Polyline(line))
        omittedCount = omitted
        (jumpCount, interpolatedCount) = (0, 0)
        self.unusedTimes = unusedTimes
    }

    /// Creates the track of one recording. The times are used if they form a plausible drive; otherwise the track is a line.
    init(recorded points: [TrackPoint], omitted: Int = 0) {
        do throws(UnusedTimes) {
            self = try Self.timed([points], omitted: omitted)
        } catch {
            self.init(line: points.map(\.coordinate), omitted: omitted, unusedTimes: error)
        }
    }

    /// Joins recordings in the order of their times.
    ///
    /// - Parameter omitted: number of points that were already left out.
    /// - Throws: the reason why the times of the recordings do not form a plausible drive.
    static func timed(_ parts: [[TrackPoint]], omitted: Int) throws(UnusedTimes) -> RecordedTrack {
        var clock = TrackClock()
        var interpolated = 0
        var starts: [(time: Double, points: [TrackPoint])] = []
        for var points in parts {
            clock.mend(&points)
            interpolated += TrackPoint.fillTimes(&points)
            if let first = points.first(where: \.isTimed) { starts.append((first.time, points)) }
        }
        if let complaint = clock.complaint { throw complaint }
        let count = parts.reduce(0) { $0 + $1.count }
        let ordered = starts.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        let points = ordered.flatMap(\.element.points)
        let known = clock.timed > 1 || count < 2 ? points.count(where: \.isTimed) : 0
        guard 2 * known >= count - clock.late else { throw 2 * clock.repeated > clock.timed ? .notRising : .few }
        return RecordedTrack(timed: points, omitted: omitted + count - points.count, interpolated: interpolated, settings: clock.settings)
    }
}
