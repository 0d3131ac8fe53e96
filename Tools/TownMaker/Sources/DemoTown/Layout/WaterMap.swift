import Geo

/// All open water of the town: the river, the basins of the harbour and the lake. It is stored as the distance to the nearest bank.
struct WaterMap: Sendable {
    let river: River
    /// Distance to the nearest bank in metres, negative in the water, at most `reach`.
    private(set) var distance: ScalarGrid
    /// The middle of the quay at the inner end of the harbour.
    let harbour: Vector2
    let lake: Lake?

    static let reach = 150.0

    /// A lake with a wavy shore.
    struct Lake: Sendable {
        let center: Vector2
        let radius: Double
        let angle: Double

        func shoreDistance(_ point: Vector2) -> Double {
            let turned = (point - center).rotated(by: -angle)
            let pressed = Vector2(x: turned.x * 0.66, y: turned.y * 1.25)
            let wave = SteadyMath.sine(3 * pressed.angle + angle) * 0.11 + SteadyMath.sine(2 * pressed.angle) * 0.1
            return pressed.length - radius * (1 + wave)
        }
    }

    init(frame: TownFrame) {
        var random = frame.random(for: .water)
        river = River(frame: frame, random: &random)
        distance = ScalarGrid(box: frame.box.padded(by: 260), spacing: 25, filledWith: Self.reach)
        distance.lower(to: river.main)
        if let arm = river.sideArm { distance.lower(to: arm) }
        harbour = Self.digHarbour(into: &distance, river: river, random: &random)
        lake = Self.lakeSite(frame: frame, distance: distance, random: &random)
        if let lake {
            let area = PlaneBox(minimum: lake.center, maximum: lake.center).padded(by: lake.radius * 2 + 150)
            distance.lower(in: area) { lake.shoreDistance($0) }
        }
    }

    /// Cuts one or two harbour basins into a bank, downstream of the old town.
    private static func digHarbour(into distance: inout ScalarGrid, river: River, random: inout SeededRandom) -> Vector2 {
        let line = river.main.line
        let index = min(river.middleIndex + random.int(in: 24...32), line.count - 2)
        let side = random.chance(0.65) ? -1.0 : 1.0
        let flow = (line[index + 1] - line[index - 1]).normalized
        let axis = flow.rotated(by: side * random.double(in: 0.85...1.1))
        let length = random.double(in: 250...310) + river.main.halfWidths[index]
        let fingers = random.chance(0.7) ? 2 : 1
        let gap = random.double(in: 125...145)
        for finger in 0..<fingers {
            let start = line[index] + flow * (Double(finger) * gap)
            let end = start + axis * (length - Double(finger) * 70)
            distance.lowerToBox(from: start, to: end, halfWidth: 29, reach: reach)
        }
        return line[index] + axis * (length + 25)
    }

    private static func lakeSite(frame: TownFrame, distance: ScalarGrid, random: inout SeededRandom) -> Lake? {
        let radius = random.double(in: 95...120)
        for _ in 0..<60 {
            let direction = Vector2(angle: random.double(in: 0...2 * Double.pi))
            let ring = frame.ringRadius * frame.stretch(towards: direction.angle)
            let center = direction * (ring * random.double(in: 0.79...0.83))
            let near = (0..<8).map { distance.value(at: center + Vector2(angle: Double($0) * Double.pi / 4) * 330) }
            let angle = direction.left.angle + random.double(in: -0.4...0.4)
            if near.allSatisfy({ $0 > 100 }) { return Lake(center: center, radius: radius, angle: angle) }
        }
        return nil
    }
}

extension ScalarGrid {
    fileprivate mutating func lower(to channel: Channel) {
        for index in channel.line.indices.dropLast() {
            lowerToCapsule(
                from: channel.line[index], to: channel.line[index + 1],
                startHalfWidth: channel.halfWidths[index], endHalfWidth: channel.halfWidths[index + 1], reach: WaterMap.reach)
        }
    }

    /// Lowers the value at each point to the distance of the point from a rectangle. The rectangle is given by its axis and half its width.
    fileprivate mutating func lowerToBox(from start: Vector2, to end: Vector2, halfWidth: Double, reach: Double) {
        let axis = (end - start).normalized
        let halfLength = start.distance(to: end) / 2
        let center = start.interpolated(to: end, fraction: 0.5)
        let area = PlaneBox(minimum: center, maximum: center).padded(by: halfLength + halfWidth + reach)
        lower(in: area) { point in
            let offset = point - center
            let beyond = abs(offset.dot(axis)) - halfLength
            let aside = abs(offset.cross(axis)) - halfWidth
            let outside = Vector2(x: max(beyond, 0), y: max(aside, 0)).length
            return outside + min(max(beyond, aside), 0)
        }
    }
}
