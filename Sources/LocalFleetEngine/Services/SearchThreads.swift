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
}

extension NIOThreadPool {
    /// Runs `work` on one of the threads.
    /// - Throws: errors of `work`; CANCELLED if the task was cancelled before the work began.
    func run<Answer: Sendable>(
        _ work: @escaping @Sendable () throws(FleetEngineError) -> Answer
    ) async throws(FleetEngineError) -> Answer {
        do {
            return try await runIfActive(work)
        } catch let error as FleetEngineError {
            throw error
        } catch {
            throw FleetEngineError(code: .cancelled, message: "the caller has disconnected")
        }
    }
}
