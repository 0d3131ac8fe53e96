import Geo

/// Grows streets from the planned roads. A street starts at about a right angle to a road, follows the direction field and ends at another
/// road. Some short residential streets are dead ends instead. Each street keeps a minimum distance from parallel roads.
///
/// Source: evenly spaced streamlines, B. Jobard, W. Lefer, 1997.
struct StreetGrower {
    var network: StreetNetwork
    let plan: TownPlan
    let zones: StreetZones
    private var zoneCache: ZoneCache
    let field: CrossField
    var random: SeededRandom
    private var queue: [Seed] = []

    static let stepMeters = 16.0

    /// A possible start of a street.
    struct Seed {
        var point: Vector2
        var heading: Vector2
        var road: Int
        var family: Int
    }

    /// The kind of a street that is grown.
    struct Kind {
        var roadClass: RoadClass
        var role: PlannedRoad.Role
        /// Distance between parallel streets, in metres; nil for the usual distance of the zone.
        var spacing: Double?
        /// A street stops if a road beside it has a similar direction and is closer than this share of the spacing.
        var tightness: Double
        var lengths: ClosedRange<Double>
        /// Distance between possible starts of streets on a road, as a share of the spacing.
        var seedDistances: ClosedRange<Double>
        /// Whether streets may leave the built-up area.
        var isRural = false

        static let collector = Kind(
            roadClass: .tertiary, role: .collector, spacing: 400, tightness: 0.62, lengths: 260...2600, seedDistances: 0.24...0.4,
            isRural: false)
        static let street = Kind(
            roadClass: .residential, role: .street, spacing: nil, tightness: 0.66, lengths: 55...1300, seedDistances: 0.45...0.65,
            isRural: false)
        static let filler = Kind(
            roadClass: .residential, role: .street, spacing: nil, tightness: 0.54, lengths: 60...700, seedDistances: 0.6...0.9,
            isRural: false)
        static let lane = Kind(
            roadClass: .tertiary, role: .lane, spacing: 760, tightness: 0.5, lengths: 300...3800, seedDistances: 0.24...0.4, isRural: true)
    }

    init(plan: TownPlan) {
        self.plan = plan
        var random = plan.frame.random(for: .streets)
        let noise = LatticeNoise(seed: random.next())
        zones = StreetZones(plan: plan, noise: noise)
        zoneCache = ZoneCache(box: plan.frame.box)
        field = CrossField(plan: plan, noise: noise)
        network = StreetNetwork(box: plan.frame.box)
        self.random = random
        layPlannedRoads()
        grow(.collector)
        grow(.lane)
        grow(.street)
        grow(.filler)
    }

    private mutating func layPlannedRoads() {
        for planned in plan.roads {
            let road = network.addRoad(.init(roadClass: planned.roadClass, role: planned.role, family: Self.family(of: planned.role)))
            network.lay(planned.points, isBridge: planned.isBridge, road: road)
        }
    }

    private static func family(of role: PlannedRoad.Role) -> Int {
        switch role {
        case .avenue, .gateStreet, .stationRoad: 0
        default: 1
        }
    }

    mutating func square(at point: Vector2) -> ZoneCache.Square { zoneCache.square(at: point, zones: zones, obstacles: plan.obstacles) }

    mutating func zone(at point: Vector2) -> StreetZones.Zone { square(at: point).zone }

    /// Whether a street at a point would be closer than `metres` to a bank or to rails. `metres` is at most 60.
    func isBlocked(_ point: Vector2, _ square: ZoneCache.Square, within metres: Double) -> Bool {
        square.isNearObstacles && plan.obstacles.distance.value(at: point) < metres
    }

    // MARK: Growing

    private mutating func grow(_ kind: Kind) {
        queue = []
        for segments in network.segmentsByRoad() { addSeeds(on: segments, kind: kind) }
        var next = 0
        while next < queue.count {
            tryStreet(queue[next], kind: kind)
            next += 1
        }
        if !kind.isRural { joinDeadEnds() }
        var random = random
        network.pruneDeadEnds { [zones] tip, length in
            guard kind.role == .street, (48...130).contains(length), random.chance(0.3) else { return false }
            let zone = zones.zone(at: tip)
            return zone == .garden || zone == .suburb || zone == .village
        }
        self.random = random
    }

    private mutating func tryStreet(_ seed: Seed, kind: Kind) {
        let length = random.double(in: kind.lengths.lowerBound...kind.lengths.upperBound)
        guard let course = trace(seed, kind: kind, length: max(length, 320)) else { return }
        let road = network.addRoad(.init(roadClass: kind.roadClass, role: kind.role, family: seed.family))
        let before = network.segments.count
        network.lay(course.points, isFree: course.isFree, road: road)
        addSeeds(on: (before..<network.segments.count).filter { network.segments[$0].road == road }, kind: kind)
    }

    private mutating func addSeeds(on segments: some Sequence<Int>, kind: Kind) {
        var rest = [random.double(in: 10...60), random.double(in: 10...60)]
        for index in segments {
            let segment = network.segments[index]
            let start = network.positions[segment.start]
            let axis = network.positions[segment.end] - start
            let length = axis.length
            guard !segment.isBridge, length > 0.1, network.roads[segment.road].role != .ringRoad else { continue }
            for side in 0..<2 {
                rest[side] -= length
                guard rest[side] <= 0 else { continue }
                // Country lanes start outside the town.
                if kind.isRural, zones.distanceFromRim(start) < 150 { continue }
                let family = 1 - network.roads[segment.road].family
                let spacing = kind.spacing ?? zones.spacing(zone(at: start), family: family, at: start)
                rest[side] = max(spacing, 40) * random.double(in: kind.seedDistances)
                let way = axis * (1 / length)
                let heading = side == 0 ? way.left : -way.left
                queue.append(Seed(point: start + axis * 0.5, heading: heading, road: segment.road, family: family))
            }
        }
    }
}
