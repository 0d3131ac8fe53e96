import Geo

extension FeatureMaker {
    mutating func addWater() {
        let water = draft.plan.water
        for polygon in Self.polygons(water.distance.contours(at: 0), smallest: 200, smallestHole: 200, tolerance: 0.8) {
            let isLake = water.lake.map { Line.contains(polygon[0], $0.center) } ?? false
            addPolygon(.water, polygon, name: isLake ? draft.names.lake : draft.names.river)
        }
        addLine(.river, Line.simplified(water.river.main.line, tolerance: 1), name: draft.names.river)
        if let arm = water.river.sideArm { addLine(.river, Line.simplified(arm.line, tolerance: 1), name: draft.names.river, rank: 1) }
        addMoat()
    }

    /// Adds what is left of the moat: a canal in the green belt, interrupted at the gates.
    private mutating func addMoat() {
        let plan = draft.plan
        let (first, last) = plan.oldTown.openAngles
        let gates = plan.avenues.gateAngles.map { angle -> Double in
            let turns = ((first - angle) / (2 * Double.pi)).rounded(.up)
            return angle + turns * 2 * Double.pi
        }
        let stops = [first] + gates.filter { $0 > first + 0.05 && $0 < last - 0.05 }.sorted() + [last]
        for (start, end) in zip(stops, stops.dropFirst()) where end - start > 0.3 {
            let count = Int((end - start) * plan.frame.wallRadius / 22)
            let points = (0...count).map { step -> Vector2 in
                let angle = start + 0.09 + (end - start - 0.18) * Double(step) / Double(count)
                return plan.oldTown.wallPoint(towards: angle, beyond: OldTown.beltWidth / 2)
            }
            addLine(.canal, points, name: "Town Moat")
        }
    }

    mutating func addLands() {
        for (number, land) in draft.lands.enumerated() {
            addPolygon(
                Self.kind(of: land.use.purpose), [land.outline], name: draft.names.lands[number], rank: Self.rank(of: land.use.purpose))
        }
        for face in draft.faces where face.area > 0 && face.area < 700_000 {
            guard draft.zones.zone(at: face.centroid) == .industry else { continue }
            addPolygon(.industrialArea, [draft.graph.outline(of: face)])
        }
    }

    private static func kind(of purpose: LandUse.Purpose) -> DemoTown.Kind {
        switch purpose {
        case .cityPark, .park, .wallGarden: .park
        case .cemetery: .cemetery
        case .hospital, .university, .minster: .publicGround
        case .stadium, .sports: .sportsGround
        case .square: .square
        }
    }

    private static func rank(of purpose: LandUse.Purpose) -> Int {
        switch purpose {
        case .cityPark, .university, .hospital, .stadium: 0
        case .square, .minster, .cemetery, .wallGarden: 1
        default: 2
        }
    }

    /// Adds the areas within about 55 m of a street with houses.
    mutating func addBuiltUpAreas() {
        var near = ScalarGrid(box: draft.plan.frame.box, spacing: 56, filledWith: 120)
        for edge in draft.graph.edges where Self.hasHouses(edge.role) {
            for (start, end) in zip(edge.points, edge.points.dropFirst()) {
                near.lowerToCapsule(from: start, to: end, startHalfWidth: 0, endHalfWidth: 0, reach: 78)
            }
        }
        for polygon in Self.polygons(near.contours(at: 56), smallest: 12_000, smallestHole: 25_000, tolerance: 4) {
            addPolygon(.residentialArea, polygon)
        }
    }

    private static func hasHouses(_ role: PlannedRoad.Role) -> Bool {
        switch role {
        case .lane, .avenue, .ringRoad: false
        default: true
        }
    }
}
