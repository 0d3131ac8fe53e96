import Geo
import LocationSources
import OverlayFiles
package import ProgramSurroundings
package import TerminalMap
import TripWatchWords

/// The files that are shown on top of the base map.
package struct OverlaySettings: Sendable {
    /// The paths of the files, in drawing order: the last one is on top.
    package var paths: [String]

    package init(paths: [String] = []) { self.paths = paths }

    /// The size, in bytes, above which reading a file takes more than a second.
    private static let longBytes = 8 << 20

    /// Reads all files into one overlay. Skipped parts are reported. Returns nil if there are no files.
    ///
    /// - Throws: `Failure` for a file that cannot be read, or that is not valid GeoJSON or GPX.
    package func open(in surroundings: Surroundings) throws(Failure) -> GroundOverlay? {
        guard !paths.isEmpty else { return nil }
        var shapes: [GroundOverlay.Shape] = []
        var places: [GroundOverlay.Place] = []
        for path in paths {
            let bytes = try bytes(of: path, in: surroundings)
            let isXML = bytes.first { $0 > 0x20 && ![0xef, 0xbb, 0xbf].contains($0) } == UInt8(ascii: "<")
            let leftOut =
                try isXML
                ? Self.addGPX(bytes, path, surroundings.streams, &shapes, &places) : Self.addGeoJSON(bytes, path, &shapes, &places)
            guard leftOut > 0 else { continue }
            let (one, many) = isXML ? ("point", "points") : ("geometry", "geometries")
            let what = leftOut == 1 ? "1 \(one) of \(printable(path)) is" : "\(leftOut) \(many) of \(printable(path)) are"
            surroundings.streams.say("tripwatch: \(what) invalid and not shown.")
        }
        return GroundOverlay(shapes: shapes, places: places)
    }

    /// Adds the contents of a GeoJSON file.
    /// - Returns: the number of invalid geometries.
    private static func addGeoJSON(
        _ bytes: [UInt8], _ path: String, _ shapes: inout [GroundOverlay.Shape], _ places: inout [GroundOverlay.Place]
    ) throws(Failure) -> Int {
        do throws(OverlayFileError) {
            let file = try OverlayFile(bytes)
            shapes += file.shapes
            places += file.places
            return file.leftOut
        } catch {
            throw Failure(message: "\(printable(path)) \(error).", exitCode: ExitCodes.failed)
        }
    }

    /// Adds the contents of a GPX file.
    /// - Returns: the number of invalid points.
    private static func addGPX(
        _ bytes: [UInt8], _ path: String, _ streams: StandardStreams, _ shapes: inout [GroundOverlay.Shape],
        _ places: inout [GroundOverlay.Place]
    ) throws(Failure) -> Int {
        var rest: [UInt8]? = bytes
        do throws(LocationFileError) {
            let outline = try GPXOutline { () throws(LocationFileError) in
                defer { rest = nil }
                return rest
            }
            if let reason = outline.breakOff {
                streams.say("tripwatch: \(printable(path)): \(reason). Only the part before that line is shown.")
            }
            shapes += outline.lines.map { GroundOverlay.Shape(paths: [$0.path], isArea: false, name: $0.name) }
            let found = outline.waypoints.filter(\.coordinate.isValid)
            places += found.map { GroundOverlay.Place(coordinate: $0.coordinate, name: $0.name) }
            return outline.omitted + outline.waypoints.count - found.count
        } catch {
            throw Failure(message: "\(printable(path)) is not a map overlay: \(error).", exitCode: ExitCodes.failed)
        }
    }

    private func bytes(of path: String, in surroundings: Surroundings) throws(Failure) -> [UInt8] {
        var isTold = !surroundings.streams.isErrorTerminal
        var bytes: [UInt8] = []
        do throws(LocationFileError) {
            let file = try FileBytes(path: path)
            let text = PlainText { () throws(LocationFileError) in try file.next() }
            while bytes.count <= OverlayFile.maximumBytes, let piece = try text.next() {
                bytes += piece
                guard !isTold, bytes.count > Self.longBytes else { continue }
                isTold = true
                surroundings.streams.note("tripwatch: reading \(printable(path)) ...")
            }
        } catch {
            throw Failure(message: "\(printable(path)) cannot be shown on the map: \(error).", exitCode: ExitCodes.failed)
        }
        guard bytes.count <= OverlayFile.maximumBytes else {
            throw Failure(message: "\(printable(path)) \(OverlayFileError.tooLarge).", exitCode: ExitCodes.failed)
        }
        return bytes
    }
}
