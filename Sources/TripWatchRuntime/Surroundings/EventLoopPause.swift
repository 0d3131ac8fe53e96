import NIOCore
import NIOPosix
import Synchronization

/// Waits on one of the event loops, which wakes nobody but the one that waits: `Task.sleep` wakes two more threads to begin, and two to end.
enum EventLoopPause {
    /// Returns when so much time has passed, at most 366 days.
    /// - Throws: `CancellationError` when the task is cancelled.
    static func sleep(for duration: Duration, isolation: isolated (any Actor)?) async throws {
        let nap = Nap()
        try await withTaskCancellationHandler(
            operation: {
                // Without it this would run somewhere else.
                _ = isolation
                try await withCheckedThrowingContinuation(isolation: isolation) {
                    nap.begin($0, for: min(duration, .seconds(366 * 86_400)))
                }
            }, onCancel: { nap.end(.failure(CancellationError())) }, isolation: isolation)
    }

    private final class Nap: Sendable {
        private struct State {
            var sleeper: CheckedContinuation<Void, any Error>?
            var alarm: Scheduled<Void>?
            /// How it ended.
            var outcome: Result<Void, any Error>?
        }

        private let state = Mutex(State())

        func begin(_ sleeper: CheckedContinuation<Void, any Error>, for duration: Duration) {
            let outcome = state.withLock { state in
                // The task may have been cancelled before.
                if state.outcome == nil { state.sleeper = sleeper }
                return state.outcome
            }
            if let outcome { return sleeper.resume(with: outcome) }
            let alarm = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(duration)) { self.end(.success(())) }
            let isOver = state.withLock { state in
                state.alarm = alarm
                return state.outcome != nil
            }
            if isOver { alarm.cancel() }
        }

        func end(_ outcome: Result<Void, any Error>) {
            let (sleeper, alarm) = state.withLock { state in
                defer { (state.sleeper, state.alarm) = (nil, nil) }
                state.outcome = state.outcome ?? outcome
                return (state.sleeper, state.alarm)
            }
            sleeper?.resume(with: outcome)
            if case .failure = outcome { alarm?.cancel() }
        }
    }
}
