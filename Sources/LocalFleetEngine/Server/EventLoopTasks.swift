import NIOCore
import NIOPosix

/// Runs tasks on the event loops that all sockets of the process share: a task goes on where what it waited for has happened, so that a call
/// costs no change of threads. Nothing that runs here may block.
final class EventLoopTasks: TaskExecutor {
    static let shared = EventLoopTasks()

    private let loops = MultiThreadedEventLoopGroup.singleton

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let loop = MultiThreadedEventLoopGroup.currentEventLoop ?? loops.next()
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
