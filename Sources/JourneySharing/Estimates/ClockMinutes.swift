public import FoundationEssentials

/// The one rounding rule of clock times and of the minutes between them: a clock shows the full minute at or before a moment, and a count of
/// minutes is the difference of the two clock times that are shown. A rider who reads `14:07`, `6 min` and `14:13` finds that they agree.
public enum ClockMinutes {
    /// More minutes than these are not counted, some 190 years.
    private static let most = 1e8

    /// The full minute at or before `date`, as a clock shows it, minutes since 1970.
    static func shown(_ date: Date) -> Double { (date.timeIntervalSince1970 / 60).rounded(.down) }

    /// Whole minutes from the clock time of one moment to that of another; negative where `end` comes before, 0 for times that are no numbers.
    public static func count(from start: Date, to end: Date) -> Int {
        let minutes = shown(end) - shown(start)
        return minutes.isFinite ? Int(min(max(minutes, -most), most)) : 0
    }

    /// How long a clock shows the same minute from `date` on, seconds.
    static func secondsToNext(_ date: Date) -> Double { (shown(date) + 1) * 60 - date.timeIntervalSince1970 }
}
