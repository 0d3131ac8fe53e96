/// How one layer of a schema becomes map features.
struct LayerRule: Sendable {
    /// Which class a feature of one geometry kind gets.
    struct Table: Sendable {
        /// By the attribute ``LayerRule/detailKey``; asked first.
        var details: [String: MapClass] = [:]
        /// By the attribute ``LayerRule/classKey``.
        var classes: [String: MapClass] = [:]
        /// For everything else; nil drops it.
        var fallback: MapClass?
        /// Values of either attribute that drop the feature.
        var dropped: Set<String> = []
        /// Values of ``LayerRule/classKey`` that mean ``mark`` besides.
        var marked: Set<String> = []
        /// What they mean: a ramp, a capital.
        var mark: FeatureFlags = .link
    }

    /// The attribute that decides most.
    var classKey = "class"
    /// An attribute that decides in more detail.
    var detailKey = ""
    var points: Table?
    var lines: Table?
    var areas: Table?
    /// Lines carry names and are not stroked.
    var isLabelLayer = false
    /// Whether names of these features are worth keeping.
    var isNamed = false
    /// The attributes that are the name, the same in every language, such as a house's number; empty for the usual ones.
    var nameKeys: Set<String> = []
    /// Whether the layer is needed close by only: it is read when somebody asks for it.
    var isDeferred = false
    /// The class is chosen by the number of `admin_level` or of this attribute: up to 2 country, 3 and 4 region.
    var adminLevelKey: String?

    func table(for kind: GeometryKind) -> Table? {
        switch kind {
        case .point: points
        case .line: lines
        case .polygon: areas
        }
    }
}

/// A tile schema this program can read.
public enum TileSchema: String, Sendable, CaseIterable {
    /// https://openmaptiles.org/schema/ version 3
    case openMapTiles
    /// https://docs.protomaps.com/basemaps/layers version 4
    case protomaps
    /// https://shortbread-tiles.org/schema/1.0/
    case shortbread
    /// Mapbox Streets version 7
    case mapboxStreets

    /// The schema that knows most of these layer names; OpenMapTiles when they say nothing.
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

    /// The schema that an archive with these layers follows; nil without a layer of roads, which decides it.
    public static func identify(layerNames: some Sequence<String>) -> TileSchema? {
        let names = Set(layerNames)
        return allCases.contains { names.contains($0.roadLayer) } ? detect(layerNames: names) : nil
    }

    /// Whom tiles of this schema are owed to where they do not say it themselves. All four are made from OpenStreetMap.
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

    /// The rules by layer name; a layer without one is skipped unread.
    var rules: [String: LayerRule] {
        switch self {
        case .openMapTiles: LayerRule.openMapTiles
        case .protomaps: LayerRule.protomaps
        case .shortbread: LayerRule.shortbread
        case .mapboxStreets: LayerRule.mapboxStreets
        }
    }
}
