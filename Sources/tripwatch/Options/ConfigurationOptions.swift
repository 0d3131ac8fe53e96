import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// Options that choose a profile of the configuration file.
protocol ProfileChoice {
    /// The name of the profile that the flags select; empty for no profile, nil if no flag selects one.
    var chosen: String? { get }
    /// Whether every invalid setting ends the command, even one that it does not use.
    static var isStrict: Bool { get }
}

extension ProfileChoice {
    static var isStrict: Bool { false }
}

struct ConfigurationOptions: ParsableArguments, ProfileChoice {
    @Option(name: .shortAndLong, help: ArgumentHelp("Let [profiles.NAME] override the file's settings.", valueName: "name"))
    var profile: String?

    @Flag(help: "Use 'tripwatch serve' on this machine.")
    var local = false

    var chosen: String? { local ? Configuration.localProfile : profile }

    func validate() throws {
        guard !local || profile == nil else { throw ValidationError("--local means --profile local: remove --local or --profile.") }
    }
}

/// Configuration options of `serve`, which itself calls no server.
struct ServerConfigurationOptions: ParsableArguments, ProfileChoice {
    /// With a mistyped key or an unreadable file, the server would keep its trips in memory instead of in the database.
    static let isStrict = true

    @Option(name: .shortAndLong, help: ArgumentHelp("Let [profiles.NAME] override the file's settings.", valueName: "name"))
    var profile: String?

    var chosen: String? { profile }
}

extension ProfileChoice {
    /// Loads the settings from the configuration file and the environment. Unless they end the command, invalid settings are reported
    /// on stderr and ignored. A profile that the user has chosen must exist.
    /// - Parameter asksServer: whether an invalid setting that concerns the server ends the command.
    func load(in surroundings: Surroundings, asksServer: Bool) throws(Failure) -> Configuration {
        var (configuration, messages) = try surroundings.configuration(profile: chosen)
        if let message = messages.first(where: { Self.isStrict || asksServer && $0.endsCommands }) {
            let path = surroundings.configurationFile?.path ?? Configuration.fileName
            let end = asksServer ? " No server was contacted." : " No server was started."
            throw Failure(message: sentence(message.placed(in: path)) + end, exitCode: ExitCodes.usage)
        }
        configuration.faults = messages.map(\.ended)
        for fault in configuration.faults { surroundings.streams.say("tripwatch: \(fault)") }
        return configuration
    }
}
