/// A road that the plan of the town lays out, such as an avenue, a ring, a quay or the street round the market. Other streets grow from
/// these roads.
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
