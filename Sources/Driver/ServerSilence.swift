import FleetEngine
import FoundationEssentials

/// Measures how long the driver's reads have been unanswered.
struct ServerSilence {
    /// The time of the first unanswered read since the server's last answer.
    private var began: Date?

    /// Ends the silence.
    /// - Returns: the length of the silence, in seconds; nil if there was no silence.
    mutating func end(at now: Date) -> Double? {
        guard let began else { return nil }
        self.began = nil
        return max(0, now.timeIntervalSince(began))
    }

    /// Starts the silence if the read failed with a retryable error. Ends it if the server answered with any other error.
    /// - Returns: the length of the ended silence, in seconds; nil if none has ended.
    mutating func noteFailedRead(_ error: FleetEngineError, at now: Date) -> Double? {
        if error.errorClass() == .retryable {
            began = began ?? now
            return nil
        }
        return error.origin == .server ? end(at: now) : nil
    }
}
