public import FleetEngine
public import FoundationEssentials
import Synchronization

/// A clock that stands still until a test moves it.
///
/// Sleepers wake one at a time, in the order of their deadlines. If deadlines are equal, the sleeper that went to sleep first wakes first.
/// When a sleeper wakes, the clock shows exactly its deadline. The woken task then runs without further control.
///
/// A test must not move the clock before the tasks are asleep. Either the test waits for sleepers itself, or it states the
/// *parties*: the number of tasks that sleep while nothing happens. The clock then waits for this number of sleepers.
public final class ManualTimeSource: TimeSource {
    private struct Sleeper {
        let id: Int
        let deadline: Date
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let id: Int
        let count: Int
        let endsWithRun: Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now: Date
        var lastID = 0
        /// The sleepers, in the order in which they went to sleep.
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
        var isRunFinished = false

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
    }

    private let state: Mutex<State>

    /// - Parameter start: the time that the clock shows at first. The default is an arbitrary fixed time.
    public init(_ start: Date = Date(timeIntervalSince1970: 1_935_756_000)) { state = Mutex(State(now: start)) }

    /// Returns the time that the clock shows. It does not change until the clock is moved.
    public func now() -> Date { state.withLock { $0.now } }

    /// Sleeps until the clock is moved to `deadline` or a later time.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Date) async throws {
        let id = state.withLock { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { add(Sleeper(id: id, deadline: deadline, continuation: $0)) }
        } onCancel: {
            cancelSleeper(id)
        }
    }

    /// The deadlines of the sleepers, earliest first.
    public var deadlines: [Date] { state.withLock { $0.sleepers.map(\.deadline).sorted() } }

    /// Waits until at least `count` tasks are asleep. The code under test then has nothing to do until the clock moves. Returns early
    /// if the waiting task is cancelled, for example by a test's time limit.
    public func waitForSleepers(_ count: Int = 1) async { _ = await areSleeping(count, endsWithRun: false) }
}

// MARK: - Moving the clock

extension ManualTimeSource {
    /// Moves the clock, and wakes each sleeper at its own deadline. A task that goes back to sleep during this call may or may not be woken
    /// again.
    public func advance(by seconds: Double) { advance(to: now().addingTimeInterval(seconds)) }

    /// Moves the clock to `target`. The clock never runs backwards.
    public func advance(to target: Date) {
        while wakeNext(until: target) {}
        state.withLock { $0.now = max($0.now, target) }
    }

    /// Moves the clock by `seconds`, and wakes the sleepers whose deadlines are reached. Before waking each sleeper, and again at the
    /// end, it waits until `parties` tasks are asleep.
    public func advance(by seconds: Double, parties: Int) async { await advance(to: now().addingTimeInterval(seconds), parties: parties) }

    /// Moves the clock to `target`, and wakes the sleepers whose deadlines are reached. Before waking each sleeper, and again at the
    /// end, it waits until `parties` tasks are asleep.
    public func advance(to target: Date, parties: Int) async {
        repeat { await waitForSleepers(parties) } while wakeNext(until: target)
        state.withLock { $0.now = max($0.now, target) }
    }

    /// Wakes the sleeper with the earliest deadline.
    /// - Returns: false if no deadline is reached.
    private func wakeNext(until target: Date) -> Bool {
        let sleeper: Sleeper? = state.withLock { state in
            guard let deadline = state.sleepers.map(\.deadline).min(), deadline <= target,
                let index = state.sleepers.firstIndex(where: { $0.deadline == deadline })
            else { return nil }
            state.now = max(state.now, deadline)
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume()
        return sleeper != nil
    }
}

// MARK: - Running something to its end

extension ManualTimeSource {
    /// The reason why an operation did not end.
    public enum Failure: Error, Equatable {
        /// The operation was still running when the clock reached this time.
        case limitReached(Date)
    }

    /// Runs `operation` until it ends. The clock moves to the next deadline whenever `parties` tasks are asleep. Only one run at a
    /// time is possible.
    ///
    /// - Parameters:
    ///   - parties: the number of tasks that sleep while nothing happens; at least 1.
    ///   - cancelAt: the time at which the operation's task is cancelled; nil to never cancel it.
    ///   - limit: the maximum duration of the operation on this clock, in seconds.
    /// - Throws: `Failure.limitReached`, or `CancellationError` if the waiting task is cancelled. In both cases, the operation's task is
    ///   cancelled.
    public func run<Value: Sendable>(
        parties: Int, cancelAt: Date? = nil, limit: Double = 7_200, _ operation: @escaping @Sendable () async -> Value
    ) async throws -> Value {
        let end = now().addingTimeInterval(limit)
        state.withLock { $0.isRunFinished = false }
        let task = Task {
            let value = await operation()
            self.finishRun()
            return value
        }
        var cancelAt = cancelAt
        while await areSleeping(parties, endsWithRun: true) {
            guard let deadline = deadlines.first else { continue }
            if let date = cancelAt, deadline > date {
                cancelAt = nil
                state.withLock { $0.now = max($0.now, date) }
                task.cancel()
            } else if deadline > end {
                task.cancel()
                throw Failure.limitReached(end)
            } else {
                _ = wakeNext(until: deadline)
            }
        }
        guard state.withLock(\.isRunFinished) else {
            task.cancel()
            throw CancellationError()
        }
        return await task.value
    }

    private func finishRun() {
        let watchers = state.withLock { state in
            state.isRunFinished = true
            let ended = state.watchers.filter(\.endsWithRun)
            state.watchers.removeAll(where: \.endsWithRun)
            return ended
        }
        for watcher in watchers { watcher.continuation.resume(returning: false) }
    }
}

// MARK: - Sleepers and watchers

extension ManualTimeSource {
    /// Adds a sleeper. The lock is held while the task's cancellation is checked, so that a later cancellation finds the sleeper.
    private func add(_ sleeper: Sleeper) {
        enum Outcome { case sleeps([Watcher]), isDue, isCancelled }
        let outcome: Outcome = state.withLock { state in
            if Task.isCancelled { return .isCancelled }
            if sleeper.deadline <= state.now { return .isDue }
            state.sleepers.append(sleeper)
            let ready = state.watchers.filter { $0.count <= state.sleepers.count }
            state.watchers.removeAll { $0.count <= state.sleepers.count }
            return .sleeps(ready)
        }
        switch outcome {
        case .sleeps(let watchers): for watcher in watchers { watcher.continuation.resume(returning: true) }
        case .isDue: sleeper.continuation.resume()
        case .isCancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancelSleeper(_ id: Int) {
        let sleeper: Sleeper? = state.withLock { state in
            state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    /// Waits until `count` tasks are asleep.
    /// - Returns: false if the waiting task was cancelled, or if the run ended first.
    private func areSleeping(_ count: Int, endsWithRun: Bool) async -> Bool {
        let id = state.withLock { $0.nextID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if Task.isCancelled || endsWithRun && state.isRunFinished { return false }
                    if state.sleepers.count >= count { return true }
                    state.watchers.append(Watcher(id: id, count: count, endsWithRun: endsWithRun, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            cancelWatcher(id)
        }
    }

    private func cancelWatcher(_ id: Int) {
        let watcher: Watcher? = state.withLock { state in
            state.watchers.firstIndex { $0.id == id }.map { state.watchers.remove(at: $0) }
        }
        watcher?.continuation.resume(returning: false)
    }
}
