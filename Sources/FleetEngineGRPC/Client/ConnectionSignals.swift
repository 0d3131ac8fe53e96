import NIOCore
import Synchronization

/// What a client's connections tell: whether one could ever be used, and each time that one can anew.
final class ConnectionSignals: Sendable {
    private struct State {
        var wasConnected = false
        var isSilent = false
        var pace = ConnectionPace()
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextReader = 0
    }

    private let state = Mutex(State())

    /// Whether the other side has ever spoken HTTP/2 to us.
    var wasConnected: Bool { state.withLock { $0.wasConnected } }

    /// Whether the last connection that could be used was given up because nothing came over it any more.
    var isSilent: Bool { state.withLock { $0.isSilent } }

    func wentSilent() { state.withLock { $0.isSilent = true } }

    func connected() {
        let readers = state.withLock { state in
            (state.wasConnected, state.isSilent) = (true, false)
            state.pace.connected(at: .now())
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield() }
    }

    /// A connection ended before it could be used.
    func failedToConnect() { state.withLock { $0.pace.failed() } }

    /// The server has answered a call, whatever the answer was.
    func answered() { state.withLock { $0.pace.answered() } }

    /// - Throws: `UnansweredConnection` when the last connection brought no answer and the next one has to wait.
    func allowConnection() throws(UnansweredConnection) {
        guard state.withLock({ $0.pace.tries(at: .now()) }) else { throw UnansweredConnection() }
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
