import Dispatch
import Glibc

/// Hears USR1, which asks for what is configured to be read again, for as long as it lives.
package final class RenewalSignal: Sendable {
    // Dispatch sources are thread-safe but not marked so; this one is only kept alive.
    nonisolated(unsafe) private let source: any DispatchSourceSignal

    /// - Parameter handler: called on a queue of its own.
    package init(_ handler: @escaping @Sendable () -> Void) {
        Self.ignore()
        source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: DispatchQueue(label: "tripwatch.renewal"))
        source.setEventHandler(handler: handler)
        source.resume()
    }

    deinit {
        source.cancel()
        Self.ignore()
    }

    /// Keeps USR1 from ending the process while nothing hears it: who sends it to all running screens also reaches commands without one, and
    /// screens that are not up yet. Commands that are run from here do not inherit that, as swift-subprocess starts them with all defaults.
    package static func ignore() { signal(SIGUSR1, SIG_IGN) }
}
