public import DemoTown
import FoundationEssentials
import Geo
import VectorTiles

/// The town as a map file: its features as tiles, and its rides in the metadata.
public enum TownArchive {
    /// The zooms that have tiles. At higher zooms, a map uses the tiles of the deepest zoom.
    static let zooms = 9...14

    /// Returns the bytes of the file, which are the same on every call.
    public static func bytes(of town: DemoTown) -> [UInt8] {
        let shapes = town.features.map(TownShape.init)
        var tiles: [PMTilesWriter.Tile] = []
        for zoom in zooms {
            for id in ids(of: shapes, zoom: zoom) {
                let bytes = tile(id, of: shapes)
                if !bytes.isEmpty { tiles.append(PMTilesWriter.Tile(id: id, bytes: bytes)) }
            }
        }
        return PMTilesWriter(zooms: zooms, bounds: town.bounds, center: town.center, centerZoom: 14, metadata: metadata(of: town))
            .archive(of: tiles)
    }

    /// Returns the tiles of the shapes' common bounding box, row by row.
    private static func ids(of shapes: [TownShape], zoom: Int) -> [TileID] {
        var box = PlaneBox.empty
        for shape in shapes {
            box.include(x: shape.box.minX, y: shape.box.minY)
            box.include(x: shape.box.maxX, y: shape.box.maxY)
        }
        let first = TileID.containing(MercatorPoint(x: box.minX, y: box.minY), zoom: zoom)
        let last = TileID.containing(MercatorPoint(x: box.maxX, y: box.maxY), zoom: zoom)
        return (first.y...last.y).flatMap { y in (first.x...last.x).compactMap { x in TileID(zoom: zoom, x: x, y: y) } }
    }

    /// Returns the layers of a tile; empty for a tile without features.
    static func tile(_ id: TileID, of shapes: [TownShape]) -> [UInt8] {
        let cutter = TileCutter(id: id)
        var tile = ProtobufWriter()
        for layer in TownShape.Layer.allCases {
            var writer = TileLayerWriter(name: layer.rawValue)
            for shape in shapes where shape.layer == layer && shape.minimumZoom <= id.zoom && cutter.touches(shape.box) {
                let parts = cutter.parts(of: shape, keepsVertices: layer == .roads && id.zoom == zooms.upperBound)
                writer.add(shape.kind, parts, tags: shape.tags)
            }
            if !writer.isEmpty { tile.bytes(writer.finished(), field: 3) }
        }
        return tile.bytes
    }

    private struct Metadata: Encodable {
        struct Layer: Encodable {
            var id: String
            var fields: [String: String] = [:]
        }
        struct Place: Encodable {
            var name: String?
            /// The position: longitude, then latitude.
            var at: [Double]
        }
        struct Ride: Encodable {
            var start, pickup, stop, dropoff: Place
        }

        var name: String
        var attribution: String
        var rides: [Ride]
        // The TileJSON format defines this name.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var vector_layers: [Layer]
    }

    private static func metadata(of town: DemoTown) -> [UInt8] {
        func place(_ coordinate: Coordinate, _ name: String? = nil) -> Metadata.Place {
            Metadata.Place(name: name, at: [coordinate.longitude, coordinate.latitude])
        }
        let rides = town.rides.map { ride in
            Metadata.Ride(
                start: place(ride.start), pickup: place(ride.pickup.coordinate, ride.pickup.name),
                stop: place(ride.stop.coordinate, ride.stop.name), dropoff: place(ride.dropoff.coordinate, ride.dropoff.name))
        }
        let metadata = Metadata(
            name: town.name, attribution: "© nobody: an invented town", rides: rides,
            vector_layers: TownShape.Layer.allCases.map { Metadata.Layer(id: $0.rawValue) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(metadata) else { preconditionFailure("plain text and finite numbers can be written") }
        return Array(json)
    }
}
