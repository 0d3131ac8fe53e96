import Dispatch
import Glibc

/// Hears each time Enter is pressed at a terminal, for as long as it lives.
package final class TypedLines: Sendable {
    private static let queue = DispatchQueue(label: "tripwatch.typed")
    // Dispatch sources are thread-safe but not marked so; this one is only kept alive.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Nil where the input is no terminal: what comes through a pipe was not typed now.
    /// - Parameter onLine: called on a queue of its own.
    package init?(_ streams: StandardStreams, onLine: @escaping @Sendable () -> Void) {
        guard streams.isInputTerminal else { return nil }
        let input = streams.input
        let source = DispatchSource.makeReadSource(fileDescriptor: input, queue: Self.queue)
        source.setEventHandler {
            // Whoever reads in the background is stopped by the terminal; what is typed then is for the shell.
            guard tcgetpgrp(input) == getpgrp() else {
                sleep(1)
                return
            }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(input, &bytes, bytes.count)
            if count > 0 {
                for byte in bytes[..<count] where byte == UInt8(ascii: "\n") { onLine() }
            } else {
                // The end of the input stays: it must not be told over and over.
                sleep(1)
            }
        }
        source.resume()
        self.source = source
    }

    deinit { source.cancel() }
}
