import FoundationEssentials
import Geo
import TileSources
import VectorTiles

/// The kinds of broken input, one for each reader under test.
enum FuzzKind: String, CaseIterable {
    /// Vector tiles without compression, for the decoder.
    case tile
    /// Compressed tiles in separate files.
    case blob
    /// PMTiles archives.
    case pmtiles
    /// PMTiles archives with uncompressed metadata and directories, so that broken bytes reach the parsers.
    case directory
    /// MBTiles archives, which are SQLite databases.
    case mbtiles

    /// The file name that an input of this kind needs.
    var fileName: String {
        switch self {
        case .tile: "input.mvt"
        case .blob: "1-0-0.mvt"
        case .pmtiles, .directory: "input.pmtiles"
        case .mbtiles: "input.mbtiles"
        }
    }

    /// Returns the valid inputs from which broken ones are made.
    func seeds(in directory: String) throws -> [[UInt8]] {
        switch self {
        case .tile: return (0..<4).map { MadeUpTile.village($0).bytes } + [Self.otherSchemas]
        case .blob: return [GzipWriter.stored(MadeUpTile.village().bytes), MadeUpTile.village(2).bytes, GzipWriter.zeros(10_000)]
        case .pmtiles: return [Self.archive().bytes(), Self.archive(leafSize: 4).bytes(), Self.archive(leafSize: 2, levels: 2).bytes()]
        case .directory: return [Self.archive(isCompressed: false).bytes(), Self.archive(leafSize: 3, isCompressed: false).bytes()]
        case .mbtiles:
            return try [false, true].map { isView in
                let path = directory + "/seed-\(isView).mbtiles"
                try? FileManager.default.removeItem(atPath: path)
                try MBTilesWriter(tiles: Self.village(zooms: 0...1), metadata: ["minzoom": "0", "maxzoom": "1"], isView: isView)
                    .write(to: path)
                return [UInt8](try Data(contentsOf: URL(filePath: path)))
            }
        }
    }

    /// Returns gzip tiles for all columns and rows of these zooms.
    static func village(zooms: ClosedRange<Int>) -> [(id: TileID, bytes: [UInt8])] {
        let villages = (0..<3).map { GzipWriter.stored(MadeUpTile.village($0).bytes) }
        return zooms.flatMap { zoom in HilbertCurve.places(zoom: zoom).compactMap { TileID(zoom: zoom, x: $0.0, y: $0.1) } }
            .map { ($0, villages[$0.x % 3]) }
    }

    private static func archive(leafSize: Int? = nil, levels: Int = 1, isCompressed: Bool = true) -> PMTilesWriter {
        var writer = PMTilesWriter(tiles: village(zooms: 0...2), leafSize: leafSize, leafLevels: levels)
        writer.isInternallyCompressed = isCompressed
        writer.metadata = """
            {"name":"Made Up","attribution":"&copy; <a href='x'>nobody</a>","vector_layers":[{"id":"transportation"},{"id":"water"}]}
            """
        return writer
    }

    private static var otherSchemas: [UInt8] {
        var tile = MadeUpTile()
        tile.add("streets", .line, [("kind", "primary"), ("tunnel", "true")], [(0, 0), (100, 200)])
        tile.add(
            "street_labels", .line, [("kind", "primary"), ("name:de", "Erfundener Weg"), ("name", "Made Up Way")], [(0, 0), (100, 200)])
        tile.add("places", .point, [("kind", "locality"), ("name", "Nowhere"), ("population_rank", "7")], [(1, 1), (9, 9)])
        return tile.bytes
    }
}

