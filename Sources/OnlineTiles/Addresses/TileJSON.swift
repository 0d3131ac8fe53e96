import FoundationEssentials
import Geo
import TileSources
import VectorTiles

/// The part of a TileJSON that is used (https://github.com/mapbox/tilejson-spec/tree/master/3.0.0). What it does not say, or says wrongly, has
/// the specification's default.
struct TileJSON: Sendable {
    /// The largest that is read, in bytes.
    static let maximumByteCount = 1 << 20

    /// At least one.
    let templates: [TileTemplate]
    let details: TileSourceDetails

    /// Nil for anything but a TileJSON with addresses of tiles over http or https.
    init?(_ bytes: [UInt8], from url: WebURL) {
        guard bytes.count <= Self.maximumByteCount, let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else {
            return nil
        }
        let isTMS = document.scheme == "tms"
        templates = document.tiles.prefix(16).compactMap { text in
            let isAllowed = url.scheme == "http" || text.lowercased().hasPrefix("https://")
            return isAllowed ? TileTemplate(text, isTMS: isTMS) : nil
        }
        guard !templates.isEmpty else { return nil }
        let zooms = TileID.zoomRange
        let last = min(document.maximumZoom ?? 14, zooms.upperBound)
        let first = max(document.minimumZoom ?? 0, zooms.lowerBound)
        let edges = document.bounds
        let center = document.center
        details = TileSourceDetails(
            metadata: TileMetadata(json: bytes), zoomRange: min(first, max(0, last))...max(0, last),
            bounds: edges.count == 4 ? TileSourceDetails.bounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3]) : nil,
            center: center.count >= 2 ? Coordinate(latitude: center[1], longitude: center[0]) : nil,
            centerZoom: center.count == 3 ? Int(exactly: center[2].rounded()) : nil)
    }

    /// The address of a tile; where there are several, neighbours have different ones.
    func template(of id: TileID) -> TileTemplate { templates[(id.x + id.y) % templates.count] }

    private struct Document: Decodable {
        var tiles: [String]
        var scheme: String?
        var minimumZoom: Int?
        var maximumZoom: Int?
        var bounds: [Double]
        var center: [Double]

        private enum Keys: String, CodingKey { case tiles, scheme, minzoom, maxzoom, bounds, center }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Keys.self)
            tiles = try values.decode([String].self, forKey: .tiles)
            scheme = try? values.decode(String.self, forKey: .scheme)
            minimumZoom = try? values.decode(Int.self, forKey: .minzoom)
            maximumZoom = try? values.decode(Int.self, forKey: .maxzoom)
            bounds = (try? values.decode([Double].self, forKey: .bounds)) ?? []
            center = (try? values.decode([Double].self, forKey: .center)) ?? []
        }
    }
}

extension TileSourceDetails {
    /// Whether a tile can have anything of the map in it.
    func mayHave(_ id: TileID) -> Bool {
        guard zoomRange.contains(id.zoom) else { return false }
        guard let bounds else { return true }
        let first = TileID.containing(WebMercator.project(Coordinate(latitude: bounds.north, longitude: bounds.west)), zoom: id.zoom)
        let last = TileID.containing(WebMercator.project(Coordinate(latitude: bounds.south, longitude: bounds.east)), zoom: id.zoom)
        guard (first.y...max(first.y, last.y)).contains(id.y) else { return false }
        return bounds.west <= bounds.east ? first.x <= id.x && id.x <= last.x : id.x >= first.x || id.x <= last.x
    }
}
