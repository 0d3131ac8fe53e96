/// The reason why the times of a recording are not used. The recording's line is then driven at a constant speed.
public enum UnusedTimes: Error, Hashable, Sendable, CustomStringConvertible {
    /// A time cannot be read or is not plausible. The text is safe to print.
    case unreadable(String)
    /// The times of most points do not increase.
    case notRising
    /// The times of most points are more than a day away from the time of the point before.
    case daysApart
    /// Most points have no time, and their times cannot be interpolated.
    case few

    public var description: String {
        switch self {
        case .unreadable(let text): "“\(text)” is not a time between 1980 and 2100"
        case .notRising: "most points have the same time as the point before, or an earlier time"
        case .daysApart: "the times of most points are more than a day apart"
        case .few: "most points have no time"
        }
    }
}

/// Corrects faults of a recording's clock, and counts them.
struct TrackClock {
    /// Number of successive points that prove that the clock was set back. Their times must rise from one to the next, but none may be
    /// later than the time of the last point before this run.
    static let setBackCount = 3
    private static let mostOpenLeaps = 8

    /// Number of points with a time.
    private(set) var timed = 0
    /// Number of removed points. Each was earlier than the last kept point, by at most a day, and the points after it did not prove that
    /// the clock was set back.
    private(set) var late = 0
    /// Number of points with the same time as the point before. These times are removed.
    private(set) var repeated = 0
    /// Number of pairs of successive points whose times are more than a day apart.
    private(set) var leaps = 0
    /// Number of backward jumps of the clock, each of at most a day.
    private(set) var settings = 0

    /// The reason why the times do not form a plausible drive; nil if they do.
    var complaint: UnusedTimes? {
        let steps = timed - 1
        guard steps > 0 else { return nil }
        // In a file with fixes from two receivers, half of the points may be late. The times of such a file are still used.
        if 3 * late >= 2 * steps { return .notRising }
        return 2 * leaps > steps ? .daysApart : nil
    }

    /// - Parameter points: points of one recording, in their order.
    mutating func mend(_ points: inout [TrackPoint]) {
        Self.clearStrays(&points)
        let known = points.indices.filter { points[$0].isTimed }
        timed += known.count
        var last: Double?
        var shift = 0.0
        var removed: Set<Int> = []
        for (position, index) in known.enumerated() {
            let step = last.map { points[index].time + shift - $0 } ?? 1
            if abs(step) > RecordedPace.longestGapSeconds {
                leaps += 1
            } else if step == 0 {
                repeated += 1
                points[index].time = .nan
                continue
            } else if step < 0 {
                guard let last, Self.isSetBack(known[position...].prefix(Self.setBackCount).map { points[$0].time + shift }, last) else {
                    late += 1
                    removed.insert(index)
                    continue
                }
                settings += 1
                shift += 1 - step
            }
            points[index].time += shift
            last = points[index].time
        }
        guard !removed.isEmpty else { return }
        points = points.indices.filter { !removed.contains($0) }.map { points[$0] }
    }

    /// Removes times with a wrong date. The times around such a time agree with each other, but are more than a day away from it.
    private static func clearStrays(_ points: inout [TrackPoint]) {
        var open: [Int] = []
        var last: Int?
        for index in points.indices where points[index].isTimed {
            defer { last = index }
            guard let before = last, abs(points[index].time - points[before].time) > RecordedPace.longestGapSeconds else { continue }
            let home = open.firstIndex { (0...RecordedPace.longestGapSeconds).contains(points[index].time - points[$0].time) }
            guard let home else {
                open.append(before)
                if open.count > mostOpenLeaps { open.removeFirst() }
                continue
            }
            for stray in (open[home] + 1)..<index { points[stray].time = .nan }
            open.removeSubrange(home...)
        }
    }

    private static func isSetBack(_ times: [Double], _ last: Double) -> Bool {
        times.count == setBackCount && times.allSatisfy { $0 <= last } && zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
    }
}
