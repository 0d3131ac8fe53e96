import Synchronization

/// Limits the number of requests that run at the same time, for each host and in total. Further requests wait. Requests to the same host
/// are sent in the order in which they were made.
final class RequestGate: Sendable {
    private struct Waiting {
        let number: Int
        let host: String
        let go: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var inAll = 0
        var ofHost: [String: Int] = [:]
        /// Hosts that accept many requests over one connection.
        var wideHosts: Set<String> = []
        var queue: [Waiting] = []
        var nextNumber = 0
    }

    private let limit: Int
    private let hostLimit: Int
    private let state = Mutex(State())

    /// - Parameter hostLimit: limit for a host over HTTP/1, where each request has its own connection.
    init(limit: Int, hostLimit: Int) { (self.limit, self.hostLimit) = (limit, hostLimit) }

    /// Raises the limit of this host to the limit of all hosts together.
    func widen(_ host: String) { change { $0.wideHosts.insert(host) } }

    /// Waits until a request to the host may be sent. Then returns true, and the caller must call `leave` after the request. Returns false
    /// if the task was cancelled while it waited.
    func enter(_ host: String) async -> Bool {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { go in
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    state.queue.append(Waiting(number: number, host: host, go: go))
                    return false
                }
                if isCancelled { go.resume(returning: false) } else { change { _ in } }
            }
        } onCancel: {
            let waiting = state.withLock { state -> Waiting? in
                guard let index = state.queue.firstIndex(where: { $0.number == number }) else { return nil }
                return state.queue.remove(at: index)
            }
            waiting?.go.resume(returning: false)
        }
    }

    func leave(_ host: String) {
        change { state in
            state.inAll -= 1
            state.ofHost[host, default: 1] -= 1
        }
    }

    /// Changes the state. Then resumes the waiting requests that the limits allow now.
    private func change(_ body: (inout State) -> Void) {
        let ready = state.withLock { state -> [Waiting] in
            body(&state)
            var ready: [Waiting] = []
            var index = 0
            while index < state.queue.count, state.inAll < limit {
                let next = state.queue[index]
                let room = state.wideHosts.contains(next.host) ? limit : hostLimit
                guard state.ofHost[next.host, default: 0] < room else {
                    index += 1
                    continue
                }
                state.queue.remove(at: index)
                state.inAll += 1
                state.ofHost[next.host, default: 0] += 1
                ready.append(next)
            }
            return ready
        }
        for waiting in ready { waiting.go.resume(returning: true) }
    }
}
