import Testing
import VectorTiles

/// Tiles of real map services.
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

    @Test("Mapbox Streets tiles by a lake are read, those with nothing but water included", arguments: files("chicago"))
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
}

extension VectorTile {
    /// Checks that every number in the tile points to something.
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
