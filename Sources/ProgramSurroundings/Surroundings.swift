package import FleetEngine
import FoundationEssentials
package import Logging

/// Everything that a command uses of its process. Tests and other programs can replace it.
package struct Surroundings: Sendable {
    package var environment: [String: String]
    package var streams: StandardStreams
    /// Makes a command's clock. It shows `speed` seconds in each real second.
    package var clock: @Sendable (_ speed: Double) -> any TimeSource
    /// The folder for relative paths.
    package var workingDirectory: String
    /// The log of `--log`; it drops everything without that option.
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

    /// The absolute form of a path.
    package func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : workingDirectory + "/" + path }

    package static var process: Surroundings { Surroundings(environment: ProcessInfo.processInfo.environment) }

    package var locale: LocaleText { LocaleText(environment: environment) }

    /// Whether the user listens to a screen reader: `ACCESSIBLE=1`.
    package var wantsSentences: Bool { environment["ACCESSIBLE"].map { !$0.isEmpty && $0 != "0" } ?? false }

    /// Whether the user wants no colours: `NO_COLOR`.
    package var wantsNoColor: Bool { environment["NO_COLOR"].map { !$0.isEmpty } ?? false }

    /// Whether the terminal belongs to another machine, over ssh.
    package var isRemote: Bool { environment["SSH_CONNECTION"] != nil || environment["SSH_TTY"] != nil }
}
