import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "View and change settings.",
        discussion: """
            The configuration file holds the options that you would otherwise type every time: server, token source, base map, colours. \
            Flags and environment variables override it. The variable for a key is TRIPWATCH_ followed by the key in capitals.
            """,
        subcommands: [
            ConfigPathCommand.self, ConfigListCommand.self, ConfigGetCommand.self, ConfigSetCommand.self, ConfigUnsetCommand.self,
            ConfigUseCommand.self, ConfigEditCommand.self, ConfigCheckCommand.self, ConfigDefaultCommand.self,
        ])

    /// Returns the configuration file.
    /// - Throws: `Failure` if neither `HOME` nor `XDG_CONFIG_HOME` is set.
    static func file(_ surroundings: Surroundings) throws(Failure) -> ConfigurationFile {
        guard let file = surroundings.configurationFile else {
            throw Failure(
                message: "the folder of the configuration file is unknown, because HOME is not set: set HOME.", exitCode: ExitCodes.failed)
        }
        return file
    }

    /// Prints the errors in the file and the environment.
    static func check(_ surroundings: Surroundings, profile: String?, isJSON: Bool = false) throws(Failure) -> ProgramEnd {
        let file = try file(surroundings)
        let streams = surroundings.streams
        if try file.bytes() == nil { streams.say("tripwatch: \(printable(file.path)) does not exist yet.") }
        let (configuration, messages) = try surroundings.configuration(profile: profile)
        let missing = configuration.files.filter { !surroundings.exists($0.path) }
        var faults = messages.map { "\($0)" }
        faults += missing.map { "\(Configuration.fileName): \($0.key): the file \(printable($0.path)) does not exist" }
        let themeFaults = configuration.theme.map { ThemesRun(in: surroundings).faults(of: $0) } ?? []
        faults += themeFaults.map { "\(Configuration.fileName): theme: \($0)" }
        if isJSON {
            streams.print(json: faults.map(Fault.init(message:)))
        } else {
            for fault in faults { streams.print(fault) }
        }
        return faults.isEmpty ? .success : .code(ExitCodes.failed)
    }

    private struct Fault: Encodable {
        let message: String
    }

    /// Changes the configuration file with a function that gets the old text and returns the new one.
    ///
    /// - Parameter first: the text that `change` gets if the file does not exist yet; nil to create no file.
    static func edit(
        _ surroundings: Surroundings, startingFrom first: [UInt8]?, _ change: ([UInt8]) throws(ConfigurationMessage) -> [UInt8]
    ) throws(Failure) -> ProgramEnd {
        try file(surroundings).edit(startingFrom: first, change)
        return .success
    }
}

struct ConfigPathCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "path", abstract: "Print the path of the configuration file.")

    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let path = try ConfigCommand.file(surroundings).path
        surroundings.streams.print(form.isJSON ? StandardStreams.jsonText(["path": path]) : path)
        return .success
    }
}

struct ConfigCheckCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the configuration file. Exit code 1 if it has errors.")

    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        try ConfigCommand.check(surroundings, profile: settings.chosen, isJSON: form.isJSON)
    }
}

struct ConfigDefaultCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "default", abstract: "Print a configuration file with every key explained and commented out.",
        discussion: "The first 'tripwatch config set' creates the configuration file with this text.")

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        surroundings.streams.print(String(Configuration.defaultText.dropLast()))
        return .success
    }
}

struct ConfigSetCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Save a setting: tripwatch config set basemap ~/maps/berlin.pmtiles.",
        // The value is declared as a list, because it may begin with a dash. The usage that the parser generates would therefore show
        // several values.
        usage: "tripwatch config set <key> <value> [--log <file>] [--verbose] [--quiet]",
        discussion: """
            Comments and all other lines of the file are unchanged. A relative path starts at the current folder, and is saved as a full \
            path.
            """)

    @Argument(help: "The key.", completion: .configurationKeys)
    var key: String

    @Argument(parsing: .allUnrecognized, help: "The value, without quotation marks.", completion: .configurationValues)
    var value: [String]

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func validate() throws {
        guard value.count == 1 else { throw ValidationError("'config set' takes one key and one value.") }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let value = try Self.complete(value.joined(), for: key, in: surroundings)
        if key == "theme", let fault = ThemesRun(in: surroundings).faults(of: value).first {
            throw Failure(message: sentence("theme: \(fault)"), exitCode: ExitCodes.usage)
        }
        return try ConfigCommand.edit(surroundings, startingFrom: Array(Configuration.defaultText.utf8)) {
            text throws(ConfigurationMessage) in
            try Configuration.setting(key, to: value, in: text)
        }
    }

    /// Makes a path in a value absolute; a path that begins with `~` is kept. A relative path in the file refers to the file's folder, but
    /// a relative path on the command line refers to the current folder.
    /// - Throws: `Failure` if the file does not exist.
    private static func complete(_ value: String, for key: String, in surroundings: Surroundings) throws(Failure) -> String {
        guard let key = ConfigurationKey.all.first(where: { $0.name == key }), key.holdsPath(value) else { return value }
        let home = surroundings.environment["HOME"] ?? ""
        let path = value.hasPrefix("~/") ? home + value.dropFirst() : surroundings.absolute(value)
        // `serve` creates its database, so this file need not exist yet.
        guard key.name == "database" || surroundings.exists(path) else {
            throw Failure(message: "\(key.name): the file \(printable(path)) does not exist.", exitCode: ExitCodes.usage)
        }
        return value.hasPrefix("~") ? value : path
    }
}

struct ConfigUnsetCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "unset", abstract: "Remove a setting by commenting out its line.")

    @Argument(help: "The key.", completion: .configurationKeys)
    var key: String

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        try ConfigCommand.edit(surroundings, startingFrom: nil) { text throws(ConfigurationMessage) in
            try Configuration.unsetting(key, in: text)
        }
    }
}
