import Glibc

/// Hears USR1, which asks for what is configured to be read again, for as long as it lives.
package final class RenewalSignal: Sendable {
    private let signals: UnixSignals

    /// - Parameter handler: called on a queue of its own.
    package init(_ handler: @escaping @Sendable () -> Void) {
        Self.ignore()
        signals = UnixSignals([SIGUSR1], on: "tripwatch.renewal") { _ in handler() }
    }

    deinit {
        signals.cancel()
        Self.ignore()
    }

    /// Keeps USR1 from ending the process while nothing hears it: who sends it to all running screens also reaches commands without one, and
    /// screens that are not up yet. Commands that are run from here do not inherit that, as swift-subprocess starts them with all defaults.
    package static func ignore() { signal(SIGUSR1, SIG_IGN) }
}
