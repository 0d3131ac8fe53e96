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

    /// Reads all files into one overlay. Skipped parts are reported. Returns nil if there are no files.
    ///
    /// - Throws: `Failure` for a file that cannot be read, or that is not valid GeoJSON or GPX.
    package func open(in surroundings: Surroundings) throws(Failure) -> GroundOverlay? {
        guard !paths.isEmpty else { return nil }
        var shapes: [GroundOverlay.Shape] = []
        var places: [GroundOverlay.Place] = []
        for path in paths {
            let text: OverlayText
            let start: (bytes: [UInt8], isXML: Bool)
            do throws(LocationFileError) {
                text = try OverlayText(path, surroundings.streams)
                start = try text.start()
            } catch {
                throw Failure(message: "\(printable(path)) cannot be shown on the map: \(error).", exitCode: ExitCodes.failed)
            }
            let leftOut =
                try start.isXML
                ? Self.addGPX(start.bytes, text, &shapes, &places) : Self.addGeoJSON(start.bytes, path, &shapes, &places)
            guard leftOut > 0 else { continue }
            let (one, many) = start.isXML ? ("point", "points") : ("geometry", "geometries")
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
    /// - Parameters:
    ///   - start: the part of the file that was already read.
    ///   - text: the rest of the file.
    /// - Returns: the number of invalid points.
    private static func addGPX(
        _ start: [UInt8], _ text: OverlayText, _ shapes: inout [GroundOverlay.Shape], _ places: inout [GroundOverlay.Place]
    ) throws(Failure) -> Int {
        var ahead: [UInt8]? = start
        do throws(LocationFileError) {
            let outline = try GPXOutline { () throws(LocationFileError) in
                guard let piece = ahead else { return try text.next() }
                ahead = nil
                return piece
            }
            if let reason = outline.breakOff {
                text.streams.say("tripwatch: \(printable(text.path)): \(reason). Only the part before that line is shown.")
            }
            shapes += outline.lines.map { GroundOverlay.Shape(paths: [$0.path], isArea: false, name: $0.name) }
            let found = outline.waypoints.filter(\.coordinate.isValid)
            places += found.map { GroundOverlay.Place(coordinate: $0.coordinate, name: $0.name) }
            return outline.omitted + outline.waypoints.count - found.count
        } catch {
            throw Failure(message: "\(printable(text.path)) cannot be shown on the map: \(error).", exitCode: ExitCodes.failed)
        }
    }
}

/// The text of a file, read piece by piece. If the file is long, a note on the terminal says that it is being read.
private final class OverlayText {
    /// The size, in bytes, above which reading a file takes more than a second.
    private static let longBytes = 8 << 20

    let path: String
    let streams: StandardStreams
    private let text: PlainText
    private var count = 0
    private var isTold: Bool

    init(_ path: String, _ streams: StandardStreams) throws(LocationFileError) {
        self.path = path
        self.streams = streams
        isTold = !streams.isErrorTerminal
        let file = try FileBytes(path: path)
        text = PlainText { () throws(LocationFileError) in try file.next() }
    }

    /// Reads only the start of an XML file, but any other file to its end. Stops early once the bytes exceed the size limit of GeoJSON.
    func start() throws(LocationFileError) -> (bytes: [UInt8], isXML: Bool) {
        var bytes: [UInt8] = []
        var first: UInt8?
        while bytes.count <= OverlayFile.maximumBytes, let piece = try next() {
            first = first ?? piece.first { $0 > 0x20 && ![0xef, 0xbb, 0xbf].contains($0) }
            bytes += piece
            if first == UInt8(ascii: "<") { return (bytes, true) }
        }
        return (bytes, false)
    }

    /// Reads the next piece; nil at the end.
    func next() throws(LocationFileError) -> [UInt8]? {
        guard let piece = try text.next() else { return nil }
        count += piece.count
        if !isTold, count > Self.longBytes {
            isTold = true
            streams.note("tripwatch: reading \(printable(path)) ...")
        }
        return piece
    }
}
