import Testing
import VectorTiles

/// Tests with tiles of real map services.
@Suite(.enabled(if: SharedData.isPresent))
struct RealTileTests {
    private static let world = "mvt-fixtures/real-world/"

    private static func files(_ folder: String) -> [String] {
        ((try? SharedData.names(in: world + folder)) ?? []).map { world + folder + "/" + $0 }
    }

    private func decode(_ path: String) throws -> VectorTile {
        var bytes = try SharedData.bytes(path)
        if bytes.starts(with: [0x1f, 0x8b]) { bytes = try Inflate.gzip(bytes) }
        let summaries = try VectorTileDecoder.inspect(bytes)
        #expect(!summaries.isEmpty)
        return try VectorTileDecoder().decode(bytes, id: .world)
    }

    @Test("Mapbox Streets tiles of two cities have roads and names", arguments: files("sanfrancisco") + files("compressed"))
    func streets(path: String) throws {
        let tile = try decode(path)
        tile.expectConsistent()
        let roads = MapClass.allCases.filter(\.isRoad).reduce(0) { $0 + tile.features(of: $1).count }
        #expect(roads > 0)
    }

    @Test("Mapbox Streets tiles by a lake are read, including those with only water", arguments: files("chicago"))
    func chicago(path: String) throws {
        let tile = try decode(path)
        tile.expectConsistent()
        #expect(tile.featureCount > 0)
    }

    @Test("a dense Shortbread tile becomes streets, buildings, names and stations")
    func shortbread() throws {
        let tile = try decode("tiles/shortbread_berlin_neukoelln_14-8803-5376.pbf")
        tile.expectConsistent()
        #expect(tile.features(of: .building).count > 2000)
        #expect(tile.features(of: .street).count > 500)
        #expect(tile.features(of: .station).contains { tile.name(of: $0)?.contains("Neukölln") == true })
        #expect(tile.features(of: .street).contains { tile.name(of: $0) == "Weserstraße" })
    }

    @Test("the same tile with the layers and keys of Protomaps has the same streets, waters, grounds and places")
    func protomaps() throws {
        let bytes = try SharedData.bytes("tiles/shortbread_berlin_neukoelln_14-8803-5376.pbf")
        let relabelled = try Relabelling(
            layers: [
                "streets": "roads", "water_polygons": "water", "land": "landuse", "place_labels": "places", "street_labels": "roads",
                "boundaries": "boundaries",
            ],
            keys: [
                "streets": ["kind": "kind_detail", "bridge": "is_bridge", "tunnel": "is_tunnel", "link": "is_link"],
                "street_labels": ["kind": "kind_detail"], "place_labels": ["kind": "kind_detail"],
            ]
        ).apply(to: bytes)
        #expect(TileSchema.detect(layerNames: try VectorTileDecoder.layerNames(of: relabelled)) == .protomaps)
        let original = try VectorTileDecoder().decode(bytes, id: .world)
        let tile = try VectorTileDecoder().decode(relabelled, id: .world)
        tile.expectConsistent()
        func ways(_ tile: VectorTile, _ mapClass: MapClass) -> Int {
            tile.features(of: mapClass).count { !tile.flags[$0].contains(.labelOnly) && tile.name(of: $0) == nil }
        }
        for mapClass in [MapClass.street, .primary, .secondary, .rail, .transit, .motorway] {
            #expect(ways(tile, mapClass) == ways(original, mapClass), "\(mapClass)")
        }
        #expect(ways(tile, .street) > 100)
        for mapClass in [MapClass.water, .park, .cemetery, .suburb, .quarter] {
            #expect(tile.features(of: mapClass).count == original.features(of: mapClass).count, "\(mapClass)")
        }
        #expect(tile.features(of: .street).contains { tile.name(of: $0) == "Weserstraße" })
        let tunnels = (0..<tile.featureCount).count { tile.flags[$0].contains(.tunnel) }
        #expect(tunnels == (0..<original.featureCount).count { original.flags[$0].contains(.tunnel) })
    }
}

extension VectorTile {
    /// Checks that every index in the tile is valid.
    func expectConsistent(sourceLocation: SourceLocation = #_sourceLocation) {
        var last = MapClass.farmland
        for feature in 0..<featureCount {
            #expect(classes[feature] >= last, sourceLocation: sourceLocation)
            last = classes[feature]
            #expect(features(of: classes[feature]).contains(feature), sourceLocation: sourceLocation)
            #expect(Int(nameIndexes[feature]) < names.count, sourceLocation: sourceLocation)
            #expect(!parts(of: feature).isEmpty, sourceLocation: sourceLocation)
            for part in parts(of: feature) {
                let vertices = vertices(ofPart: part)
                let least = kinds[feature] == .point ? 1 : kinds[feature] == .line ? 2 : 3
                #expect(vertices.count >= least && vertices.upperBound <= vertexCount, sourceLocation: sourceLocation)
            }
        }
    }
}
