import FoundationEssentials
import Navigation

/// Says when a fix of a stream counts. One whose time is within an hour of ours is live: it counts at once, with its time. Others are
/// recorded: the first one is now, and the others come at their own pace.
struct StreamTiming: Sendable {
    static let liveSeconds = 3_600.0

    struct Entry: Hashable, Sendable {
        let fix: LocationFix
        /// Nil for at once.
        let due: Date?
    }

    struct Outcome: Hashable, Sendable {
        var entries: [Entry] = []
        /// Recorded fixes that still wait are of no use any more.
        var endsRecording = false
    }

    private var pace = RecordedPace()
    private var start: Date?
    /// The times of the last recorded fixes that were not later than the one before.
    private var late: [Double] = []
    /// The first recorded fix waits for a second one: alone it may be what a broker has kept from yesterday.
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

    /// - Returns: what waited for another fix.
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
    /// The same with another time.
    func moved(to time: Date) -> LocationFix {
        LocationFix(
            coordinate: coordinate, time: time, accuracyMeters: accuracyMeters, courseDegrees: courseDegrees,
            speedMetersPerSecond: speedMetersPerSecond, altitudeMeters: altitudeMeters)
    }
}
