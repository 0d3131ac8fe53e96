import CTerminal
import HeapModule
import Synchronization
import TerminalScreen

/// Lets tasks wait on a thread of its own, which sleeps until the first of them is due. To begin to wait wakes nobody, and the end wakes that
/// thread and the one that waits; `Task.sleep` wakes two more to begin, and two to end.
final class PauseClock: TaskExecutor {
    private static let shared = PauseClock()
    private static let longest = Duration.seconds(366 * 86_400)

    private struct Alarm: Comparable {
        let moment: ContinuousClock.Instant
        let number: Int

        static func < (one: Self, other: Self) -> Bool { (one.moment, one.number) < (other.moment, other.number) }
    }

    private struct State {
        /// Of sleepers, and of some that were cancelled.
        var alarms = Heap<Alarm>()
        var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// Those that were cancelled before they slept.
        var sleepless: Set<Int> = []
        var lastNumber = 0
        /// Tasks that have woken, on their way to their actors.
        var jobs: [UnownedJob] = []
        /// Whether the thread is awake, or about to be: then it sees itself what there is to be done.
        var isAwake = false
        /// When the thread is to wake.
        var wakesAt: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let timer = cterminal_new_timer()
    private let isRunning: Bool

    private init() {
        isRunning = timer >= 0 && startThread(named: "clock") { Self.shared.run() }
    }

    /// Returns when so much time has passed, at most 366 days; time for which the machine is suspended counts.
    /// - Throws: `CancellationError` when the task is cancelled.
    static func sleep(for duration: Duration, isolation: isolated (any Actor)?) async throws {
        let duration = min(duration, longest)
        guard shared.isRunning else { return try await Task.sleep(for: duration) }
        let end = ContinuousClock.now + duration
        guard isolation != nil else { return try await shared.sleep(until: end, isolation: nil) }
        // Without it a task that wakes would look for its actor on one more thread.
        try await withTaskExecutorPreference(shared, isolation: isolation) { try await shared.sleep(until: end, isolation: isolation) }
    }

    private func sleep(until moment: ContinuousClock.Instant, isolation: isolated (any Actor)?) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        defer { state.withLock { _ = $0.sleepless.remove(number) } }
        try await withTaskCancellationHandler(
            operation: {
                // Without it this would run somewhere else.
                _ = isolation
                try await withCheckedThrowingContinuation(isolation: isolation) { begin($0, number, until: moment) }
            }, onCancel: { cancel(number) }, isolation: isolation)
    }

    private func begin(_ sleeper: CheckedContinuation<Void, any Error>, _ number: Int, until moment: ContinuousClock.Instant) {
        let isCanceled = state.withLock { state in
            guard !state.sleepless.contains(number) else { return true }
            state.sleepers[number] = sleeper
            state.alarms.insert(Alarm(moment: moment, number: number))
            if !state.isAwake { set(&state) }
            return false
        }
        if isCanceled { sleeper.resume(throwing: CancellationError()) }
    }

    private func cancel(_ number: Int) {
        let sleeper = state.withLock { state in
            guard let sleeper = state.sleepers.removeValue(forKey: number) else {
                state.sleepless.insert(number)
                return nil as CheckedContinuation<Void, any Error>?
            }
            if state.alarms.count > 2 * state.sleepers.count + 64 {
                state.alarms = Heap(state.alarms.unordered.filter { state.sleepers[$0.number] != nil })
            }
            return sleeper
        }
        sleeper?.resume(throwing: CancellationError())
    }
}

// MARK: - Its thread

extension PauseClock {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { state in
            state.jobs.append(job)
            guard !state.isAwake else { return }
            state.isAwake = true
            cterminal_set_alarm(timer, 1)
        }
    }

    private func run() {
        while true {
            cterminal_wait_timer(timer)
            for sleeper in state.withLock({ wake(&$0) }) { sleeper.resume() }
            while let jobs = state.withLock({ next(&$0) }) {
                for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            }
        }
    }

    /// Those that are due.
    private func wake(_ state: inout State) -> [CheckedContinuation<Void, any Error>] {
        (state.isAwake, state.wakesAt) = (true, nil)
        let now = ContinuousClock.now
        var due: [CheckedContinuation<Void, any Error>] = []
        while let alarm = state.alarms.min, alarm.moment <= now {
            state.alarms.removeMin()
            if let sleeper = state.sleepers.removeValue(forKey: alarm.number) { due.append(sleeper) }
        }
        return due
    }

    /// What is to be done before the thread sleeps again; nil lets it sleep.
    private func next(_ state: inout State) -> [UnownedJob]? {
        guard state.jobs.isEmpty else {
            defer { state.jobs = [] }
            return state.jobs
        }
        state.isAwake = false
        set(&state)
        return nil
    }

    /// Sets the timer to the first alarm, where it is not set to an earlier one.
    private func set(_ state: inout State) {
        while let first = state.alarms.min, state.sleepers[first.number] == nil { state.alarms.removeMin() }
        guard let first = state.alarms.min, state.wakesAt.map({ first.moment < $0 }) ?? true else { return }
        state.wakesAt = first.moment
        let nanoseconds = (first.moment - .now) / .nanoseconds(1)
        cterminal_set_alarm(timer, Int64(max(1, min(nanoseconds, 1e18))))
    }
}
