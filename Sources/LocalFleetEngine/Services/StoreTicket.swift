import Synchronization

/// Stands for a transaction that is not stored yet. An answer that contains changes from the transaction waits until they are stored.
final class StoreTicket: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Bool, Never>])
        case over(isStored: Bool)
    }

    private let state = Mutex(State.waiting([]))

    /// Whether the transaction was stored; false if it was undone. Waits until the transaction has ended.
    var isStored: Bool {
        get async {
            await withCheckedContinuation { continuation in
                let known: Bool? = state.withLock { state in
                    switch state {
                    case .over(let isStored): return isStored
                    case .waiting(let others):
                        state = .waiting(others + [continuation])
                        return nil
                    }
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }

    func end(isStored: Bool) {
        let waiting: [CheckedContinuation<Bool, Never>] = state.withLock { state in
            guard case .waiting(let waiting) = state else { return [] }
            state = .over(isStored: isStored)
            return waiting
        }
        for one in waiting { one.resume(returning: isStored) }
    }
}
