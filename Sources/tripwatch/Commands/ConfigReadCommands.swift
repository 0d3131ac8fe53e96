import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

struct ConfigListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print the settings in effect and the source of each.",
        discussion: "Values that could hold a secret are left out; 'config get KEY' prints them.")

    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let (all, read) = try ConfigCommand.settings(surroundings, profile: settings.chosen)
        for message in read.messages { surroundings.streams.say("tripwatch: \(message.ended)") }
        if form.isJSON {
            surroundings.streams.print(json: all.map { SettingFacts($0, showsSecrets: false) })
        } else {
            for setting in all { surroundings.streams.print(setting.line) }
        }
        return .success
    }
}

/// A setting in JSON.
private struct SettingFacts: Encodable {
    let key: String
    /// The value of the setting; nil if it could contain a secret.
    let value: String?
    let place: String

    private enum CodingKeys: String, CodingKey { case key, value, place }

    init(_ setting: ConfigurationSetting, showsSecrets: Bool) {
        key = setting.name
        value = setting.isShown || showsSecrets ? setting.text : nil
        place = setting.place
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(key, forKey: .key)
        // If the value is not shown, the member is null instead of missing.
        try container.encode(value, forKey: .value)
        try container.encode(place, forKey: .place)
    }
}

struct ConfigGetCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print a setting's value. Exit code 1 if it is not set.")

    @Argument(help: "The key.", completion: .configurationKeys)
    var key: String

    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let key = ConfigurationKey.all.first(where: { $0.name == key }) else {
            throw Failure(
                message: "\(printable(key)): this key does not exist; 'tripwatch config default' lists all keys.", exitCode: ExitCodes.usage
            )
        }
        let (all, read) = try ConfigCommand.settings(surroundings, profile: settings.chosen)
        let faults = read.messages.filter { $0.concerns(key, profile: read.configuration.profile) }
        for message in faults { surroundings.streams.say("tripwatch: \(message.ended)") }
        guard let setting = all.first(where: { $0.name == key.name }) else {
            if faults.isEmpty { surroundings.streams.say("tripwatch: \(key.name) is not set. The default is: \(key.standard).") }
            return .code(ExitCodes.failed)
        }
        if form.isJSON {
            surroundings.streams.print(json: SettingFacts(setting, showsSecrets: true))
        } else {
            surroundings.streams.print(printableWhole(setting.text))
        }
        return .success
    }
}

struct ConfigUseCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Choose the profile for all commands.",
        discussion: "'config unset profile' removes the choice. The profile 'local' is built in.")

    @Argument(help: "Profile: the NAME of a table [profiles.NAME], or 'local'.", completion: .profiles)
    var profile: String

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        try ConfigCommand.edit(surroundings, startingFrom: Array(Configuration.defaultText.utf8)) {
            text throws(ConfigurationMessage) in
            try Configuration.setting("profile", to: profile, in: text)
        }
    }
}

struct ConfigEditCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Edit the configuration file in $VISUAL or $EDITOR, then check it.",
        discussion: "Checks the file as 'config check' does: exit code 1 if it has errors.")

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let file = try ConfigCommand.file(surroundings)
        if try file.bytes() == nil { try file.write(Array(Configuration.defaultText.utf8)) }
        try await Editor(environment: surroundings.environment).open(file.path)
        return try ConfigCommand.check(surroundings, profile: nil)
    }
}

extension ConfigCommand {
    /// Returns the settings in effect, from the file, the environment and the profile, and the errors in them.
    /// - Throws: `Failure` if the file's folder is unknown, if the file is unreadable or not TOML, or if a flag or variable selects a
    ///   profile that does not exist.
    fileprivate static func settings(
        _ surroundings: Surroundings, profile: String?
    ) throws(Failure) -> (settings: [ConfigurationSetting], read: (configuration: Configuration, messages: [ConfigurationMessage])) {
        let settings = try file(surroundings).settings(environment: surroundings.environment, profile: profile)
        return (settings, try surroundings.configuration(profile: profile))
    }
}
