import Dispatch
import Glibc

/// Reports each press of Enter at a terminal for as long as it lives.
package final class TypedLines: Sendable {
    private static let queue = DispatchQueue(label: "tripwatch.typed")
    // Dispatch sources are thread-safe but not marked so; this one is only kept alive.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Nil if the input is no terminal, because text from a pipe was not typed now.
    /// - Parameter onLine: called on a separate queue.
    package init?(_ streams: StandardStreams, onLine: @escaping @Sendable () -> Void) {
        guard streams.isInputTerminal else { return nil }
        let input = streams.input
        let source = DispatchSource.makeReadSource(fileDescriptor: input, queue: Self.queue)
        source.setEventHandler {
            // The terminal stops a program that reads in the background. Text typed then is for the shell.
            guard tcgetpgrp(input) == getpgrp() else {
                sleep(1)
                return
            }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(input, &bytes, bytes.count)
            if count > 0 {
                for byte in bytes[..<count] where byte == UInt8(ascii: "\n") { onLine() }
            } else {
                // The input stays at its end. Without a pause that would be reported over and over.
                sleep(1)
            }
        }
        source.resume()
        self.source = source
    }

    deinit { source.cancel() }
}
