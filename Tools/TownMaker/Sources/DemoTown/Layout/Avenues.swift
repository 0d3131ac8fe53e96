import Geo

/// The avenues that lead from the old town to the edge of the map, and the ring roads that join them.
struct Avenues: Sendable {
    private(set) var roads: [PlannedRoad] = []
    /// The directions of the gates from the market, in radians from east. The gates towards the river come last.
    private(set) var gateAngles: [Double] = []
    private(set) var lines: [[Vector2]] = []

    private let frame: TownFrame
    private let obstacles: ObstacleMap
    private let noise: LatticeNoise

    init(frame: TownFrame, water: WaterMap, railway: Railway, obstacles: ObstacleMap, oldTown: OldTown) {
        var random = frame.random(for: .radials)
        self.frame = frame
        self.obstacles = obstacles
        noise = LatticeNoise(seed: random.next())
        addLandAvenues(railway: railway, oldTown: oldTown, random: &random)
        addBridgeAvenues(water: water, oldTown: oldTown, random: &random)
        addRingRoad()
        addInnerRing(random: &random)
    }

    // MARK: Avenues

    /// Adds avenues at nearly equal angles, so that the station lies between two of them.
    private mutating func addLandAvenues(railway: Railway, oldTown: OldTown, random: inout SeededRandom) {
        let (first, last) = oldTown.openAngles
        let count = last - first > 4.1 ? 5.0 : 4.0
        let slot = (last - first - 0.4) / count
        let turns = ((first - railway.stationAngle) / (2 * Double.pi)).rounded(.up)
        let station = railway.stationAngle + turns * 2 * Double.pi
        let shift = ((station - first - 0.2) / slot).truncatingRemainder(dividingBy: 1) + 0.5
        for number in -1...Int(count) {
            let middle = first + 0.2 + slot * (Double(number) + shift)
            guard middle > first + 0.3, middle < last - 0.3 else { continue }
            let angles = (0..<5).map { middle + (Double($0) - 2) * slot * 0.08 + random.double(in: -0.04...0.04) }
            let candidates = angles.map { angle -> (angle: Double, line: [Vector2]) in
                (angle, avenue(from: oldTown.wallPoint(towards: angle, beyond: OldTown.beltWidth), heading: angle))
            }
            guard let best = cheapest(candidates.map(\.line)) else { continue }
            addGate(angle: candidates[best].angle, oldTown: oldTown, random: &random)
            add(candidates[best].line, number: gateAngles.count - 1)
        }
    }

    private mutating func addGate(angle: Double, oldTown: OldTown, random: inout SeededRandom) {
        let street = oldTown.gateStreet(towards: angle, random: &random)
        roads.append(PlannedRoad(points: Line.resampled(street, step: 14), roadClass: .tertiary, role: .gateStreet(gateAngles.count)))
        gateAngles.append(angle)
    }

    /// Adds up to three avenues that lead over bridges to the other side of the river: one from the bank near the market, and one from each
    /// end of the boulevard.
    private mutating func addBridgeAvenues(water: WaterMap, oldTown: OldTown, random: inout SeededRandom) {
        let line = water.river.main.line
        let middle = min(max(water.river.middleIndex + random.int(in: -3...3), 1), line.count - 2)
        let starts: [Vector2?] = [oldTown.boulevard.first, bank(at: middle, water: water), oldTown.boulevard.last]
        for (number, start) in starts.enumerated() {
            guard let start else { continue }
            let index = line.indices.dropFirst().dropLast().min { line[$0].distance(to: start) < line[$1].distance(to: start) } ?? middle
            let across = -(line[index + 1] - line[index - 1]).normalized.left
            let width = water.river.main.halfWidths[index] * 2
            let landing = start + across * (width + Quays.bankDistance * 2 + 6)
            let candidates = [-0.3, -0.15, 0, 0.15, 0.3].map { fan in
                [start] + avenue(from: landing, heading: across.angle, fan: fan + random.double(in: -0.04...0.04))
            }
            guard let best = cheapest(candidates) else { continue }
            if number == 1 { addBridgeStreet(to: start, oldTown: oldTown, random: &random) }
            gateAngles.append(start.angle)
            add(candidates[best], number: gateAngles.count - 1)
        }
    }

    private func bank(at index: Int, water: WaterMap) -> Vector2 {
        let line = water.river.main.line
        let side = (line[index + 1] - line[index - 1]).normalized.left
        return line[index] + side * (water.river.main.halfWidths[index] + Quays.bankDistance)
    }

    private mutating func addBridgeStreet(to bank: Vector2, oldTown: OldTown, random: inout SeededRandom) {
        let start = oldTown.marketExit(towards: bank)
        let side = (bank - start).normalized.left
        let bow = random.double(in: -12...12)
        let points = (0...14).map { step -> Vector2 in
            let share = Double(step) / 14
            return start.interpolated(to: bank, fraction: share) + side * (bow * SteadyMath.sine(Double.pi * share))
        }
        roads.append(PlannedRoad(points: points, roadClass: .tertiary, role: .gateStreet(gateAngles.count)))
    }

    /// Returns a line from a point to beyond the edge of the map. The line starts in the direction `heading`. It turns without sharp bends
    /// until it leads away from the market.
    private func avenue(from start: Vector2, heading: Double, fan: Double = 0) -> [Vector2] {
        let rim = frame.box.padded(by: 150)
        let step = 20.0
        var point = start
        var angle = heading
        var points = [start]
        while rim.contains(point), points.count < 500 {
            let wander = 0.5 * noise.value(at: point, scale: 900)
            let wanted = point.angle + fan + wander * min(Double(points.count) / 30, 1)
            let turn = SteadyMath.wrapped(wanted - angle)
            angle += min(max(turn, -0.035), 0.035)
            point += Vector2(angle: angle) * step
            points.append(point)
        }
        return points
    }

