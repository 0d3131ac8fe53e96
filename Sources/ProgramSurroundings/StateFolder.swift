import Files
package import FoundationEssentials
import Glibc

/// The folder for small files that are kept between runs: `$XDG_STATE_HOME/tripwatch`, by default `~/.local/state/tripwatch`.
/// Only its owner can read it.
///
/// A file that cannot be read is treated as missing. Data that cannot be written is lost; the caller decides whether to report that.
package struct StateFolder: Sendable {
    /// The longest time to wait for another program that holds the lock, in seconds.
    private static let patienceSeconds = 2.0

    private let path: String

    /// Returns nil if the environment specifies neither the folder nor a home directory.
    package init?(environment: [String: String]) {
        guard let path = Self.path(environment: environment) else { return nil }
        self.path = path
    }

    /// The program's folder for data that is not configuration; nil if the environment specifies neither it nor a home
    /// directory.
    package static func path(environment: [String: String]) -> String? {
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/tripwatch" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/tripwatch" }
        return nil
    }

    package func file(_ name: String) -> String { path + "/" + name }

    /// Returns whether a file with this name exists, even if it cannot be read.
    package func has(_ name: String) -> Bool { access(file(name), F_OK) == 0 }

    /// Returns the contents of a file in the folder. Returns nil if the file cannot be read, is not a regular file, or has more
    /// than `maximumBytes`.
    package func read(_ name: String, maximumBytes: Int) -> Data? {
        (try? SmallFile.bytes(path: file(name), limit: maximumBytes)).map { Data($0) }
    }

    /// Renames a file to an unused name.
    /// - Returns: the new path; nil if the file keeps its name.
    package func setAside(_ name: String) -> String? {
        let path = file(name)
        for number in 1..<100 {
            let aside = number == 1 ? path + ".damaged" : "\(path).damaged-\(number)"
            // A file that was renamed earlier is not overwritten.
            if access(aside, F_OK) != 0 { return rename(path, aside) == 0 ? aside : nil }
        }
        return nil
    }

    /// Locks the folder against other programs and runs `body`. Does not run `body` if the folder cannot be created, or if another
    /// program holds the lock for more than two seconds.
    package func locked(_ body: () -> Void) {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = open(file("lock"), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { return }
        // Closing the descriptor unlocks the file.
        defer { close(lock) }
        guard (try? Files.lock(lock, patienceSeconds: Self.patienceSeconds)) == true else { return }
        body()
    }

    /// Replaces a file's text. Other programs see either the old text or the whole new text.
    /// - Parameter isSynchronized: whether to wait until the text is on the disk.
    /// - Returns: whether the text was replaced.
    @discardableResult
    package func write(_ data: Data, to name: String, isSynchronized: Bool = true) -> Bool {
        (try? Files.replace(file(name), with: Array(data), isSynchronized: isSynchronized)) != nil
    }
}
