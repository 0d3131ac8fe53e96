import Synchronization

/// Where a server listens, for whoever waits for that; nil once it does not, or no longer.
package final class BoundAddress: Sendable {
    private enum State {
        case unknown([CheckedContinuation<ServerAddress?, Never>])
        case bound(ServerAddress)
        case over
    }

    private let state = Mutex(State.unknown([]))

    /// Of a server that does not listen yet.
    package init() {}

    /// Waits until it is known.
    package var value: ServerAddress? {
        get async {
            await withCheckedContinuation { continuation in
                let known: ServerAddress?? = state.withLock { state in
                    switch state {
                    case .unknown(let waiting):
                        state = .unknown(waiting + [continuation])
                        return nil
                    case .bound(let address): return .some(address)
                    case .over: return .some(nil)
                    }
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }

    package func note(_ address: ServerAddress) { change(to: .bound(address), telling: address) }

    /// It listens no more, or never did.
    package func end() { change(to: .over, telling: nil) }

    private func change(to new: State, telling address: ServerAddress?) {
        let waiting: [CheckedContinuation<ServerAddress?, Never>] = state.withLock { state in
            defer { state = new }
            if case .unknown(let waiting) = state { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume(returning: address) }
    }
}
