import FoundationEssentials

/// Detects when usable fixes stop coming and when they resume. The length of silence that counts as a loss depends on the usual pause
/// between fixes.
struct SignalWatch: Hashable, Sendable {
    /// The signal counts as lost when no fix has arrived for this many times the usual pause.
    static let missingPauses = 3.0
    /// Upper limit of the usual pause, in seconds.
    static let longestPauseSeconds = 60.0
    /// Usual pause between fixes that is assumed until a second fix has arrived, in seconds.
    static let firstPauseSeconds = 20.0
    /// Weight of the newest pause in the moving average that gives the usual pause.
    private static let newestShare = 0.2

    private(set) var isLost = false
    private var seenAt: Date?
    private var usualPauseSeconds: Double?

    /// Records a usable fix.
    /// - Returns: seconds since the last fix, if the signal had been lost; otherwise nil.
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

    /// - Parameter leastSeconds: shortest time without fixes that can count as a loss.
    /// - Returns: seconds since the last fix, if the signal counts as lost from now on; otherwise nil.
    mutating func look(at now: Date, leastSeconds: Double) -> Double? {
        guard let seenAt, !isLost else { return nil }
        let silence = now.timeIntervalSince(seenAt)
        guard silence > max(leastSeconds, Self.missingPauses * (usualPauseSeconds ?? Self.firstPauseSeconds)) else { return nil }
        isLost = true
        return silence
    }
}
