import Synchronization

/// What a client's connections tell: whether one could ever be used, and each time that one can anew.
final class ConnectionSignals: Sendable {
    private struct State {
        var wasConnected = false
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextReader = 0
    }

    private let state = Mutex(State())

    /// Whether the other side has ever spoken HTTP/2 to us.
    var wasConnected: Bool { state.withLock { $0.wasConnected } }

    func connected() {
        let readers = state.withLock { state in
            state.wasConnected = true
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield() }
    }

    /// An element for each connection from now on that can be used; of several that nobody has read yet, one.
    func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextReader += 1
            state.readers[state.nextReader] = continuation
            return state.nextReader
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.readers.removeValue(forKey: id) } }
        return stream
    }
}
