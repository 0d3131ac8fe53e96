public import FleetEngine
public import FleetEngineAccess
import Synchronization

/// Counters of an engine's work since its start. Counting one call takes about 30 ns.
public final class EngineMetrics: Sendable {
    /// Counters of the calls of one RPC.
    private struct Tally {
        /// Number of calls, by the number of their status code.
        var codes = [Int](repeating: 0, count: StatusCode.allCases.count)
        var durations = Durations()
    }

    /// The counters of one RPC, with a lock of their own, so that calls of other RPCs need not wait.
    private final class LockedTally: Sendable {
        let tally = Mutex(Tally())
    }

    /// The counters of all RPCs; the index is the raw value of the RPC.
    private let calls = EngineRPC.allCases.map { _ in LockedTally() }
    private let stores = Mutex(Durations())
    private let hookLosses = Atomic(0)

    /// Counts an answered call.
    func note(_ rpc: EngineRPC, _ code: StatusCode, seconds: Double) {
        calls[rpc.rawValue].tally.withLock { tally in
            tally.codes[code.rawValue] += 1
            tally.durations.note(seconds)
        }
    }

    /// Records how long it took to write a batch of changes to disk, in seconds.
    public func noteStore(seconds: Double) { stores.withLock { $0.note(seconds) } }

    /// Counts trip events that were not sent to a hook.
    public func noteHookLoss(_ count: Int) { hookLosses.add(count, ordering: .relaxed) }

    /// Number of trip events that were not sent to a hook.
    public var hookLossCount: Int { hookLosses.load(ordering: .relaxed) }

    /// Number of calls of an RPC that were answered with this status code.
    public func count(_ rpc: EngineRPC, _ code: StatusCode) -> Int { calls[rpc.rawValue].tally.withLock { $0.codes[code.rawValue] } }

    /// Durations of all calls, from arrival to answer.
    var callDurations: Durations {
        calls.reduce(into: Durations()) { sum, tally in sum.add(tally.tally.withLock { $0.durations }) }
    }

    var storeDurations: Durations { stores.withLock { $0 } }
}

/// Histogram of durations, in Prometheus buckets.
struct Durations: Sendable {
    /// The upper bound of each bucket, in seconds. The last bucket has no bound.
    static let bounds = [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// Number of durations in each bucket; the last bucket counts the durations above all bounds.
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
