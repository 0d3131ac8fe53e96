import DequeModule
import FleetEngine
import FleetEngineAccess
import FleetEngineCore
import HTTPServing
import Synchronization

/// A caller. Its calls may have to wait for each other.
enum Caller: Hashable, Sendable {
    /// The account and ids in the caller's token. A renewed token with the same ids belongs to the same caller.
    case account(email: String, trip: String?, vehicle: String?, deliveries: DeliveryClaims = DeliveryClaims())
    case address(CallerAddress)

    /// Creates the caller of a call. Nil if the call has no token, and comes from this machine or from a socket without an IP address: a
    /// proxy on this machine may forward the calls of many users.
    init?(_ grant: AccessGrant?, _ source: CallSource) {
        if let grant {
            self.init(grant)
        } else {
            guard let address = source.address, address != .loopback else { return nil }
            self = .address(address)
        }
    }

    /// Creates the caller that a token belongs to.
    init(_ grant: AccessGrant) {
        var deliveries = grant.deliveries
        // Task ids are ignored, because each batch of tasks has a token of its own.
        deliveries.taskIDs = []
        self = .account(email: grant.email, trip: grant.tripID, vehicle: grant.vehicleID, deliveries: deliveries)
    }
}

/// Limits how many calls of each caller run at the same time. Further calls wait in order, so that one caller cannot use up the
/// capacity that the others need.
final class CallerQueue: Sendable {
    private struct Line {
        var underWay = 0
        var waiting: Deque<(id: UInt64, turn: CheckedContinuation<Bool, Never>)> = []
    }

    private struct State {
        var lines: [Caller: Line] = [:]
        var lastID: UInt64 = 0
    }

    private let limit: Int
    private let waitingLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: maximum number of calls of one caller that run at the same time.
    ///   - waitingLimit: maximum number of calls of one caller that wait.
    init(limit: Int, waitingLimit: Int) {
        self.limit = limit
        self.waitingLimit = waitingLimit
    }

    /// Number of waiting calls of all callers.
    var waitingCount: Int { state.withLock { $0.lines.values.reduce(0) { $0 + $1.waiting.count } } }

    /// Runs `work` when it is the caller's turn; at once if `caller` is nil.
    /// - Throws: errors of `work`; RESOURCE_EXHAUSTED if too many calls are waiting; `CancellationError`.
    func run<Answer>(_ caller: Caller?, _ work: () async throws -> Answer) async throws -> Answer {
        guard let caller else { return try await work() }
        try await enter(caller)
        defer { leave(caller) }
        return try await work()
    }

    private enum Entry {
        case begun
        case waiting(id: UInt64)
        case refused
    }

    private func enter(_ caller: Caller) async throws {
        let entry: Entry = state.withLock { state in
            let line = state.lines[caller] ?? Line()
            if line.underWay < limit {
                state.lines[caller, default: line].underWay += 1
                return .begun
            }
            guard line.waiting.count < waitingLimit else { return .refused }
            state.lastID += 1
            return .waiting(id: state.lastID)
        }
        switch entry {
        case .begun: return
        case .refused:
            throw FleetEngineError.exhausted(
                "calls", "\(limit + waitingLimit) calls from this caller are already running or waiting: wait until some of them end")
        case .waiting(let id): guard await hasTurn(caller, id) else { throw CancellationError() }
        }
    }

    /// Waits until it is the call's turn.
    /// - Returns: false if the call was cancelled before its turn.
    private func hasTurn(_ caller: Caller, _ id: UInt64) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                let answer: Bool? = state.withLock { state in
                    guard !Task.isCancelled else { return false }
                    // Another call may have ended in the meantime, so this call may now be able to run.
                    if state.lines[caller, default: Line()].underWay < limit {
                        state.lines[caller, default: Line()].underWay += 1
                        return true
                    }
                    state.lines[caller]?.waiting.append((id, turn))
                    return nil
                }
                if let answer { turn.resume(returning: answer) }
            }
        } onCancel: {
            let turn = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard let place = state.lines[caller]?.waiting.firstIndex(where: { $0.id == id }) else { return nil }
                return state.lines[caller]?.waiting.remove(at: place).turn
            }
            turn?.resume(returning: false)
        }
    }

    private func leave(_ caller: Caller) {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if let next = state.lines[caller]?.waiting.popFirst() { return next.turn }
            let rest = (state.lines[caller]?.underWay ?? 1) - 1
            if rest > 0 { state.lines[caller]?.underWay = rest } else { state.lines[caller] = nil }
            return nil
        }
        next?.resume(returning: true)
    }
}
