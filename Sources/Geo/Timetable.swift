/// The driving times along a line: marks with a distance and a time from the start. Between two marks, time is interpolated linearly.
public struct Timetable: Hashable, Sendable {
    /// The time at one point of the line.
    public struct Mark: Hashable, Sendable {
        /// Distance along the line, metres from its start.
        public var meters: Double
        /// Time since the start, in seconds.
        public var seconds: Double

        /// Creates a mark with given values, without checks.
        public init(meters: Double, seconds: Double) {
            self.meters = meters
            self.seconds = seconds
        }
    }

    /// The marks in order: neither metres nor seconds ever decrease.
    public let marks: [Mark]

    /// - Parameter marks: marks in driving order. A mark is left out if it has a value that is not finite, or if its distance
    ///   or time is less than that of the last mark that was kept.
    public init(_ marks: [Mark]) {
        var kept: [Mark] = []
        kept.reserveCapacity(marks.count)
        for mark in marks where mark.meters.isFinite && mark.seconds.isFinite {
            if let last = kept.last, mark.meters < last.meters || mark.seconds < last.seconds { continue }
            kept.append(mark)
        }
        self.marks = kept
    }

    /// Creates a timetable with a time for each coordinate of a line. Nil if the line is empty, if it has more or fewer coordinates than
    /// there are times, or if a time is not finite or is less than the previous time.
    /// - Parameter cumulativeSeconds: the time from the start to each coordinate of `line`, one entry per coordinate, never decreasing.
    public init?(_ line: Polyline, cumulativeSeconds: [Double]) {
        guard !cumulativeSeconds.isEmpty, cumulativeSeconds.count == line.cumulativeMeters.count else { return nil }
        self.init(zip(line.cumulativeMeters, cumulativeSeconds).map { Mark(meters: $0, seconds: $1) })
        guard marks.count == cumulativeSeconds.count else { return nil }
    }

    /// Time from the start to the last mark, in seconds; 0 without marks.
    public var durationSeconds: Double { marks.last?.seconds ?? 0 }

    /// Returns the time in seconds from the start to a distance, clamped to the first and the last mark. Returns 0 for a distance that is
    /// not a number.
    public func seconds(atMeters meters: Double) -> Double {
        let next = firstIndex(beyondMeters: meters)
        guard next < marks.count else { return meters.isNaN ? 0 : durationSeconds }
        guard next > 0 else { return marks[next].seconds }
        let (before, after) = (marks[next - 1], marks[next])
        return before.seconds + (after.seconds - before.seconds) * (meters - before.meters) / (after.meters - before.meters)
    }

    /// Returns the part between two distances. Its distances and times count from its own start.
    func slice(fromMeters start: Double, toMeters end: Double) -> Timetable {
        let passed = seconds(atMeters: start)
        let inside = marks[firstIndex(beyondMeters: start)...].prefix { $0.meters < end }
        let edge = Mark(meters: end - start, seconds: seconds(atMeters: end) - passed)
        return Timetable(
            [Mark(meters: 0, seconds: 0)] + inside.map { Mark(meters: $0.meters - start, seconds: $0.seconds - passed) } + [edge])
    }

    /// Returns this timetable, followed by `other`, which starts at the time of the last mark.
    /// - Parameter meters: the distance at which `other` starts, in metres from the start of this timetable.
    func appending(_ other: Timetable, atMeters meters: Double) -> Timetable {
        let passed = durationSeconds
        return Timetable(marks + other.marks.map { Mark(meters: $0.meters + meters, seconds: $0.seconds + passed) })
    }

    /// Returns the index of the first mark beyond `meters`; the number of marks if there is no such mark.
    private func firstIndex(beyondMeters meters: Double) -> Int {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = low + (high - low) / 2
            if marks[middle].meters > meters { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