extension FuzzKind {
    /// Reads one input, which is also in the file `path`, and returns the outcome. The fuzzer looks for inputs that cause a trap.
    func feed(_ input: [UInt8], path: String) async -> FuzzOutcome {
        guard self == .tile else { return await Self.open(path) }
        var isRead = false
        for schema in [nil] + TileSchema.allCases.map(Optional.some) {
            guard let tile = try? VectorTileDecoder(languages: ["de"], schema: schema).decode(input, id: .world) else { continue }
            isRead = true
            if let problem = Self.problem(in: tile) ?? Self.problem(in: tile.houses) { return .wrong(problem) }
            guard let roads = try? VectorTileDecoder(schema: schema).decodeRoads(input, id: .world) else { continue }
            if let problem = Self.problem(in: roads) { return .wrong(problem) }
        }
        return (try? VectorTileDecoder.inspect(input)) != nil || isRead ? .read : .refused
    }

    private static func open(_ path: String) async -> FuzzOutcome {
        do throws(BaseMapFileError) {
            let map = try BaseMapFile(path: path)
            if let problem = problem(in: map.details) { return .wrong(problem) }
            var drawn = 0
            for (zoom, x, y) in [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (2, 1, 2), (2, 3, 0), (5, 17, 9), (30, 5, 7)] {
                guard let id = TileID(zoom: zoom, x: x, y: y) else { continue }
                guard let tile = await map.nearest(to: id).tile else { continue }
                if let problem = problem(in: tile) { return .wrong(problem) }
                drawn += tile.featureCount
            }
            return drawn > 0 ? .read : .blank
        } catch {
            let sentence = error.description
            return sentence.hasSuffix(".") && isPlain(sentence) ? .refused : .wrong("not a sentence: \(sentence)")
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) }
    }

    private static func problem(in details: TileSourceDetails) -> String? {
        guard isPlain(details.name), isPlain(details.attribution), details.attribution.count <= 400 else { return "a text is not plain" }
        guard TileID.zoomRange.contains(details.zoomRange.lowerBound), TileID.zoomRange.contains(details.zoomRange.upperBound) else {
            return "an impossible zoom"
        }
        return details.center?.isValid ?? true ? nil : "an impossible centre"
    }

    /// Returns the fault of a road with fewer than two vertices, or with vertices that do not exist; nil for sound roads.
    private static func problem(in roads: RoadTile) -> String? {
        let isSound = roads.lines.allSatisfy { $0.vertices.count >= 2 && 2 * Int($0.vertices.upperBound) <= roads.coordinates.count }
        return isSound ? nil : "a road has no such points"
    }

    /// Returns the first fault of a tile's features, such as a wrong order or an invalid index; nil for sound features.
    static func problem(in tile: VectorTile) -> String? {
        var last = MapClass.farmland
        for feature in 0..<tile.featureCount {
            guard tile.classes[feature] >= last, tile.features(of: tile.classes[feature]).contains(feature) else {
                return "feature \(feature) is out of order"
            }
            last = tile.classes[feature]
            guard Int(tile.nameIndexes[feature]) < tile.names.count else { return "feature \(feature) has no such name" }
            guard !tile.parts(of: feature).isEmpty else { return "feature \(feature) has no part" }
            for part in tile.parts(of: feature) {
                let vertices = tile.vertices(ofPart: part)
                let least = tile.kinds[feature] == .point ? 1 : tile.kinds[feature] == .line ? 2 : 3
                guard vertices.count >= least, vertices.upperBound <= tile.vertexCount else { return "part \(part) is too short" }
                guard tile.kinds[feature] == .point else { continue }
                let range = 0..<tile.extent
                for vertex in vertices
                where !range.contains(tile.coordinates[2 * vertex]) || !range.contains(tile.coordinates[2 * vertex + 1]) {
                    return "a point lies outside its tile"
                }
            }
        }
        return nil
    }
}

/// The outcome of reading one input.
enum FuzzOutcome: Hashable {
    /// The input was accepted, and had features to draw.
    case read
    /// The input was accepted, but had no features to draw.
    case blank
    /// The input was refused.
    case refused
    /// The result or the error breaks a rule. The text says which rule.
    case wrong(String)
}

extension TileAnswer {
    /// The tile, if this answer contains one.
    var tile: VectorTile? { if case .tile(let tile) = self { tile } else { nil } }
}
