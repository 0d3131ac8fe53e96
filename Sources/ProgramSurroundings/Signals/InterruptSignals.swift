import Glibc
import ProviderBackend
import Synchronization
import TerminalScreen

/// Calls a handler at the first signal, so that a command can finish its work and then end. By default, a second signal ends the process at
/// once.
package final class InterruptSignals: Sendable {
    private final class Course: Sendable {
        let received = Mutex<(number: Int32, time: ContinuousClock.Instant)?>(nil)
        let isPatient: Mutex<Bool>
        private let echo: Duration

        init(isPatient: Bool, echo: Duration) {
            self.isPatient = Mutex(isPatient)
            self.echo = echo
        }

        /// Records a signal.
        /// - Returns: whether this signal is the first.
        func note(_ number: Int32) -> Bool {
            received.withLock { first in
                guard first == nil else { return false }
                first = (number: number, time: ContinuousClock.now)
                return true
            }
        }

        /// Whether the time since the first signal is shorter than `echo`.
        var isEcho: Bool { received.withLock { first in first.map { ContinuousClock.now - $0.time < echo } ?? false } }
    }

    private let course: Course
    private let handler: @Sendable (Int32) -> Void
    private let signals: UnixSignals

    /// - Parameters:
    ///   - hangUp: called on each HUP signal; returns whether it has handled the signal. If nil, HUP is treated like the other
    ///     signals.
    ///   - first: the signal that counts as the first, because it has already been handled; nil for none.
    ///   - isPatient: whether every signal calls the handler, so that no signal ends the process.
    ///   - echo: the time after the first signal during which further signals are ignored. The program `timeout` sends its signal twice,
    ///     and other programs send two different signals.
    ///   - handler: called on a separate queue with the number of the signal.
    package init(
        hangUp: (@Sendable () -> Bool)? = nil, after first: Int32? = nil, isPatient: Bool = false, echo: Duration = .zero,
        _ handler: @escaping @Sendable (Int32) -> Void
    ) {
        let course = Course(isPatient: isPatient, echo: echo)
        self.course = course
        self.handler = handler
        if let first { _ = course.note(first) }
        signals = UnixSignals([SIGINT, SIGTERM, SIGHUP], on: "tripwatch.signals") { [weak course] number in
            if number == SIGHUP, hangUp?() == true { return }
            if course?.isEcho == true { return }
            guard let course, course.note(number) || course.isPatient.withLock({ $0 }) else {
                HelperProcesses.endAll()
                TerminalScreen.endProcess(bySignal: number)
            }
            handler(number)
        }
    }

    /// From now on, each signal after the first ends the process at once.
    package func losePatience() { course.isPatient.withLock { $0 = false } }

    /// Calls the handler on the caller's thread, as if the signal had arrived. Does nothing if a signal has arrived before.
    func raise(_ number: Int32) { if course.note(number) { handler(number) } }

    /// The number of the first signal; nil if no signal has arrived.
    package var number: Int32? { course.received.withLock { $0?.number } }
}
