import Glibc
import OverlayFiles
import TerminalMap
import TripWatchApp

/// Files that are laid over the base map.
package struct OverlaySettings: Sendable {
    /// The last lies on top.
    package var paths: [String]

    package init(paths: [String] = []) { self.paths = paths }

    /// A file larger than this takes over a second to read, bytes.
    private static let longBytes = 8 << 20

    /// All files as one; nil for none. What was left out is told.
    ///
    /// - Throws: `Failure` for a file that cannot be read or is broken as a whole.
    func open(in surroundings: Surroundings) throws(Failure) -> GroundOverlay? {
        guard !paths.isEmpty else { return nil }
        var shapes: [GroundOverlay.Shape] = []
        var places: [GroundOverlay.Place] = []
        for path in paths {
            let file = try Self.read(path, in: surroundings)
            shapes += file.shapes
            places += file.places
            guard file.leftOut > 0 else { continue }
            let what = file.leftOut == 1 ? "1 geometry of \(printable(path)) is" : "\(file.leftOut) geometries of \(printable(path)) are"
            surroundings.streams.say("tripwatch: \(what) broken and left out.")
        }
        return GroundOverlay(shapes: shapes, places: places)
    }

    private static func read(_ path: String, in surroundings: Surroundings) throws(Failure) -> OverlayFile {
        let bytes = try bytes(of: path)
        if bytes.count > longBytes, surroundings.streams.isErrorTerminal {
            surroundings.streams.say("tripwatch: reading \(printable(path)), \(bytes.count >> 20) MB ...")
        }
        do throws(OverlayFileError) {
            return try OverlayFile(bytes)
        } catch {
            throw Failure(message: "\(printable(path)) \(error).", exitCode: ExitCodes.failed)
        }
    }

    /// At most one byte more than a file may have: a pipe could bring any number of them.
    private static func bytes(of path: String) throws(Failure) -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        while bytes.count <= OverlayFile.maximumBytes {
            let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, errno) }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    private static func unreadable(_ path: String, _ code: Int32) -> Failure {
        let reason = strerror(code).map { String(cString: $0).lowercased() } ?? "unknown"
        return Failure(message: "\(printable(path)) cannot be read: \(reason).", exitCode: ExitCodes.failed)
    }
}
