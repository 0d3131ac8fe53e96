import FleetEngine
import FoundationEssentials
import Synchronization

/// A clock that stands still until a test moves it.
///
/// Sleepers are woken one at a time, in the order of their deadlines and, where those are equal, of their going to sleep. The clock shows exactly the
/// deadline while one wakes up. To know that a woken part has done its work and sleeps again, the test says how many parts of the system
/// wait on the clock while nothing happens (its *parties*): the clock goes on when that many sleep.
final class ManualTimeSource: TimeSource {
    enum Failure: Error, Equatable {
        /// The system still ran when the stated limit was reached.
        case limitReached(Date)
    }

    private struct Sleeper {
        var id: Int
        var deadline: Date
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        var parties: Int
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct Shared {
        var now: Date
        var lastID = 0
        /// In the order of going to sleep.
        var sleepers: [Sleeper] = []
        /// Cancelled before they slept.
        var cancelled: Set<Int> = []
        var watchers: [Watcher] = []
        var isFinished = false
    }

    private let shared: Mutex<Shared>

    init(_ now: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        shared = Mutex(Shared(now: now))
    }

    func now() -> Date { shared.withLock { $0.now } }

    func sleep(until deadline: Date) async throws {
        let id = shared.withLock { shared in
            shared.lastID += 1
            return shared.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = shared.withLock { shared -> Result<Void, any Error>? in
                    if shared.cancelled.remove(id) != nil || Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= shared.now { return .success(()) }
                    shared.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) } else { wakeWatchers() }
            }
        } onCancel: {
            let sleeper = shared.withLock { shared -> Sleeper? in
                guard let index = shared.sleepers.firstIndex(where: { $0.id == id }) else {
                    shared.cancelled.insert(id)
                    return nil
                }
                return shared.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// How many sleep now.
    var sleeperCount: Int { shared.withLock { $0.sleepers.count } }

    /// Returns when at least so many sleep.
    func sleepers(atLeast parties: Int) async { _ = await ready(parties) }

    /// Moves the clock to `target` and wakes all who are due on the way. Before each waking, and at the end, so many sleep.
    func advance(to target: Date, parties: Int = 0) async {
        while true {
            await sleepers(atLeast: parties)
            guard let deadline = nextDeadline, deadline <= target else { break }
            wakeNext()
        }
        shared.withLock { $0.now = max($0.now, target) }
    }

    func advance(seconds: Double, parties: Int = 0) async {
        await advance(to: now().addingTimeInterval(seconds), parties: parties)
    }

    /// Runs `operation` to its end and moves the clock from deadline to deadline meanwhile, whenever so many sleep.
    ///
    /// - Parameters:
    ///   - cancelAt: cancels the operation's task at this time.
    ///   - limit: the longest that the operation may take on this clock, seconds.
    /// - Throws: `Failure.limitReached`.
    func run<Value: Sendable>(
        parties: Int, cancelAt: Date? = nil, limit: Double = 7_200, _ operation: @escaping @Sendable () async -> Value
    ) async throws -> Value {
        let end = now().addingTimeInterval(limit)
        shared.withLock { $0.isFinished = false }
        let task = Task {
            let value = await operation()
            self.finish()
            return value
        }
        var cancelAt = cancelAt
        while await ready(parties) {
            guard let deadline = nextDeadline else { continue }
            if let date = cancelAt, deadline > date {
                cancelAt = nil
                shared.withLock { $0.now = max($0.now, date) }
                task.cancel()
            } else if deadline > end {
                task.cancel()
                throw Failure.limitReached(end)
            } else {
                wakeNext()
            }
        }
        return await task.value
    }

    private var nextDeadline: Date? { shared.withLock { $0.sleepers.map(\.deadline).min() } }

    private func wakeNext() {
        let sleeper = shared.withLock { shared -> Sleeper? in
            guard let deadline = shared.sleepers.map(\.deadline).min(),
                let index = shared.sleepers.firstIndex(where: { $0.deadline == deadline })
            else { return nil }
            shared.now = max(shared.now, deadline)
            return shared.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume()
    }

    /// Waits until so many sleep or the operation of `run` has ended.
    /// - Returns: false at the end.
    private func ready(_ parties: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = shared.withLock { shared -> Bool? in
                if shared.isFinished { return false }
                if shared.sleepers.count >= parties { return true }
                shared.watchers.append(Watcher(parties: parties, continuation: continuation))
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private func finish() {
        shared.withLock { $0.isFinished = true }
        wakeWatchers()
    }

    private func wakeWatchers() {
        let (ready, answer) = shared.withLock { shared in
            let isFinished = shared.isFinished
            let count = shared.sleepers.count
            let ready = shared.watchers.filter { isFinished || count >= $0.parties }
            shared.watchers.removeAll { isFinished || count >= $0.parties }
            return (ready, !isFinished)
        }
        for watcher in ready { watcher.continuation.resume(returning: answer) }
    }
}
