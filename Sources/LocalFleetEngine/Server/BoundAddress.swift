import Synchronization

/// Where a server listens, for whoever waits for that; nil once it does not, or no longer.
final class BoundAddress: Sendable {
    private enum State {
        case unknown([CheckedContinuation<LocalFleetEngineServer.Address?, Never>])
        case bound(LocalFleetEngineServer.Address)
        case over
    }

    private let state = Mutex(State.unknown([]))

    /// Waits until it is known.
    var value: LocalFleetEngineServer.Address? {
        get async {
            await withCheckedContinuation { continuation in
                let known: LocalFleetEngineServer.Address?? = state.withLock { state in
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

    func note(_ address: LocalFleetEngineServer.Address) { change(to: .bound(address), telling: address) }

    /// It listens no more, or never did.
    func end() { change(to: .over, telling: nil) }

    private func change(to new: State, telling address: LocalFleetEngineServer.Address?) {
        let waiting: [CheckedContinuation<LocalFleetEngineServer.Address?, Never>] = state.withLock { state in
            defer { state = new }
            if case .unknown(let waiting) = state { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume(returning: address) }
    }
}
