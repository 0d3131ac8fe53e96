import FleetEngine
import FoundationEssentials
import Glibc
package import ProgramSurroundings
import TripWatchWords

/// The last rides that were followed on a screen: `$XDG_STATE_HOME/tripwatch/rides`, and those among them that stay, in `kept` below it.
///
/// Those of the demo stand apart, in `demo`: none of them takes a real ride's room.
package struct RideFolder: Sendable {
    private let path: String
    private let keptPath: String
    /// How many stay.
    private let count: Int

    /// Nil where none are kept.
    package init?(keeping count: Int, in surroundings: Surroundings, isDemo: Bool = false) {
        guard count > 0, let state = StateFolder.path(environment: surroundings.environment) else { return nil }
        let rides = state + "/rides"
        path = isDemo ? rides + "/demo" : rides
        keptPath = rides + "/kept"
        self.count = isDemo ? min(count, 3) : count
    }

    /// A file for a ride that begins, with room made for it; nil where there can be none.
    func file(for name: TripName, at time: Date, in surroundings: Surroundings) -> RecordingFile? {
        guard Self.make(path) else { return nil }
        sweep(leaving: count - 1)
        let stamp = Timestamps.rfc3339(time).filter { $0.isNumber }.prefix(14)
        let id = Self.safe(name.trip)
        // The end of a long id tells trips apart as well as all of it, and can be read.
        for id in id.count > 16 ? [String(id.suffix(12)), id] : [id] {
            if let file = try? RecordingFile("\(path)/\(stamp)-\(id).trip", option: "", in: surroundings) { return file }
        }
        return nil
    }

    /// A trip's id as a part of a file's name.
    static func safe(_ id: String) -> String {
        String(id.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "_" })
    }

    /// Puts a ride where it is not swept away.
    /// - Returns: where; nil where that cannot be.
    func keep(_ file: String) -> String? {
        guard Self.make(keptPath), let name = file.split(separator: "/").last else { return nil }
        let kept = "\(keptPath)/\(name)"
        return rename(file, kept) == 0 ? kept : nil
    }

    /// The oldest go first: names begin with the time. Rides that other programs are still writing stay.
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
