import Foundation
public import Geo
public import TerminalCanvas
import TerminalMap
import TileSources
public import VectorTiles

/// Paints frames of the map around a place, for benchmarks. The data of the map is read only once. The camera or a vehicle moves away from
/// the place and back again.
public final class Scenery {
    public static let size = Size(columns: 200, rows: 60)
    /// The last painted frame.
    public private(set) var canvas = Canvas(size: Scenery.size)
    private let renderer = MapRenderer()
    private var scene: MapScene
    private var camera: Camera
    private let start: MercatorPoint
    private var step = 0

    /// - Parameter reach: the distance beyond each edge of the screen, in cells, within which tiles are also read.
    public init(_ source: any TileSource, center: Coordinate, zoom: Double, painter: Painter = .braille, reach: Int = 60) async throws {
        var base = BaseMap(tiles: TileCache(capacity: 512), zoomRange: source.zoomRange, attribution: source.attribution)
        let wide = Camera(
            center: center, zoom: zoom, size: Size(columns: Scenery.size.columns + 2 * reach, rows: Scenery.size.rows + 2 * reach))
        for id in base.missingTiles(for: wide) { base.tiles.insert(try await source.tile(id), for: id) }
        scene = MapScene(base: base, painter: painter, colorDepth: .palette256)
        camera = Camera(center: center, zoom: zoom, size: Scenery.size)
        start = WebMercator.project(center)
    }

    /// Paints the next frame while the camera moves. Each frame moves it by three dots horizontally and one dot vertically, in dots of the
    /// Braille painter. It moves away for 50 frames, and then back for 50 frames.
    public func pan() {
        step += 1
        let away = Double(step % 100 < 50 ? step % 100 : 100 - step % 100)
        let center = MercatorPoint(x: start.x + away * 1.5 / camera.worldColumns, y: start.y + away * 0.25 / camera.worldRows)
        camera = Camera(center: WebMercator.unproject(center), zoom: camera.zoom, size: Scenery.size)
        stand()
    }

    /// Paints the next frame while a vehicle moves. Each frame moves it by one cell along a row. It moves away for 50 frames, and then back
    /// for 50 frames. The map does not move.
    public func drive() {
        step += 1
        let away = Double(step % 100 < 50 ? step % 100 : 100 - step % 100)
        let place = MercatorPoint(x: start.x + away / camera.worldColumns, y: start.y)
        scene.overlays.markers = [
            MarkerOverlay(
                id: "car", coordinate: WebMercator.unproject(place), headingDegrees: 90, icon: .vehicle,
                style: MarkerStyleOptions(isFlat: true), strength: .vehicle)
        ]
        stand()
    }

    /// Paints the same frame again.
    public func stand() {
        canvas = Canvas(size: Scenery.size)
        let frame = renderer.draw(
            scene, camera: camera, into: &canvas,
            at: Rectangle(column: 0, row: 0, columns: Scenery.size.columns, rows: Scenery.size.rows))
        precondition(frame.isComplete, "tiles are missing: the reach is too small")
    }
}

/// The map of a dense city, and the tile with the most data. The map exists only if the project's test data is beside the package.
public enum Paris {
    public static let center = Coordinate(latitude: 48.8701, longitude: 2.3424)
    public static let heavyTile = TileID(zoom: 14, x: 8_298, y: 5_635)

    /// The path of the file with the tiles. If the file is missing, prints a warning; the path is then nil.
    public static let path: String? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let path = package.appending(path: "../shared/data/map/tiles/omt_paris_ruhr.pmtiles").standardizedFileURL.path
        if FileManager.default.isReadableFile(atPath: path) { return path }
        print("Paris is left out: there is no omt_paris_ruhr.pmtiles in ../shared")
        return nil
    }()

    public static func scenery(_ path: String, painter: Painter = .braille) async throws -> Scenery {
        try await Scenery(try BaseMapFile(path: path), center: center, zoom: 15, painter: painter)
    }
}
