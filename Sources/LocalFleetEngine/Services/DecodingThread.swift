import FleetEngine
import NIOPosix

/// A separate thread that decodes large requests, one at a time. Decoding a large request can take a second, and a few of them in Swift's
/// thread pool would delay all other calls.
enum DecodingThread {
    /// Size of the largest body or message that is decoded without this thread, in bytes.
    static let smallBytes = 64 << 10

    static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        return pool
    }()

    /// Decodes a request, on this thread if the request is large.
    /// - Parameter byteCount: the size of the request.
    /// - Throws: errors of `decode`; CANCELLED if the task was cancelled before the decoding began.
    static func run<Value: Sendable>(
        _ byteCount: Int, _ decode: @escaping @Sendable () throws(FleetEngineError) -> Value
    ) async throws(FleetEngineError) -> Value {
        guard byteCount > smallBytes else { return try decode() }
        return try await pool.run(decode)
    }
}
