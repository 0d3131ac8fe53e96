import FoundationEssentials
import Glibc
package import ProgramSurroundings
package import TripWatchSettings
import TripWatchWords

/// The user's configuration file: `$XDG_CONFIG_HOME/tripwatch/config.toml` (`~/.config/tripwatch/config.toml`).
package struct ConfigurationFile: Sendable {
    /// Where the program's own files are.
    package let folder: String
    /// Empty without a home directory.
    private let home: String

    package var path: String { folder + "/" + Configuration.fileName }

    /// Nil without a home directory.
    package init?(environment: [String: String]) {
        home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? ""
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
            folder = base + "/tripwatch"
        } else if !home.isEmpty {
            folder = home + "/.config/tripwatch"
        } else {
            return nil
        }
    }

    /// Reads the environment, and the file below it, with their faults.
    /// - Throws: `Failure` for a file that exists and cannot be read.
    func read(
        environment: [String: String], profile: String?, isAskedOnly: Bool = false
    ) throws(Failure) -> (configuration: Configuration, messages: [ConfigurationMessage]) {
        Configuration.read(
            utf8: try bytes() ?? [], environment: environment, home: home, directory: folder, profile: profile,
            isAskedOnly: isAskedOnly)
    }

    /// The settings of environment and file that count.
    /// - Throws: `Failure` for a file that cannot be read, or is no TOML.
    package func settings(environment: [String: String], profile: String?) throws(Failure) -> [ConfigurationSetting] {
        let text = try bytes() ?? []
        do throws(ConfigurationMessage) {
            return try Configuration.settings(utf8: text, environment: environment, profile: profile)
        } catch { throw Failure(message: error.ended, exitCode: ExitCodes.failed) }
    }

    /// The file, at most one byte more than it may have; nil without a file.
    package func bytes() throws(Failure) -> [UInt8]? {
        // A pipe in its place must not make the program wait.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("cannot be read")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Configuration.maximumFileBytes + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes[count...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if got > 0 {
                count += got
            } else if got == 0 {
                break
            } else if errno != EINTR {
                throw failure("cannot be read")
            }
        }
        return Array(bytes.prefix(count))
    }

    /// Changes the file by a function on its text.
    ///
    /// - Parameter first: the text to start from where there is no file yet; nil changes nothing then.
    /// - Throws: `Failure` for a file that cannot be read, changed or written.
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

    /// Remembers a setting.
    func set(_ key: String, to value: String) throws(Failure) {
        try edit(startingFrom: Array(Configuration.defaultText.utf8)) { text throws(ConfigurationMessage) in
            try Configuration.setting(key, to: value, in: text)
        }
    }

    /// Puts another text in the file's place, as a whole: other programs read either the old text or the new one. A symbolic link stays a link.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Failure(message: "\(printable(folder)) cannot be made.", exitCode: ExitCodes.failed)
        }
        let target = resolved(path)
        var status = stat()
        let mode = stat(target, &status) == 0 ? status.st_mode & 0o777 : 0o600
        Drafts.clear(for: target)
        let draft = Drafts.path(for: target)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure("cannot be written") }
        let isWritten = Self.write(bytes, to: descriptor) && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(draft, target) == 0 else {
            let failure = failure("cannot be written")
            unlink(draft)
            throw failure
        }
    }

    /// The target of the links, as far as they lead to a file.
    private func resolved(_ path: String) -> String {
        guard let pointer = realpath(path, nil) else { return path }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { written += count } else if errno != EINTR { return false }
        }
        return true
    }

    /// In the words of `errno`.
    private func failure(_ what: String) -> Failure {
        let reason = strerror(errno).map { String(cString: $0) } ?? "unknown"
        return Failure(message: "\(printable(path)) \(what): \(reason).", exitCode: ExitCodes.failed)
    }
}

extension Surroundings {
    /// Nil without a home directory.
    package var configurationFile: ConfigurationFile? { ConfigurationFile(environment: environment) }

    /// The configuration from environment and file together.
    ///
    /// - Parameter profile: a flag's value; nil without the flag.
    /// - Throws: `Failure` for a file that exists and cannot be read, and for a missing profile that a flag or a variable asks for.
    package func configuration(
        profile: String?
    ) throws(Failure) -> (configuration: Configuration, messages: [ConfigurationMessage]) {
        let profile = profile ?? environment[ConfigurationKey.profileVariable]
        guard let file = configurationFile else {
            return Configuration.read(utf8: [], environment: environment, home: "", directory: workingDirectory, profile: profile)
        }
        let (configuration, messages) = try file.read(environment: environment, profile: profile)
        if let profile, !profile.isEmpty, configuration.profile == nil {
            let reason = messages.first { $0.severity == .error }?.ended
            throw Failure(message: reason ?? "there is no profile \(printable(profile)).", exitCode: ExitCodes.usage)
        }
        return (configuration, messages)
    }
}

extension Surroundings {
    /// What the environment and a profile say that a flag or a variable asks for; nothing of the configuration besides it.
    /// - Parameter profile: a flag's value; nil without the flag.
    package func askedConfiguration(profile: String?) -> Configuration {
        // The empty text keeps the file's own choice of a profile out.
        let profile = profile ?? environment[ConfigurationKey.profileVariable] ?? ""
        guard let file = configurationFile else {
            return Configuration.read(
                utf8: [], environment: environment, home: "", directory: workingDirectory, profile: profile, isAskedOnly: true
            ).configuration
        }
        let read = try? file.read(environment: environment, profile: profile, isAskedOnly: true)
        return read?.configuration ?? Configuration()
    }
}

extension ConfigurationMessage {
    /// With its full stop, unless it asks.
    package var ended: String { description.hasSuffix("?") ? description : description + "." }
}
