import FoundationEssentials

/// Notices that usable fixes stop coming, and that they come again. How long a silence must be depends on how often fixes come.
struct SignalWatch: Hashable, Sendable {
    /// As many of the usual pauses between fixes may be missing.
    static let missingPauses = 3.0
    /// The longest pause that counts as usual, seconds.
    static let longestPauseSeconds = 60.0
    /// What counts as usual after the first fix, seconds.
    static let firstPauseSeconds = 20.0
    /// How much of the usual pause the newest one makes.
    private static let newestShare = 0.2

    private(set) var isLost = false
    private var seenAt: Date?
    private var usualPauseSeconds: Double?

    /// A usable fix came.
    /// - Returns: for how long there was none, seconds, if that was a loss.
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
    /// - Returns: how long the silence is, seconds, if it has become a loss now.
    mutating func look(at now: Date, leastSeconds: Double) -> Double? {
        guard let seenAt, !isLost else { return nil }
        let silence = now.timeIntervalSince(seenAt)
        guard silence > max(leastSeconds, Self.missingPauses * (usualPauseSeconds ?? Self.firstPauseSeconds)) else { return nil }
        isLost = true
        return silence
    }
}
