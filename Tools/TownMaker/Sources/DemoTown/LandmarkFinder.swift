import Geo

/// Finds a position on a street for each landmark.
struct LandmarkFinder {
    private(set) var landmarks: [DemoTown.Landmark] = []
    private let roads: RoadGraph
    private let projection: TownProjection

    init(draft: TownDraft, roads: RoadGraph, projection: TownProjection) {
        self.roads = roads
        self.projection = projection
        let plan = draft.plan
        let frame = plan.frame
        let far = { (angle: Double, share: Double) -> Vector2 in
            Vector2(angle: angle) * (frame.ringRadius * share * frame.stretch(towards: angle))
        }
        let turn = frame.townSide.angle
        add(.station, Self.stationName(draft), near: plan.railway.forecourt)
        add(.market, "Old Market", near: plan.oldTown.market[0])
        add(.harbour, "Harbour", near: plan.water.harbour)
        for (use, outline) in draft.lands {
            guard let kind = Self.kind(of: use.purpose) else { continue }
            let name = draft.landName(of: use) ?? kind.rawValue
            add(kind, kind == .minster ? "Minster" : name, near: outline[outline.count / 2])
        }
        // If the town has a hospital or a university on public grounds, `landmarks` already contains it under the same name. The second
        // call of `add` with this name adds nothing.
        add(.hospital, "General Hospital", near: far(turn + 1.7, 0.75))
        add(.university, "University", near: far(turn - 0.6, 0.5))
        add(.townHall, "Town Hall", near: plan.oldTown.market[2])
        add(.theatre, "Theatre", near: plan.oldTown.wallPoint(towards: turn + 1, beyond: OldTown.beltWidth))
        add(.museum, "River Museum", near: -frame.townSide * (frame.riverDistance + 130))
        if let lake = plan.water.lake { add(.boathouse, "Boathouse", near: lake.center) }
        add(.library, "Public Library", near: far(turn + 2.2, 0.55))
        add(.works, "Cable Works", near: draft.zones.industries.last?.center ?? plan.water.harbour)
        add(.waterTower, "Water Tower", near: far(turn + 3.6, 1.2))
        add(.school, "Grammar School", near: far(turn - 1.3, 0.95))
        for (village, name) in zip(draft.zones.villages, draft.names.villages) { add(.village, name + " Green", near: village.center) }
    }

    private static func stationName(_ draft: TownDraft) -> String {
        let angle = draft.plan.railway.stationAngle
        let gates = draft.plan.avenues.gateAngles
        let offset = { (gate: Int) in abs(SteadyMath.wrapped(gates[gate] - angle)) }
        let nearest = draft.names.gates.indices.min { offset($0) < offset($1) }
        return (nearest.map { draft.names.gates[$0] } ?? "Central") + " Station"
    }

    private static func kind(of purpose: LandUse.Purpose) -> DemoTown.Landmark.Kind? {
        switch purpose {
        case .hospital: .hospital
        case .university: .university
        case .stadium: .stadium
        case .minster: .minster
        case .cityPark: .park
        default: nil
        }
    }

    /// Adds a landmark on a street, at the nearest place where a car can stop. Each name is used only once.
    private mutating func add(_ kind: DemoTown.Landmark.Kind, _ name: String, near point: Vector2) {
        guard !landmarks.contains(where: { $0.name == name }) else { return }
        let wanted = projection.coordinate(of: point)
        let found = roads.nearestRoad(to: wanted, withinMeters: 1500) { edge in
            !edge.isBridge && edge.roadClass != .ringRoad && edge.name != nil
        }
        if let found { landmarks.append(.init(kind: kind, name: name, coordinate: found.coordinate)) }
    }
}

extension TownDraft {
    func landName(of use: LandUse) -> String? {
        lands.indices.first { lands[$0].use.anchor == use.anchor }.flatMap { names.lands[$0] }
    }
}
