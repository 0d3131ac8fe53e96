import NIOCore
import Synchronization

/// The state of a client's connections, and streams that report each new usable connection.
final class ConnectionSignals: Sendable {
    private struct State {
        var wasConnected = false
        var isSilent = false
        var certificateDates: (from: Int, to: Int)?
        var pace = ConnectionPace()
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextReader = 0
    }

    private let state = Mutex(State())

    /// Whether the server has ever answered this client over HTTP/2.
    var wasConnected: Bool { state.withLock { $0.wasConnected } }

    /// Whether this client has closed a silent connection, and has heard nothing from the server since.
    var isSilent: Bool { state.withLock { $0.isSilent } }

    /// The times between which the certificate of the newest usable connection is valid, in seconds since 1970; nil without TLS.
    var certificateDates: (from: Int, to: Int)? { state.withLock { $0.certificateDates } }

    func wentSilent() { state.withLock { $0.isSilent = true } }

    /// Records that the server is not silent: it has sent bytes, in any protocol, or closed a connection.
    func heard() { state.withLock { $0.isSilent = false } }

    func connected(certificateDates: (from: Int, to: Int)?) {
        let readers = state.withLock { state in
            (state.wasConnected, state.isSilent) = (true, false)
            state.certificateDates = certificateDates
            state.pace.connected(at: .now())
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield() }
    }

    /// Notes that a connection ended before it was usable.
    func failedToConnect() { state.withLock { $0.pace.failed() } }

    /// Notes that the server answered a call, with any status.
    func answered() { state.withLock { $0.pace.answered() } }

    /// Begins a connection attempt.
    /// - Throws: `UnansweredConnection` if the attempt comes too early.
    func allowConnection() throws(UnansweredConnection) {
        guard state.withLock({ $0.pace.tries(at: .now()) }) else { throw UnansweredConnection() }
    }

    /// Returns a stream with an element for each new usable connection. It keeps at most one unread element.
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
