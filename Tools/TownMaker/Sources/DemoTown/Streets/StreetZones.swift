import Geo

/// The zone of each point of the plane, such as the old town, a suburb or open land.
struct StreetZones: Sendable {
    enum Zone: UInt8, Sendable {
        case oldTown, innerTown, suburb, garden, industry, village
        /// Fields, green belts and banks, without streets.
        case open
    }

    /// A village outside the town.
    struct Village: Sendable {
        var center: Vector2
        var radius: Double

        func contains(_ point: Vector2) -> Bool { (point - center).lengthSquared < radius * radius }
    }

    let villages: [Village]
    /// The centre and the radius of each industrial area.
    let industries: [Village]
    private let frame: TownFrame
    private let oldTown: OldTown
    private let water: WaterMap
    private let noise: LatticeNoise
    /// Distances of the outermost houses, the wall and the ring road from the market, by direction.
    private let rim: PolarTable
    private let wall: PolarTable
    private let ring: PolarTable

    init(plan: TownPlan, noise: LatticeNoise) {
        var random = plan.frame.random(for: .villages)
        frame = plan.frame
        oldTown = plan.oldTown
        water = plan.water
        self.noise = noise
        rim = Self.rim(plan: plan, noise: noise)
        wall = PolarTable(count: 240) { plan.oldTown.wallPoint(towards: $0).length }
        ring = PolarTable(count: 120) { plan.frame.ringRadius * plan.frame.stretch(towards: $0) }
        villages = Self.villages(plan: plan, random: &random)
        industries = Self.industries(plan: plan)
    }

    /// Returns the distance of the outermost houses from the market, by direction. It is large along the avenues and smaller between them.
    private static func rim(plan: TownPlan, noise: LatticeNoise) -> PolarTable {
        let frame = plan.frame
        let angles = plan.avenues.lines.compactMap { line in line.first { $0.length > frame.suburbRadius * 0.9 }?.angle }
        return PolarTable(count: 120) { angle in
            let nearest = angles.map { abs(SteadyMath.wrapped($0 - angle)) }.min() ?? 1
            let lobe = 1 / (1 + (nearest / 0.26) * (nearest / 0.26))
            let ripple = 0.07 * noise.value(at: Vector2(angle: angle) * 2000, scale: 500)
            return frame.suburbRadius * frame.stretch(towards: angle) * (0.83 + 0.25 * lobe + ripple)
        }
    }

    private static func villages(plan: TownPlan, random: inout SeededRandom) -> [Village] {
        var villages: [Village] = []
        let inner = plan.frame.box.padded(by: -450)
        for line in plan.avenues.lines {
            let wanted = random.double(in: 3250...4000)
            let radius = random.double(in: 190...290)
            guard let center = line.first(where: { $0.length > wanted }), inner.contains(center) else { continue }
            guard plan.obstacles.distance.value(at: center) > 130 else { continue }
            guard villages.allSatisfy({ $0.center.distance(to: center) > 1300 }), random.chance(0.8) else { continue }
            villages.append(Village(center: center, radius: radius))
        }
        return villages
    }

    /// Returns the industrial areas: one at the harbour, and one along the railway where it leaves the town.
    private static func industries(plan: TownPlan) -> [Village] {
        let frame = plan.frame
        let track = plan.railway.line.filter { $0.length > frame.ringRadius * 1.05 && $0.length < frame.ringRadius * 1.3 }
        let yards = [track.first, track.last].compactMap { $0 }.prefix(1)
        return [Village(center: plan.water.harbour, radius: 400)] + yards.map { Village(center: $0, radius: 520) }
    }

    /// Returns how far a point lies beyond the outermost houses, in metres; negative inside the town.
    func distanceFromRim(_ point: Vector2) -> Double {
        point.length - rim.value(towards: point.angle)
    }

