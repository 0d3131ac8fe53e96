import Geo
import SQLiteFile
import VectorTiles

extension MBTilesReader {
    /// Refuses a database without tiles, or with images as tiles.
    static func checkContents(_ database: SQLiteDatabase) throws {
        guard try exists("tiles", in: database), let first = try database.rows("SELECT tile_data FROM tiles LIMIT 1").first else {
            throw BaseMapFileError.Problem.noTiles
        }
        guard case .blob(let data)? = first.first, let picture = TileBlob.pictureFormat(data) else { return }
        throw BaseMapFileError.Problem.contents("pictures (\(picture))")
    }

    /// Returns whether a table or view with this lower-case name exists.
    private static func exists(_ name: String, in database: SQLiteDatabase) throws -> Bool {
        !(try database.rows("SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND lower(name) = '\(name)' LIMIT 1")).isEmpty
    }

    /// The unsupported values of `format`, each with the name of its tile format.
    private static let foreignFormats = [
        "png": "pictures (PNG)", "jpg": "pictures (JPEG)", "jpeg": "pictures (JPEG)", "webp": "pictures (WebP)", "avif": "pictures (AVIF)",
        "mlt": "MapLibre tiles (MLT)",
    ]

    /// Returns the details in the `metadata` table, which may be incomplete or missing. Refuses a tile format that is not supported.
    static func details(
        _ rows: [String: String], _ zooms: ClosedRange<Int>, countsFromNorth: Bool, _ database: SQLiteDatabase
    ) throws -> TileSourceDetails {
        if let contents = foreignFormats[rows["format"]?.lowercased() ?? ""] { throw BaseMapFileError.Problem.contents(contents) }
        var metadata = TileMetadata(json: Array((rows["json"] ?? "").utf8))
        metadata.name = rows["name"]
        metadata.attribution = rows["attribution"] ?? metadata.attribution
        let bounds = bounds(rows) ?? bounds(ofTilesIn: database, zooms, countsFromNorth: countsFromNorth)
        let place = numbers(rows["center"], count: 3)
        let center = place.map { Coordinate(latitude: $0[1], longitude: $0[0]) }.flatMap { $0.isBelievablePosition ? $0 : nil }
        return TileSourceDetails(
            metadata: metadata, zoomRange: zooms, bounds: bounds, center: center,
            centerZoom: place.flatMap { Int(exactly: $0[2].rounded()) })
    }

    static func metadataRows(_ database: SQLiteDatabase) throws -> [String: String] {
        guard try exists("metadata", in: database) else { return [:] }
        var values: [String: String] = [:]
        let sql = """
            SELECT name, value FROM metadata
            WHERE name IN ('name', 'attribution', 'bounds', 'center', 'minzoom', 'maxzoom', 'json', 'format', 'scheme') LIMIT 64
            """
        // A metadata table without these columns is ignored.
        guard let rows = try? database.rows(sql, columns: 2) else { return [:] }
        for row in rows {
            guard row.count == 2, let name = text(row[0]), let value = text(row[1]) else { continue }
            values[name] = value
        }
        return values
    }

    private static func text(_ value: SQLiteValue) -> String? {
        switch value {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .blob, .null: nil
        }
    }

    /// Returns exactly `count` finite numbers separated by commas; nil for any other text.
    static func numbers(_ text: String?, count: Int) -> [Double]? {
        guard let text, text.utf8.count < 200 else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0.filter { !$0.isWhitespace }) }.filter(\.isFinite)
        return parts.count == count && numbers.count == count ? numbers : nil
    }

    /// Returns the zooms of the tiles. If the search for them fails, returns the zooms in the metadata. If these are missing or
    /// invalid, too, throws the error of the search.
    static func zoomRange(_ rows: [String: String], _ database: SQLiteDatabase) throws -> ClosedRange<Int> {
        do {
            return try zoomRange(ofTilesIn: database)
        } catch {
            let stated = ["minzoom", "maxzoom"].compactMap { rows[$0].flatMap { Int($0) } }
            guard let first = stated.first, let last = stated.last, stated.count == 2, first <= last, TileID.zoomRange.contains(first),
                TileID.zoomRange.contains(last)
            else { throw error }
            return first...last
        }
    }

    private static func zoomRange(ofTilesIn database: SQLiteDatabase) throws -> ClosedRange<Int> {
        let possible = TileID.zoomRange
        // With an index, each of these two queries is immediate. One query for both zooms would read all rows.
        func zoom(_ function: String) throws -> Int? {
            switch try database.rows("SELECT \(function)(zoom_level) FROM tiles").first?.first {
            case .integer(let zoom): Int(zoom)
            case .real(let zoom): Int(exactly: zoom)
            case .null, .text, .blob, nil: nil
            }
        }
        guard let first = try zoom("min"), let last = try zoom("max"), first <= last else { throw BaseMapFileError.Problem.noTiles }
        return first.clamped(to: possible)...last.clamped(to: possible)
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
