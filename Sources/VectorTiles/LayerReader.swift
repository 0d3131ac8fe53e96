/// Reads the features of one layer by a rule.
struct LayerReader {
    /// What an attribute is good for.
    private enum Role {
        case none
        case mapClass
        case detail
        case name(priority: UInt8)
        case structure
        case flag(FeatureFlags)
        case rank
        case reverseRank
        case population
        case adminLevel
        case maritime
        case service
    }

    private let layer: TileLayer
    private let rule: LayerRule
    private let roles: [Role]
    private var texts: [Int: String?] = [:]
    private var nameIndexes: [Int: UInt32] = [:]

    init(_ layer: TileLayer, rule: LayerRule, nameKeys: NameKeys) throws(VectorTileError) {
        self.layer = layer
        self.rule = rule
        var roles: [Role] = []
        for index in layer.keys.indices { roles.append(Self.role(of: try layer.key(at: index), rule: rule, nameKeys: nameKeys)) }
        self.roles = roles
    }

    private static func role(of key: String, rule: LayerRule, nameKeys: NameKeys) -> Role {
        if key == rule.adminLevelKey { return .adminLevel }
        if key == rule.classKey { return .mapClass }
        if key == rule.detailKey { return .detail }
        if rule.isNamed, let priority = nameKeys.priority(of: key) { return .name(priority: priority) }
        switch key {
        case "brunnel", "structure": return .structure
        case "bridge", "is_bridge": return .flag(.bridge)
        case "tunnel", "is_tunnel": return .flag(.tunnel)
        case "ramp", "link", "is_link": return .flag(.link)
        case "intermittent": return .flag(.intermittent)
        case "capital": return .flag(.capital)
        case "rank", "localrank", "scalerank": return .rank
        case "population_rank": return .reverseRank
        case "population": return .population
        case "maritime": return .maritime
        case "service": return .service
        default: return .none
        }
    }

    /// What the attributes of one feature say.
    private struct Attributes {
        var classValue: Int?
        var detailValue: Int?
        var nameValue: Int?
        var namePriority = UInt8.max
        var flags: FeatureFlags = []
        var rank: UInt8 = 0
        var adminLevel: Int?
        var isMaritime = false
    }

    mutating func run(into builder: inout VectorTileBuilder) throws(VectorTileError) {
        for index in layer.features.indices {
            let feature = try layer.feature(at: index)
            guard let kind = feature.kind, let table = rule.table(for: kind) else { continue }
            let attributes = try attributes(of: feature)
            guard let mapClass = try mapClass(for: attributes, in: table) else { continue }
            var flags = attributes.flags
            if !table.links.isEmpty, let value = try text(of: attributes.classValue), table.links.contains(value) { flags.insert(.link) }
            if rule.isLabelLayer, kind == .line { flags.insert(.labelOnly) }
            let name = try name(for: attributes, in: &builder)
            if name == 0, kind == .point || flags.contains(.labelOnly) { continue }
            builder.beginFeature(mapClass, kind: kind, rank: attributes.rank, flags: flags, nameIndex: name)
            var geometry = GeometryReader(feature.geometry, kind: kind, extent: layer.extent)
            try geometry.run(into: &builder)
            builder.endFeature()
        }
    }

    private func attributes(of feature: TileFeature) throws(VectorTileError) -> Attributes {
        var attributes = Attributes()
        var tags = feature.tags
        while let (key, value) = try layer.nextTag(&tags) {
            switch roles[key] {
            case .none: continue
            case .mapClass: attributes.classValue = value
            case .detail: attributes.detailValue = value
            case .name(let priority):
                if priority < attributes.namePriority { (attributes.namePriority, attributes.nameValue) = (priority, value) }
            default: try read(roles[key], value: layer.value(at: value), into: &attributes)
            }
        }
        return attributes
    }

    private func read(_ role: Role, value: TileValue, into attributes: inout Attributes) throws(VectorTileError) {
        switch role {
        case .structure:
            if value.text == "bridge" { attributes.flags.insert(.bridge) }
            if value.text == "tunnel" { attributes.flags.insert(.tunnel) }
        case .flag(let flag): if value.isTrue { attributes.flags.insert(flag) }
        case .rank: attributes.rank = UInt8(clamping: value.integer ?? 0)
        case .reverseRank: attributes.rank = UInt8(clamping: 20 - min(max(value.integer ?? 0, 0), 20))
        case .population: attributes.rank = UInt8(clamping: 10 - String(max(0, value.integer ?? 0)).utf8.count)
        case .adminLevel: attributes.adminLevel = value.integer
        case .maritime: attributes.isMaritime = value.isTrue
        // A yard's or a siding's tracks are not the line that people know.
        case .service: attributes.flags.insert(.link)
        default: break
        }
    }

    private mutating func mapClass(for attributes: Attributes, in table: LayerRule.Table) throws(VectorTileError) -> MapClass? {
        if rule.adminLevelKey != nil, let level = attributes.adminLevel {
            if attributes.isMaritime { return nil }
            let isPoint = rule.points != nil
            if level <= 2 { return isPoint ? .country : .countryBoundary }
            return level <= 4 ? (isPoint ? .region : .regionBoundary) : nil
        }
        let detail = try text(of: attributes.detailValue)
        let name = try text(of: attributes.classValue)
        if let detail, table.dropped.contains(detail) { return nil }
        if let name, table.dropped.contains(name) { return nil }
        if let detail, let mapClass = table.details[detail] { return mapClass }
        if let name, let mapClass = table.classes[name] { return mapClass }
        return table.fallback
    }

    /// The text of a value, decoded the first time it is asked for.
    private mutating func text(of value: Int?) throws(VectorTileError) -> String? {
        guard let value else { return nil }
        if let known = texts[value] { return known }
        let text = try layer.value(at: value).text
        texts[value] = .some(text)
        return text
    }

    private mutating func name(
        for attributes: Attributes, in builder: inout VectorTileBuilder
    ) throws(VectorTileError) -> UInt32 {
        guard let value = attributes.nameValue else { return 0 }
        if let known = nameIndexes[value] { return known }
        let index = builder.nameIndex(try layer.value(at: value).text ?? "")
        nameIndexes[value] = index
        return index
    }
}
