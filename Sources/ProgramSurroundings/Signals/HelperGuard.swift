import Glibc
import ProviderBackend
import Synchronization
import TerminalScreen

/// While this object lives, a signal that ends the program also ends its token commands. A program with a screen does not need it: the
/// screen handles signals itself and cancels the commands.
package final class HelperGuard: Sendable {
    private final class Course: Sendable {
        let wind = Mutex<(@Sendable () -> Void)?>(nil)
    }

    private static let isEnding = Atomic(false)
    private let course: Course
    private let signals: InterruptSignals

    package init() {
        let course = Course()
        self.course = course
        signals = InterruptSignals { number in
            if let wind = course.wind.withLock({ $0 }) { wind() } else { Self.end(by: number) }
        }
    }

    /// From now on the first signal calls `body` and does not end the program. The program then ends itself with ``endIfSignalled()``.
    package func windUp(with body: @escaping @Sendable () -> Void) { course.wind.withLock { $0 = body } }

    /// Ends the program by the signal that arrived, if any.
    package func endIfSignalled() {
        if let number = signals.number { Self.end(by: number) }
    }

    private static func end(by number: Int32) -> Never {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        HelperProcesses.endAll()
        TerminalScreen.endProcess(bySignal: number)
    }

    /// Blocks the calling thread for ever if a signal is ending the process. In that case the end of a token command is not a failure to
    /// report.
    static func yieldToEnd() {
        while isEnding.load(ordering: .sequentiallyConsistent) { pause() }
    }
}
