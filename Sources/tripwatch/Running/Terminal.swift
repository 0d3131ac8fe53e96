import ArgumentParser
import Glibc
import TerminalCanvas
import TerminalScreen
import TripWatchApp

/// Standard output and error: whole lines at once, nothing else on stdout.
enum Terminal {
    /// Writes a line to stdout and flushes it.
    ///
    /// When nobody reads any more the process ends as others do: by SIGPIPE, without a word. When the line cannot be written it ends with 1
    /// and a sentence: a reader must not take half the lines for all of them.
    static func print(_ line: String) { print(line) {} }

    /// - Parameter orElse: what is still to be done before the process ends because the line cannot be written.
    static func print(_ line: String, orElse: () -> Void) {
        guard let trouble = write(line, to: STDOUT_FILENO) else { return }
        orElse()
        say("tripwatch: the output cannot be written: \(trouble).")
        exit(ExitCodes.failed)
    }

    /// Words for people. Where they cannot be written there is nobody to tell.
    static func say(_ line: String) { _ = write(line, to: STDERR_FILENO) }

    /// Writes over the line of the terminal that stderr is, cut to its width; the empty text clears it.
    static func sayInPlace(_ text: String) {
        var size = winsize()
        let columns = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
        _ = write(Array(("\r\u{1b}[K" + text.prefix(columns - 1)).utf8), to: STDERR_FILENO)
    }

    /// - Returns: why it was not written; nil when it was.
    private static func write(_ line: String, to descriptor: Int32) -> String? {
        write(Array(line.utf8) + [UInt8(ascii: "\n")], to: descriptor)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        HelperGuard.yieldToEnd()
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
                continue
            }
            switch errno {
            case EPIPE: TerminalScreen.endProcess(bySignal: SIGPIPE)
            case EINTR: continue
            case EAGAIN:
                // The other side of a pipe may have made it one that does not wait.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wanted, 1, -1)
            default: return String(cString: strerror(errno)).lowercased()
            }
        }
        return nil
    }

    /// Ends the process. Everything printed is out already: lines are written unbuffered.
    static func exit(_ code: Int32) -> Never {
        HelperGuard.yieldToEnd()
        Glibc.exit(code)
    }

    /// An argument as it may be shown: nothing that a terminal would act on, not too long.
    static func printable(_ text: String) -> String { sanitised(text, maximumLength: 120) }
}

/// A failure in words, with the exit code that goes with it. Commands throw it; nothing else is printed.
struct Failure: Error, CustomStringConvertible {
    let message: String
    let exitCode: Int32
    var description: String { message }

    /// Says the sentence on stderr and ends the command with the code.
    func end() -> ExitCode {
        Terminal.say("tripwatch: \(message)")
        return ExitCode(exitCode)
    }
}
