import Synchronization

/// The address at which a server listens. Tasks can wait for it. The address is nil if the server could not listen, or has stopped.
package final class BoundAddress: Sendable {
    private enum State {
        case unknown([CheckedContinuation<ServerAddress?, Never>])
        case bound(ServerAddress)
        case over
    }

    private let state = Mutex(State.unknown([]))

    /// Creates the address of a server that is not listening yet.
    package init() {}

    /// The address. Reading this property waits until the address is known.
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

    /// Resumes all waiting tasks, because the server has stopped or never listened.
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
