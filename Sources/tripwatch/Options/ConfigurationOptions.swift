import ArgumentParser
import TripWatchApp
import TripWatchRuntime

/// Which part of the user's configuration file counts.
struct ConfigurationOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Use the settings of [profiles.NAME] first.", valueName: "name"))
    var profile: String?

    /// What file and environment say. What is wrong in them is said on stderr and left out; only a profile that was asked for must be there.
    func load(in surroundings: Surroundings) throws(Failure) -> Configuration {
        var (configuration, messages) = try surroundings.configuration(profile: profile)
        configuration.faults = messages.map(\.ended)
        for fault in configuration.faults { surroundings.streams.say("tripwatch: \(fault)") }
        return configuration
    }
}