    func zone(at point: Vector2) -> Zone {
        let (length, angle) = (point.length, point.angle)
        if length < 900, let zone = innermostZone(at: point, beyondWall: length - wall.value(towards: angle)) { return zone }
        if length > 760, industries.contains(where: { $0.contains(point) }) { return .industry }
        if length > rim.value(towards: angle) { return villages.contains { $0.contains(point) } ? .village : .open }
        let share = length / ring.value(towards: angle)
        if share > 1.04, water.distance.value(at: point) < 130 { return .open }
        if share < 0.63 { return .innerTown }
        return noise.value(at: point + Vector2(x: 0, y: 20000), scale: 700) > 0.12 ? .garden : .suburb
    }

    /// Returns the zone of a point in the old town or the green belt: `open` for the market square and the belt, `oldTown` for the rest of
    /// the old town. Returns nil for other points, and for points of the green belt beside water.
    private func innermostZone(at point: Vector2, beyondWall: Double) -> Zone? {
        let isTownSide = (point - frame.townSide * -frame.riverDistance).dot(frame.townSide) > -60
        guard isTownSide, beyondWall < OldTown.beltWidth else { return nil }
        if beyondWall < 0 { return Line.contains(oldTown.market, point) ? .open : .oldTown }
        return water.distance.value(at: point) > 30 ? .open : nil
    }

    /// Returns the distance between parallel streets of a family, in metres; 0 in a zone without such streets.
    func spacing(_ zone: Zone, family: Int, at point: Vector2) -> Double {
        let base: (short: Double, long: Double)
        switch zone {
        case .open: return 0
        case .oldTown: base = (55, 68)
        case .innerTown: base = (76, 105)
        case .suburb: base = (84, 132)
        case .garden: base = (90, 126)
        case .industry: base = (150, 210)
        case .village: base = (80, 105)
        }
        let swap = noise.value(at: point + Vector2(x: 40000, y: 0), scale: 560) > 0
        return (family == 0) == swap ? base.short : base.long
    }
}

/// A cache for squares of 32 m: the zone of each square, and whether obstacles may be near. A square is computed when it is
/// first used.
struct ZoneCache: Sendable {
    struct Square: Sendable {
        var zone: StreetZones.Zone
        /// Whether banks or rails may be closer than 60 m.
        var isNearObstacles: Bool
    }

    private let origin: Vector2
    private let columns: Int
    private let rows: Int
    private var squares: [Square?]

    private static let cellMeters = 32.0

    init(box: PlaneBox) {
        origin = box.minimum
        columns = Int((box.maximum.x - box.minimum.x) / Self.cellMeters) + 1
        rows = Int((box.maximum.y - box.minimum.y) / Self.cellMeters) + 1
        squares = [Square?](repeating: nil, count: columns * rows)
    }

    mutating func square(at point: Vector2, zones: StreetZones, obstacles: ObstacleMap) -> Square {
        let column = min(max(Int((point.x - origin.x) / Self.cellMeters), 0), columns - 1)
        let row = min(max(Int((point.y - origin.y) / Self.cellMeters), 0), rows - 1)
        if let known = squares[row * columns + column] { return known }
        let center = origin + Vector2(x: Double(column) + 0.5, y: Double(row) + 0.5) * Self.cellMeters
        let square = Square(zone: zones.zone(at: center), isNearObstacles: obstacles.distance.value(at: center) < 85)
        squares[row * columns + column] = square
        return square
    }
}

/// A function of the direction. Its values are stored at equal steps and blended linearly between them.
struct PolarTable: Sendable {
    private let values: [Double]

    init(count: Int, _ function: (_ angle: Double) -> Double) {
        values = (0...count).map { function(2 * Double.pi * Double($0) / Double(count)) }
    }

    /// Returns the blended value in a direction.
    /// - Parameter angle: radians, in -π...π.
    func value(towards angle: Double) -> Double {
        let count = Double(values.count - 1)
        let place = (angle < 0 ? angle + 2 * Double.pi : angle) * (count / (2 * Double.pi))
        let index = min(max(Int(place), 0), values.count - 2)
        return values[index] + (values[index + 1] - values[index]) * (place - Double(index))
    }
}
