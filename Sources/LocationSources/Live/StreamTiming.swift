import FoundationEssentials
import Navigation

/// Decides when each fix in a stream is passed on. A fix within an hour of the current time is live: it is passed on at once. All
/// other fixes count as recorded: they get new times, which begin now and keep the recorded intervals.
struct StreamTiming: Sendable {
    static let liveSeconds = 3_600.0

    struct Entry: Hashable, Sendable {
        let fix: LocationFix
        /// Time at which the fix is passed on; nil means at once.
        let due: Date?
    }

    struct Outcome: Hashable, Sendable {
        var entries: [Entry] = []
        /// Whether recorded fixes that are still waiting are dropped.
        var endsRecording = false
    }

    private var pace = RecordedPace()
    private var start: Date?
    /// Times of the latest run of fixes that are not later than the last accepted fix. The times rise within the run; a fix whose time does
    /// not rise starts a new run. A run of `TrackClock.setBackCount` fixes means that the clock was set back.
    private var late: [Double] = []
    /// The first recorded fix, which waits for a second one. A single recorded fix may be an old message that a broker has retained.
    private var held: LocationFix?

    mutating func add(_ fix: LocationFix, at now: Date) -> Outcome {
        if abs(fix.time.timeIntervalSince(now)) <= Self.liveSeconds {
            defer { self = StreamTiming() }
            return Outcome(entries: [Entry(fix: fix, due: nil)], endsRecording: held != nil || start != nil)
        }
        if start == nil, held == nil {
            held = fix
            return Outcome()
        }
        return Outcome(entries: release(at: now) + recorded(fix, at: now))
    }

    /// - Returns: the fix that waited for a second one; empty if no fix was waiting.
    mutating func finish(at now: Date) -> [Entry] { release(at: now) }

    private mutating func release(at now: Date) -> [Entry] {
        guard let first = held else { return [] }
        held = nil
        return recorded(first, at: now)
    }

    private mutating func recorded(_ fix: LocationFix, at now: Date) -> [Entry] {
        guard let offset = offset(of: fix.time.timeIntervalSince1970) else { return [] }
        let first = start ?? now
        start = first
        let due = first.addingTimeInterval(offset)
        return [Entry(fix: fix.moved(to: due), due: due)]
    }

    private mutating func offset(of time: Double) -> Double? {
        if let offset = pace.offset(of: time) {
            late = []
            return offset
        }
        if let last = late.last, time <= last { late = [] }
        late.append(time)
        guard late.count >= TrackClock.setBackCount else { return nil }
        late = []
        return pace.set(to: time)
    }
}

extension LocationFix {
    /// Returns the same fix with another time.
    func moved(to time: Date) -> LocationFix {
        LocationFix(
            coordinate: coordinate, time: time, accuracyMeters: accuracyMeters, courseDegrees: courseDegrees,
            speedMetersPerSecond: speedMetersPerSecond, altitudeMeters: altitudeMeters)
    }
}
