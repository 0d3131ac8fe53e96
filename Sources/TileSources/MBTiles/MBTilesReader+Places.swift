import Geo
import SQLiteFile
import VectorTiles

/// Methods that find the area that a database's tiles cover, and the direction in which their rows are counted.
extension MBTilesReader {
    static func row(of id: TileID, countsFromNorth: Bool) -> Int { countsFromNorth ? id.y : (1 << id.zoom) - 1 - id.y }

    /// Returns whether rows are counted from the north. This is the case if the metadata has the scheme `xyz`, unless the map's middle tile
    /// is found only by counting from the south.
    static func countsFromNorth(_ rows: [String: String], _ zooms: ClosedRange<Int>, _ database: SQLiteDatabase) -> Bool {
        guard rows["scheme"]?.lowercased() == "xyz" else { return false }
        guard let middle = bounds(rows)?.center else { return true }
        let id = TileID.containing(WebMercator.project(middle), zoom: zooms.upperBound)
        func hasTile(_ isFromNorth: Bool) -> Bool {
            let place = [id.zoom, id.x, row(of: id, countsFromNorth: isFromNorth)].map { SQLiteValue.integer(Int64($0)) }
            let found = try? database.rows("SELECT 1 FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1", place)
            return found?.isEmpty == false
        }
        return hasTile(true) || !hasTile(false)
    }

    /// Returns the bounds in the metadata; nil if they are missing or invalid.
    static func bounds(_ rows: [String: String]) -> BoundingBox? {
        numbers(rows["bounds"], count: 4).flatMap { TileSourceDetails.bounds(west: $0[0], south: $0[1], east: $0[2], north: $0[3]) }
    }

    /// The zoom at which the tiles' bounds are measured. At higher zooms, too many tiles would be read.
    private static let boundsZoom = 10

    /// Returns the bounds of the tiles; nil if they cover the whole world, or cannot be found in time.
    static func bounds(ofTilesIn database: SQLiteDatabase, _ zooms: ClosedRange<Int>, countsFromNorth: Bool) -> BoundingBox? {
        let zoom = min(max(boundsZoom, zooms.lowerBound), zooms.upperBound)
        let sql = "SELECT min(tile_column), max(tile_column), min(tile_row), max(tile_row) FROM tiles WHERE zoom_level = ?"
        let found = try? database.rows(sql, [.integer(Int64(zoom))], columns: 4).first
        let edges = (found ?? []).compactMap { value in if case .integer(let number) = value { Int(exactly: number) } else { nil } }
        guard edges.count == 4, let west = TileID(zoom: zoom, x: edges[0], y: edges[2]),
            let east = TileID(zoom: zoom, x: edges[1], y: edges[3])
        else { return nil }
        let count = 1 << zoom
        let north = countsFromNorth ? west.y : count - 1 - east.y
        let south = countsFromNorth ? east.y : count - 1 - west.y
        guard east.x - west.x + 1 < count || south - north + 1 < count else { return nil }
        func corner(_ x: Int, _ y: Int) -> Coordinate {
            WebMercator.unproject(MercatorPoint(x: Double(x) / Double(count), y: Double(y) / Double(count)))
        }
        let width = 360 / Double(count)
        return TileSourceDetails.bounds(
            west: Double(west.x) * width - 180, south: corner(0, south + 1).latitude, east: Double(east.x + 1) * width - 180,
            north: corner(0, north).latitude)
    }
}
