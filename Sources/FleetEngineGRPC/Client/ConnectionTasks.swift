import NIOCore
import NIOPosix
import Synchronization

/// Runs a client's calls on the event loop of its connection: what goes out and what comes in is handled on one thread, and nobody else is
/// woken for it. Nothing that runs here may block.
final class ConnectionTasks: TaskExecutor {
    private let loop = Mutex<any EventLoop>(MultiThreadedEventLoopGroup.singleton.any())

    /// From now on the calls go over a connection on this loop.
    func move(to loop: any EventLoop) { self.loop.withLock { $0 = loop } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.withLock { $0 }.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
