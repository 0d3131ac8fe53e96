import Dispatch

/// Where a task of the main actor goes on that has waited in a stream: on the main queue, and not first on one more thread that only looks for
/// its actor.
final class MainQueueTasks: TaskExecutor {
    static let shared = MainQueueTasks()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
