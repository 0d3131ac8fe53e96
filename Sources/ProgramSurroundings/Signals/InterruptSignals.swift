import Dispatch
import Glibc
import Synchronization
import TerminalScreen

/// Lets a command finish its work after a signal that ends it, and then end as the signal would have ended it.
package final class InterruptSignals: Sendable {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]
    private let received = Mutex<Int32?>(nil)
    private let isPatient: Mutex<Bool>
    // Dispatch sources are thread-safe but not marked so; these are only kept alive.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// - Parameters:
    ///   - hangUp: called with each HUP, which ends nothing where it answers true; nil where it is a signal like the others.
    ///   - isPatient: whether the handler is called with every signal that comes, and none ends the process.
    ///   - handler: called once, on a separate queue, with the first signal that comes. A second one ends the process at once.
    package init(hangUp: (@Sendable () -> Bool)? = nil, isPatient: Bool = false, _ handler: @escaping @Sendable (Int32) -> Void) {
        self.isPatient = Mutex(isPatient)
        let queue = DispatchQueue(label: "tripwatch.signals")
        sources = Self.numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        let registered = DispatchSemaphore(value: 0)
        for (number, source) in zip(Self.numbers, sources) {
            source.setEventHandler { [weak self] in
                if number == SIGHUP, hangUp?() == true { return }
                guard let self, self.noteFirst(number) || self.isPatient.withLock({ $0 }) else {
                    TerminalScreen.endProcess(bySignal: number)
                }
                handler(number)
            }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
        }
        // A signal that comes before ends the process, as nothing has begun yet. One that was ignored until then would be lost.
        for _ in sources { registered.wait() }
    }

    /// From now on each signal but the first ends the process at once.
    package func losePatience() { isPatient.withLock { $0 = false } }

    /// The signal that came, if one did.
    package var number: Int32? { received.withLock { $0 } }

    private func noteFirst(_ number: Int32) -> Bool {
        received.withLock { first in
            guard first == nil else { return false }
            first = number
            return true
        }
    }
}
