import Testing
import VectorTiles

/// Tests of the parts of a tile that a router reads.
@Suite("The roads of a tile")
struct RoadTileTests {
    private static let line = [(0, 0), (100, 0), (100, 200)]

    private func roads(_ layer: String, _ tags: [(String, String)]) throws -> RoadTile {
        try VectorTileDecoder().decodeRoads(TileWriter.tile(layer: layer, [.line(Self.line, tags)]), id: .world)
    }

    struct Tagged: Sendable, CustomTestStringConvertible {
        var layer: String
        var tags: [(String, String)]
        var roadClass: RoadClass
        var flags: RoadFlags = []
        var level: Int8 = 0
        var testDescription: String { "\(layer) \(tags)" }
    }

    @Test(
        "classes, directions, ramps and levels of the four schemas",
        arguments: [
            Tagged(layer: "transportation", tags: [("class", "primary"), ("oneway", "1")], roadClass: .primary, flags: .noBackward),
            Tagged(layer: "transportation", tags: [("class", "minor"), ("oneway", "-1")], roadClass: .street, flags: .noForward),
            Tagged(
                layer: "transportation", tags: [("class", "motorway"), ("ramp", "1"), ("oneway", "1")], roadClass: .motorway,
                flags: [.link, .noBackward]),
            Tagged(
                layer: "transportation", tags: [("class", "trunk"), ("brunnel", "bridge"), ("layer", "2")], roadClass: .trunk, level: 2),
            Tagged(layer: "transportation", tags: [("class", "trunk"), ("layer", "2")], roadClass: .trunk),
            Tagged(layer: "transportation", tags: [("class", "service"), ("service", "driveway")], roadClass: .driveway),
            Tagged(
                layer: "roads", tags: [("kind", "minor_road"), ("kind_detail", "living_street"), ("oneway", "yes")],
                roadClass: .livingStreet,
                flags: .noBackward),
            Tagged(
                layer: "roads", tags: [("kind", "major_road"), ("kind_detail", "secondary_link"), ("is_tunnel", "true")],
                roadClass: .secondary, flags: .link, level: -1),
            Tagged(layer: "roads", tags: [("kind", "highway")], roadClass: .motorway),
            Tagged(layer: "streets", tags: [("kind", "residential"), ("oneway", "true")], roadClass: .street, flags: .noBackward),
            Tagged(layer: "streets", tags: [("kind", "tertiary"), ("oneway_reverse", "true")], roadClass: .tertiary, flags: .noForward),
            Tagged(
                layer: "streets", tags: [("kind", "secondary"), ("bridge", "true"), ("link", "true")], roadClass: .secondary, flags: .link,
                level: 1),
            Tagged(
                layer: "road", tags: [("class", "motorway_link"), ("oneway", "true")], roadClass: .motorway, flags: [.link, .noBackward]),
            Tagged(layer: "road", tags: [("class", "street"), ("structure", "tunnel")], roadClass: .street, level: -1),
        ])
    func schemas(road: Tagged) throws {
        let tile = try roads(road.layer, road.tags)
        #expect(
            tile.lines == [RoadTile.Line(roadClass: road.roadClass, flags: road.flags, level: road.level, vertices: 0..<3)])
        #expect(tile.coordinates == [0, 0, 100, 0, 100, 200])
    }

    @Test(
        "paths, tracks and railways are not roads for cars, and are left out",
        arguments: [
            ("transportation", [("class", "path")]), ("transportation", [("class", "track")]), ("transportation", [("class", "rail")]),
            ("transportation", [("class", "minor"), ("access", "no")]), ("transportation", [("class", "minor_construction")]),
            ("transportation", [("class", "service"), ("service", "emergency_access")]), ("transportation", [("class", "ferry")]),
            ("roads", [("kind", "path"), ("kind_detail", "footway")]), ("roads", [("kind", "minor_road"), ("access", "private")]),
            ("roads", [("kind", "major_road"), ("kind_detail", "busway")]), ("streets", [("kind", "pedestrian")]),
            ("streets", [("kind", "rail"), ("rail", "true")]), ("road", [("class", "street_limited")]), ("road", [("class", "pedestrian")]),
        ])
    func closed(layer: String, tags: [(String, String)]) throws {
        #expect(try roads(layer, tags).lines.isEmpty)
    }

    @Test("only lines of the roads' own layer are roads")
    func otherLayers() throws {
        let tags = [("class", "primary")]
        let bytes = TileWriter.tile(layers: [
            ("transportation", [.polygon([[(0, 0), (9, 0), (9, 9)]], tags), .line(Self.line, tags)]),
            ("transportation_name", [.line(Self.line, tags)]),
        ])
        #expect(try VectorTileDecoder().decodeRoads(bytes, id: .world).lines.count == 1)
        #expect(try VectorTileDecoder().decodeRoads([], id: .world).lines.isEmpty)
    }

    @Test("a tile that ends early or has a wrong byte is refused or read, without a crash")
    func damaged() throws {
        let bytes = TileWriter.tile(
            layer: "transportation",
            [
                .line(Self.line, [("class", "primary"), ("oneway", "1")]),
                .line(Self.line.reversed(), [("class", "minor"), ("layer", "x")]),
            ])
        for count in bytes.indices {
            _ = try? VectorTileDecoder().decodeRoads(Array(bytes.prefix(count)), id: .world)
            for value: UInt8 in [0, 0x7f, 0xff] {
                var damaged = bytes
                damaged[count] = value
                let tile = try? VectorTileDecoder().decodeRoads(damaged, id: .world)
                for line in tile?.lines ?? [] { #expect(Int(line.vertices.upperBound) * 2 <= tile?.coordinates.count ?? 0) }
            }
        }
    }

    @Test("a source that has only painted tiles gives their roads, open in both directions")
    func painted() async throws {
        struct Painted: TileSource {
            let attribution = ""
            let zoomRange = 14...14
            func tile(_ id: TileID) async throws -> VectorTile? {
                var builder = VectorTileBuilder(id: id)
                builder.addFeature(.primary, kind: .line, flags: [.bridge, .link], vertices: [(0, 0), (50, 50)])
                builder.addFeature(.path, kind: .line, vertices: [(0, 0), (50, 50)])
                builder.addFeature(.street, kind: .line, flags: .labelOnly, name: "X", vertices: [(0, 0), (50, 50)])
                return builder.finish()
            }
        }
        let tile = try #require(try await Painted().roads(.world))
        #expect(tile.lines == [RoadTile.Line(roadClass: .primary, flags: .link, level: 1, vertices: 0..<2)])
    }
}
