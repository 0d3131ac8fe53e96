import FleetEngine
import NIOCore
import NIOPosix

/// Separate threads for searches of many vehicles. A search takes a long time, and in Swift's thread pool it would delay all other calls.
enum SearchThreads {
    /// Number of threads: half of the processors, at least one.
    static let count = max(1, System.coreCount / 2)

    static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
        return pool
    }()

    /// Runs `look` on one of the threads.
    /// - Throws: errors of `look`; CANCELLED if the task was cancelled before the search began.
    static func run<Answer: Sendable>(
        _ look: @escaping @Sendable () throws(FleetEngineError) -> Answer
    ) async throws(FleetEngineError) -> Answer {
        do {
            return try await pool.runIfActive(look)
        } catch let error as FleetEngineError {
            throw error
        } catch {
            throw FleetEngineError(code: .cancelled, message: "the caller has disconnected")
        }
    }
}
