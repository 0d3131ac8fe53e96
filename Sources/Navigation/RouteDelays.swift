import Geo

/// The traffic delay from the start of a route to points along it. It is computed once.
///
/// If the router gives a leg's durations with and without traffic, the delay is their difference. It is spread over the slow stretches, or
/// over the whole leg if none of it is slow. If the router gives only the traffic, the delay is an estimate: a slow stretch takes twice as
/// long as the router says, and a jam four times as long.
struct RouteDelays: Hashable, Sendable {
    private struct Mark: Hashable {
        var meters: Double
        var delaySeconds: Double
        /// Length of the stretches with known traffic between the start of the route and this point, in metres.
        var knownMeters: Double
    }

    /// Smallest share of the remaining route on which traffic must be known before a delay is given.
    static let leastKnownShare = 0.5

    private var marks: [Mark] = []
    /// For each leg, whether its duration includes the delay.
    private var isIncluded: [Bool] = []

    /// Creates delays without any data.
    init() {}

    init(_ route: RouteLine, legs: [RouteLeg], seconds: (Double) -> Double) {
        guard !route.traffic.isEmpty || legs.contains(where: { $0.freeFlowSeconds != nil }) else { return }
        marks = [Mark(meters: 0, delaySeconds: 0, knownMeters: 0)]
        for leg in legs { append(leg, route.runs(fromMeters: leg.startMeters, toMeters: leg.endMeters), seconds) }
    }

    private mutating func append(_ leg: RouteLeg, _ runs: [TrafficStretch], _ seconds: (Double) -> Double) {
        isIncluded.append(leg.freeFlowSeconds != nil)
        let times = runs.map { max(0, seconds($0.endMeters) - seconds($0.startMeters)) }
        var delays = zip(runs, times).map { $1 * $0.speed.extraShare }
        if let free = leg.freeFlowSeconds {
            let weights = zip(runs, times).map { $1 * $0.speed.extraShare / (1 + $0.speed.extraShare) }
            let parts = weights.contains { $0 > 0 } ? weights : times
            let sum = parts.reduce(0, +)
            let total = max(0, leg.durationSeconds - free)
            delays = parts.map { sum > 0 ? total * $0 / sum : 0 }
        }
        for (run, delay) in zip(runs, delays) {
            let last = marks.last ?? Mark(meters: 0, delaySeconds: 0, knownMeters: 0)
            let isKnown = leg.freeFlowSeconds != nil || run.speed != .noData
            marks.append(
                Mark(
                    meters: run.endMeters, delaySeconds: last.delaySeconds + delay,
                    knownMeters: last.knownMeters + (isKnown ? run.lengthMeters : 0)))
        }
    }

    /// Returns the delay between a point on the line and the end of a leg. Nil if the point is at or beyond that end, or if traffic is
    /// unknown on over half of the part between them.
    /// - Parameter remainingSeconds: remaining time to the end of the leg, from the route's times.
    func delay(ofLeg index: Int, _ leg: RouteLeg, fromMeters meters: Double, remainingSeconds: Double) -> RouteDelay? {
        guard isIncluded.indices.contains(index), meters < leg.endMeters else { return nil }
        let (here, there) = (mark(atMeters: meters), mark(atMeters: leg.endMeters))
        guard there.knownMeters - here.knownMeters >= Self.leastKnownShare * (leg.endMeters - meters) else { return nil }
        let delay = max(0, there.delaySeconds - here.delaySeconds)
        return RouteDelay(delaySeconds: delay, freeFlowSeconds: max(0, remainingSeconds - (isIncluded[index] ? delay : 0)))
    }

    private func mark(atMeters meters: Double) -> Mark {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = low + (high - low) / 2
            if marks[middle].meters > meters { high = middle } else { low = middle + 1 }
        }
        let before = marks[max(0, low - 1)]
        guard low > 0, low < marks.count else { return before }
        let after = marks[low]
        let share = (meters - before.meters) / (after.meters - before.meters)
        return Mark(
            meters: meters, delaySeconds: before.delaySeconds + share * (after.delaySeconds - before.delaySeconds),
            knownMeters: before.knownMeters + share * (after.knownMeters - before.knownMeters))
    }
}

extension TrafficSpeed {
    /// Number of seconds lost to traffic for each second of driving without traffic.
    fileprivate var extraShare: Double {
        switch self {
        case .noData, .normal: 0
        case .slow: 1
        case .trafficJam: 3
        }
    }
}
