import Files
import Glibc
package import TerminalCanvas
import TerminalScreen
import TripWatchWords

/// Standard output and error: whole lines at once, nothing else on the output.
package struct StandardStreams: Sendable {
    private let inputDescriptor: Int32
    private let outputDescriptor: Int32
    private let errorDescriptor: Int32
    /// Whether only errors are written to the error stream.
    package var isQuiet = false

    /// - Parameters: the descriptors that are written to and asked about.
    package init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
        inputDescriptor = input
        outputDescriptor = output
        errorDescriptor = error
    }

    /// What the input is read from.
    package var input: Int32 { inputDescriptor }

    package var isInputTerminal: Bool { isatty(inputDescriptor) == 1 }
    /// Whether keys can come from the terminal of the process where its input is a pipe or a file.
    package var hasKeyboard: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        if terminal >= 0 { close(terminal) }
        return terminal >= 0
    }

    package var isOutputTerminal: Bool { isatty(outputDescriptor) == 1 }
    package var isErrorTerminal: Bool { isatty(errorDescriptor) == 1 }

    /// The size of the terminal behind the output; nil for a pipe or a file.
    package var outputSize: Size? {
        guard let size = Self.windowSize(outputDescriptor), size.ws_col > 0, size.ws_row > 0 else { return nil }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Writes a line to the output and flushes it.
    ///
    /// When the reader is gone the process ends as others do: by SIGPIPE, without a word. When the line cannot be written it ends with 1
    /// and a sentence: a reader must not take half the lines for all of them.
    package func print(_ line: String) { print(line) {} }

    /// - Parameter orElse: runs before the process ends because the line cannot be written.
    package func print(_ line: String, orElse: () -> Void) {
        guard let trouble = Self.write(line, to: outputDescriptor) else { return }
        orElse()
        say("tripwatch: the output cannot be written: \(trouble).")
        ProgramEnd.code(ExitCodes.failed).finish()
    }

    /// Ends the process as ``print(_:)`` does when nobody can read the output any more, without waiting for a line that would tell it.
    package func endWithoutReader() {
        var output = pollfd(fd: outputDescriptor, events: 0, revents: 0)
        guard poll(&output, 1, 0) == 1, output.revents & Int16(POLLERR | POLLHUP) != 0 else { return }
        TerminalScreen.endProcess(bySignal: SIGPIPE)
    }

    /// Writes words for people; a failed write is ignored, because it cannot be reported.
    package func say(_ line: String) { _ = Self.write(line, to: errorDescriptor) }

    /// Writes words for people that are no error; `--quiet` leaves them out.
    package func note(_ line: String) { if !isQuiet { say(line) } }

    /// Writes over the line of the terminal that the error stream is, cut to its width; the empty text clears it.
    package func noteInPlace(_ text: String) {
        guard !isQuiet else { return }
        let columns = Self.windowSize(errorDescriptor).map { Int($0.ws_col) } ?? 0
        _ = Self.write(Array(("\r\u{1b}[K" + text.prefix((columns > 0 ? columns : 80) - 1)).utf8), to: errorDescriptor)
    }

    private static func windowSize(_ descriptor: Int32) -> winsize? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    /// - Returns: why it was not written; nil when it was.
    private static func write(_ line: String, to descriptor: Int32) -> String? {
        write(Array(line.utf8) + [UInt8(ascii: "\n")], to: descriptor)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        HelperGuard.yieldToEnd()
        var rest = bytes
        while true {
            do throws(UnfinishedWrite) {
                try Files.write(rest, to: descriptor)
                return nil
            } catch {
                switch error.reason.code {
                case EPIPE: TerminalScreen.endProcess(bySignal: SIGPIPE)
                case EAGAIN:
                    // The other side of a pipe may have made it one that does not wait.
                    rest.removeFirst(error.count)
                    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&wanted, 1, -1)
                default: return error.reason.phrase
                }
            }
        }
    }
}

/// Text from outside as it may be shown: nothing that a terminal would act on, not too long.
package func printable(_ text: String) -> String { sanitised(text, maximumLength: 120) }

/// The same for text of which nothing may be missing as long as it makes sense.
package func printableWhole(_ text: String) -> String { sanitised(text, maximumLength: 4_096) }

/// Words with the full stop of a sentence, unless they end with a mark of their own.
package func sentence(_ words: String) -> String { words.last.map { ".?!".contains($0) } == true ? words : words + "." }
