import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

struct ConfigListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print the settings that count, and where each is from.",
        discussion: "Values that could hold a secret are left out; 'config get KEY' prints them.")

    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let all = try ConfigCommand.settings(surroundings, profile: settings.chosen)
        if form.isJSON {
            surroundings.streams.print(json: all.map { SettingFacts($0, showsSecrets: false) })
        } else {
            for setting in all { surroundings.streams.print(setting.line) }
        }
        return .success
    }
}

/// A setting as JSON tells of it.
private struct SettingFacts: Encodable {
    let key: String
    /// Nil for one that could hold a secret.
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
        // Null, not left out, when it is not shown.
        try container.encode(value, forKey: .value)
        try container.encode(place, forKey: .place)
    }
}

struct ConfigGetCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the value of a setting. Exit code 1 if it is not set.")

    @Argument(help: "The key.", completion: .configurationKeys)
    var key: String

    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let key = ConfigurationKey.all.first(where: { $0.name == key }) else {
            throw Failure(
                message: "\(printable(key)): there is no such key; 'tripwatch config default' has all.", exitCode: ExitCodes.usage)
        }
        let all = try ConfigCommand.settings(surroundings, profile: settings.chosen)
        guard let setting = all.first(where: { $0.name == key.name }) else {
            surroundings.streams.say("tripwatch: \(key.name) is not set. The default is: \(key.standard).")
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
        commandName: "use", abstract: "Choose a profile for all commands to come.",
        discussion: "'config unset profile' goes back to none. The profile local is built in.")

    @Argument(help: "The name of a table [profiles.NAME], or local.")
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
        commandName: "edit", abstract: "Open the configuration file in $VISUAL or $EDITOR, and check it.",
        discussion: "Ends as 'config check' does: exit code 1 if anything is wrong.")

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let file = try ConfigCommand.file(surroundings)
        if try file.bytes() == nil { try file.write(Array(Configuration.defaultText.utf8)) }
        try await Editor(environment: surroundings.environment).open(file.path)
        return try ConfigCommand.check(surroundings, profile: nil)
    }
}

extension ConfigCommand {
    /// The settings that count.
    fileprivate static func settings(_ surroundings: Surroundings, profile: String?) throws(Failure) -> [ConfigurationSetting] {
        try file(surroundings).settings(environment: surroundings.environment, profile: profile)
    }
}
