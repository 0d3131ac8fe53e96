import FoundationEssentials
import Geo

/// The movement between a fix and the one before it.
struct FixMotion {
    /// Upper limit of the time between two fixes, in seconds. A longer time counts as this limit.
    private static let longestGapSeconds = 3_600.0
    /// The number of seconds by which the sensor's clock may run ahead of the local clock between two fixes.
    private static let clockSlackSeconds = 60.0

    let seconds: Double
    /// Estimated distance driven since the last fix that was matched to the route, in metres. It is at least the straight-line distance
    /// from that fix's place on the route. If no fix has been matched, it is the estimated distance since the fix before this one; 0 for
    /// the first fix.
    let travelledMeters: Double
    let speedMetersPerSecond: Double?
    /// Direction of movement, in degrees: the sensor's course, or else the direction from the last fix. Nil if neither is
    /// reliable.
    let courseDegrees: Double?

    /// Returns nil for a fix that is not newer than the one before.
    ///
    /// - Parameter matched: the last point on the route to which a fix was matched, and the local time at which that fix arrived.
    init?(_ fix: LocationFix, at now: Date, after last: NavigatorState.SeenFix?, matched: NavigatorState.MatchedPlace?) {
        guard let last else {
            seconds = 0
            travelledMeters = 0
            speedMetersPerSecond = fix.speedMetersPerSecond
            courseDegrees = Self.sensorCourse(fix)
            return
        }
        guard let elapsed = Self.elapsedSeconds(fix, now, last) else { return nil }
        let seconds = min(elapsed, Self.longestGapSeconds)
        self.seconds = seconds
        let sensorCourse = Self.sensorCourse(fix)
        let needsDisplacement = fix.speedMetersPerSecond == nil || sensorCourse == nil
        let displacement = needsDisplacement ? last.fix.coordinate.distanceMeters(to: fix.coordinate) : 0
        let measured = fix.speedMetersPerSecond ?? (seconds > 0 ? displacement / seconds : nil)
        speedMetersPerSecond = measured
        let unmatchedSeconds = matched.map { min(max(seconds, now.timeIntervalSince($0.seenAt)), Self.longestGapSeconds) } ?? seconds
        let straight = matched.map { $0.coordinate.distanceMeters(to: fix.coordinate) } ?? 0
        travelledMeters = max(straight, (measured ?? 0) * unmatchedSeconds)
        let isLong = displacement >= max(10, fix.accuracyMeters ?? 10)
        courseDegrees = sensorCourse ?? (isLong ? last.fix.coordinate.bearingDegrees(to: fix.coordinate) : nil)
    }

    private static func sensorCourse(_ fix: LocationFix) -> Double? {
        guard let speed = fix.speedMetersPerSecond else { return fix.courseDegrees }
        return speed >= OffRouteDetector.courseSpeedMetersPerSecond ? fix.courseDegrees : nil
    }

    /// Returns the seconds between the two fixes by the sensor's clock, or by the local clock if the sensor's clock was set in
    /// between. Returns nil if the fix is not newer than the last one.
    private static func elapsedSeconds(_ fix: LocationFix, _ now: Date, _ last: NavigatorState.SeenFix) -> Double? {
        let ours = max(0, now.timeIntervalSince(last.seenAt))
        let sensors = fix.time.timeIntervalSince(last.fix.time)
        if sensors > 0 { return sensors <= ours + clockSlackSeconds ? sensors : ours }
        return sensors < -clockSlackSeconds && ours > 0 ? ours : nil
    }
}
