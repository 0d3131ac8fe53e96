import NIOCore
import NIOPosix
import Synchronization

/// What an answer waits for: the transaction that stores what it tells.
final class StoreTicket: Sendable {
    /// Somebody who waits, and the event loop on which he goes on: a task that is woken elsewhere costs one more change of threads.
    private struct Waiting {
        let continuation: CheckedContinuation<Bool, Never>
        let loop: (any EventLoop)?
    }

    private enum State {
        case waiting([Waiting])
        case over(isStored: Bool)
    }

    private let state = Mutex(State.waiting([]))

    /// Whether it was stored, as soon as that is known; if not it was undone.
    var isStored: Bool {
        get async {
            await withCheckedContinuation { continuation in
                let known: Bool? = state.withLock { state in
                    switch state {
                    case .over(let isStored): return isStored
                    case .waiting(let others):
                        state = .waiting(others + [Waiting(continuation: continuation, loop: MultiThreadedEventLoopGroup.currentEventLoop)])
                        return nil
                    }
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }

    func end(isStored: Bool) {
        let waiting: [Waiting] = state.withLock { state in
            guard case .waiting(let waiting) = state else { return [] }
            state = .over(isStored: isStored)
            return waiting
        }
        for one in waiting {
            if let loop = one.loop {
                loop.execute { one.continuation.resume(returning: isStored) }
            } else {
                one.continuation.resume(returning: isStored)
            }
        }
    }
}
