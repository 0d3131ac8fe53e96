import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// Options that choose a profile of the configuration file.
protocol ProfileChoice {
    /// The name of the profile that the flags select; empty for no profile, nil if no flag selects one.
    var chosen: String? { get }
}

struct ConfigurationOptions: ParsableArguments, ProfileChoice {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Use profile NAME of the configuration file.", valueName: "name"),
        completion: .profiles)
    var profile: String?

    @Flag(help: "Connect to 'tripwatch serve' on this machine.")
    var local = false

    var chosen: String? { local ? Configuration.localProfile : profile }

    func validate() throws {
        guard !local || profile == nil else { throw ValidationError("--local means --profile local: remove --local or --profile.") }
    }
}

/// Configuration options of `serve`, which itself calls no server.
struct ServerConfigurationOptions: ParsableArguments, ProfileChoice {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Use profile NAME of the configuration file.", valueName: "name"),
        completion: .profiles)
    var profile: String?

    var chosen: String? { profile }
}

extension ProfileChoice {
    /// Loads the settings from the configuration file and the environment. An invalid setting either ends the command, or is
    /// reported on stderr and ignored. A profile that the user has chosen must exist.
    /// - Parameters:
    ///   - asksServer: whether an invalid setting that concerns the server ends the command.
    ///   - strictEnd: a sentence to append to the error. If it is given, every invalid setting ends the command. If it is nil, an invalid
    ///     setting ends the command only if it concerns the server and `asksServer` is true.
    func load(in surroundings: Surroundings, asksServer: Bool, strictEnd: String?) throws(Failure) -> Configuration {
        var (configuration, messages) = try surroundings.configuration(profile: chosen)
        if let message = messages.first(where: { strictEnd != nil || asksServer && $0.endsCommands }) {
            let path = surroundings.configurationFile?.path ?? Configuration.fileName
            let end = strictEnd ?? "No server was contacted."
            throw Failure(message: sentence(message.placed(in: path)) + " " + end, exitCode: ExitCodes.usage)
        }
        configuration.faults = messages.map(\.ended)
        for fault in configuration.faults { surroundings.streams.say("tripwatch: \(fault)") }
        return configuration
    }
}
