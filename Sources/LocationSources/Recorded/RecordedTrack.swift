import FoundationEssentials
public import Geo
import Navigation

/// A drive that is over, to be driven again: places with their times, or a line without any.
public struct RecordedTrack: Sendable {
    /// More places are not read: at one a second these are 11 days.
    public static let maximumCount = 1_000_000
    /// How fast a line without times is driven: 50 km/h, metres per second.
    public static let lineMetersPerSecond = 50 / 3.6
    /// Places of `line` are at least that far apart, metres: a receiver's noise while it stands makes no way.
    private static let lineStepMeters = 15.0

    enum Places: Sendable {
        /// In the order of their times.
        case timed([TrackPoint])
        case line(Polyline)
    }

    let places: Places
    /// Places of the file that are not driven: not on earth or exactly 0,0, without a time among others with one, or not later than the one
    /// before.
    public let omittedCount: Int
    /// How often the times of the file jump over more than a day, or fall because the clock was set back. Each time a second passes.
    public let jumpCount: Int
    /// Places of the file without a time of their own that lie between two with one, from which theirs follows.
    public let interpolatedCount: Int
    /// Why the times of the file are not used. Nil for a file that has none.
    public let unusedTimes: UnusedTimes?

    /// What ended the reading before the end of the file.
    public internal(set) var breakOff: LocationFileError?

    /// What was driven, as a way for a router.
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

    /// How long the drive is, seconds.
    public var durationSeconds: Double {
        switch places {
        case .timed(let points): points.last?.time ?? 0
        case .line(let line): line.lengthMeters / Self.lineMetersPerSecond
        }
    }

    /// How many fixes it gives.
    public var count: Int {
        switch places {
        case .timed(let points): points.count
        case .line(let line): Int((line.lengthMeters / Self.lineMetersPerSecond).rounded(.up)) + 1
        }
    }

    /// A fix of the drive.
    /// - Returns: how long after the first one it was made, and what is known of it; nil beyond the last one.
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
    ///   - points: with their times; `time` becomes the seconds since the first one.
    ///   - omitted: how many were left out before.
    ///   - interpolated: how many of the times are not the file's.
    ///   - settings: how often the clock was set back before.
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

    /// A line that is driven at 50 km/h.
    init(line: [Coordinate], omitted: Int, unusedTimes: UnusedTimes? = nil) {
        places = .line(Polyline(line))
        omittedCount = omitted
        (jumpCount, interpolatedCount) = (0, 0)
        self.unusedTimes = unusedTimes
    }

    /// What one clock recorded: by its times where they make a drive, otherwise as a line.
    init(recorded points: [TrackPoint], omitted: Int = 0) {
        do throws(UnusedTimes) {
            self = try Self.timed([points], omitted: omitted)
        } catch {
            self.init(line: points.map(\.coordinate), omitted: omitted, unusedTimes: error)
        }
    }

    /// Recordings one after the other in the order of their times.
    ///
    /// - Parameter omitted: how many places were left out before.
    /// - Throws: why their times make no drive.
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
