import Dispatch
import Glibc

/// Reports lines typed at a terminal, either their text or only that Enter was pressed, for as long as this object lives.
package final class TypedLines: Sendable {
    private static let queue = DispatchQueue(label: "tripwatch.typed")
    // Dispatch sources are thread-safe but not marked so; this one is only kept alive.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Returns nil if the input is not a terminal, because text from a pipe was not typed now.
    /// - Parameter onLine: called on a separate queue.
    package convenience init?(_ streams: StandardStreams, onLine: @escaping @Sendable () -> Void) {
        self.init(streams, onText: { text in for byte in text where byte == UInt8(ascii: "\n") { onLine() } })
    }

    /// Returns nil if the input is not a terminal.
    /// - Parameter onText: called on a separate queue with the typed bytes of one or more lines, at most 4,096.
    package init?(_ streams: StandardStreams, onText: @escaping @Sendable (ArraySlice<UInt8>) -> Void) {
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
                onText(bytes[..<count])
            } else {
                // The input is at its end. Without a pause, the end would be reported over and over.
                sleep(1)
            }
        }
        source.resume()
        self.source = source
    }

    deinit { source.cancel() }
}
