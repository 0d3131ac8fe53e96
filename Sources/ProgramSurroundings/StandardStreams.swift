import Files
import Glibc
package import TerminalCanvas
import TerminalScreen
import TripWatchWords

/// Standard output and standard error. Text is written in whole lines only.
package struct StandardStreams: Sendable {
    private let inputDescriptor: Int32
    private let outputDescriptor: Int32
    private let errorDescriptor: Int32
    /// Whether messages that are not errors are left out (`--quiet`).
    package var isQuiet = false
    /// Called at each failed write that would otherwise end the process; see ``print(_:)``. The text is lost. The argument is the reason;
    /// nil for a pipe without a reader.
    package var onFailedWrite: (@Sendable (_ trouble: String?) -> Void)?

    /// Creates streams with these descriptors.
    package init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
        inputDescriptor = input
        outputDescriptor = output
        errorDescriptor = error
    }

    /// The file descriptor of standard input.
    package var input: Int32 { inputDescriptor }

    package var isInputTerminal: Bool { isatty(inputDescriptor) == 1 }
    /// Whether the process can read keys from a terminal, even if its standard input is a pipe or a file.
    package var hasKeyboard: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        if terminal >= 0 { close(terminal) }
        return terminal >= 0
    }

    package var isOutputTerminal: Bool { isatty(outputDescriptor) == 1 }
    package var isErrorTerminal: Bool { isatty(errorDescriptor) == 1 }

    /// The size of the terminal to which the output goes; nil if the output is a pipe or a file.
    package var outputSize: Size? {
        guard let size = Self.windowSize(outputDescriptor), size.ws_col > 0, size.ws_row > 0 else { return nil }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Writes a line to the output and flushes it.
    ///
    /// If the output is a pipe without a reader, SIGPIPE ends the process without a message, as in other programs. If the line cannot be
    /// written for another reason, the process prints a message and ends with exit code 1. So incomplete output is never mistaken for
    /// complete output. With `onFailedWrite`, the process does not end here.
    package func print(_ line: String) { print(line) {} }

    /// Writes a line to the output as ``print(_:)`` does.
    /// - Parameter orElse: called if the line cannot be written, before `onFailedWrite` is called or the process ends. Not called for a
    ///   pipe without a reader.
    package func print(_ line: String, orElse: () -> Void) {
        guard let trouble = write(line, to: outputDescriptor) else { return }
        orElse()
        if let onFailedWrite { return onFailedWrite(trouble) }
        Self.failure(trouble).end(self).finish()
    }

    /// The failure of a command whose output cannot be written.
    package static func failure(_ trouble: String) -> Failure { Failure(message: "the output cannot be written: \(trouble).") }

    /// Ends the process if the output is a pipe without a reader, as ``print(_:)`` does. Prints nothing.
    package func endWithoutReader() {
        var output = pollfd(fd: outputDescriptor, events: 0, revents: 0)
        guard poll(&output, 1, 0) == 1, output.revents & Int16(POLLERR | POLLHUP) != 0 else { return }
        TerminalScreen.endProcess(bySignal: SIGPIPE)
    }

    /// Writes a message for the user to the error stream. A failed write is ignored, because it cannot be reported. A pipe without a reader
    /// has the same effect as in ``print(_:)``.
    package func say(_ line: String) { _ = write(line, to: errorDescriptor) }

    /// Writes a message that is not an error to the error stream, unless `isQuiet` is set.
    package func note(_ line: String) { if !isQuiet { say(line) } }

    /// Replaces the current line on the error stream's terminal, unless `isQuiet` is set. The text is cut to one character less than the
    /// width of the terminal, or to 79 characters if the width is unknown. An empty text clears the line.
    package func noteInPlace(_ text: String) {
        guard !isQuiet else { return }
        let columns = Self.windowSize(errorDescriptor).map { Int($0.ws_col) } ?? 0
        _ = write(Array(("\r\u{1b}[K" + text.prefix((columns > 0 ? columns : 80) - 1)).utf8), to: errorDescriptor)
    }

    private static func windowSize(_ descriptor: Int32) -> winsize? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    /// Writes a line. At a pipe without a reader, calls `onFailedWrite`, or ends the process if `onFailedWrite` is nil.
    /// - Returns: the reason why the line could not be written; nil if the whole line was written, or if the pipe has no reader.
    private func write(_ line: String, to descriptor: Int32) -> String? {
        write(Array(line.utf8) + [UInt8(ascii: "\n")], to: descriptor)
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        HelperGuard.yieldToEnd()
        var rest = bytes
        while true {
            do throws(UnfinishedWrite) {
                try Files.write(rest, to: descriptor)
                return nil
            } catch {
                switch error.reason.code {
                case EPIPE:
                    guard let onFailedWrite else { TerminalScreen.endProcess(bySignal: SIGPIPE) }
                    onFailedWrite(nil)
                    return nil
                case EAGAIN:
                    // Another program that uses the same pipe may have made it non-blocking.
                    rest.removeFirst(error.count)
                    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&wanted, 1, -1)
                default: return error.reason.phrase
                }
            }
        }
    }
}

/// Makes untrusted text printable: removes characters that control a terminal, and cuts the text to 120 characters.
package func printable(_ text: String) -> String { sanitised(text, maximumLength: 120) }

/// Makes untrusted text printable: removes characters that control a terminal, and cuts the text to 4,096 characters.
package func printableWhole(_ text: String) -> String { sanitised(text, maximumLength: 4_096) }

/// Adds a full stop to the text, unless it already ends with a punctuation mark.
package func sentence(_ words: String) -> String { words.last.map { ".?!".contains($0) } == true ? words : words + "." }
