import Files
package import FoundationEssentials
import Glibc

/// The folder of small texts kept between runs, which only their owner reads: `$XDG_STATE_HOME/tripwatch` (`~/.local/state/tripwatch`).
///
/// Failures are no errors here: a text that cannot be read is unknown, one that cannot be written is forgotten.
package struct StateFolder: Sendable {
    /// So long one program waits for another that writes, seconds.
    private static let patienceSeconds = 2.0

    private let path: String

    /// Nil without a home directory.
    package init?(environment: [String: String]) {
        guard let path = Self.path(environment: environment) else { return nil }
        self.path = path
    }

    /// Where the program keeps what is not configuration; nil without a home directory.
    package static func path(environment: [String: String]) -> String? {
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/tripwatch" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/tripwatch" }
        return nil
    }

    /// The path of a file of the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Whether a file of this name is there, readable or not.
    package func has(_ name: String) -> Bool { access(file(name), F_OK) == 0 }

    /// A file of the folder; nil where it cannot be read, is no regular file or has more than `maximumBytes`.
    package func read(_ name: String, maximumBytes: Int) -> Data? {
        (try? SmallFile.bytes(path: file(name), limit: maximumBytes)).map { Data($0) }
    }

    /// Gives a file a name that no other has.
    /// - Returns: its new path; nil where it keeps its name.
    package func setAside(_ name: String) -> String? {
        let path = file(name)
        for number in 1..<100 {
            let aside = number == 1 ? path + ".damaged" : "\(path).damaged-\(number)"
            // Nothing is written over that somebody has set aside before.
            if access(aside, F_OK) != 0 { return rename(path, aside) == 0 ? aside : nil }
        }
        return nil
    }

    /// Runs `body`, which reads and writes, while no other program does, so that no note is lost. It does not run where the folder cannot be
    /// made, or another program writes for more than two seconds.
    package func locked(_ body: () -> Void) {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = open(file("lock"), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { return }
        // Closing it unlocks.
        defer { close(lock) }
        guard (try? Files.lock(lock, patienceSeconds: Self.patienceSeconds)) == true else { return }
        body()
    }

    /// Puts a text in a file's place, as a whole: other programs read either the old one or the new one.
    /// - Parameter isSynchronized: waits until the text is on the disk.
    package func write(_ data: Data, to name: String, isSynchronized: Bool = true) {
        try? Files.replace(file(name), with: Array(data), isSynchronized: isSynchronized)
    }
}
