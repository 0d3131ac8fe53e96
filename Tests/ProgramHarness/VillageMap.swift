import TripTesting
import VectorTiles

@testable import TileFuzz

/// A map of zoom 4. Its answers to requests are tiles, a TileJSON document, and parts of its archive.
struct VillageMap: Sendable {
    let archive: [UInt8]
    let tiles: [String: [UInt8]]

    /// - Parameters:
    ///   - hasOneAbove: whether the map also has one tile of zoom 3, the parent of 4/8/6.
    ///   - hasGap: whether the tile 4/8/6 is missing.
    init(hasOneAbove: Bool = false, hasGap: Bool = false) {
        var (writer, tiles) = (PMTilesWriter(), [String: [UInt8]]())
        writer.metadata = #"{"attribution":"© OpenStreetMap contributors"}"#
        writer.leafSize = 32
        if hasOneAbove, let id = TileID(zoom: 3, x: 4, y: 3) {
            let bytes = MadeUpTile.village(1).bytes
            writer.tiles.append((id, bytes))
            tiles["/3/4/3.pbf"] = bytes
        }
        for x in 0..<16 {
            for y in 0..<16 {
                guard let id = TileID(zoom: 4, x: x, y: y), !(hasGap && (x, y) == (8, 6)) else { continue }
                let bytes = MadeUpTile.village(x * 16 + y).bytes
                writer.tiles.append((id, bytes))
                tiles["/4/\(x)/\(y).pbf"] = bytes
            }
        }
        (archive, self.tiles) = (writer.bytes(), tiles)
    }

    func answer(_ request: ScriptedHTTPServer.Request) -> ScriptedHTTPServer.Answer {
        let path = String(request.path.prefix { $0 != "?" })
        if path == "/map.pmtiles" { return part(request) }
        if path == "/map.json" || path == "/keyed.json" {
            let host = request.headers["host"] ?? ""
            let key = path == "/keyed.json" ? "?key=geheim" : ""
            return .reply(200, #"{"tiles":["http://\#(host)/{z}/{x}/{y}.pbf\#(key)"],"minzoom":4,"maxzoom":4}"#)
        }
        return tiles[path].map { .data(200, headers: [("cache-control", "max-age=3600")], $0) } ?? .reply(404, "")
    }

    private func part(_ request: ScriptedHTTPServer.Request) -> ScriptedHTTPServer.Answer {
        let edges = request.headers["range"]?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? []
        guard edges.count == 2, edges[0] < archive.count else { return .reply(416, "") }
        let last = min(edges[1], archive.count - 1)
        let headers = [("content-range", "bytes \(edges[0])-\(last)/\(archive.count)"), ("etag", "\"1\"")]
        return .data(206, headers: headers, Array(archive[edges[0]...last]))
    }
}
