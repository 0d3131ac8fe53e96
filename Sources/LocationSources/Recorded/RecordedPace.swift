/// Converts recorded times to seconds since the first recorded time. The seconds never decrease.
struct RecordedPace: Sendable {
    /// Longest pause between two fixes, in seconds. A longer pause means that the clock was set or the time is wrong.
    static let longestGapSeconds = 86_400.0

    private var last: Double?
    private var elapsed = 0.0
    /// Number of clock jumps so far.
    private(set) var jumpCount = 0

    /// - Parameter time: the recorded time, in seconds since a fixed moment.
    /// - Returns: the seconds since the first recorded time. Nil if `time` is the same as the time before it, or up to a day earlier. A
    ///   difference of over a day, in either direction, is a clock jump and counts as 1 s.
    mutating func offset(of time: Double) -> Double? {
        guard let last else {
            self.last = time
            return 0
        }
        let step = time - last
        guard abs(step) <= Self.longestGapSeconds else { return set(to: time) }
        guard step > 0 else { return nil }
        self.last = time
        elapsed += step
        return elapsed
    }

    /// Accepts `time` as the first recorded time after a clock jump. The jump itself counts as one second.
    mutating func set(to time: Double) -> Double {
        jumpCount += 1
        last = time
        elapsed += 1
        return elapsed
    }
}
