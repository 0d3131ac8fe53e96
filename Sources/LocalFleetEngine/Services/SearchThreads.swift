import NIOCore
import NIOPosix

/// Threads of their own for searches and lists: these take long, and would keep all other calls from the threads of Swift's pool.
///
/// As they may be busy for long, only calls that look through much run here. There is half a thread for each processor, at least one.
final class SearchThreads: TaskExecutor {
    static let shared = SearchThreads(count: max(1, System.coreCount / 2))

    private let pool: NIOThreadPool

    private init(count: Int) {
        pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
