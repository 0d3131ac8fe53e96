import Synchronization

/// Counts refused connections, and reports them at most once a minute.
public final class RefusedConnections: Sendable {
    enum Reason: Hashable, Comparable {
        /// The port already has the maximum number of connections.
        case full(limit: Int)
        /// One address already has its maximum number of connections to the port.
        case fullForAddress(limit: Int)
        /// The process already has nearly as many descriptors as the system allows.
        case noDescriptors(limit: Int)

        var words: String {
            switch self {
            case .full(let limit): "limit \(limit)"
            case .fullForAddress(let limit): "limit \(limit) per address"
            case .noDescriptors(let limit): "limit of \(limit) file descriptors"
            }
        }
    }

    private let counts = Mutex<[Reason: Int]>([:])
    private let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Creates a counter with the value 0.
    public init() {}

    func add(_ reason: Reason) {
        counts.withLock { $0[reason, default: 0] += 1 }
        signal.yield()
    }

    /// Returns a line such as `refused 12 connections: limit 1000`, and resets the count to 0; nil if no connection was refused.
    public func nextLine() -> String? {
        let taken = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        guard !taken.isEmpty else { return nil }
        let parts = taken.sorted { $0.key < $1.key }.map { reason, count in
            "refused \(count == 1 ? "1 connection" : "\(count) connections"): \(reason.words)"
        }
        return parts.joined(separator: "; ")
    }

    /// Reports a line soon after the first refusal, then one line for each interval with a refusal, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - gatherSeconds: the time from the first refusal after a quiet interval to its line, in seconds. A burst of refusals thus gives
    ///     only one line.
    ///   - intervalSeconds: the time between two lines, in seconds.
    public func report(
        gatherSeconds: Double = 1, intervalSeconds: Double = 60, _ say: @Sendable (String) -> Void
    ) async {
        for await _ in signals {
            guard (try? await Task.sleep(for: .seconds(gatherSeconds))) != nil else { return }
            guard let line = nextLine() else { continue }
            say(line)
            guard (try? await Task.sleep(for: .seconds(intervalSeconds - gatherSeconds))) != nil else { return }
        }
    }
}
