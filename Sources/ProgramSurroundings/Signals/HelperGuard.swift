import Glibc
import ProviderBackend
import Synchronization
import TerminalScreen

/// As long as this object lives, a signal that ends the program also ends the program's token commands and hooks. A program with a screen
/// does not need this object: the screen handles signals itself and cancels the token commands.
package final class HelperGuard: Sendable {
    private final class Course: Sendable {
        let wind = Mutex<(@Sendable () -> Void)?>(nil)
        let trouble = Mutex<String?>(nil)
    }

    private static let isEnding = Atomic(false)
    private let course: Course
    private let signals: InterruptSignals

    /// - Parameter first: the signal that is already ending the program; nil for none.
    package init(after first: Int32? = nil) {
        let course = Course()
        self.course = course
        signals = InterruptSignals(after: first, echo: .milliseconds(100)) { number in
            if let wind = course.wind.withLock({ $0 }) { wind() } else { Self.end(by: number) }
        }
    }

    /// Sets a function that is called at the first signal. From now on, the first signal does not end the program at once. Instead, the
    /// program has to call ``endIfSignalled()`` before it exits. If a write has already failed, the function is called at once.
    package func windUp(with body: @escaping @Sendable () -> Void) {
        course.wind.withLock { $0 = body }
        if outputTrouble != nil { body() }
    }

    /// Records that the output cannot be written. At the first failure, calls the function that ``windUp(with:)`` has set.
    /// - Parameter trouble: the reason; nil for a pipe without a reader, which counts as the signal PIPE.
    package func noteFailedWrite(_ trouble: String?) {
        guard let trouble else { return signals.raise(SIGPIPE) }
        let isFirst = course.trouble.withLock { first in
            defer { first = first ?? trouble }
            return first == nil
        }
        if isFirst, let wind = course.wind.withLock({ $0 }) { wind() }
    }

    /// The reason why the output cannot be written; nil if no write has failed, and for a pipe without a reader.
    package var outputTrouble: String? { course.trouble.withLock { $0 } }

    /// Ends the program with the signal that has arrived. Does nothing if no signal has arrived.
    package func endIfSignalled() {
        if let number = signals.number { Self.end(by: number) }
    }

    private static func end(by number: Int32) -> Never {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        HelperProcesses.endAll()
        TerminalScreen.endProcess(bySignal: number)
    }

    /// If a signal is ending the process, blocks the calling thread until the process has ended. Without this wait, a token command that is
    /// killed along with the process would be reported as a failure.
    static func yieldToEnd() {
        while isEnding.load(ordering: .sequentiallyConsistent) { pause() }
    }
}
