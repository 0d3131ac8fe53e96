/// Decodes Mapbox Vector Tiles, version 2.1 (https://github.com/mapbox/vector-tile-spec/tree/master/2.1), into ``VectorTile``.
///
/// Only the needed parts are decoded. Layers without a rule are skipped, and each text is decoded once per layer.
///
/// Damaged features are left out, and so are layers with an unknown version or an invalid extent. Invalid UTF-8 is repaired. A tile is
/// refused if it is not protobuf, if the stated length of a part is wrong, or if it exceeds one of the limits below.
public struct VectorTileDecoder: Sendable, Equatable {
    /// The largest accepted tile, in bytes after decompression.
    public static let maximumByteCount = 16 << 20
    /// The largest number of layers in a tile; real tiles have a few dozen at most.
    public static let maximumLayerCount = 4096
    /// The largest number of keys in a layer; real layers have a few hundred at most.
    public static let maximumKeyCount = 1 << 16

    private let nameKeys: NameKeys
    /// Highest zoom at which motorways and trunk roads are named by their numbers.
    private static let lastReferenceZoom = 11
    let schema: TileSchema?

    /// Creates a decoder. It prefers names in the given languages ("de", "en"), most preferred first, then names in Latin script, English
    /// names and local names.
    ///
    /// - Parameter schema: the schema of the tiles; nil to detect it from each tile's layers.
    public init(languages: [String] = [], schema: TileSchema? = nil) {
        nameKeys = NameKeys(languages: languages)
        self.schema = schema
    }

    /// Decodes the tile `id` from its uncompressed bytes. If there are no bytes, returns an empty tile.
    public func decode(_ bytes: [UInt8], id: TileID) throws(VectorTileError) -> VectorTile {
        let layers = try Self.layers(of: bytes)
        let names = try Self.names(of: layers, in: bytes)
        let schema = schema ?? TileSchema.detect(layerNames: names)
        let rules = schema.rules
        var tile = try decode(bytes, layers, names, id: id) { name in rules[name].flatMap { $0.isDeferred ? nil : $0 } }
        let later = zip(names, layers).filter { rules[$0.0]?.isDeferred == true }.map(\.1)
        tile.deferred = DeferredLayers(later, of: bytes, schema: schema)
        return tile
    }

    /// Decodes the tile. `rules` gets the names of all layers, and returns a function that gives the rule for a layer.
    func decode(
        _ bytes: [UInt8], id: TileID, rules: (_ layerNames: [String]) -> (_ layerName: String) -> LayerRule?
    ) throws(VectorTileError) -> VectorTile {
        let layers = try Self.layers(of: bytes)
        let names = try Self.names(of: layers, in: bytes)
        return try decode(bytes, layers, names, id: id, rule: rules(names))
    }

    private func decode(
        _ bytes: [UInt8], _ layers: [Range<Int>], _ names: [String], id: TileID, rule: (_ layerName: String) -> LayerRule?
    ) throws(VectorTileError) -> VectorTile {
        var builder = VectorTileBuilder(id: id)
        // Dense tiles of several schemas have a vertex for every 16 to 25 of their bytes.
        builder.reserve(vertexCount: bytes.count / 16)
        for (name, range) in zip(names, layers) {
            guard let rule = rule(name), let layer = try Self.layer(range, of: bytes) else { continue }
            var reader = try LayerReader(
                layer, rule: rule, nameKeys: nameKeys, prefersReferences: id.zoom <= Self.lastReferenceZoom)
            reader.run(into: &builder)
        }
        return builder.finish()
    }

    /// Reads a layer; nil if its version or extent is not supported.
    static func layer(_ range: Range<Int>, of bytes: [UInt8]) throws(VectorTileError) -> TileLayer? {
        do {
            return try TileLayer(range, in: bytes)
        } catch {
            if error.reason == .unsupportedVersion || error.reason == .invalidExtent { return nil }
            throw error
        }
    }

    /// Returns the names of a tile's layers, in the tile's order.
    public static func layerNames(of bytes: [UInt8]) throws(VectorTileError) -> [String] {
        try names(of: layers(of: bytes), in: bytes).filter { !$0.isEmpty }
    }

    /// Returns the names of the layers; the name is empty for a layer without one.
    static func names(of layers: [Range<Int>], in bytes: [UInt8]) throws(VectorTileError) -> [String] {
        var names: [String] = []
        for layer in layers { names.append(try TileLayer.name(of: layer, in: bytes)) }
        return names
    }

    /// Returns the layers of a `Tile` message, as ranges of its bytes.
    static func layers(of bytes: [UInt8]) throws(VectorTileError) -> [Range<Int>] {
        guard bytes.count <= maximumByteCount else { throw VectorTileError(.tooLarge, at: bytes.count) }
        var reader = ProtobufReader(bytes, in: bytes.indices)
        var layers: [Range<Int>] = []
        while let field = try reader.nextField() {
            guard field.number == 3 else {
                try reader.skip(field)
                continue
            }
            try reader.require(.lengthDelimited, for: field)
            guard layers.count < maximumLayerCount else { throw VectorTileError(.tooManyParts, at: reader.position) }
            layers.append(try reader.readLengthDelimited())
        }
        return layers
    }
}

extension VectorTileDecoder {
    /// A summary of one layer of a tile.
    public struct LayerSummary: Sendable, Hashable {
        /// The layer's name, as spelled in the file.
        public var name: String
        /// Units along one edge of the tile.
        public var extent: Int32
        /// Number of features.
        public var featureCount: Int
        /// Number of vertices of all features.
        public var vertexCount: Int
    }

    /// Reads a whole tile strictly, and summarises its layers.
    ///
    /// Use it to check files, because it refuses damage that ``decode(_:id:)`` repairs or leaves out. It accepts features of an unknown
    /// geometry type, and a last tag key without a value.
    public static func inspect(_ bytes: [UInt8]) throws(VectorTileError) -> [LayerSummary] {
        var summaries: [LayerSummary] = []
        for range in try layers(of: bytes) {
            let layer = try TileLayer(range, in: bytes, isStrict: true)
            var reader = layer.reader
            for index in layer.keys.indices { _ = try layer.key(at: index) }
            for index in layer.values.indices { _ = try layer.value(at: index, reader: &reader) }
            var sink = CountingSink()
            for index in layer.features.indices {
                let feature = try layer.feature(at: index, reader: &reader)
                try reader.move(to: feature.tags)
                while try layer.nextTag(&reader) != nil {}
                guard let kind = feature.kind else { continue }
                var geometry = GeometryReader(kind: kind, extent: layer.extent)
                try geometry.run(feature.geometry, reader: &reader, into: &sink)
            }
            summaries.append(
                LayerSummary(
                    name: layer.name, extent: layer.extent, featureCount: layer.features.count, vertexCount: sink.vertexCount))
        }
        return summaries
    }
}
