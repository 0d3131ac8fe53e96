import Dispatch
import Synchronization

/// Runs asynchronous work and blocks this thread until it ends.
func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let isDone = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<Value, any Error>?>(nil)
    Task {
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        outcome.withLock { $0 = result }
        isDone.signal()
    }
    while true {
        if let result = outcome.withLock({ $0 }) { return try result.get() }
        isDone.wait()
    }
}
