import Glibc

/// Handles USR1 for as long as this object lives. USR1 asks the program to read its configuration again.
package final class RenewalSignal: Sendable {
    private let signals: UnixSignals

    /// - Parameter handler: called on a separate queue.
    package init(_ handler: @escaping @Sendable () -> Void) {
        Self.ignore()
        signals = UnixSignals([SIGUSR1], on: "tripwatch.renewal") { _ in handler() }
    }

    deinit {
        signals.cancel()
        Self.ignore()
    }

    /// Keeps USR1 from ending the process while nothing handles it. A user who sends USR1 to all running screens also reaches commands
    /// without a screen, and screens that have not started yet. Child processes do not inherit this, because swift-subprocess starts them
    /// with default signals.
    package static func ignore() { signal(SIGUSR1, SIG_IGN) }
}
