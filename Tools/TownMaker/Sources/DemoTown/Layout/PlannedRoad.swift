/// A road that is laid out by a plan and not grown: avenues, rings, quays, the market's sides.
struct PlannedRoad: Sendable {
    enum Role: Sendable, Equatable {
        case market, gateStreet(Int), wall, boulevard, quay, avenue(Int), innerRing, ringRoad, stationRoad, stationFront, harbourRoad
        case collector, street, lane, villageStreet
    }

    var points: [Vector2]
    /// One per segment: whether it is carried over water or rails.
    var isBridge: [Bool]
    var roadClass: RoadClass
    var role: Role

    init(points: [Vector2], isBridge: [Bool]? = nil, roadClass: RoadClass, role: Role) {
        self.points = points
        self.isBridge = isBridge ?? [Bool](repeating: false, count: max(points.count - 1, 0))
        self.roadClass = roadClass
        self.role = role
    }
}
