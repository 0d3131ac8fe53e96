import Glibc

#if compiler(>=6.3) && compiler(<6.4)
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
#endif

/// Where tasks run that have no executor of their own. The threads on which Swift's runtime would run them, Dispatch's, are counted each second
/// from the first task on, in case they block: that alone would keep a program awake that has nothing to do.
public enum TaskPool {
    /// Takes all such tasks of the process from now on, and those that sleep. To be called once, before the first of them.
    ///
    /// The runtime's way to do this is not settled: with another compiler than the one that it was tried with all stays as it is.
    public static func takeOver() {
        #if compiler(>=6.3) && compiler(<6.4)
            if SharedTasks.executor != nil { _createExecutors(factory: SharedTasks.self) }
        #endif
    }
}

#if compiler(>=6.3) && compiler(<6.4)
    private enum SharedTasks: ExecutorFactory {
        /// Nil where the system has no room for a thread.
        static let executor = PooledTasks()

        static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
        static var defaultExecutor: any TaskExecutor { executor ?? PlatformExecutorFactory.defaultExecutor }
    }

    private final class PooledTasks: TaskExecutor, SchedulingExecutor {
        private let threads: ThreadPool<UnownedJob>

        init?() {
            // A task that reads from a slow disk or pipe blocks its thread: two more than a small machine has processors leave room for others.
            let width = max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
            let run = { @Sendable (job: UnownedJob) in
                if let executor = SharedTasks.executor { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
            }
            guard let threads = ThreadPool(named: "tasks", width: width, run) else { return nil }
            self.threads = threads
        }

        func enqueue(_ job: consuming ExecutorJob) { threads.add(UnownedJob(job)) }

        func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
            let job = UnownedJob(job)
            // Both clocks of the runtime count so.
            if let pause = delay as? Duration, PauseClock.run(after: pause, { [threads] in threads.add(job) }) { return }
            let elsewhere = PlatformExecutorFactory.defaultExecutor as? any SchedulingExecutor
            elsewhere?.enqueue(ExecutorJob(job), after: delay, tolerance: tolerance, clock: clock)
        }

        func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
            enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
        }
    }
#endif
