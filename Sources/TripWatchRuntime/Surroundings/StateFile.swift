import FleetEngine
import FoundationEssentials
import Glibc
import JourneySharing
import TripWatchApp

/// Small texts kept between runs, in `$XDG_STATE_HOME/tripwatch` (`~/.local/state/tripwatch`).
///
/// Failures are no errors here: a text that cannot be read is unknown, one that cannot be written is forgotten.
package struct StateFile: Sendable {
    private let folder: String
    private var path: String { folder + "/progress.json" }

    /// Nil without a home directory.
    init?(environment: [String: String]) {
        guard let folder = Self.folder(environment: environment) else { return nil }
        self.folder = folder
    }

    /// Where the program keeps what is not configuration; nil where there is no home.
    static func folder(environment: [String: String]) -> String? {
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/tripwatch" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/tripwatch" }
        return nil
    }

    var progress: ProgressBook {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path), let size = attributes[.size] as? Int,
            size <= ProgressBook.maximumBytes, let data = try? Data(contentsOf: URL(filePath: path))
        else { return ProgressBook() }
        return ProgressBook(data)
    }

    /// Notes how far a trip is. Two programs that write at the same moment lose one note, never the file: it is replaced as a whole.
    func note(_ mark: Progress.Mark?, for trip: TripName, now: Date) {
        var book = progress
        let before = book
        book.note(mark, for: trip, now: now)
        guard book != before else { return }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try? book.data.write(to: URL(filePath: path), options: .atomic)
        chmod(path, 0o600)
    }
}
