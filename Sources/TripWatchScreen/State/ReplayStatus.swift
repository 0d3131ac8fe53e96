package import FoundationEssentials
import TripWatchSettings
import TripWatchWords

/// Position and speed of a replay.
package struct ReplayStatus: Hashable, Sendable {
    /// The first and the last moment of the recording.
    package var start, end: Date
    /// The moment of the recording that the screen shows.
    package var now: Date
    /// Recorded seconds per second of real time.
    package var speed: Double
    package var isPaused: Bool
    /// Progress of a seek, 0 ... 1: how much of the recording before the seek target has been computed. Nil while the user is not seeking.
    package var seeking: Double?

    package init(start: Date, end: Date, now: Date, speed: Double, isPaused: Bool, seeking: Double? = nil) {
        self.start = start
        self.end = end
        self.now = now
        self.speed = speed
        self.isPaused = isPaused
        self.seeking = seeking
    }

    package var hasEnded: Bool { now >= end }

    /// Played part of the recording, 0 ... 1.
    var fraction: Double {
        let whole = end.timeIntervalSince(start)
        return whole > 0 ? min(1, max(0, now.timeIntervalSince(start) / whole)) : 1
    }

    /// The position as text: `5:12 of 29:10`.
    var position: String {
        if let seeking { return "seeking, \(Int(seeking * 100)) %" }
        return "\(TripWords.stopwatch(now.timeIntervalSince(start))) of \(TripWords.stopwatch(end.timeIntervalSince(start)))"
    }

    /// Text in the corner of the screen: `replay 4x`, `paused 4x`, `replay ended`.
    var corner: String {
        if hasEnded { return "replay ended" }
        return "\(isPaused ? "paused" : "replay") \(Self.text(speed: speed))"
    }

    /// Returns the text of a speed: `4x`, `0.5x`.
    static func text(speed: Double) -> String {
        let isWhole = speed >= 1 && speed == speed.rounded() && speed < 1e7
        return (isWhole ? "\(Int(speed))" : speed.fixed(decimals: speed < 0.1 ? 2 : 1)) + "x"
    }
}

/// The screen and status of a replay at one moment.
package struct ReplayFrame: Sendable {
    /// The screen at this moment, without the user's choices.
    package var state: AppState
    package var status: ReplayStatus

    package init(state: AppState, status: ReplayStatus) {
        (self.state, self.status) = (state, status)
    }
}

/// A user's command for a replay.
package enum ReplayCommand: Hashable, Sendable {
    /// Pause or continue; restart at the end.
    case pause
    case slower
    case faster
    /// Move the replay forward by this many seconds of the recording, or back if negative.
    case scrub(seconds: Double)
    case nextEvent
    case previousEvent
}
