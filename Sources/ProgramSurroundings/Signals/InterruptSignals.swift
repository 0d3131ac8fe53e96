import Glibc
import Synchronization
import TerminalScreen

/// Calls a handler at the first signal, so that a command can finish its work and then end. A second signal ends the process at
/// once.
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
    ///   - hangUp: called on each HUP signal; returns whether it has handled the signal. If nil, HUP is treated like the other
    ///     signals.
    ///   - isPatient: whether every signal calls the handler, so that no signal ends the process.
    ///   - handler: called on a separate queue with the number of the signal.
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

    /// From now on, each signal after the first ends the process at once.
    package func losePatience() { course.isPatient.withLock { $0 = false } }

    /// The number of the first signal; nil if no signal has arrived.
    package var number: Int32? { course.received.withLock { $0 } }
}
