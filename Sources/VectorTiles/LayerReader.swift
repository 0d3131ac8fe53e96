/// Reads the features of one layer according to a rule.
struct LayerReader {
    /// The use of an attribute.
    private enum Role {
        case none
        case mapClass
        case detail
        case name(priority: UInt8)
        /// A road's number.
        case reference
        case structure
        case flag(FeatureFlags)
        case oneWay
        case capital
        case rank
        case reverseRank
        case population
        case adminLevel
        case maritime
        case service

        /// Whether the role decides the class of the feature.
        var tellsKind: Bool {
            switch self {
            case .mapClass, .detail, .adminLevel, .maritime: true
            default: false
            }
        }

        /// Whether the attribute holds data that does not decide the class, such as the name of the feature.
        var isAttribute: Bool { if case .none = self { false } else { !tellsKind } }
    }

    private let layer: TileLayer
    private let rule: LayerRule
    private let roles: [Role]
    /// Whether motorways and trunk roads are named by their numbers.
    private let prefersReferences: Bool
    /// Number of keys that decide the class of a feature.
    private let kindKeyCount: Int
    /// Whether any key holds data that does not decide the class, such as the name of a feature.
    private let hasAttributes: Bool
    /// The reader, which moves between the parts of the tile.
    private var reader: ProtobufReader
    private var points: ClassTable?
    private var lines: ClassTable?
    private var areas: ClassTable?
    /// For each value of the layer, its index in the names of the tile; ``unknownName`` until the value is used as a name.
    private var nameIndexes: [UInt32] = []

    /// The priority of the local name; nil if features have a single name.
    private let localNamePriority: UInt8?

    private static let unknownName = UInt32.max
    /// Maximum length of a name, in characters. Longer names are cut, because no map has room for them.
    private static let maximumNameLength = 120

    /// - Parameter prefersReferences: whether motorways and trunk roads are named by their numbers, as on maps at low zoom.
    init(_ layer: TileLayer, rule: LayerRule, nameKeys: NameKeys, prefersReferences: Bool) throws(VectorTileError) {
        self.layer = layer
        self.rule = rule
        self.prefersReferences = prefersReferences
        reader = layer.reader
        localNamePriority = rule.isNamed && rule.nameKeys.isEmpty ? nameKeys.localPriority : nil
        points = rule.points.map { ClassTable($0, valueCount: layer.values.count) }
        lines = rule.lines.map { ClassTable($0, valueCount: layer.values.count) }
        areas = rule.areas.map { ClassTable($0, valueCount: layer.values.count) }
        let tables = [points, lines, areas].compactMap { $0 }
        let (asksClass, asksDetail) = (tables.contains { $0.asksClass }, tables.contains { $0.asksDetail })
        var roles: [Role] = []
        for index in layer.keys.indices {
            let role = Self.role(of: try layer.key(at: index), rule: rule, nameKeys: nameKeys)
            switch role {
            case .mapClass where !asksClass, .detail where !asksDetail: roles.append(.none)
            default: roles.append(role)
            }
        }
        self.roles = roles
        kindKeyCount = roles.count { $0.tellsKind }
        hasAttributes = roles.contains { $0.isAttribute }
        if rule.isNamed { nameIndexes = Array(repeating: Self.unknownName, count: layer.values.count) }
    }

    private static func role(of key: String, rule: LayerRule, nameKeys: NameKeys) -> Role {
        if key == rule.adminLevelKey { return .adminLevel }
        if key == rule.classKey { return .mapClass }
        if key == rule.detailKey { return .detail }
        if !rule.nameKeys.isEmpty {
            if rule.nameKeys.contains(key) { return .name(priority: 0) }
        } else if rule.isNamed, let priority = nameKeys.priority(of: key) {
            return .name(priority: priority)
        }
        switch key {
        case "ref" where rule.isNamed && rule.nameKeys.isEmpty, "shield_text" where rule.isNamed: return .reference
        case "oneway": return .oneWay
        case "oneway_reverse": return .flag(.oneWayBack)
        case "brunnel", "structure": return .structure
        case "bridge", "is_bridge": return .flag(.bridge)
        case "tunnel", "is_tunnel": return .flag(.tunnel)
        case "ramp", "link", "is_link": return .flag(.link)
        case "intermittent": return .flag(.intermittent)
        case "capital": return .capital
        case "rank", "localrank", "scalerank": return .rank
        case "population_rank": return .reverseRank
        case "population": return .population
        case "maritime": return .maritime
        case "service": return .service
        default: return .none
        }
    }

