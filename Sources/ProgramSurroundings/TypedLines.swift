import Dispatch
import Glibc

/// Reports each line that the user types at the terminal, for as long as this object lives. The handler gets either the text
/// or only the fact that Enter was pressed.
package final class TypedLines: Sendable {
    private static let queue = DispatchQueue(label: "tripwatch.typed")
    // Dispatch sources are thread-safe, but are not marked as Sendable. The property only keeps the source alive.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Returns nil if the input is not a terminal, because text from a pipe was not typed by the user.
    /// - Parameter onLine: called on a separate queue each time the user has pressed Enter.
    package convenience init?(_ streams: StandardStreams, onLine: @escaping @Sendable () -> Void) {
        self.init(streams, onText: { text in for byte in text where byte == UInt8(ascii: "\n") { onLine() } })
    }

    /// Returns nil if the input is not a terminal.
    /// - Parameter onText: called on a separate queue with what was typed: one or more lines, at most 4,096 bytes.
    package init?(_ streams: StandardStreams, onText: @escaping @Sendable (ArraySlice<UInt8>) -> Void) {
        guard streams.isInputTerminal else { return nil }
        let input = streams.input
        let source = DispatchSource.makeReadSource(fileDescriptor: input, queue: Self.queue)
        source.setEventHandler {
            // A program in the background must not read from the terminal: the terminal would stop the program, and the text is meant for
            // the shell.
            guard tcgetpgrp(input) == getpgrp() else {
                sleep(1)
                return
            }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(input, &bytes, bytes.count)
            if count > 0 {
                onText(bytes[..<count])
            } else {
                // The input has ended, and the source reports the end continuously. The pause prevents a busy loop.
                sleep(1)
            }
        }
        source.resume()
        self.source = source
    }

    deinit { source.cancel() }
}