    /// Returns the index of the candidate with the lowest cost. Water, rails and other avenues near the line add to the cost.
    private func cheapest(_ candidates: [[Vector2]]) -> Int? {
        let others = lines.flatMap { line in stride(from: 0, to: line.count, by: 5).map { line[$0] } }
        let costs = candidates.map { line -> Double in
            var crowd = 0.0
            for index in stride(from: 40, to: line.count, by: 8) {
                let nearest = others.reduce(Double.infinity) { min($0, $1.distance(to: line[index])) }
                crowd += nearest < 420 ? (420 - nearest) * 0.5 : 0
            }
            return obstacles.cost(of: line) + crowd
        }
        return costs.indices.min { costs[$0] < costs[$1] }
    }

    private mutating func add(_ line: [Vector2], number: Int) {
        lines.append(line)
        let roadClass: RoadClass = number.isMultiple(of: 2) ? .primary : .secondary
        roads += obstacles.span(Line.resampled(line, step: 14), longestBridge: 230, roadClass: roadClass, role: .avenue(number))
    }

    // MARK: Rings

    private mutating func addRingRoad() {
        var random = frame.random(for: .ringRoad)
        guard let ring = bestRing(radius: frame.ringRadius, leeway: 0.075, unrest: 0.035, random: &random) else { return }
        roads += obstacles.span(startingOnLand(ring.points), longestBridge: 320, roadClass: .ringRoad, role: .ringRoad)
    }

    private mutating func addInnerRing(random: inout SeededRandom) {
        let radius = (frame.wallRadius + OldTown.beltWidth + frame.ringRadius) / 2
        guard let ring = bestRing(radius: radius, leeway: 0.1, unrest: 0.06, random: &random) else { return }
        // The ring leaves out each point at which it would meet an avenue on a bridge.
        let conflicts = lines.flatMap { wetCrossings(of: $0, with: ring) }
        for run in Quays.runs(
            of: Array(startingOnLand(ring.points).dropLast()), where: { point in conflicts.allSatisfy { $0.distance(to: point) > 150 } })
        {
            roads += obstacles.span(run, longestBridge: 170, roadClass: .secondary, role: .innerRing)
        }
    }

    /// Returns the same ring, with its start and end where it is farthest from water and rails.
    private func startingOnLand(_ ring: [Vector2]) -> [Vector2] {
        let open = ring.dropLast()
        let start = open.indices.max { obstacles.distance.value(at: ring[$0]) < obstacles.distance.value(at: ring[$1]) } ?? 0
        return Array(open[start...] + open[...start])
    }

    /// Returns the best of many random rings: it mostly avoids water and rails, and if possible, meets no avenue on a bridge.
    /// Later tries have more leeway.
    private func bestRing(radius: Double, leeway: Double, unrest: Double, random: inout SeededRandom) -> Ring? {
        var best: (cost: Double, ring: Ring)?
        for attempt in 0..<72 {
            if attempt >= 20, let best, best.cost < 4000 { break }
            let leeway = attempt < 36 ? leeway : leeway * 1.5
            let scale = random.double(in: 1 - leeway...1 + leeway)
            let ring = Ring(frame: frame, radius: radius * scale, unrest: unrest, random: &random)
            let dryCost = obstacles.cost(of: ring.points)
            guard dryCost < best?.cost ?? .infinity else { continue }
            let conflicts = lines.reduce(0) { $0 + wetCrossings(of: $1, with: ring).count }
            let cost = dryCost + Double(conflicts) * 4000
            if cost < best?.cost ?? .infinity { best = (cost, ring) }
        }
        return best?.ring
    }

    /// Returns the crossings of a line and a ring that are over or near water or rails. Roads must not meet there.
    private func wetCrossings(of line: [Vector2], with ring: Ring) -> [Vector2] {
        guard let first = line.first else { return [] }
        var isInside = ring.contains(first)
        var crossings: [Vector2] = []
        for index in stride(from: 3, to: line.count, by: 3) where ring.contains(line[index]) != isInside {
            isInside.toggle()
            let nearest = line[index - 3...index].min { obstacles.distance.value(at: $0) < obstacles.distance.value(at: $1) } ?? line[index]
            if obstacles.distance.value(at: nearest) < 75 { crossings.append(nearest) }
        }
        return crossings
    }
}

/// A closed curve round the market, stretched in the same direction as the town.
private struct Ring: Sendable {
    private let radii: PolarTable
    /// The points of the curve. The first point is repeated at the end.
    let points: [Vector2]

    init(frame: TownFrame, radius: Double, unrest: Double, random: inout SeededRandom) {
        let phases = (0..<2).map { _ in random.double(in: 0...6) }
        let function = { (angle: Double) -> Double in
            let wave = SteadyMath.cosine(3 * angle + phases[0]) + 0.5 * SteadyMath.cosine(5 * angle + phases[1])
            return radius * frame.stretch(towards: angle) * (1 + unrest * wave)
        }
        let count = Int(2 * Double.pi * radius / 24)
        points = (0...count).map { step in
            let angle = 2 * Double.pi * Double(step % count) / Double(count)
            return Vector2(angle: angle) * function(angle)
        }
        radii = PolarTable(count: 90, function)
    }

    func contains(_ point: Vector2) -> Bool { point.length < radii.value(towards: point.angle) }
}
