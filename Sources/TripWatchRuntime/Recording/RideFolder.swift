import FleetEngine
import FoundationEssentials
import Glibc
package import ProgramSurroundings
import TripWatchWords

/// The most recent rides that were followed on a screen. They are in `$XDG_STATE_HOME/tripwatch/rides`, and protected rides in its
/// subfolder `kept`.
///
/// Demo rides are in the subfolder `demo`, so that they do not displace real rides.
package struct RideFolder: Sendable {
    private let path: String
    private let keptPath: String
    /// The maximum number of rides in the folder.
    private let count: Int

    /// Returns nil if no rides are to be kept, or if no environment variable names the state folder or a home directory.
    package init?(keeping count: Int, in surroundings: Surroundings, isDemo: Bool = false) {
        guard count > 0, let state = StateFolder.path(environment: surroundings.environment) else { return nil }
        let rides = state + "/rides"
        path = isDemo ? rides + "/demo" : rides
        keptPath = rides + "/kept"
        self.count = isDemo ? min(count, 3) : count
    }

    /// Deletes old rides and creates the file of a new one. Returns nil if the file cannot be created.
    func file(for name: TripName, at time: Date, in surroundings: Surroundings) -> RecordingFile? {
        guard Self.make(path) else { return nil }
        sweep(leaving: count - 1)
        let stamp = Timestamps.rfc3339(time).filter { $0.isNumber }.prefix(14)
        let id = Self.safe(name.trip)
        // The last characters of a long id are enough to distinguish trips, and are readable.
        let short = id.count > 16 ? String(id.suffix(12)) : id
        // Other screens may have begun the same trip in the same second.
        for id in (short == id ? [id] : [short, id]) + (2...99).map({ "\(short)-\($0)" }) {
            if let file = try? RecordingFile("\(path)/\(stamp)-\(id).trip", option: "", in: surroundings) { return file }
        }
        return nil
    }

    /// Returns the id of a trip with characters that are safe in a file name.
    static func safe(_ id: String) -> String {
        String(id.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "_" })
    }

    /// Moves a ride to the folder of protected rides.
    /// - Returns: the new path; nil if the ride could not be moved.
    func keep(_ file: String) -> String? {
        guard Self.make(keptPath), let name = file.split(separator: "/").last else { return nil }
        let kept = "\(keptPath)/\(name)"
        return rename(file, kept) == 0 ? kept : nil
    }

    /// Deletes the oldest rides, by the times in their file names. Keeps rides that other programs are still writing.
    private func sweep(leaving rest: Int) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".trip") }
        let oldest = names.sorted().dropLast(max(0, rest)).map { "\(path)/\($0)" }
        for file in oldest where !RecordingFile.isInUse(file) { unlink(file) }
    }

    private static func make(_ folder: String) -> Bool {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return access(folder, W_OK | X_OK) == 0
    }
}
