import FleetEngine
import NIOCore
import NIOPosix

/// Threads of their own for what looks through many vehicles: it takes long, and would keep all other calls from Swift's pool.
enum SearchThreads {
    /// Half of the processors, at least one.
    static let count = max(1, System.coreCount / 2)

    static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
        return pool
    }()

    /// - Throws: what `look` throws, and CANCELLED where the caller has gone before its turn.
    static func run<Answer: Sendable>(
        _ look: @escaping @Sendable () throws(FleetEngineError) -> Answer
    ) async throws(FleetEngineError) -> Answer {
        do {
            return try await pool.runIfActive(look)
        } catch let error as FleetEngineError {
            throw error
        } catch {
            throw FleetEngineError(code: .cancelled, message: "the caller has gone")
        }
    }
}
