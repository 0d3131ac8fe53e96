package import FleetEngine
import FoundationEssentials
package import Logging

/// Everything that a command uses from its process: streams, environment, clock, folder and log. Tests and other programs can replace these
/// parts.
package struct Surroundings: Sendable {
    package var environment: [String: String]
    package var streams: StandardStreams
    /// Creates a command's clock. The clock advances by `speed` seconds in each real second.
    package var clock: @Sendable (_ speed: Double) -> any TimeSource
    /// The folder to which relative paths refer.
    package var workingDirectory: String
    /// The log for the option `--log`; without this option, messages are dropped.
    package var log: Logger
    package let logFiles = LogFiles()

    package init(
        environment: [String: String], streams: StandardStreams = StandardStreams(),
        clock: @escaping @Sendable (_ speed: Double) -> any TimeSource = { SystemTimeSource(speed: $0) },
        workingDirectory: String = FileManager.default.currentDirectoryPath, log: Logger = .silent
    ) {
        self.environment = environment
        self.streams = streams
        self.clock = clock
        self.workingDirectory = workingDirectory
        self.log = log
    }

    /// Returns the absolute form of a path.
    package func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : workingDirectory + "/" + path }

    package static var process: Surroundings { Surroundings(environment: ProcessInfo.processInfo.environment) }

    package var locale: LocaleText { LocaleText(environment: environment) }

    /// Whether the user wants output as sentences for a screen reader: `ACCESSIBLE=1`.
    package var wantsSentences: Bool { environment["ACCESSIBLE"].map { !$0.isEmpty && $0 != "0" } ?? false }

    /// Whether the user wants no colours: `NO_COLOR`.
    package var wantsNoColor: Bool { environment["NO_COLOR"].map { !$0.isEmpty } ?? false }

    /// Whether the program runs in an ssh session. The terminal is then on another machine.
    package var isRemote: Bool { environment["SSH_CONNECTION"] != nil || environment["SSH_TTY"] != nil }
}
