import Glibc

/// Handles the signal USR1 for as long as this object lives. With USR1, the user asks the program to read its configuration
/// again.
package final class RenewalSignal: Sendable {
    private let signals: UnixSignals

    /// - Parameter handler: called for each USR1, on a separate queue.
    package init(_ handler: @escaping @Sendable () -> Void) {
        Self.ignore()
        signals = UnixSignals([SIGUSR1], on: "tripwatch.renewal") { _ in handler() }
    }

    deinit {
        signals.cancel()
        Self.ignore()
    }

    /// Makes the process ignore USR1 while no object handles it, because USR1 would otherwise end the process. Users may send USR1 to
    /// all running commands, even to those without a screen. Child processes do not ignore the signal: swift-subprocess starts them
    /// with the default signal handling.
    package static func ignore() { signal(SIGUSR1, SIG_IGN) }
}
