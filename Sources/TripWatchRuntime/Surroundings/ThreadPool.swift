import DequeModule
import Glibc
import Synchronization
import TerminalScreen

/// Runs what it is given, in the order in which it comes, on threads that it starts when there is more to do than they can take, and that
/// sleep until there is. What comes last may have to wait for one that blocks only where all of them do.
final class ThreadPool<Work: Sendable>: Sendable {
    private struct State {
        var waiting: Deque<Work> = []
        var threads = 0
        var sleepers = 0
    }

    private let name: String
    private let width: Int
    private let run: @Sendable (Work) -> Void
    private let state = Mutex(State())
    // A semaphore is there to be shared, but not marked so. It is never given back, as its threads are not.
    nonisolated(unsafe) private let alarm: UnsafeMutablePointer<sem_t>

    /// - Parameters:
    ///   - name: of its threads, at most 15 bytes.
    ///   - width: how many threads there are at most; at least 1.
    /// - Returns: nil where the system has no room for the first thread.
    init?(named name: String, width: Int, _ run: @escaping @Sendable (Work) -> Void) {
        (self.name, self.width, self.run) = (name, max(1, width), run)
        alarm = .allocate(capacity: 1)
        sem_init(alarm, 0, 0)
        state.withLock { $0.threads = 1 }
        guard start() else { return nil }
    }

    func add(_ work: Work) {
        let step = state.withLock { state in
            state.waiting.append(work)
            if state.sleepers > 0 {
                state.sleepers -= 1
                return Step.wake
            }
            guard state.threads < width else { return Step.none }
            state.threads += 1
            return Step.start
        }
        switch step {
        case .none: break
        case .wake: sem_post(alarm)
        case .start: if !start() { state.withLock { $0.threads -= 1 } }
        }
    }

    private enum Step { case none, wake, start }

    private func start() -> Bool {
        startThread(named: name) { [self] in
            while true {
                while let work = next() { run(work) }
                // Signals interrupt it.
                while sem_wait(alarm) != 0 {}
            }
        }
    }

    /// What is to be run; nil where the thread is to sleep.
    private func next() -> Work? {
        state.withLock { state in
            if let work = state.waiting.popFirst() { return work }
            state.sleepers += 1
            return nil
        }
    }
}
