import CTown
import FoundationEssentials
public import VectorTiles

/// A base map in a file: an MBTiles or PMTiles archive, or a single vector tile. The contents decide the format, not the file's name.
///
/// The program never writes to the file, and reads only the parts that it needs. It does not trust the contents: it checks lengths against
/// the file and against ``maximumTileByteCount``. Damage that is found when the file is opened is reported in one sentence. Other damage
/// affects only the tiles in the damaged part.
public struct BaseMapFile: TileSource {
    /// The supported file formats.
    public enum Format: String, Sendable, Hashable {
        /// An SQLite database of tiles.
        case mbtiles = "MBTiles"
        /// A PMTiles archive of version 3.
        case pmtiles = "PMTiles"
        /// One Mapbox vector tile, bare or compressed.
        case tile = "vector tile"
    }

    /// The largest supported tile, in bytes, both stored and decompressed.
    public static let maximumTileByteCount = TileBlob.maximumByteCount

    /// The path of the file as requested.
    public let path: String
    /// The file's format.
    public let format: Format
    /// The file's own details.
    public let details: TileSourceDetails

    private let reader: any TileReader
    private let decoder: VectorTileDecoder

    /// The attribution of the map, plain text on one line.
    public var attribution: String { details.attribution }
    /// The zooms at which the file has tiles.
    public var zoomRange: ClosedRange<Int> { details.zoomRange }

    /// Opens a file. Reads the metadata and the first directory of an archive, or all bytes of a single tile.
    ///
    /// - Parameter languages: preferred languages of names, most preferred first ("de", "en").
    public init(path: String, languages: [String] = []) throws(BaseMapFileError) {
        try self.init(try TileFile(path: path), path: path, languages: languages)
    }

    /// Returns the map of the invented town that comes with the program. It is a PMTiles archive embedded in the program. The map's path
    /// is the word that selects the town on the command line.
    ///
    /// - Parameter languages: preferred languages of names, most preferred first ("de", "en").
    public static func town(languages: [String] = []) throws(BaseMapFileError) -> BaseMapFile {
        let bytes = Array(UnsafeBufferPointer(start: ctown_bytes(), count: ctown_byte_count()))
        return try BaseMapFile(TileFile(bytes: bytes), path: "town", languages: languages)
    }

    private init(_ file: TileFile, path: String, languages: [String]) throws(BaseMapFileError) {
        do {
            let (format, reader) = try Self.reader(file, path: path)
            self.format = format
            self.reader = reader
        } catch {
            throw BaseMapFileError(path, error)
        }
        self.path = path
        details = reader.details
        decoder = VectorTileDecoder(languages: languages, schema: details.schema)
    }

    private static func reader(
        _ file: TileFile, path: String
    ) throws(BaseMapFileError.Problem) -> (format: Format, reader: any TileReader) {
        guard file.byteCount > 0 else { throw .empty }
        let start: [UInt8]
        do {
            start = try file.read(at: 0, count: Int(min(16, file.byteCount)))
        } catch {
            if case .system(let reason) = error { throw .init(systemError: reason) }
            throw .empty
        }
        if start.starts(with: PMTilesHeader.magic) { return (.pmtiles, try PMTilesReader(file)) }
        // Before version 3, the magic number had only these two letters, and the version followed directly.
        if start.count >= 4, start.starts(with: Array("PM".utf8)), (1...2).contains(start[2]), start[3] == 0 {
            throw .version(Int(start[2]))
        }
        if start.starts(with: MBTilesReader.magic) { return (.mbtiles, try MBTilesReader(path: absolute(path))) }
        return (.tile, try LooseTileReader(file, path: absolute(path)))
    }

    /// The unchecked JSON of a PMTiles archive's metadata, 4 MiB at most. Empty if the metadata is missing or unreadable, and for other
    /// formats.
    public var metadata: [UInt8] { reader.metadata }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// Returns the tile at this address; nil if the file does not have the tile.
    ///
    /// - Throws: ``UnreadableTileError``.
    public func tile(_ id: TileID) async throws -> VectorTile? {
        try await read(id) { bytes throws(VectorTileError) in try decoder.decode(bytes, id: id) }
    }

    /// Returns the answer for an address. If a tile is missing because it is a gap among other tiles, the answer is an empty tile, so that
    /// no ancestor is drawn there. If it is missing because the map ends at a lower zoom there, the answer is `absent`.
    public func answer(for id: TileID) async -> TileAnswer {
        guard zoomRange.contains(id.zoom) else { return .absent }
        do {
            if let tile = try await tile(id) { return .tile(tile) }
            return await isGap(id) ? .tile(.empty(id)) : .absent
        } catch {
            return .unreadable(reason: "\(error)")
        }
    }

    /// Returns whether a missing tile is a gap among other tiles. At the lowest zoom, every missing tile is a gap. Above the highest
    /// complete zoom, a missing tile is never a gap. At the zooms between, a missing tile is a gap if one of its siblings exists.
    private func isGap(_ id: TileID) async -> Bool {
        guard id.zoom > zoomRange.lowerBound else { return true }
        guard id.zoom <= reader.lastWholeZoom else { return false }
        for sibling in id.siblings {
            if let stored = try? await reader.blob(for: sibling), !stored.isEmpty { return true }
        }
        return false
    }

    /// Returns the roads of the tile at this address; nil if the file does not have the tile. No other features of the tile are decoded.
    ///
    /// - Throws: ``UnreadableTileError``.
    public func roads(_ id: TileID) async throws -> RoadTile? {
        try await read(id) { bytes throws(VectorTileError) in try decoder.decodeRoads(bytes, id: id) }
    }

    private func read<Decoded>(
        _ id: TileID, _ decode: ([UInt8]) throws(VectorTileError) -> Decoded
    ) async throws(UnreadableTileError) -> Decoded? {
        guard zoomRange.contains(id.zoom) else { return nil }
        let stored: [UInt8]?
        do {
            stored = try await reader.blob(for: id)
        } catch {
            throw UnreadableTileError(id, error.words)
        }
        guard let stored else { return nil }
        let plain: [UInt8]
        do {
            plain = try TileBlob.plain(stored)
        } catch {
            throw UnreadableTileError(id, error.words)
        }
        do {
            return try decode(plain)
        } catch {
            throw UnreadableTileError(id, "\(error)")
        }
    }
}
