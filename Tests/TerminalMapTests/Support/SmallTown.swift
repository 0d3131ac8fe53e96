import Geo
import TerminalCanvas
import TerminalMap
import VectorTiles

/// A made-up town of a few streets. It is so small that a test can know all its lines.
///
/// The whole town lies in the tile 14/8192/8192, whose corner is at 0° N 0° E. It has a river in the east, a park in the north-west and a
/// main road from west to east over a bridge. It also has a grid of side streets, a railway and four named places.
enum SmallTown {
    static let tileID = TileID.containing(MercatorPoint(x: 0.5 + 1e-9, y: 0.5 + 1e-9), zoom: 14)

    static let tile: VectorTile = {
        var builder = VectorTileBuilder(id: tileID)
        builder.addFeature(
            .water, kind: .polygon, vertices: [(2600, -80), (2900, -80), (2700, 1500), (3000, 4200), (2500, 4200), (2300, 1500)])
        builder.addFeature(.park, kind: .polygon, vertices: [(300, 300), (1000, 250), (1050, 900), (350, 950)])
        builder.addFeature(.primary, kind: .line, name: "Long Road", vertices: [(-64, 1600), (2200, 1580)])
        builder.addFeature(.primary, kind: .line, flags: .bridge, name: "Long Road", vertices: [(2200, 1580), (2900, 1570)])
        builder.addFeature(.primary, kind: .line, name: "Long Road", vertices: [(2900, 1570), (4160, 1500)])
        for index in 0..<6 {
            let x = Int32(200 + index * 380)
            builder.addFeature(.street, kind: .line, name: "Side \(index)", vertices: [(x, 1000), (x, 3400)])
        }
        for index in 0..<4 {
            let y = Int32(1000 + index * 800)
            builder.addFeature(.street, kind: .line, name: "Cross Lane \(index)", vertices: [(200, y), (2100, y)])
        }
        builder.addFeature(.rail, kind: .line, vertices: [(3400, -64), (3500, 4160)])
        builder.addFeature(.path, kind: .line, vertices: [(300, 300), (1050, 900)])
        builder.addFeature(.town, kind: .point, rank: 3, name: "Madeup", vertices: [(1500, 2200)])
        builder.addFeature(.quarter, kind: .point, rank: 9, name: "Eastbank", vertices: [(3700, 2600)])
        builder.addFeature(.waterName, kind: .point, name: "Slow River", vertices: [(2600, 3000)])
        builder.addFeature(.parkName, kind: .point, name: "North Park", vertices: [(650, 600)])
        return builder.finish()
    }()

    /// Returns a copy of a tile's lines and areas under another tile id, without names.
    static func copy(of tile: VectorTile, at id: TileID) -> VectorTile {
        var builder = VectorTileBuilder(id: id)
        for feature in 0..<tile.featureCount {
            builder.beginFeature(tile.classes[feature], kind: tile.kinds[feature], flags: tile.flags[feature])
            for part in tile.parts(of: feature) {
                builder.beginPart()
                for vertex in tile.vertices(ofPart: part) {
                    builder.addVertex(x: tile.coordinates[2 * vertex], y: tile.coordinates[2 * vertex + 1])
                }
            }
        }
        return builder.finish()
    }

    static let base: BaseMap = {
        var tiles = TileCache()
        tiles.insert(tile, for: tileID)
        for x in -2...2 {
            for y in -2...2 where x != 0 || y != 0 {
                if let id = TileID(zoom: 14, x: tileID.x + x, y: tileID.y + y) { tiles.insert(nil, for: id) }
            }
        }
        return BaseMap(tiles: tiles, zoomRange: 14...14, attribution: "© nobody: a made-up town")
    }()

    /// Returns the coordinate of a place that is given in units of the tile.
    static func place(_ x: Double, _ y: Double) -> Coordinate {
        let size = 1.0 / 16384
        return WebMercator.unproject(MercatorPoint(x: (8192 + x / 4096) * size, y: (8192 + y / 4096) * size))
    }

    static func camera(zoom: Double, size: Size, x: Double = 1700, y: Double = 1900) -> Camera {
        Camera(center: place(x, y), zoom: zoom, size: size)
    }

    /// A trip from the south-west along the main road to the east bank.
    static let overlays: MapOverlays = {
        let behind = [place(200, 3400), place(200, 1800)]
        let ahead = [place(200, 1800), place(200, 1600), place(2200, 1580), place(2900, 1570), place(3300, 1550)]
        let later = [place(3300, 1550), place(3300, 3000), place(3900, 3000)]
        return MapOverlays(
            polylines: [
                PolylineOverlay(coordinates: ahead, role: .ahead, style: PolylineStyleOptions(strokeColor: .palette(215))),
                PolylineOverlay(coordinates: behind, role: .behind, style: PolylineStyleOptions(strokeWidth: 1)),
                PolylineOverlay(coordinates: later, role: .later),
            ],
            markers: [
                MarkerOverlay(
                    id: "vehicle", coordinate: place(200, 1800), headingDegrees: 3, icon: .vehicle,
                    style: MarkerStyleOptions(isFlat: true, color: .palette(16), background: .palette(215)), strength: .vehicle),
                MarkerOverlay(id: "pickup", coordinate: place(3300, 1550), icon: .pickup, label: "you"),
                MarkerOverlay(id: "end", coordinate: place(3900, 3000), icon: .destination),
            ])
    }()

    static func scene(
        overlays: MapOverlays = overlays, painter: Painter = .braille, colors: ColorDepth = .palette256, style: MapStyle = .dark,
        showsLabels: Bool = true
    ) -> MapScene {
        MapScene(
            base: base, overlays: overlays, style: style, painter: painter, colorDepth: colors, showsLabels: showsLabels)
    }

    static func draw(_ scene: MapScene, _ camera: Camera) -> (canvas: Canvas, frame: MapFrame) {
        var canvas = Canvas(size: camera.size)
        let frame = MapRenderer().draw(scene, camera: camera, into: &canvas, at: Rectangle(camera.size))
        return (canvas, frame)
    }
}
