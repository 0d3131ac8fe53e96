import Geo
import VectorTiles

/// A single vector tile in a file named after its address.
struct LooseTileReader: TileReader {
    let details: TileSourceDetails

    private let id: TileID
    private let stored: [UInt8]

    /// - Parameter path: the absolute path, since the names of its directories may be part of the address.
    init(_ file: TileFile, path: String) throws(BaseMapFileError.Problem) {
        guard file.byteCount <= UInt64(TileBlob.maximumByteCount) else { throw .unknownFormat }
        do {
            stored = try file.read(at: 0, count: Int(file.byteCount))
        } catch {
            if case .system(let reason) = error { throw .init(systemError: reason) }
            throw .truncated(expectedByteCount: file.byteCount, byteCount: 0)
        }
        let isNamedTile = Self.extensions.contains { path.hasSuffix($0) }
        // The tile is the whole map: if it cannot be drawn, the file is refused.
        guard let plain = try? TileBlob.plain(stored), let names = try? VectorTileDecoder.layerNames(of: plain), !names.isEmpty,
            (try? VectorTileDecoder().decode(plain, id: .world)) != nil
        else { throw isNamedTile ? .damaged("tile") : .unknownFormat }
        guard let id = Self.address(in: path) else { throw .noAddress }
        self.id = id
        var metadata = TileMetadata()
        metadata.layerNames = names
        let bounds = Self.bounds(of: id)
        details = TileSourceDetails(
            metadata: metadata, zoomRange: id.zoom...id.zoom, bounds: bounds, center: bounds.center, centerZoom: id.zoom)
    }

    func blob(for id: TileID) async throws(TileReaderError) -> [UInt8]? { id == self.id ? stored : nil }

    private static func bounds(of id: TileID) -> BoundingBox {
        let count = Double(1 << id.zoom)
        let northWest = WebMercator.unproject(MercatorPoint(x: Double(id.x) / count, y: Double(id.y) / count))
        let middle = WebMercator.unproject(MercatorPoint(x: (Double(id.x) + 0.5) / count, y: (Double(id.y) + 1) / count))
        let west = Double(id.x) / count * 360 - 180
        return BoundingBox(south: middle.latitude, west: west, north: northWest.latitude, east: west + 360 / count)
    }
}

// MARK: - Names

extension LooseTileReader {
    private static let extensions = [".gz", ".mvt", ".pbf"]

    /// Returns the address at the end of a path such as "…14-8803-5376.mvt" or "…/14/8803/5376.pbf"; nil for other paths. Rows are counted
    /// from the north.
    static func address(in path: String) -> TileID? {
        var rest = path[...]
        for ending in extensions where rest.hasSuffix(ending) { rest = rest.dropLast(ending.count) }
        return address(in: rest, partedBy: "-") ?? address(in: rest, partedBy: "/")
    }

    private static func address(in text: Substring, partedBy separator: Character) -> TileID? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        let (first, column, row) = (parts[parts.count - 3], parts[parts.count - 2], parts[parts.count - 1])
        // In names with "-", the zoom may follow the name of a place.
        let zoom = separator == "-" ? first.suffix(while: isDigit) : first
        guard [zoom, column, row].allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }), let zoom = Int(zoom), let x = Int(column),
            let y = Int(row)
        else { return nil }
        return TileID(zoom: zoom, x: x, y: y)
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}

extension Substring {
    fileprivate func suffix(while predicate: (Character) -> Bool) -> Substring {
        let count = reversed().prefix(while: predicate).count
        return suffix(count)
    }
}
