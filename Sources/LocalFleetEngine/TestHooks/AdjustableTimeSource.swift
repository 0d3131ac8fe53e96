public import FleetEngine
public import FoundationEssentials
import Synchronization

/// A clock that follows another clock and can be advanced. Advancing it past a time wakes the tasks that wait for this time.
public final class AdjustableTimeSource: TimeSource {
    private struct State {
        var advanceSeconds = 0.0
        var waiting: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastID: UInt64 = 0
    }

    private let base: any TimeSource
    private let state = Mutex(State())

    /// Creates a clock that shows the time of `base` until it is advanced.
    public init(_ base: any TimeSource) { self.base = base }

    /// Returns the time of the underlying clock plus the advance.
    public func now() -> Date { base.now().addingTimeInterval(state.withLock { $0.advanceSeconds }) }

    /// Waits until this clock has reached `deadline`, either because time has passed or because the clock was advanced.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Date) async throws {
        while true {
            let (moves, id, advance) = waitForMove()
            defer { state.withLock { $0.waiting[id] = nil } }
            guard now() < deadline else { return try Task.checkCancellation() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [base] in try await base.sleep(until: deadline.addingTimeInterval(-advance)) }
                group.addTask { for await _ in moves { break } }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    private func waitForMove() -> (moves: AsyncStream<Void>, id: UInt64, advanceSeconds: Double) {
        let (moves, move) = AsyncStream.makeStream(of: Void.self)
        return state.withLock { state in
            state.lastID += 1
            state.waiting[state.lastID] = move
            return (moves, state.lastID, state.advanceSeconds)
        }
    }

    /// Advances the clock by `seconds`.
    func advance(_ seconds: Double) { move { $0 + seconds } }

    /// Sets the clock to the time of the underlying clock.
    func reset() { move { _ in 0 } }

    private func move(_ change: (Double) -> Double) {
        let waiting = state.withLock { state in
            state.advanceSeconds = change(state.advanceSeconds)
            return state.waiting.values
        }
        for waiter in waiting { waiter.yield() }
    }
}
