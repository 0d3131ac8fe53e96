import GRPCCore
import NIOCore
import NIOPosix
import Synchronization

/// Runs a client's calls on the event loop of its connection: what goes out and what comes in is handled on one thread, and nobody else is
/// woken for it. Nothing that runs here may block.
final class ConnectionTasks: TaskExecutor {
    /// One loop for all connections of the process: a client has one, and a second thread would cost a short command more than it can use.
    static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    let loop = loops.next()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Makes a call that is given up when so many seconds have passed. The loop keeps the time: gRPC's own deadlines wake two other threads when
    /// a call begins, and again when its time would have been over.
    /// - Throws: DEADLINE_EXCEEDED as gRPC does, and what the call throws.
    func perform<Answer: Sendable>(
        withinSeconds seconds: Int64, _ call: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let (task, lateness) = (Task(executorPreference: self) { try await call() }, Lateness())
        let alarm = loop.scheduleTask(in: .seconds(seconds)) {
            lateness.isLate.store(true, ordering: .relaxed)
            task.cancel()
        }
        defer { alarm.cancel() }
        do {
            return try await withTaskCancellationHandler(operation: { try await task.value }, onCancel: { task.cancel() })
        } catch {
            guard lateness.isLate.load(ordering: .relaxed) else { throw error }
            throw RPCError(code: .deadlineExceeded, message: "no answer in time")
        }
    }

    /// Whether the time of a call was over.
    private final class Lateness: Sendable {
        let isLate = Atomic(false)
    }
}
