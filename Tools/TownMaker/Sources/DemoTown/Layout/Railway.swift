import Geo

/// The railway: one line across the map, with the station outside the old wall.
struct Railway: Sendable {
    let line: [Vector2]
    let station: Vector2
    /// The direction from the market to the station, radians from east.
    let stationAngle: Double
    /// The direction of the tracks along the platforms, as a unit vector.
    let direction: Vector2

    static let stepMeters = 40.0

    init(frame: TownFrame, water: WaterMap) {
        var random = frame.random(for: .railway)
        var best: (cost: Double, railway: Railway)?
        for _ in 0..<60 {
            let candidate = Railway(frame: frame, random: &random)
            let cost = candidate.cost(water: water)
            if best.map({ cost < $0.cost }) ?? true { best = (cost, candidate) }
        }
        self = best?.railway ?? Railway(frame: frame, random: &random)
    }

    private init(frame: TownFrame, random: inout SeededRandom) {
        stationAngle = frame.townSide.angle + random.double(in: -0.8...0.8)
        let outward = Vector2(angle: stationAngle)
        station = outward * (frame.wallRadius + random.double(in: 290...350))
        direction = outward.left.rotated(by: random.double(in: -0.25...0.25))
        let ahead = Self.trace(from: station, along: direction, frame: frame, random: &random)
        let behind = Self.trace(from: station, along: -direction, frame: frame, random: &random)
        line = behind.reversed() + [station] + ahead
    }

    private static func trace(from start: Vector2, along direction: Vector2, frame: TownFrame, random: inout SeededRandom) -> [Vector2] {
        let rim = frame.box.padded(by: 300)
        let firstBend = random.double(in: -0.75...0.75)
        let secondBend = random.double(in: -0.5...0.5)
        var point = start
        var points: [Vector2] = []
        var along = 0.0
        while rim.contains(point), points.count < 300 {
            along += stepMeters
            let turn = firstBend * smoothStep((along - 220) / 1500) + secondBend * smoothStep((along - 2100) / 1900)
            point += direction.rotated(by: turn) * stepMeters
            points.append(point)
        }
        return points
    }

    private static func smoothStep(_ share: Double) -> Double {
        let t = min(max(share, 0), 1)
        return t * t * (3 - 2 * t)
    }

    /// Returns the cost of the line. Each metre near water costs 1, or 1.5 in the water. A point costs another 200 if it is clearly nearer
    /// to the market than the station is.
    private func cost(water: WaterMap) -> Double {
        var cost = 0.0
        for point in line {
            let bank = water.distance.value(at: point)
            if bank < 60 { cost += Self.stepMeters * (bank < 0 ? 1.5 : 1) }
            if point.length < station.length * 0.96 { cost += 200 }
        }
        return cost
    }

    /// A point in the middle of the street in front of the station. The street is on the side of the railway that faces the market.
    var forecourt: Vector2 {
        let side = direction.left
        return station + (station.dot(side) > 0 ? -side : side) * 37
    }

    /// Width of the railway's land on each side of the line, in metres. A narrower strip would fall between the lattice points of the map.
    static let halfWidthMeters = 20.0

    /// Returns the obstacles: the water and the tracks.
    func obstacles(water: WaterMap) -> ObstacleMap {
        var grid = water.distance
        for (start, end) in zip(line, line.dropFirst()) {
            grid.lowerToCapsule(from: start, to: end, startHalfWidth: Self.halfWidthMeters, endHalfWidth: Self.halfWidthMeters, reach: 60)
        }
        return ObstacleMap(distance: grid)
    }
}
