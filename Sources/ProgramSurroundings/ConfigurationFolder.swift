import FoundationEssentials
import Glibc

/// The folder of the program's settings: `$XDG_CONFIG_HOME/tripwatch` (`~/.config/tripwatch`).
package struct ConfigurationFolder: Sendable {
    package let path: String
    /// The home directory; empty without one.
    package let home: String

    /// Nil without a home directory.
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

    /// A file of the folder, at most one byte more than it may have; nil without a file.
    ///
    /// - Parameter maximum: how many bytes the file may have.
    /// - Throws: `Failure` for a file that exists and cannot be read.
    package func bytes(of name: String, maximum: Int) throws(Failure) -> [UInt8]? {
        let path = file(name)
        // A pipe in its place must not make the program wait.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Self.failure(path, "cannot be read")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximum + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes[count...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if got > 0 {
                count += got
            } else if got == 0 {
                break
            } else if errno != EINTR {
                throw Self.failure(path, "cannot be read")
            }
        }
        return Array(bytes.prefix(count))
    }

    /// Puts another text in a file's place, as a whole: other programs read either the old text or the new one. A symbolic link stays a link.
    /// - Throws: `Failure` for a folder that cannot be made, and a file that cannot be written.
    package func write(_ bytes: [UInt8], to name: String) throws(Failure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Failure(message: "\(printable(path)) cannot be made.")
        }
        let wanted = file(name)
        let target = Self.resolved(wanted)
        var status = stat()
        let mode = stat(target, &status) == 0 ? status.st_mode & 0o777 : 0o600
        Drafts.clear(for: target)
        let draft = Drafts.path(for: target)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Self.failure(wanted, "cannot be written") }
        let isWritten = Self.write(bytes, to: descriptor) && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(draft, target) == 0 else {
            let failure = Self.failure(wanted, "cannot be written")
            unlink(draft)
            throw failure
        }
    }

    /// The path of a file of the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// The target of the links, as far as they lead to a file.
    private static func resolved(_ path: String) -> String {
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
    private static func failure(_ path: String, _ what: String) -> Failure {
        let reason = strerror(errno).map { String(cString: $0) } ?? "unknown"
        return Failure(message: "\(printable(path)) \(what): \(reason).")
    }
}
