import Glibc
import ProviderBackend
import TerminalScreen
import TripWatchWords

/// The way a command ends.
package enum ProgramEnd: Hashable, Sendable {
    case code(Int32)
    /// The process cleans up and then ends by this signal.
    case signal(Int32)

    package static let success = ProgramEnd.code(ExitCodes.success)

    /// Ends the process, and the token commands and hooks that still run. Output needs no flush, because lines are written unbuffered.
    package func finish() -> Never {
        switch self {
        case .code(let code):
            HelperGuard.yieldToEnd()
            HelperProcesses.endAll()
            exit(code)
        case .signal(let number):
            HelperProcesses.endAll()
            TerminalScreen.endProcess(bySignal: number)
        }
    }
}

/// A failure in words, with its exit code. Commands throw it, and their caller prints it.
package struct Failure: Error, CustomStringConvertible {
    package let message: String
    package let exitCode: Int32

    package init(message: String, exitCode: Int32 = ExitCodes.failed) {
        self.message = message
        self.exitCode = exitCode
    }

    package var description: String { message }

    /// Prints the message.
    /// - Returns: the end of the program after this failure.
    package func end(_ streams: StandardStreams) -> ProgramEnd {
        streams.say("tripwatch: \(message)")
        return .code(exitCode)
    }
}
