import FoundationEssentials
import Glibc
import TileSources
import VectorTiles

@testable import TileFuzz

/// A directory for the files of one test. It is removed when the test ends.
final class Scratch {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/tile-sources-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    func archive(_ writer: PMTilesWriter, _ name: String = "made-up.pmtiles") throws -> String { try file(name, writer.bytes()) }

    func archive(_ writer: MBTilesWriter, _ name: String = "made-up.mbtiles") throws -> String {
        let file = path + "/" + name
        try writer.write(to: file)
        return file
    }
}

/// Public map data in a folder beside the package. It may be missing.
enum SharedData {
    static let map: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        parts.removeLast(4)
        return (parts + ["..", "shared", "data", "map"]).joined(separator: "/")
    }()

    static var isPresent: Bool { FileManager.default.fileExists(atPath: map + "/tiles/monaco.mbtiles") }

    static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: map + "/" + path))) }
}

/// Returns the fault of a file; nil if the file opens.
func problem(_ path: String) -> BaseMapFileError.Problem? {
    do throws(BaseMapFileError) {
        _ = try BaseMapFile(path: path)
        return nil
    } catch {
        return error.problem
    }
}

/// Returns the reason why a tile cannot be read; nil if it can be read or does not exist.
func reason(_ map: BaseMapFile, _ id: TileID) async -> String? {
    do {
        _ = try await map.tile(id)
        return nil
    } catch let error as UnreadableTileError {
        return error.reason
    } catch {
        return "\(error)"
    }
}

func tileID(_ zoom: Int, _ x: Int, _ y: Int) -> TileID { TileID(zoom: zoom, x: x, y: y) ?? .world }

/// Returns all tiles of some zooms.
func allTiles(_ zooms: ClosedRange<Int>) -> [TileID] {
    zooms.flatMap { zoom in HilbertCurve.places(zoom: zoom).map { tileID(zoom, $0.0, $0.1) } }
}
