import Synchronization

/// Counts the connections that were turned away, and tells of them once a minute at most.
public final class RefusedConnections: Sendable {
    enum Reason: Hashable, Comparable {
        /// The port had as many as it serves.
        case full(limit: Int)
        /// One address had as many as the port serves of it.
        case fullForAddress(limit: Int)
        /// The system gives the process no more than `limit` descriptors.
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

    /// A counter at 0.
    public init() {}

    func add(_ reason: Reason) {
        counts.withLock { $0[reason, default: 0] += 1 }
        signal.yield()
    }

    /// `refused 12 connections: limit 1000`, and the count starts anew; nil when there was none.
    public func nextLine() -> String? {
        let taken = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        guard !taken.isEmpty else { return nil }
        return taken.sorted { $0.key < $1.key }.map { "refused \($0.value) connections: \($0.key.words)" }.joined(separator: "; ")
    }

    /// Says a line soon after the first refusal and then once in each interval that had some, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - gatherSeconds: from a refusal to the line that tells of it, so that a burst is one line.
    ///   - intervalSeconds: between two lines.
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
