public import FoundationEssentials

/// Rounding rule for all clock times and the minutes between them.
///
/// A clock shows the full minute at or before a moment. A number of minutes is the difference between the two shown clock times.
/// So `14:07`, `6 min` and `14:13` agree for a rider who reads all three.
public enum ClockMinutes {
    /// Largest number of minutes that is counted, about 190 years.
    private static let most = 1e8

    /// Returns the full minute at or before `date`, as a clock shows it, in minutes since 1970.
    static func shown(_ date: Date) -> Double { (date.timeIntervalSince1970 / 60).rounded(.down) }

    /// Returns the whole minutes between the clock times of two moments; negative if `end` is earlier, 0 for times that are not numbers.
    public static func count(from start: Date, to end: Date) -> Int {
        let minutes = shown(end) - shown(start)
        return minutes.isFinite ? Int(min(max(minutes, -most), most)) : 0
    }

    /// Returns the time nearest to `date` within the clock minute of `shown`. A later date gives the last second of this minute.
    static func nearest(to date: Date, inMinuteOf shown: Date) -> Date {
        let first = Date(timeIntervalSince1970: self.shown(shown) * 60)
        guard date >= first else { return first }
        return date < first.addingTimeInterval(60) ? date : first.addingTimeInterval(59)
    }

    /// Returns the time from `date` until a clock shows the next minute, in seconds.
    static func secondsToNext(_ date: Date) -> Double { (shown(date) + 1) * 60 - date.timeIntervalSince1970 }
}
