import ArgumentParser
import FoundationEssentials
import Glibc
import TripWatchApp

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "What the program does where no flag says otherwise.",
        discussion: """
            The configuration file holds what you would otherwise type every time: the server, your token source, the base map, the colours. \
            A flag wins over it, and so does the environment.
            """,
        subcommands: [
            ConfigPathCommand.self, ConfigCheckCommand.self, ConfigDefaultCommand.self, ConfigSetCommand.self, ConfigUnsetCommand.self,
        ])

    /// The file, or a sentence for those without a home.
    fileprivate static func file() throws -> ConfigurationFile {
        guard let file = ConfigurationFile() else {
            throw Failure(message: "there is no place for a configuration file: set HOME.", exitCode: ExitCodes.failed).end()
        }
        return file
    }

    /// Changes the file by a function on its text.
    ///
    /// - Parameter first: the text to start from where there is no file yet.
    fileprivate static func edit(startingFrom first: [UInt8]?, _ change: ([UInt8]) throws(ConfigurationMessage) -> [UInt8]) throws {
        let file = try file()
        do throws(Failure) {
            let old = try file.bytes()
            guard let text = old ?? first else { return }
            let new: [UInt8]
            do throws(ConfigurationMessage) { new = try change(text) } catch {
                throw Failure(message: error.ended, exitCode: ExitCodes.usage)
            }
            if new != old { try file.write(new) }
        } catch {
            throw error.end()
        }
    }
}

struct ConfigPathCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "path", abstract: "Where the configuration file is looked for.")

    func run() async throws { Terminal.print(try ConfigCommand.file().path) }
}

struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read the configuration file and say what is wrong with it. Exit code 1 if anything is.")

    @OptionGroup var settings: ConfigurationOptions

    func run() async throws {
        let file = try ConfigCommand.file()
        do throws(Failure) {
            guard try file.bytes() != nil else { return Terminal.say("tripwatch: there is no \(Terminal.printable(file.path)) yet.") }
            let messages = try file.read(profile: settings.profile).messages
            for message in messages { Terminal.print("\(message)") }
            if !messages.isEmpty { Terminal.exit(ExitCodes.failed) }
        } catch {
            throw error.end()
        }
    }
}

struct ConfigDefaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default", abstract: "Print a configuration file with every key explained and commented out.",
        discussion: "The first tripwatch config set begins the file with it.")

    func run() async throws { Terminal.print(String(Configuration.defaultText.dropLast())) }
}

struct ConfigSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Remember a setting: tripwatch config set basemap ~/maps/berlin.pmtiles.",
        discussion: "Comments and all other lines of the file stay as they are. A path counts from where you are.")

    @Argument(help: "The key.")
    var key: String

    @Argument(parsing: .allUnrecognized, help: "Its value, without quotation marks.")
    var value: [String]

    func validate() throws {
        guard value.count == 1 else { throw ValidationError("config set takes one key and one value.") }
    }

    func run() async throws {
        let value = Self.complete(value.joined(), for: key)
        try ConfigCommand.edit(startingFrom: Array(Configuration.defaultText.utf8)) { text throws(ConfigurationMessage) in
            try Configuration.setting(key, to: value, in: text)
        }
    }

    /// A path in the file counts from the file's folder, one on the command line from here.
    private static func complete(_ value: String, for key: String) -> String {
        guard let key = ConfigurationKey.all.first(where: { $0.name == key }), key.holdsPath(value), !value.hasPrefix("~") else {
            return value
        }
        let path = value.hasPrefix("/") ? value : FileManager.default.currentDirectoryPath + "/" + value
        if !FileManager.default.fileExists(atPath: path) { Terminal.say("tripwatch: there is no file \(Terminal.printable(path)) yet.") }
        return path
    }
}

struct ConfigUnsetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unset", abstract: "Forget a setting: its line is commented out.")

    @Argument(help: "The key.")
    var key: String

    func run() async throws {
        try ConfigCommand.edit(startingFrom: nil) { text throws(ConfigurationMessage) in try Configuration.unsetting(key, in: text) }
    }
}
