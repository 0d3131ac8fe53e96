import ArgumentParser
import TripWatchApp

/// Which part of the user's configuration file counts.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Take the keys of [profiles.NAME] in the configuration file first.", valueName: "name"))
    var profile: String?

    /// What the file says. What is wrong in it is said on stderr and left out; only a profile that was asked for must be there.
    func load() throws -> Configuration {
        guard let file = ConfigurationFile() else { return Configuration() }
        do throws(Failure) {
            let (configuration, messages) = try file.read(profile: profile)
            if let profile, !profile.isEmpty, configuration.profile == nil {
                let reason = messages.first { $0.severity == .error }?.ended
                throw Failure(message: reason ?? "there is no profile \(Terminal.printable(profile)).", exitCode: ExitCodes.usage)
            }
            for message in messages { Terminal.say("tripwatch: \(message.ended)") }
            return configuration
        } catch {
            throw error.end()
        }
    }
}

extension ConfigurationMessage {
    /// With its full stop, unless it asks.
    var ended: String { description.hasSuffix("?") ? description : description + "." }
}

/// A command that the configuration file has a say in: what no flag and no variable of the environment says, it says.
protocol ConfigurableCommand: AsyncParsableCommand {
    var settings: ConfigurationOptions { get }
    /// Takes over what the flags leave open.
    mutating func complete(from configuration: Configuration)
    /// The command itself, with options that are complete.
    func perform() async throws
}

extension ConfigurableCommand {
    func run() async throws {
        var command = self
        command.complete(from: try settings.load())
        try await command.perform()
    }
}
