import Dispatch
import Synchronization

/// The result of asynchronous work, for which this thread waits.
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
