import FoundationEssentials
import Geo
import TerminalCanvas
import TerminalMap
import TileSources
import VectorTiles

/// A place whose map comes from a real map file, or from the invented town. The map of the town is always present, but the map files may be
/// missing.
struct RealMap: Sendable, CustomStringConvertible {
    /// The name of the file in the test data; nil for the invented town.
    var file: String?
    var latitude: Double
    var longitude: Double
    var zoom: Double

    var description: String { "\(file ?? "town") z\(zoom)" }

    var center: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

    func camera(_ columns: Int, _ rows: Int) -> Camera {
        Camera(center: center, zoom: zoom, size: Size(columns: columns, rows: rows))
    }

    func at(zoom: Double) -> RealMap {
        var map = self
        map.zoom = zoom
        return map
    }

    static let town = RealMap(latitude: -36, longitude: -20, zoom: 14)
    static let sanFrancisco = RealMap(file: "sf_downtown.mbtiles", latitude: 37.785, longitude: -122.400, zoom: 13)
    static let monaco = RealMap(file: "monaco.mbtiles", latitude: 43.737, longitude: 7.424, zoom: 14)
    static let paris = RealMap(file: "omt_paris_ruhr.pmtiles", latitude: 48.8783, longitude: 2.345, zoom: 14)
    static let berlin = RealMap(file: "shortbread_berlin_neukoelln_14-8803-5376.pbf", latitude: 52.479, longitude: 13.437, zoom: 14.5)

    /// The real places.
    static let files = [sanFrancisco, monaco, paris, berlin]
}

/// The test data beside the package. Tiles that were read are kept.
enum Maps {
    static let folder: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        parts.removeLast(4)
        return (parts + ["..", "shared", "data", "map"]).joined(separator: "/")
    }()

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder + "/tiles/monaco.mbtiles") }

    static func source(_ map: RealMap) throws -> any TileSource {
        guard let file = map.file else { return try BaseMapFile.town() }
        return try BaseMapFile(path: folder + "/tiles/" + file)
    }

    /// Returns the base map with all tiles that a camera needs.
    static func base(_ map: RealMap, for camera: Camera) async throws -> BaseMap {
        let shelf = TileShelf.shared
        let source = try await shelf.source(map)
        var base = BaseMap(tiles: TileCache(capacity: 1024), zoomRange: source.zoomRange, attribution: source.attribution)
        for id in base.missingTiles(for: camera) {
            if case .tile(let tile) = try await shelf.nearest(to: id, of: map) {
                base.tiles.insert(tile, for: tile.id)
                if tile.id != id { base.tiles.insert(nil, for: id) }
            } else {
                base.tiles.insert(.empty(id), for: id)
            }
        }
        return base
    }

    /// Returns the line and the stops of a real drive.
    static func drive(_ name: String) throws -> (line: [Coordinate], stops: [Coordinate]) {
        struct File: Decodable {
            struct Stop: Decodable {
                var lat: Double
                var lon: Double
            }
            var stops: [Stop]
            var line: [[Double]]

            enum CodingKeys: String, CodingKey {
                case stops
                case line = "coordinates_lonlat"
            }
        }
        let data = try Data(contentsOf: URL(filePath: folder + "/routes/" + name + ".json"))
        let file = try JSONDecoder().decode(File.self, from: data)
        return (
            file.line.compactMap { $0.count == 2 ? Coordinate(latitude: $0[1], longitude: $0[0]) : nil },
            file.stops.map { Coordinate(latitude: $0.lat, longitude: $0.lon) }
        )
    }
}

/// The tiles that have been read, shared by all tests. Decoding is slow in a debug build, and most tests use the same places.
private actor TileShelf {
    static let shared = TileShelf()
    private var sources: [String: any TileSource] = [:]
    private var answers: [String: [TileID: TileAnswer]] = [:]

    func source(_ map: RealMap) throws -> any TileSource {
        if let known = sources[map.file ?? ""] { return known }
        let source = try Maps.source(map)
        sources[map.file ?? ""] = source
        return source
    }

    func nearest(to id: TileID, of map: RealMap) async throws -> TileAnswer {
        if let known = answers[map.file ?? ""]?[id] { return known }
        let answer = try await source(map).nearest(to: id)
        answers[map.file ?? "", default: [:]][id] = answer
        return answer
    }
}

extension MapScene {
    /// Returns a scene with only the base map.
    static func bare(_ base: BaseMap?, painter: Painter = .braille, colors: ColorDepth = .palette256) -> MapScene {
        var scene = MapScene(base: base, painter: painter, colorDepth: colors, showsLabels: false, showsScale: false)
        scene.base?.attribution = ""
        return scene
    }

    func drawn(_ camera: Camera) -> (canvas: Canvas, frame: MapFrame) {
        var canvas = Canvas(size: camera.size)
        let frame = MapRenderer().draw(self, camera: camera, into: &canvas, at: Rectangle(camera.size))
        return (canvas, frame)
    }
}
