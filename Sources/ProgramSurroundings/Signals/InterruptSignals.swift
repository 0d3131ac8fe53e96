import Glibc
import Synchronization
import TerminalScreen

/// Lets a command finish its work after a signal that ends it, and then end as the signal would have ended it.
package final class InterruptSignals: Sendable {
    private final class Course: Sendable {
        let received = Mutex<Int32?>(nil)
        let isPatient: Mutex<Bool>

        init(isPatient: Bool) { self.isPatient = Mutex(isPatient) }

        /// - Returns: whether it is the first that came.
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
    ///   - hangUp: called with each HUP, which ends nothing where it answers true; nil where it is a signal like the others.
    ///   - isPatient: whether the handler is called with every signal that comes, and none ends the process.
    ///   - handler: called once, on a separate queue, with the first signal that comes. A second one ends the process at once.
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

    /// From now on each signal but the first ends the process at once.
    package func losePatience() { course.isPatient.withLock { $0 = false } }

    /// The signal that came, if one did.
    package var number: Int32? { course.received.withLock { $0 } }
}
