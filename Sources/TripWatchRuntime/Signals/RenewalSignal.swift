import Dispatch
import Glibc

/// Hears USR1, which asks for what is configured to be read again, for as long as it lives.
final class RenewalSignal: Sendable {
    // Dispatch sources are thread-safe but not marked so; this one is only kept alive.
    nonisolated(unsafe) private let source: any DispatchSourceSignal

    /// - Parameter handler: called on a queue of its own.
    init(_ handler: @escaping @Sendable () -> Void) {
        signal(SIGUSR1, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: DispatchQueue(label: "tripwatch.renewal"))
        source.setEventHandler(handler: handler)
        source.resume()
    }

    deinit {
        source.cancel()
        signal(SIGUSR1, SIG_DFL)
    }
}
