import ArgumentParser
import Glibc
import TerminalCanvas
import TerminalScreen

/// Standard output and error: whole lines at once, nothing else on stdout.
enum Terminal {
    /// Writes a line to stdout and flushes it.
    ///
    /// When nobody reads any more the process ends as others do: by SIGPIPE, without a word.
    static func print(_ line: String) { write(line, to: STDOUT_FILENO) }

    /// Words for people.
    static func say(_ line: String) { write(line, to: STDERR_FILENO) }

    /// Writes over the line of the terminal that stderr is, cut to its width; the empty text clears it.
    static func sayInPlace(_ text: String) {
        var size = winsize()
        let columns = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
        write(Array(("\r\u{1b}[K" + text.prefix(columns - 1)).utf8), to: STDERR_FILENO)
    }

    private static func write(_ line: String, to descriptor: Int32) { write(Array(line.utf8) + [UInt8(ascii: "\n")], to: descriptor) }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno == EPIPE {
                TerminalScreen.endProcess(bySignal: SIGPIPE)
            } else if errno != EINTR {
                return
            }
        }
    }

    /// Ends the process. Everything printed is out already: lines are written unbuffered.
    static func exit(_ code: Int32) -> Never { Glibc.exit(code) }

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
