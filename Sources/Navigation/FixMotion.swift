import FoundationEssentials
import Geo

/// The movement between a fix and the one before it.
struct FixMotion {
    /// A longer pause between two fixes counts as this long, seconds.
    private static let longestGapSeconds = 3_600.0
    /// Most seconds that the sensor's clock may gain on the local clock between two fixes.
    private static let clockSlackSeconds = 60.0

    let seconds: Double
    /// Estimated distance driven since the last match, metres; at least the straight-line distance from its place.
    let travelledMeters: Double
    let speedMetersPerSecond: Double?
    /// The sensor's course while the vehicle moves, otherwise the direction of the displacement if it is long enough.
    let courseDegrees: Double?

    /// Returns nil for a fix that is not newer than the one before.
    ///
    /// - Parameter matched: the last place on the road and its time.
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

    /// Seconds between the two fixes, by the sensor's clock, which may be wrong but runs evenly. If the sensor's clock was reset, the local
    /// clock counts. Nil if the fix is not newer than the last one.
    private static func elapsedSeconds(_ fix: LocationFix, _ now: Date, _ last: NavigatorState.SeenFix) -> Double? {
        let ours = max(0, now.timeIntervalSince(last.seenAt))
        let sensors = fix.time.timeIntervalSince(last.fix.time)
        if sensors > 0 { return sensors <= ours + clockSlackSeconds ? sensors : ours }
        return sensors < -clockSlackSeconds && ours > 0 ? ours : nil
    }
}
