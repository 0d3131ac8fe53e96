import Geo

/// The frame of a town: the area of the map, the course of the river, the sizes of the town's zones. The rest of the town is laid out
/// inside it. The market square is the origin of the plane.
struct TownFrame: Sendable {
    let seed: UInt64
    /// The area of the map, in metres. The countryside around the town reaches to the map's edge.
    let box = PlaneBox(minimum: Vector2(x: -4800, y: -4100), maximum: Vector2(x: 4800, y: 4100))
    /// Direction of the river at the market, radians from east. The old town lies on its left bank.
    let flowAngle: Double
    /// Distance from the market to the middle of the river, in metres.
    let riverDistance: Double
    /// The mean distances from the market to the old wall, to the ring road and to the last houses, in metres.
    let wallRadius: Double
    let ringRadius: Double
    let suburbRadius: Double
    /// Factor by which the town is stretched along its longer axis (1 is round), and the direction of that axis.
    let elongation: Double
    let elongationAngle: Double

    init(seed: UInt64, random: inout SeededRandom) {
        self.seed = seed
        flowAngle = random.double(in: -Double.pi...Double.pi)
        riverDistance = random.double(in: 325...375)
        wallRadius = random.double(in: 430...480)
        ringRadius = random.double(in: 1660...1800)
        suburbRadius = random.double(in: 2480...2680)
        elongation = random.double(in: 1.08...1.18)
        elongationAngle = random.double(in: -0.35...0.35)
    }

    /// The direction of the flow, and the direction from the river to the market.
    var flow: Vector2 { Vector2(angle: flowAngle) }
    var townSide: Vector2 { flow.left }

    /// Returns the factor by which a distance from the market is stretched in the direction `angle`.
    func stretch(towards angle: Double) -> Double {
        let wave = SteadyMath.cosine(2 * (angle - elongationAngle))
        return 1 + (elongation - 1) * wave
    }

    /// Returns a separate random generator for one step of the design, so that a change in one step does not change the others.
    func random(for part: Part) -> SeededRandom {
        var mixer = SeededRandom(seed: seed ^ (part.rawValue &* 0xa076_1d64_78bd_642f))
        return SeededRandom(seed: mixer.next())
    }

    /// The steps of the design that draw random numbers.
    enum Part: UInt64 {
        case water = 1, radials, ringRoad, railway, countryside, noise, streets, clearing, land, names, villages
    }
}
