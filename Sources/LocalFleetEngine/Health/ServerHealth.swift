import Synchronization

/// Whether a server can do its work. Its ports report this to health checks.
public final class ServerHealth: Sendable {
    private struct State {
        /// Reason why no change can be stored; nil if changes can be stored.
        var storeTrouble: String?
        /// Reason why the server will not find its store at the next start; nil if it will.
        var placeTrouble: String?
        var isEnding = false
        var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastID: UInt64 = 0

        var trouble: String? { isEnding ? "the server is shutting down" : placeTrouble ?? storeTrouble }
    }

    private let state = Mutex(State())

    /// Creates the health of a server without any trouble.
    public init() {}

    /// Reason why the server cannot do its work, as one sentence without a full stop; nil if it can.
    public var trouble: String? { state.withLock { $0.trouble } }

    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Sets the reason why no change can be stored; nil, the initial value, if changes can be stored.
    public func noteStore(trouble: String?) { change { $0.storeTrouble = trouble } }

    /// Sets the reason why the server will not find its store at the next start; nil if there is no such reason.
    public func notePlace(trouble: String?) { change { $0.placeTrouble = trouble } }

    /// Records that the server is shutting down and accepts no new calls.
    public func noteEnding() { change { $0.isEnding = true } }

    private func change(_ change: (inout State) -> Void) {
        let watchers = state.withLock { state in
            let before = (state.trouble, state.isEnding)
            change(&state)
            return before == (state.trouble, state.isEnding) ? [] : Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield() }
    }

    /// Returns a stream that yields one element at once and one after each change of the health, until the reader stops.
    func changes() -> AsyncStream<Void> {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastID += 1
            state.watchers[state.lastID] = change
            return state.lastID
        }
        change.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.watchers.removeValue(forKey: id) } }
        change.yield()
        return changes
    }
}
