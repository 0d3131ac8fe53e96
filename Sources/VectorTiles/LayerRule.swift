/// The conversion of one layer of a schema to map features.
struct LayerRule: Sendable {
    /// The classes for features of one geometry type.
    struct Table: Sendable {
        /// Classes by the attribute ``LayerRule/detailKey``. They take precedence over `classes`.
        var details: [String: MapClass] = [:]
        /// Classes by the attribute ``LayerRule/classKey``.
        var classes: [String: MapClass] = [:]
        /// The class of all other features; nil drops them.
        var fallback: MapClass?
        /// A feature is dropped if its ``LayerRule/detailKey`` or ``LayerRule/classKey`` attribute has one of these values.
        var dropped: Set<String> = []
        /// Values of ``LayerRule/classKey`` that also set ``mark``.
        var marked: Set<String> = []
        /// The flag for marked values, such as ramp or capital.
        var mark: FeatureFlags = .link
    }

    /// The attribute that decides most classes.
    var classKey = "class"
    /// An attribute that decides the class in more detail; empty for none.
    var detailKey = ""
    var points: Table?
    var lines: Table?
    var areas: Table?
    /// Whether the layer's lines only carry names and are not drawn.
    var isLabelLayer = false
    /// Whether the names of the layer's features are kept.
    var isNamed = false
    /// The attributes of a name that is the same in every language, such as a house number. If empty, the usual name attributes are
    /// read.
    var nameKeys: Set<String> = []
    /// Whether the layer is needed only at high zooms. Such a layer is decoded on request.
    var isDeferred = false
    /// An attribute whose number decides the class of a boundary or its label, such as `admin_level`. Numbers up to 2 stand for countries,
    /// 3 and 4 for regions.
    var adminLevelKey: String?

    func table(for kind: GeometryKind) -> Table? {
        switch kind {
        case .point: points
        case .line: lines
        case .polygon: areas
        }
    }
}

/// A supported tile schema.
public enum TileSchema: String, Sendable, CaseIterable {
    /// https://openmaptiles.org/schema/ version 3
    case openMapTiles
    /// https://docs.protomaps.com/basemaps/layers version 4
    case protomaps
    /// https://shortbread-tiles.org/schema/1.0/
    case shortbread
    /// Mapbox Streets version 7
    case mapboxStreets

    /// Returns the schema that matches these names best; the road layer's name counts most. Without a match, returns OpenMapTiles.
    public static func detect(layerNames: some Sequence<String>) -> TileSchema {
        let names = Set(layerNames)
        var best = TileSchema.openMapTiles
        var bestScore = 0
        for schema in allCases {
            let known = names.reduce(0) { $0 + (schema.rules[$1] == nil ? 0 : 1) }
            let score = known + (names.contains(schema.roadLayer) ? 100 : 0)
            if score > bestScore { (best, bestScore) = (schema, score) }
        }
        return best
    }

    /// Returns the best schema for an archive with these layers; nil if no schema's road layer is among them.
    public static func identify(layerNames: some Sequence<String>) -> TileSchema? {
        let names = Set(layerNames)
        return allCases.contains { names.contains($0.roadLayer) } ? detect(layerNames: names) : nil
    }

    /// The attribution for tiles of this schema that have no attribution of their own. Tiles of all four schemas are made from
    /// OpenStreetMap data.
    public var attribution: String {
        switch self {
        case .openMapTiles: "© OpenMapTiles © OpenStreetMap contributors"
        case .protomaps: "© Protomaps © OpenStreetMap contributors"
        case .shortbread: "© OpenStreetMap contributors"
        case .mapboxStreets: "© Mapbox © OpenStreetMap contributors"
        }
    }

    var roadLayer: String {
        switch self {
        case .openMapTiles: "transportation"
        case .protomaps: "roads"
        case .shortbread: "streets"
        case .mapboxStreets: "road"
        }
    }

    /// The rules by layer name; a layer without a rule is skipped.
    var rules: [String: LayerRule] {
        switch self {
        case .openMapTiles: LayerRule.openMapTiles
        case .protomaps: LayerRule.protomaps
        case .shortbread: LayerRule.shortbread
        case .mapboxStreets: LayerRule.mapboxStreets
        }
    }
}
