import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// Options that say which part of the user's configuration file counts.
protocol ProfileChoice {
    /// The profile that the flags ask for.
    var chosen: String? { get }
}

struct ConfigurationOptions: ParsableArguments, ProfileChoice {
    @Option(name: .shortAndLong, help: ArgumentHelp("Use the settings of [profiles.NAME] first.", valueName: "name"))
    var profile: String?

    @Flag(help: "Ask 'tripwatch serve' on this machine.")
    var local = false

    var chosen: String? { local ? Configuration.localProfile : profile }

    func validate() throws {
        guard !local || profile == nil else { throw ValidationError("--local is --profile local: leave out one of them.") }
    }
}

/// What remains of them for a server, which asks none.
struct ServerConfigurationOptions: ParsableArguments, ProfileChoice {
    @Option(name: .shortAndLong, help: ArgumentHelp("Use the settings of [profiles.NAME] first.", valueName: "name"))
    var profile: String?

    var chosen: String? { profile }
}

extension ProfileChoice {
    /// What file and environment say. What is wrong in them is said on stderr and left out; only a profile that was asked for must be there.
    /// - Parameter asksServer: ends the command where a key cannot be used that says which server is asked.
    func load(in surroundings: Surroundings, asksServer: Bool) throws(Failure) -> Configuration {
        var (configuration, messages) = try surroundings.configuration(profile: chosen)
        if asksServer, let message = messages.first(where: \.endsCommands) {
            let path = surroundings.configurationFile?.path ?? Configuration.fileName
            throw Failure(message: sentence(message.placed(in: path)) + " No server was asked.", exitCode: ExitCodes.usage)
        }
        configuration.faults = messages.map(\.ended)
        for fault in configuration.faults { surroundings.streams.say("tripwatch: \(fault)") }
        return configuration
    }
}
