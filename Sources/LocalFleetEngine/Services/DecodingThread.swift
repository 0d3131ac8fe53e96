import FleetEngine
import NIOPosix
import Synchronization

/// A separate thread that decodes large requests, one at a time. Decoding a large request can take a second, and a few of them in Swift's
/// thread pool would delay all other calls.
enum DecodingThread {
    /// Size of the largest body or message that is decoded without this thread, in bytes.
    static let smallBytes = 64 << 10

    /// Maximum number of large requests that are waiting or being decoded. Further requests are refused.
    static let mostWaiting = 32
    private static let waiting = Mutex(0)

    static var waitingCount: Int { waiting.withLock { $0 } }

    static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        return pool
    }()

    /// Decodes a request: a large one on the separate thread, a small one in the calling task.
    /// - Parameter byteCount: the size of the request.
    /// - Throws: errors of `decode`; CANCELLED if the task was cancelled before the decoding began; RESOURCE_EXHAUSTED if too many large
    ///   requests are waiting.
    static func run<Value: Sendable>(
        _ byteCount: Int, _ decode: @escaping @Sendable () throws(FleetEngineError) -> Value
    ) async throws(FleetEngineError) -> Value {
        guard byteCount > smallBytes else { return try decode() }
        let isAdmitted = waiting.withLock { count in
            guard count < mostWaiting else { return false }
            count += 1
            return true
        }
        guard isAdmitted else {
            throw FleetEngineError(
                code: .resourceExhausted, message: "too many large requests are waiting: try again later",
                details: [.retryInfo(delaySeconds: 1)])
        }
        defer { waiting.withLock { $0 -= 1 } }
        return try await pool.run(decode)
    }
}
