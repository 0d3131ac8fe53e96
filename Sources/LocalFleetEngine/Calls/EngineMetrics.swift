public import FleetEngine
public import FleetEngineAccess
import Synchronization

/// What an engine counts of its own work since it was made. To count a call takes some thirty nanoseconds.
public final class EngineMetrics: Sendable {
    /// The calls of one kind.
    private struct Tally {
        /// How many, by the number of the code.
        var codes = [Int](repeating: 0, count: StatusCode.allCases.count)
        var durations = Durations()
    }

    /// One lock for the calls of one kind, so that those of others do not wait for it.
    private final class LockedTally: Sendable {
        let tally = Mutex(Tally())
    }

    /// By the number of the call.
    private let calls = EngineRPC.allCases.map { _ in LockedTally() }
    private let stores = Mutex(Durations())
    private let hookLosses = Atomic(0)

    /// Takes in that a call was answered.
    func note(_ rpc: EngineRPC, _ code: StatusCode, seconds: Double) {
        calls[rpc.rawValue].tally.withLock { tally in
            tally.codes[code.rawValue] += 1
            tally.durations.note(seconds)
        }
    }

    /// Takes in how long it took until what a call has changed was on disk, seconds.
    public func noteStore(seconds: Double) { stores.withLock { $0.note(seconds) } }

    /// Takes in that events of trips were not told to a hook.
    public func noteHookLoss(_ count: Int) { hookLosses.add(count, ordering: .relaxed) }

    /// How many events of trips were not told to a hook.
    public var hookLossCount: Int { hookLosses.load(ordering: .relaxed) }

    /// How many calls of a kind were answered with a code.
    public func count(_ rpc: EngineRPC, _ code: StatusCode) -> Int { calls[rpc.rawValue].tally.withLock { $0.codes[code.rawValue] } }

    /// From a call's arrival to its answer, of all calls.
    var callDurations: Durations {
        calls.reduce(into: Durations()) { sum, tally in sum.add(tally.tally.withLock { $0.durations }) }
    }

    var storeDurations: Durations { stores.withLock { $0 } }
}

/// How long things took, as Prometheus counts it.
struct Durations: Sendable {
    /// The longest that belongs to each bucket but the last, seconds.
    static let bounds = [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// How many fell into each bucket, those longer than all bounds last.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var sumSeconds = 0.0

    mutating func note(_ seconds: Double) {
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sumSeconds += seconds
    }

    mutating func add(_ other: Durations) {
        for (index, count) in other.counts.enumerated() { counts[index] += count }
        sumSeconds += other.sumSeconds
    }
}
