/// A road that the plan of the town lays out, unlike the streets that grow from it: an avenue, a ring, a quay, a side of the market.
struct PlannedRoad: Sendable {
    enum Role: Sendable, Equatable {
        case market, gateStreet(Int), wall, boulevard, quay, avenue(Int), innerRing, ringRoad, stationRoad, stationFront, harbourRoad
        case collector, street, lane, villageStreet
    }

    var points: [Vector2]
    /// Whether each segment is carried over water or rails; one value for each segment.
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
