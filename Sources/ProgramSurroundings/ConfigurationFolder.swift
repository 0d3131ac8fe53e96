import Files
import FoundationEssentials
import Glibc

/// The folder of the program's settings: `$XDG_CONFIG_HOME/tripwatch`, by default `~/.config/tripwatch`.
package struct ConfigurationFolder: Sendable {
    package let path: String
    /// The user's home directory; empty if the user has none.
    package let home: String

    /// Returns nil if the environment specifies neither the folder nor a home directory.
    package init?(environment: [String: String]) {
        home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? ""
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
            path = base + "/tripwatch"
        } else if !home.isEmpty {
            path = home + "/.config/tripwatch"
        } else {
            return nil
        }
    }

    /// Returns the contents of a file in the folder; nil if the file does not exist. If the file is too large, its first
    /// `maximum` + 1 bytes are returned.
    ///
    /// - Parameter maximum: the maximum size of the file, in bytes.
    /// - Throws: `Failure` if the file exists and cannot be read, if it is a pipe, or if the file or the folder is a symbolic link without
    ///   a target.
    package func bytes(of name: String, maximum: Int) throws(Failure) -> [UInt8]? {
        let path = file(name)
        // If the path is a pipe instead of a file, the program must not wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw Self.failure(path, "cannot be read", .last) }
            // A broken link means that the user has settings, for example on a file system that is not mounted.
            if let link = [self.path, path].first(where: Self.isBrokenLink) {
                throw Failure(message: "\(printable(link)) is a symbolic link whose target is missing.")
            }
            return nil
        }
        defer { close(descriptor) }
        // An empty pipe would look like an empty file.
        guard !Files.isPipe(descriptor) else { throw Failure(message: "\(printable(path)) is a pipe. Replace it with a file.") }
        do throws(SystemError) {
            return try Files.bytes(of: descriptor, limit: maximum + 1)
        } catch {
            throw Self.failure(path, "cannot be read", error)
        }
    }

    /// Replaces a file's text. Other programs see either the old text or the whole new text. If the path is a symbolic link, the
    /// link stays.
    /// - Throws: `Failure` if the folder cannot be created or the file cannot be written.
    package func write(_ bytes: [UInt8], to name: String) throws(Failure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Failure(message: "\(printable(path)) cannot be created.")
        }
        let wanted = file(name)
        let target = Files.resolved(wanted)
        do throws(SystemError) {
            try Files.replace(target, with: bytes, mode: Files.mode(of: target) ?? 0o600)
        } catch {
            throw Self.failure(wanted, "cannot be written", error)
        }
    }

    package func file(_ name: String) -> String { path + "/" + name }

    private static func isBrokenLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && access(path, F_OK) != 0
    }

    private static func failure(_ path: String, _ what: String, _ reason: SystemError) -> Failure {
        Failure(message: "\(printable(path)) \(what): \(reason.words).")
    }
}
