import Synchronization

/// Counts refused connections, and reports them at most once a minute.
public final class RefusedConnections: Sendable {
    enum Reason: Hashable, Comparable {
        /// The port already had as many connections as are allowed.
        case full(limit: Int)
        /// One address already had as many connections to the port as are allowed.
        case fullForAddress(limit: Int)
        /// The process already had about as many descriptors as the system allows.
        case noDescriptors(limit: Int)

        var words: String {
            switch self {
            case .full(let limit): "limit \(limit)"
            case .fullForAddress(let limit): "limit \(limit) per address"
            case .noDescriptors(let limit): "limit \(limit) file descriptors"
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

    /// A line such as `refused 12 connections: limit 1000`, after which the count starts again at 0; nil if no connection was refused.
    public func nextLine() -> String? {
        let taken = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        guard !taken.isEmpty else { return nil }
        return taken.sorted { $0.key < $1.key }.map { "refused \($0.value) connections: \($0.key.words)" }.joined(separator: "; ")
    }

    /// Reports a line soon after the first refusal, then one for each interval with a refusal, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - gatherSeconds: the time from a refusal to its line, so that a burst of refusals makes only one line.
    ///   - intervalSeconds: the time between two lines.
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
