import Geo

/// A piece of a river, given by its centre line and half its width at each point.
struct Channel: Sendable {
    var line: [Vector2] = []
    var halfWidths: [Double] = []
}

/// The river through the town: a main arm, and in some towns a side arm round an island.
struct River: Sendable {
    let main: Channel
    let sideArm: Channel?
    /// The index of the point in `main.line` that is nearest to the market.
    let middleIndex: Int

    static let stepMeters = 30.0

    init(frame: TownFrame, random: inout SeededRandom) {
        let course = RiverCourse(frame: frame, random: &random)
        let down = course.traced(frame: frame, downstream: true)
        let up = course.traced(frame: frame, downstream: false)
        middleIndex = up.count
        let line = up.reversed() + [frame.townSide * -frame.riverDistance] + down
        let widening = random.double(in: 0.0010...0.0018)
        let base = random.double(in: 29...35)
        let halfWidths = line.indices.map { index in
            let along = Double(index - up.count) * Self.stepMeters
            let ripple = 3 * SteadyMath.sine(along / 310 + course.phase) + 2 * SteadyMath.sine(along / 130)
            return base + ripple + min(max(along, -2500), 4000) * widening
        }
        main = Channel(line: line, halfWidths: halfWidths)
        sideArm = random.chance(0.8) ? Self.sideArm(of: main, middleIndex: middleIndex, random: &random) : nil
    }

    /// Returns an arm that leaves the main arm on the side away from the market and joins it again after 660 to 870 m; nil if the main arm
    /// is too short.
    private static func sideArm(of main: Channel, middleIndex: Int, random: inout SeededRandom) -> Channel? {
        let count = random.int(in: 22...29)
        let start = middleIndex - random.int(in: 8...count - 8)
        guard start > 1, start + count + 1 < main.line.count else { return nil }
        // A channel with a half width below 18 m would fall between the lattice points of the map.
        let halfWidth = random.double(in: 18...21)
        let islandWidth = random.double(in: 115...160)
        var arm = Channel()
        for step in 0...count {
            let index = start + step
            let share = Double(step) / Double(count)
            let rise = SteadyMath.sine(Double.pi * share)
            let swell = rise * (1.35 - 0.35 * rise)
            let direction = (main.line[index + 1] - main.line[index - 1]).normalized
            let distance = swell * (main.halfWidths[index] + islandWidth + halfWidth)
            arm.line.append(main.line[index] - direction.left * distance)
            arm.halfWidths.append(halfWidth)
        }
        return arm
    }
}

/// The direction of a meandering river, as a function of the distance along it: a sine-generated curve (W. Langbein, L. Leopold, "River
/// meanders: theory of minimum variance", USGS Professional Paper 422-H, 1966).
private struct RiverCourse {
    let flowAngle: Double
    let swing: Double
    let waveLength: Double
    let phase: Double
    let unrest: Double

    init(frame: TownFrame, random: inout SeededRandom) {
        flowAngle = frame.flowAngle
        swing = random.double(in: 0.72...0.98)
        waveLength = random.double(in: 3100...3900)
        phase = random.double(in: 0...6)
        unrest = random.double(in: 0.12...0.24)
    }

    private func angle(atMeters along: Double) -> Double {
        let fade = min(abs(along) / 900, 1)
        let wander = SteadyMath.sine(along / 410 + phase) + 0.8 * SteadyMath.sine(along / 923 + 2 * phase)
        return flowAngle + swing * SteadyMath.sine(2 * Double.pi * along / waveLength) + unrest * fade * wander
    }

    /// Returns the points of the river from its middle point, which is not included, to well beyond the edge of the map.
    func traced(frame: TownFrame, downstream: Bool) -> [Vector2] {
        let rim = frame.box.padded(by: 420)
        let sign = downstream ? 1.0 : -1.0
        var point = frame.townSide * -frame.riverDistance
        var along = 0.0
        var points: [Vector2] = []
        while rim.contains(point), points.count < 600 {
            let direction = Vector2(angle: angle(atMeters: along + sign * River.stepMeters / 2))
            point += direction * (sign * River.stepMeters)
            along += sign * River.stepMeters
            points.append(point)
        }
        return points
    }
}
