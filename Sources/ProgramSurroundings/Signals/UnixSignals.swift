import Dispatch

/// Reports signals for as long as this object lives. On Linux, Dispatch installs its own handler when a signal is first watched, so the
/// signal no longer ends the process by itself.
package final class UnixSignals: Sendable {
    // Dispatch sources are thread-safe, but are not marked as Sendable. The array only keeps them alive.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// - Parameters:
    ///   - queue: the name of the queue for the handler.
    ///   - handler: called with each signal.
    package init(_ numbers: [Int32], on queue: String, _ handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: queue)
        sources = numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        let registered = DispatchSemaphore(value: 0)
        for (number, source) in zip(numbers, sources) {
            source.setEventHandler { handler(number) }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
        }
        // Waits until the sources are registered. Until then, a signal that the process previously ignored could be lost.
        for _ in sources { registered.wait() }
    }

    deinit { cancel() }

    /// Stops reporting signals.
    package func cancel() {
        for source in sources { source.cancel() }
    }
}
