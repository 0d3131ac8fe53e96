import Glibc
import ProviderBackend
import TerminalScreen
import TripWatchWords

/// The way a command ends.
package enum ProgramEnd: Hashable, Sendable {
    case code(Int32)
    /// The process ends itself with this signal after it has cleaned up.
    case signal(Int32)

    package static let success = ProgramEnd.code(ExitCodes.success)

    /// Ends the process, and the token commands and hooks that are still running. The output need not be flushed, because lines
    /// are written without a buffer.
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

/// A failure of a command: the message for the user, and the exit code. Commands throw it, and their caller prints it.
package struct Failure: Error, CustomStringConvertible {
    package let message: String
    package let exitCode: Int32

    package init(message: String, exitCode: Int32 = ExitCodes.failed) {
        self.message = message
        self.exitCode = exitCode
    }

    package var description: String { message }

    /// Prints the message of the failure.
    /// - Returns: the way the program ends after this failure.
    package func end(_ streams: StandardStreams) -> ProgramEnd {
        streams.say("tripwatch: \(message)")
        return .code(exitCode)
    }
}