    /// The values that decide a feature's class. They are read first, because most features are dropped by their class.
    private struct Kind {
        var classValue: Int?
        var detailValue: Int?
        var adminLevel: Int?
        var isMaritime = false
    }

    /// The attributes that do not decide the feature's class.
    private struct Attributes {
        var nameValue: Int?
        var localNameValue: Int?
        var namePriority = UInt8.max
        /// The number of a road; `isReference` says whether it is used as the name.
        var referenceValue: Int?
        var isReference = false
        var flags: FeatureFlags = []
        var rank: UInt8 = 0
    }

    /// Reads all features. A damaged feature is left out without affecting others, since the layer states where each feature ends.
    mutating func run(into builder: inout VectorTileBuilder) {
        for index in layer.features.indices {
            do throws(VectorTileError) {
                try readFeature(at: index, into: &builder)
            } catch {
                builder.dropFeature()
            }
        }
    }

    private mutating func readFeature(at index: Int, into builder: inout VectorTileBuilder) throws(VectorTileError) {
        let feature = try layer.feature(at: index, reader: &reader)
        guard let kind = feature.kind, rule.table(for: kind) != nil else { return }
        guard let (mapClass, flags) = try mapClass(of: feature, kind: kind) else { return }
        var attributes = Attributes()
        if hasAttributes { attributes = try self.attributes(of: feature, mapClass) }
        attributes.flags.formUnion(flags)
        if rule.isLabelLayer, kind == .line { attributes.flags.insert(.labelOnly) }
        let name = try name(attributes.nameValue, isReference: attributes.isReference, in: &builder)
        if name == 0, kind == .point && mapClass != .entrance || attributes.flags.contains(.labelOnly) { return }
        var localName: UInt32 = 0
        if attributes.localNameValue != attributes.nameValue { localName = try self.name(attributes.localNameValue, in: &builder) }
        builder.beginFeature(
            mapClass, kind: kind, rank: attributes.rank, flags: attributes.flags, nameIndex: name, localNameIndex: localName)
        var geometry = GeometryReader(kind: kind, extent: layer.extent)
        try geometry.run(feature.geometry, reader: &reader, into: &builder)
        builder.endFeature()
    }

    /// Returns the class of a feature and the flags that the rule's table sets for it; nil if the feature is dropped.
    private mutating func mapClass(
        of feature: TileFeature, kind: GeometryKind
    ) throws(VectorTileError) -> (mapClass: MapClass, flags: FeatureFlags)? {
        let found = try self.kind(of: feature)
        if rule.adminLevelKey != nil, let level = found.adminLevel {
            return found.isMaritime ? nil : Self.boundaryClass(level, isPoint: kind == .point).map { ($0, []) }
        }
        switch kind {
        case .point: return try points?.mapClass(found.classValue, found.detailValue, in: layer, &reader)
        case .line: return try lines?.mapClass(found.classValue, found.detailValue, in: layer, &reader)
        case .polygon: return try areas?.mapClass(found.classValue, found.detailValue, in: layer, &reader)
        }
    }

    private mutating func kind(of feature: TileFeature) throws(VectorTileError) -> Kind {
        var kind = Kind()
        var missing = kindKeyCount
        guard missing > 0 else { return kind }
        try reader.move(to: feature.tags)
        while missing > 0, let (key, value) = try layer.nextTag(&reader) {
            switch roles[key] {
            case .mapClass: kind.classValue = value
            case .detail: kind.detailValue = value
            case .adminLevel: kind.adminLevel = try attribute(value).integer
            case .maritime: kind.isMaritime = try attribute(value).isTrue
            default: continue
            }
            missing -= 1
        }
        return kind
    }

