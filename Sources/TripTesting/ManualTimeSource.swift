public import FleetEngine
public import FoundationEssentials
import Synchronization

/// A clock that only moves when a test says so. Sleepers wake in the order of their deadlines.
public final class ManualTimeSource: TimeSource {
    private struct Sleeper {
        let id: Int
        let deadline: Date
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Date
        var nextID = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var waitingForSleepers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>

    /// - Parameter start: what the clock shows at first; a made-up moment unless given.
    public init(_ start: Date = Date(timeIntervalSince1970: 1_935_756_000)) { state = Mutex(State(now: start)) }

    public func now() -> Date { state.withLock { $0.now } }

    public func sleep(until deadline: Date) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in add(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Moves the clock, waking each sleeper at its own moment.
    public func advance(by seconds: Double) { advance(to: now().addingTimeInterval(seconds)) }

    /// Moves the clock to `target`; it never runs backwards.
    public func advance(to target: Date) {
        while let sleeper = nextDue(until: target) { sleeper.continuation.resume() }
        state.withLock { $0.now = max($0.now, target) }
    }

    /// The deadlines that are being slept for, earliest first.
    public var deadlines: [Date] { state.withLock { $0.sleepers.map(\.deadline).sorted() } }

    /// Returns once at least `count` tasks sleep: the code under test has nothing more to do before the clock moves.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isEnough = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.waitingForSleepers.append((count, continuation))
                return false
            }
            if isEnough { continuation.resume() }
        }
    }

    private func add(_ sleeper: Sleeper) {
        enum Outcome { case sleeps([CheckedContinuation<Void, Never>]), isDue, isCancelled }
        let outcome: Outcome = state.withLock { state in
            if state.cancelled.remove(sleeper.id) != nil { return .isCancelled }
            if sleeper.deadline <= state.now { return .isDue }
            state.sleepers.append(sleeper)
            let ready = state.waitingForSleepers.filter { $0.count <= state.sleepers.count }
            state.waitingForSleepers.removeAll { $0.count <= state.sleepers.count }
            return .sleeps(ready.map(\.continuation))
        }
        switch outcome {
        case .sleeps(let waiters): for waiter in waiters { waiter.resume() }
        case .isDue: sleeper.continuation.resume()
        case .isCancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ id: Int) {
        let sleeper: Sleeper? = state.withLock { state in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    private func nextDue(until target: Date) -> Sleeper? {
        state.withLock { state in
            guard let index = state.sleepers.indices.min(by: { Self.isEarlier(state.sleepers[$0], state.sleepers[$1]) }),
                state.sleepers[index].deadline <= target
            else { return nil }
            let sleeper = state.sleepers.remove(at: index)
            state.now = max(state.now, sleeper.deadline)
            return sleeper
        }
    }

    private static func isEarlier(_ a: Sleeper, _ b: Sleeper) -> Bool { (a.deadline, a.id) < (b.deadline, b.id) }
}
