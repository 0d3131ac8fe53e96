import Glibc
import Synchronization

/// Runs jobs on the thread that asks it to.
private final class ThisThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs the job that has waited for the longest; returns false without a job.
    func runNext() -> Bool {
        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }
}

/// The result of asynchronous work, done on this thread as far as the work does not insist on another one.
func runHere<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let thread = ThisThread()
    let outcome = Mutex<Result<Value, any Error>?>(nil)
    Task(executorPreference: thread) {
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        outcome.withLock { $0 = result }
    }
    while true {
        if let result = outcome.withLock({ $0 }) { return try result.get() }
        if !thread.runNext() { sched_yield() }
    }
}
