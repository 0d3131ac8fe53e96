import Geo
import OnlineTiles
import OverlayFiles
import TileSources
import VectorTiles

extension FuzzTarget {
    /// The readers of maps and of overlays.
    static let maps = [tile, mapFile("pmtiles"), mapFile("mbtiles", TownSeeds.mbtiles), tileJSON, mapAddress, overlay]

    private static let tile = FuzzTarget(
        "tile", bytes: TownSeeds.tiles, endings: [".mvt", ".mvt.gz"],
        words: ["transportation", "water", "place", "name", "name:de", "class", "primary", "\u{1f}\u{8b}"]
    ) { input, _ in
        let bytes = try TileBlob.plain(input)
        _ = TileBlob.pictureFormat(bytes)
        _ = try? VectorTileDecoder.layerNames(of: bytes)
        _ = try? VectorTileDecoder.inspect(bytes)
        for schema in [nil] + TileSchema.allCases.map(Optional.some) {
            let decoder = VectorTileDecoder(languages: ["de"], schema: schema)
            let tile = try decoder.decode(bytes, id: .world)
            _ = tile.houses.featureCount
            _ = try? decoder.decodeRoads(bytes, id: .world)
        }
    }

    /// The reader of a file with tiles. It recognises the format from the contents of the file.
    private static func mapFile(_ name: String, _ bytes: @escaping @Sendable () -> [[UInt8]] = { [] }) -> FuzzTarget {
        FuzzTarget(
            name, bytes: bytes, endings: ["." + name], words: ["PMTiles\u{3}", "SQLite format 3", "minzoom", "bounds", "tiles"] + json
        ) { _, path in
            let map: BaseMapFile
            do throws(BaseMapFileError) {
                map = try BaseMapFile(path: path)
            } catch {
                return try FuzzFault.check(printable: error.description, of: "the message about a map")
            }
            try FuzzFault.check(printable: map.details.name + map.details.attribution, of: "the name of a map")
            for (zoom, x, y) in [(0, 0, 0), (1, 1, 0), (2, 1, 2), (5, 17, 9), (14, 8_192, 8_192), (30, 5, 7)] {
                guard let id = TileID(zoom: zoom, x: x, y: y) else { continue }
                _ = await map.nearest(to: id)
            }
        }
    }

    private static let tileJSON = FuzzTarget(
        "tilejson",
        seeds: [
            #"{"tilejson":"3.0.0","tiles":["https://a.example/{z}/{x}/{y}.mvt","/b/{z}/{x}/{-y}"],"scheme":"tms","minzoom":0,"maxzoom":14,"#
                + #""bounds":[-180,-85.05,180,85.05],"center":[9.1,48.5,6],"name":"A map","attribution":"<a href='x'>people</a>","#
                + #""vector_layers":[{"id":"water"},{"id":"transportation"}]}"#,
            #"{"tiles":"http://[::1]:8080/{z}/{x}/{y}?key=1","minzoom":"2","bounds":"-10,-10,10,10","center":"0,0,3"}"#,
            #"{"version":8,"sources":{"base":{"type":"vector"}},"layers":[{}]}"#,
        ], endings: [".tile.json"], words: json + ["{z}", "{x}", "{-y}", "%7Bz%7D", "https://", "http://", "//", "..", "@", "#", "[::1]"]
    ) { input, _ in
        guard let url = WebURL("https://a.example/maps/all.json") else { return }
        guard let document = TileJSON(input, from: url) else {
            return try FuzzFault.check(printable: TileJSON.fault(of: input, from: url), of: "the message about a TileJSON")
        }
        for (zoom, x, y) in [(0, 0, 0), (14, 16_383, 1), (30, 5, 7)] {
            guard let id = TileID(zoom: zoom, x: x, y: y) else { continue }
            _ = document.template(of: id).url(of: id)
        }
    }

    /// The reader of a map's address as a user types it, and of two headers in a server's answer: the address of a redirect, and the range
    /// of a partial answer.
    private static let mapAddress = FuzzTarget(
        "map-address",
        seeds: [
            "https://a.example/{z}/{x}/{y}.mvt?key=1", "https://a.example/world.pmtiles", "http://[::1]:80/%7Bz%7D/%7bx%7D/{-y}{r}",
            "bytes 0-16383/123456", "bytes 0-1/*", "/elsewhere/world.pmtiles#x",
        ],
        words: ["{z}", "{x}", "{y}", "{-y}", "%7B", "%", "https://", "http://", ":65536", "[", "]", "@", "#", "?", "bytes ", "-", "/", "*"]
    ) { input, _ in
        let text = String(decoding: input, as: UTF8.self)
        _ = ContentRange(text)
        _ = WebURL("https://a.example/maps/")?.redirected(to: text)
        _ = try MapAddress(text)
    }

    private static let overlay = FuzzTarget(
        "geojson",
        seeds: [
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Old town","stroke":"red","fill":"blue","#
                + #""stroke-width":3,"marker-symbol":"bus"},"geometry":{"type":"Polygon","coordinates":[[[9,48],[9.1,48],[9.1,48.1],[9,48]]]}}]}"#,
            #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[9,48,400]},{"type":"MultiLineString","#
                + #""coordinates":[[[179,1],[-179,2]],[[0,0],[1,1]]]},{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}]}"#,
        ], endings: [".geojson"], words: json + ["\"type\"", "\"Point\"", "\"coordinates\"", "\"geometry\"", "\"bbox\""]
    ) { input, _ in
        _ = try OverlayFile(input)
    }
}
