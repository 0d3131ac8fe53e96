import Glibc
import Synchronization
import TerminalScreen

/// Lets a command finish its work after a signal, then ends the process by that signal.
package final class InterruptSignals: Sendable {
    private final class Course: Sendable {
        let received = Mutex<Int32?>(nil)
        let isPatient: Mutex<Bool>

        init(isPatient: Bool) { self.isPatient = Mutex(isPatient) }

        /// Records a signal.
        /// - Returns: whether this signal is the first.
        func note(_ number: Int32) -> Bool {
            received.withLock { first in
                guard first == nil else { return false }
                first = number
                return true
            }
        }
    }

    private let course: Course
    private let signals: UnixSignals

    /// - Parameters:
    ///   - hangUp: called with each HUP. HUP ends nothing if it returns true. Nil treats HUP like the other signals.
    ///   - isPatient: whether to call the handler with every signal, so that no signal ends the process.
    ///   - handler: called with the first signal, on a separate queue. A second signal ends the process at once.
    package init(hangUp: (@Sendable () -> Bool)? = nil, isPatient: Bool = false, _ handler: @escaping @Sendable (Int32) -> Void) {
        let course = Course(isPatient: isPatient)
        self.course = course
        signals = UnixSignals([SIGINT, SIGTERM, SIGHUP], on: "tripwatch.signals") { [weak course] number in
            if number == SIGHUP, hangUp?() == true { return }
            guard let course, course.note(number) || course.isPatient.withLock({ $0 }) else {
                TerminalScreen.endProcess(bySignal: number)
            }
            handler(number)
        }
    }

    /// From now on each signal after the first ends the process at once.
    package func losePatience() { course.isPatient.withLock { $0 = false } }

    /// The signal that arrived; nil before one.
    package var number: Int32? { course.received.withLock { $0 } }
}
