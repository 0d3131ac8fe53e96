import FoundationEssentials

/// Detects when usable fixes stop coming and when they come again. The length of silence that counts as a loss depends on the usual pause
/// between fixes.
struct SignalWatch: Hashable, Sendable {
    /// Number of usual pauses that may pass without a fix.
    static let missingPauses = 3.0
    /// The longest pause that counts as usual, seconds.
    static let longestPauseSeconds = 60.0
    /// Pause that is assumed to be usual after the first fix, seconds.
    static let firstPauseSeconds = 20.0
    /// Weight of the newest pause in the moving average that is the usual pause.
    private static let newestShare = 0.2

    private(set) var isLost = false
    private var seenAt: Date?
    private var usualPauseSeconds: Double?

    /// Records a usable fix.
    /// - Returns: length of the silence before the fix, seconds, if it counted as a loss.
    mutating func see(at now: Date) -> Double? {
        let pause = seenAt.map { max(0, now.timeIntervalSince($0)) }
        let wasLost = isLost
        seenAt = now
        isLost = false
        guard let pause else { return nil }
        let newest = min(pause, Self.longestPauseSeconds)
        usualPauseSeconds = usualPauseSeconds.map { $0 + (newest - $0) * Self.newestShare } ?? newest
        return wasLost ? pause : nil
    }

    /// - Parameter leastSeconds: the shortest silence that counts.
    /// - Returns: length of the silence, seconds, if it has become a loss now.
    mutating func look(at now: Date, leastSeconds: Double) -> Double? {
        guard let seenAt, !isLost else { return nil }
        let silence = now.timeIntervalSince(seenAt)
        guard silence > max(leastSeconds, Self.missingPauses * (usualPauseSeconds ?? Self.firstPauseSeconds)) else { return nil }
        isLost = true
        return silence
    }
}
