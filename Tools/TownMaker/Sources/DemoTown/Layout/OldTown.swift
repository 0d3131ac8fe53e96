import Geo

/// The old town: the market square, the street along the former wall, the boulevard outside the green belt, and the streets to the gates.
struct OldTown: Sendable {
    let market: [Vector2]
    let wall: [Vector2]
    let boulevard: [Vector2]
    /// Angles, in radians from east, at which the boulevard begins and ends at the river. The second angle is the larger one.
    let openAngles: (first: Double, last: Double)
    private let shape: Shape

    static let beltWidth = 74.0

    /// The distance of the wall from the market, as a function of the direction.
    struct Shape: Sendable {
        let radius: Double
        let phases: [Double]

        func radius(towards angle: Double) -> Double {
            let wave =
                0.055 * SteadyMath.cosine(2 * (angle - phases[0])) + 0.04 * SteadyMath.cosine(3 * (angle - phases[1]))
                + 0.015 * SteadyMath.cosine(5 * (angle - phases[2]))
            return radius * (1 + wave)
        }
    }

    init(frame: TownFrame, obstacles: ObstacleMap) {
        var random = frame.random(for: .radials)
        let shape = Shape(radius: frame.wallRadius, phases: (0..<3).map { _ in random.double(in: 0...6) })
        self.shape = shape
        market = Self.marketSquare(frame: frame, random: &random)
        let townAngle = frame.townSide.angle
        wall = Self.arc(around: townAngle, obstacles: obstacles) { shape.radius(towards: $0) }.points
        let outer = Self.arc(around: townAngle, obstacles: obstacles) { shape.radius(towards: $0) + Self.beltWidth }
        boulevard = outer.points
        openAngles = (outer.first, outer.last)
    }

    /// Returns the distance of a point from the wall, in metres; negative inside the wall.
    func distanceFromWall(_ point: Vector2) -> Double {
        point.length - shape.radius(towards: point.angle)
    }

    func wallPoint(towards angle: Double, beyond: Double = 0) -> Vector2 {
        Vector2(angle: angle) * (shape.radius(towards: angle) + beyond)
    }

    private static func marketSquare(frame: TownFrame, random: inout SeededRandom) -> [Vector2] {
        let angle = frame.flowAngle + random.double(in: -0.3...0.3)
        let long = random.double(in: 56...66)
        let short = random.double(in: 36...44)
        return [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map { sign in
            let corner = Vector2(
                x: sign.0 * long + random.double(in: -8...8), y: sign.1 * short + random.double(in: -6...6))
            return corner.rotated(by: angle)
        }
    }

    /// Follows a polar curve from `middle` in both directions until it meets the river's quay.
    private static func arc(
        around middle: Double, obstacles: ObstacleMap, radius: (Double) -> Double
    ) -> (points: [Vector2], first: Double, last: Double) {
        let step = 14 / radius(middle)
        func run(_ sign: Double) -> (points: [Vector2], angle: Double) {
            var points: [Vector2] = []
            var angle = middle
            while abs(angle - middle) < 2.9 {
                let next = angle + sign * step
                let point = Vector2(angle: next) * radius(next)
                if obstacles.distance.value(at: point) < Quays.bankDistance { break }
                points.append(point)
                angle = next
            }
            var share = 0.0
            for bit in [0.5, 0.25, 0.125, 0.0625, 0.03125] {
                let trial = angle + sign * step * (share + bit)
                if obstacles.distance.value(at: Vector2(angle: trial) * radius(trial)) > Quays.bankDistance { share += bit }
            }
            let end = angle + sign * step * share
            points.append(Vector2(angle: end) * radius(end))
            return (points, end)
        }
        let (left, right) = (run(1), run(-1))
        let start = Vector2(angle: middle) * radius(middle)
        return (right.points.reversed() + [start] + left.points, right.angle, left.angle)
    }

    /// Returns a street that leads from the market to the gate at `angle`, and then across the green belt to the boulevard. It is crooked
    /// as far as the gate.
    func gateStreet(towards angle: Double, random: inout SeededRandom) -> [Vector2] {
        let gate = wallPoint(towards: angle)
        let start = marketExit(towards: gate)
        let side = (gate - start).normalized.left
        let bow = random.double(in: 9...20) * (random.chance(0.5) ? 1 : -1)
        let wave = random.double(in: -9...9)
        let count = 22
        let inner = (0...count).map { step -> Vector2 in
            let share = Double(step) / Double(count)
            let aside = bow * SteadyMath.sine(Double.pi * share) + wave * SteadyMath.sine(2 * Double.pi * share)
            return start.interpolated(to: gate, fraction: share) + side * aside
        }
        return inner + [wallPoint(towards: angle, beyond: Self.beltWidth / 2), wallPoint(towards: angle, beyond: Self.beltWidth)]
    }

    /// Returns the point on the market's outline that lies in the direction of `target`.
    func marketExit(towards target: Vector2) -> Vector2 {
        var best = (point: Vector2.zero, value: -Double.infinity)
        for (index, corner) in market.enumerated() {
            let next = market[(index + 1) % market.count]
            for step in 0..<6 {
                let point = corner.interpolated(to: next, fraction: Double(step) / 6)
                let value = -point.normalized.distance(to: target.normalized)
                if value > best.value { best = (point, value) }
            }
        }
        return best.point
    }
}

/// Streets along the banks.
enum Quays {
    /// Distance in metres from the bank to the middle of the quay street.
    static let bankDistance = 20.0
    static let harbourReach = 330.0

    static func roads(frame: TownFrame, water: WaterMap, obstacles: ObstacleMap) -> [PlannedRoad] {
        var roads: [PlannedRoad] = []
        for loop in water.distance.contours(at: bankDistance) {
            let smooth = Line.smoothed(loop, isClosed: true)
            for run in runs(of: smooth, where: { isQuay($0, frame: frame, water: water, obstacles: obstacles) }) where run.count > 8 {
                let line = Line.resampled(run, step: 15)
                let isRing = line.first == line.last
                guard !isRing || Line.length(line) > 500 else { continue }
                let isInner = line[line.count / 2].length < frame.wallRadius + 100
                roads.append(PlannedRoad(points: line, roadClass: isInner ? .tertiary : .residential, role: .quay))
            }
        }
        return roads
    }

    private static func isQuay(_ point: Vector2, frame: TownFrame, water: WaterMap, obstacles: ObstacleMap) -> Bool {
        if let lake = water.lake, lake.shoreDistance(point) < 80 { return false }
        if obstacles.distance.value(at: point) < bankDistance - 8 { return false }
        return point.length < frame.wallRadius + 420 || point.distance(to: water.harbour) < harbourReach
    }

    /// Returns the unbroken parts of a ring where a condition holds; the closed ring if the condition holds everywhere.
    static func runs(of ring: [Vector2], where condition: (Vector2) -> Bool) -> [[Vector2]] {
        let flags = ring.map(condition)
        guard let gap = flags.firstIndex(of: false) else { return ring.first.map { [ring + [$0]] } ?? [] }
        var runs: [[Vector2]] = []
        var current: [Vector2] = []
        for offset in 1...ring.count {
            let index = (gap + offset) % ring.count
            if flags[index] {
                current.append(ring[index])
            } else if !current.isEmpty {
                runs.append(current)
                current = []
            }
        }
        return runs
    }
}
