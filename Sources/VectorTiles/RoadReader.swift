/// Reads the roads of one layer.
struct RoadReader {
    /// The use of an attribute.
    private enum Role {
        case none, mapClass, detail, oneWay, reversed, structure, bridge, tunnel, link, layer, access, service
    }

    /// The values of one feature's attributes.
    private struct Attributes {
        var roadClass: RoadClass?
        var flags: RoadFlags = []
        var structureLevel: Int8 = 0
        var layer: Int8 = 0
        var isDriveway = false
        var isClosed = false

        /// The level of the road. The `layer` attribute is used only on bridges and in tunnels, because on the ground it states only
        /// the paint order.
        var level: Int8 { structureLevel == 0 || layer == 0 ? structureLevel : layer }
    }

    private let layer: TileLayer
    private let rule: RoadRule
    private let roles: [Role]
    private var reader: ProtobufReader
    /// The decoded values of the layer; nil for a value that has not been used yet.
    private var values: [TileValue?]

    init(_ layer: TileLayer, rule: RoadRule) throws(VectorTileError) {
        self.layer = layer
        self.rule = rule
        reader = layer.reader
        values = Array(repeating: nil, count: layer.values.count)
        var roles: [Role] = []
        for index in layer.keys.indices { roles.append(Self.role(of: try layer.key(at: index), rule)) }
        self.roles = roles
    }

    private static func role(of key: String, _ rule: RoadRule) -> Role {
        switch key {
        case rule.classKey: .mapClass
        case rule.detailKey: .detail
        case "oneway": .oneWay
        case "oneway_reverse": .reversed
        case "brunnel", "structure": .structure
        case "bridge", "is_bridge": .bridge
        case "tunnel", "is_tunnel": .tunnel
        case "ramp", "link", "is_link": .link
        case "layer": .layer
        case "access", "motor_vehicle", "motorcar", "vehicle": .access
        case "service": .service
        default: .none
        }
    }

    /// Reads all roads; a damaged road is left out. Throws if the tile has too many vertices.
    mutating func run(into roads: inout RoadTile) throws(VectorTileError) {
        for index in layer.features.indices {
            let kept = roads.lines.count
            do throws(VectorTileError) {
                try readRoad(at: index, into: &roads)
            } catch {
                roads.drop(after: kept)
            }
            guard roads.coordinates.count <= RoadTile.maximumVertexCount * 2 else {
                throw VectorTileError(.tooManyParts, at: reader.position)
            }
        }
    }

    private mutating func readRoad(at index: Int, into roads: inout RoadTile) throws(VectorTileError) {
        let feature = try layer.feature(at: index, reader: &reader)
        guard feature.kind == .line else { return }
        let attributes = try attributes(of: feature)
        guard !attributes.isClosed, var roadClass = attributes.roadClass else { return }
        if roadClass == .service, attributes.isDriveway { roadClass = .driveway }
        roads.begin(RoadTile.Line(roadClass: roadClass, flags: attributes.flags, level: attributes.level, vertices: 0..<0))
        var geometry = GeometryReader(kind: .line, extent: layer.extent)
        try geometry.run(feature.geometry, reader: &reader, into: &roads)
        roads.end()
    }

    private mutating func attributes(of feature: TileFeature) throws(VectorTileError) -> Attributes {
        var attributes = Attributes()
        var detail: String?
        try reader.move(to: feature.tags)
        while let (key, number) = try layer.nextTag(&reader) {
            let role = roles[key]
            if case .none = role { continue }
            let value = try value(number)
            switch role {
            case .mapClass:
                attributes.roadClass = value.text.flatMap { rule.classes[$0] }
                if value.text?.hasSuffix("link") == true { attributes.flags.insert(.link) }
            case .detail: detail = value.text
            default: Self.read(role, value, into: &attributes)
            }
        }
        if let detail, attributes.roadClass != nil {
            if RoadRule.closedHighways.contains(detail) { attributes.isClosed = true }
            if let roadClass = RoadRule.highways[detail] { attributes.roadClass = roadClass }
            if detail.hasSuffix("_link") { attributes.flags.insert(.link) }
        }
        return attributes
    }

    private static func read(_ role: Role, _ value: TileValue, into attributes: inout Attributes) {
        switch role {
        case .oneWay:
            if value.integer == -1 || value.text == "reverse" {
                attributes.flags.insert(.noForward)
            } else if value.isTrue {
                attributes.flags.insert(.noBackward)
            }
        case .reversed: if value.isTrue { attributes.flags.insert(.noForward) }
        case .structure:
            if value.text == "bridge" { attributes.structureLevel = 1 }
            if value.text == "tunnel" { attributes.structureLevel = -1 }
        case .bridge: if value.isTrue { attributes.structureLevel = 1 }
        case .tunnel: if value.isTrue { attributes.structureLevel = -1 }
        case .link: if value.isTrue { attributes.flags.insert(.link) }
        case .layer: attributes.layer = Int8(clamping: value.integer ?? 0)
        case .access: if let text = value.text, RoadRule.closedAccess.contains(text) { attributes.isClosed = true }
        case .service:
            if let text = value.text {
                attributes.isDriveway = RoadRule.driveways.contains(text)
                if RoadRule.closedServices.contains(text) { attributes.isClosed = true }
            }
        case .none, .mapClass, .detail: break
        }
    }

    /// Returns the value at an index. A separate reader is used, so that `reader` keeps its position.
    private mutating func value(_ number: Int) throws(VectorTileError) -> TileValue {
        if let known = values[number] { return known }
        var reader = layer.reader
        let value = try layer.value(at: number, reader: &reader)
        values[number] = value
        return value
    }
}

extension VectorTileDecoder {
    /// Decodes the roads of the tile `id` from its uncompressed bytes. Layers without roads are skipped.
    public func decodeRoads(_ bytes: [UInt8], id: TileID) throws(VectorTileError) -> RoadTile {
        let layers = try Self.layers(of: bytes)
        let names = try Self.names(of: layers, in: bytes)
        let rule = (schema ?? TileSchema.detect(layerNames: names)).roadRule
        var roads = RoadTile(id: id)
        for (name, range) in zip(names, layers) where name == rule.layer {
            guard let layer = try Self.layer(range, of: bytes) else { continue }
            var reader = try RoadReader(layer, rule: rule)
            try reader.run(into: &roads)
        }
        roads.names = RoadNames(zip(names, layers).filter { $0.0 == rule.nameLayer }.map(\.1), of: bytes, schema: rule.schema, self)
        return roads
    }
}
