import Geo
import TerminalCanvas
import TerminalMap
import VectorTiles

/// A made-up place at which many lines cross: a motorway in a tunnel and on a bridge, rails, a ferry, a canal and a border. Its names have
/// wide letters and combining marks.
enum Junction {
    static let tile: VectorTile = {
        var builder = VectorTileBuilder(id: SmallTown.tileID)
        builder.addFeature(
            .ocean, kind: .polygon, vertices: [(-64, 2900), (1500, 2950), (2600, 3100), (4160, 3000), (4160, 4160), (-64, 4160)])
        builder.addFeature(.wood, kind: .polygon, vertices: [(2500, 100), (3900, 150), (3800, 1200), (2700, 1100)])
        builder.addFeature(.motorway, kind: .line, name: "Ring Motorway", vertices: [(-64, 800), (1200, 820)])
        builder.addFeature(.motorway, kind: .line, flags: .tunnel, name: "Ring Motorway", vertices: [(1200, 820), (2400, 840)])
        builder.addFeature(.motorway, kind: .line, flags: .bridge, name: "Ring Motorway", vertices: [(2400, 840), (4160, 860)])
        builder.addFeature(.motorway, kind: .line, flags: .link, vertices: [(900, 820), (1100, 1000), (1150, 1500)])
        builder.addFeature(.secondary, kind: .line, name: "東西大通り", vertices: [(-64, 1500), (4160, 1520)])
        builder.addFeature(.street, kind: .line, name: "Z\u{30c}i\u{301}z\u{30c}ala Street", vertices: [(300, 2100), (3800, 2120)])
        builder.addFeature(.tertiary, kind: .line, name: "Cliff Way", vertices: [(3000, -64), (3010, 2900)])
        builder.addFeature(.rail, kind: .line, vertices: [(1700, -64), (1720, 2900)])
        builder.addFeature(.transit, kind: .line, vertices: [(500, -64), (520, 2900)])
        builder.addFeature(.canal, kind: .line, name: "Long Cut", vertices: [(2200, -64), (2210, 2980)])
        builder.addFeature(.ferry, kind: .line, vertices: [(1500, 2950), (3600, 4160)])
        builder.addFeature(.countryBoundary, kind: .line, vertices: [(-64, 2500), (4160, 2520)])
        builder.addFeature(.pier, kind: .line, vertices: [(3000, 3060), (3100, 3500)])
        builder.addFeature(.town, kind: .point, rank: 1, name: "港町", vertices: [(900, 1900)])
        builder.addFeature(.waterName, kind: .point, name: "Bay of Nowhere", vertices: [(1200, 3600)])
        return builder.finish()
    }()

    static func scene(painter: Painter = .braille, colors: ColorDepth = .none) -> MapScene {
        var scene = SmallTown.scene(overlays: MapOverlays(), painter: painter, colors: colors)
        scene.base?.tiles.insert(tile, for: SmallTown.tileID)
        return scene
    }

    static func camera(_ columns: Int, _ rows: Int, zoom: Double = 12.7) -> Camera {
        SmallTown.camera(zoom: zoom, size: Size(columns: columns, rows: rows), x: 2048, y: 2048)
    }
}
