package import FleetEngine
import FoundationEssentials
package import Logging

/// What a command takes from the process that it runs in. Tests and other programs can put their own in its place.
package struct Surroundings: Sendable {
    package var environment: [String: String]
    package var streams: StandardStreams
    /// The clock of a command that shows `speed` seconds in a real one.
    package var clock: @Sendable (_ speed: Double) -> any TimeSource
    /// For relative paths.
    package var workingDirectory: String
    /// What happens, for `--log`; says nothing unless a file was asked for.
    package var log: Logger

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

    /// The surroundings of this process.
    package static var process: Surroundings { Surroundings(environment: ProcessInfo.processInfo.environment) }

    /// What the locale says.
    package var locale: LocaleText { LocaleText(environment: environment) }

    /// Nil where there is no home to look in.
    package var configurationFile: ConfigurationFile? { ConfigurationFile(environment: environment) }

    /// Nil where there is no home to keep anything in.
    package var stateFile: StateFile? { StateFile(environment: environment) }

    /// Whether the user listens instead of looking: `ACCESSIBLE=1`.
    package var wantsSentences: Bool { environment["ACCESSIBLE"].map { !$0.isEmpty && $0 != "0" } ?? false }

    /// Whether the user wants no colours: `NO_COLOR`.
    package var wantsNoColor: Bool { environment["NO_COLOR"].map { !$0.isEmpty } ?? false }

    /// Whether the terminal is another machine's, over ssh.
    package var isRemote: Bool { environment["SSH_CONNECTION"] != nil || environment["SSH_TTY"] != nil }
}
