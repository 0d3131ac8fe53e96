package import ProgramSurroundings
package import TripWatchSettings
import TripWatchWords

/// The user's configuration file: `$XDG_CONFIG_HOME/tripwatch/config.toml` (`~/.config/tripwatch/config.toml`).
package struct ConfigurationFile: Sendable {
    private let place: ConfigurationFolder

    /// The path of the folder with the program's configuration files.
    package var folder: String { place.path }
    package var path: String { place.file(Configuration.fileName) }

    /// Creates the description of the file; nil without a home directory.
    package init?(environment: [String: String]) {
        guard let place = ConfigurationFolder(environment: environment) else { return nil }
        self.place = place
    }

    /// Reads the environment and the file. Returns the settings and the errors in both. The environment overrides the file.
    /// - Throws: `Failure` if the file exists but cannot be read.
    func read(
        environment: [String: String], profile: String?, isAskedOnly: Bool = false
    ) throws(Failure) -> (configuration: Configuration, messages: [ConfigurationMessage]) {
        Configuration.read(
            utf8: try bytes() ?? [], environment: environment, home: place.home, directory: folder, profile: profile,
            isAskedOnly: isAskedOnly)
    }

    /// Returns the settings that apply, from the environment and the file.
    /// - Throws: `Failure` if the file cannot be read, or is not TOML.
    package func settings(environment: [String: String], profile: String?) throws(Failure) -> [ConfigurationSetting] {
        let text = try bytes() ?? []
        do throws(ConfigurationMessage) {
            return try Configuration.settings(utf8: text, environment: environment, profile: profile)
        } catch { throw Failure(message: error.ended, exitCode: ExitCodes.failed) }
    }

    /// Returns the contents of the file; nil if there is no file. If the file is too large, returns its first
    /// `Configuration.maximumFileBytes` + 1 bytes.
    package func bytes() throws(Failure) -> [UInt8]? {
        try place.bytes(of: Configuration.fileName, maximum: Configuration.maximumFileBytes)
    }

    /// Changes the text of the file with a function.
    ///
    /// - Parameter first: the text for a file that does not exist yet; nil to create no file.
    /// - Throws: `Failure` if the file cannot be read, changed or written.
    package func edit(
        startingFrom first: [UInt8]?, _ change: ([UInt8]) throws(ConfigurationMessage) -> [UInt8]
    ) throws(Failure) {
        let old = try bytes()
        guard let text = old ?? first else { return }
        let new: [UInt8]
        do throws(ConfigurationMessage) { new = try change(text) } catch {
            throw Failure(message: error.ended, exitCode: ExitCodes.usage)
        }
        if new != old { try write(new) }
    }

    /// Saves a setting.
    func set(_ key: String, to value: String) throws(Failure) {
        try edit(startingFrom: Array(Configuration.defaultText.utf8)) { text throws(ConfigurationMessage) in
            try Configuration.setting(key, to: value, in: text)
        }
    }

    /// Replaces the file atomically: other programs read either the old or the new text. A symbolic link remains a link.
    package func write(_ bytes: [UInt8]) throws(Failure) { try place.write(bytes, to: Configuration.fileName) }
}

extension Surroundings {
    /// The user's configuration file; nil without a home directory.
    package var configurationFile: ConfigurationFile? { ConfigurationFile(environment: environment) }

    /// Returns the configuration from the environment and the file.
    ///
    /// - Parameter profile: the profile that a flag selects; nil without the flag.
    /// - Throws: `Failure` if the file exists but cannot be read, or if a flag or a variable selects a profile that does not exist.
    package func configuration(
        profile: String?
    ) throws(Failure) -> (configuration: Configuration, messages: [ConfigurationMessage]) {
        guard let file = configurationFile else {
            return Configuration.read(utf8: [], environment: environment, home: "", directory: workingDirectory, profile: profile)
        }
        let (configuration, messages) = try file.read(environment: environment, profile: profile)
        if let profile = profile ?? environment[ConfigurationKey.profileVariable], !profile.isEmpty, configuration.profile == nil {
            let reason = messages.first { $0.severity == .error }?.ended
            throw Failure(message: reason ?? "the configuration has no profile \(printable(profile)).", exitCode: ExitCodes.usage)
        }
        return (configuration, messages)
    }
}

extension Surroundings {
    /// Returns the settings from the environment, and from the profile that a flag or a variable selects. The rest of the file is left out.
    /// If the file exists but cannot be read, returns no settings.
    /// - Parameter profile: the profile that a flag selects; nil without the flag.
    package func askedConfiguration(profile: String?) -> Configuration {
        guard let file = configurationFile else {
            return Configuration.read(
                utf8: [], environment: environment, home: "", directory: workingDirectory, profile: profile, isAskedOnly: true
            ).configuration
        }
        let read = try? file.read(environment: environment, profile: profile, isAskedOnly: true)
        return read?.configuration ?? Configuration()
    }

    /// Returns the first profile, in the order of the profiles' names, whose table sets a token source and a server that meets a condition.
    /// Returns nil without such a profile.
    package func profile(whereServer isMeant: (String) -> Bool) -> String? {
        guard let bytes = try? configurationFile?.bytes() else { return nil }
        return Configuration.profileServers(utf8: bytes).first { isMeant($0.endpoint) }?.profile
    }
}

extension ConfigurationMessage {
    /// The message with a full stop, unless it ends with a question mark.
    package var ended: String { description.hasSuffix("?") ? description : description + "." }
}
