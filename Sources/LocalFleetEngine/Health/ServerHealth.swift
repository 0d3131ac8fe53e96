import Synchronization

/// Whether a server can do its work: what its ports tell those who watch over it.
public final class ServerHealth: Sendable {
    private struct State {
        /// Why no change can be kept; nil where it can.
        var storeTrouble: String?
        /// Why what is kept will not be found again; nil where it will.
        var placeTrouble: String?
        var isEnding = false
        var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastID: UInt64 = 0

        var trouble: String? { isEnding ? "the server is ending" : placeTrouble ?? storeTrouble }
    }

    private let state = Mutex(State())

    /// Of a server to which nothing stands in the way.
    public init() {}

    /// Why the server cannot do its work, one sentence without a full stop; nil where it can.
    public var trouble: String? { state.withLock { $0.trouble } }

    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Takes in why no change can be kept; nil where it can, as at first.
    public func noteStore(trouble: String?) { change { $0.storeTrouble = trouble } }

    /// Takes in why what is kept will not be found again; nil where it will, as at first.
    public func notePlace(trouble: String?) { change { $0.placeTrouble = trouble } }

    /// Takes in that the server takes no new calls.
    public func noteEnding() { change { $0.isEnding = true } }

    private func change(_ change: (inout State) -> Void) {
        let watchers = state.withLock { state in
            let before = (state.trouble, state.isEnding)
            change(&state)
            return before == (state.trouble, state.isEnding) ? [] : Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield() }
    }

    /// Something at once, and again after each change, until nobody listens.
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