    private static func boundaryClass(_ level: Int, isPoint: Bool) -> MapClass? {
        if level <= 2 { return isPoint ? .country : .countryBoundary }
        return level <= 4 ? (isPoint ? .region : .regionBoundary) : nil
    }

    private mutating func attributes(of feature: TileFeature, _ mapClass: MapClass) throws(VectorTileError) -> Attributes {
        var attributes = Attributes()
        try reader.move(to: feature.tags)
        while let (key, value) = try layer.nextTag(&reader) {
            switch roles[key] {
            case .none, .mapClass, .detail, .adminLevel, .maritime: continue
            case .name(let priority):
                if priority == localNamePriority, !layer.isEmptyValue(at: value) { attributes.localNameValue = value }
                guard priority < attributes.namePriority, !layer.isEmptyValue(at: value) else { continue }
                (attributes.namePriority, attributes.nameValue) = (priority, value)
            case .reference: if !layer.isEmptyValue(at: value) { attributes.referenceValue = attributes.referenceValue ?? value }
            case .service:
                // The tracks of a yard or siding are minor, like the ramps of roads.
                attributes.flags.insert(.link)
            case let role: read(role, value: try attribute(value), into: &attributes)
            }
        }
        let isGreat = mapClass == .motorway || mapClass == .trunk
        if let number = attributes.referenceValue, attributes.nameValue == nil || prefersReferences && isGreat {
            (attributes.nameValue, attributes.isReference) = (number, true)
        }
        return attributes
    }

    /// Reads the value at an index. A separate reader is used, so that `reader` keeps its position.
    private func attribute(_ value: Int) throws(VectorTileError) -> TileValue {
        var reader = layer.reader
        return try layer.value(at: value, reader: &reader)
    }

    private func read(_ role: Role, value: TileValue, into attributes: inout Attributes) {
        switch role {
        case .structure:
            if value.text == "bridge" { attributes.flags.insert(.bridge) }
            if value.text == "tunnel" { attributes.flags.insert(.tunnel) }
        case .flag(let flag): if value.isTrue { attributes.flags.insert(flag) }
        case .oneWay:
            if value.integer == -1 || value.text == "reverse" {
                attributes.flags.insert(.oneWayBack)
            } else if value.isTrue {
                attributes.flags.insert(.oneWay)
            }
        // If the value is a number, the town is the capital of an area of this administrative level of OpenStreetMap. Level 2 is a country.
        case .capital: if value.integer == 2 || value.text == "yes" { attributes.flags.insert(.capital) }
        case .rank: attributes.rank = UInt8(clamping: value.integer ?? 0)
        case .reverseRank: attributes.rank = UInt8(clamping: 20 - min(max(value.integer ?? 0, 0), 20))
        case .population: attributes.rank = UInt8(clamping: 10 - String(max(0, value.integer ?? 0)).utf8.count)
        default: break
        }
    }

    private mutating func name(
        _ value: Int?, isReference: Bool = false, in builder: inout VectorTileBuilder
    ) throws(VectorTileError) -> UInt32 {
        guard let value else { return 0 }
        if nameIndexes[value] != Self.unknownName { return nameIndexes[value] }
        let found = try layer.value(at: value, reader: &reader)
        var text = found.text ?? (rule.nameKeys.isEmpty ? nil : found.integer.map(String.init)) ?? ""
        // If a road has several numbers, only the first is used. Schemas separate the numbers with semicolons or line breaks.
        if isReference { text = String(text.prefix { $0 != ";" && !$0.isNewline }) }
        // Only a name with more bytes than the limit can have more characters than the limit.
        if text.utf8.count > Self.maximumNameLength { text = String(text.unicodeScalars.prefix(Self.maximumNameLength)) }
        let index = builder.nameIndex(text)
        nameIndexes[value] = index
        return index
    }
}
