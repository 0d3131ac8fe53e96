/// The two directions in which streets run, for each point of the plane. They are at right angles to each other, like the arms of a cross.
///
/// A cross is the same after a quarter turn, so it is stored as the cosine and sine of four times its angle. These values can be
/// added and blended.
///
/// Source: G. Chen et al., "Interactive procedural street modeling", SIGGRAPH 2008, for the idea of a direction field for streets.
struct CrossField: Sendable {
    private let box: PlaneBox
    private let spacing = 100.0
    private let columns: Int
    private let rows: Int
    /// Cosine (x) and sine (y) of four times the angle, at each lattice point.
    private var crosses: [Vector2]

    private static let reachMeters = 640.0

    init(plan: TownPlan, noise: LatticeNoise) {
        box = plan.frame.box.padded(by: 300)
        columns = Int((box.maximum.x - box.minimum.x) / spacing) + 2
        rows = Int((box.maximum.y - box.minimum.y) / spacing) + 2
        crosses = [Vector2](repeating: .zero, count: columns * rows)
        for road in plan.roads where road.role != .market { addLine(Line.resampled(road.points, step: 100), weight: Self.weight(of: road)) }
        addLine(Line.resampled(plan.railway.line, step: 110), weight: 1)
        addLine(Line.resampled(plan.water.river.main.line, step: 100), weight: 1)
        finish(plan: plan, noise: noise)
    }

    private static func weight(of road: PlannedRoad) -> Double {
        switch road.role {
        case .gateStreet: 0.45
        case .ringRoad, .wall, .boulevard, .quay: 1.2
        default: 1
        }
    }

    private mutating func addLine(_ points: [Vector2], weight: Double) {
        for (start, end) in zip(points, points.dropFirst()) {
            let axis = end - start
            let length = axis.length
            guard length > 1 else { continue }
            add(Self.fourfold(axis * (1 / length)) * length * weight, at: start.interpolated(to: end, fraction: 0.5))
        }
    }

    private mutating func add(_ cross: Vector2, at center: Vector2) {
        let reach = Self.reachMeters
        let firstColumn = max(0, Int((center.x - reach - box.minimum.x) / spacing))
        let lastColumn = min(columns - 1, Int((center.x + reach - box.minimum.x) / spacing))
        let firstRow = max(0, Int((center.y - reach - box.minimum.y) / spacing))
        let lastRow = min(rows - 1, Int((center.y + reach - box.minimum.y) / spacing))
        guard firstColumn <= lastColumn, firstRow <= lastRow else { return }
        let (spacing, columns, corner) = (spacing, columns, box.minimum)
        // The sums are written through a span, because an array checks at every write whether it is shared.
        var sums = crosses.mutableSpan
        for row in firstRow...lastRow {
            let y = corner.y + Double(row) * spacing - center.y
            for column in firstColumn...lastColumn {
                let x = corner.x + Double(column) * spacing - center.x
                let squared = x * x + y * y
                guard squared < reach * reach else { continue }
                let weight = (1 - squared / (reach * reach)) / (squared + 3600)
                sums[row * columns + column] += cross * weight
            }
        }
    }

    /// Adds to each cross the directions that lead to the market and around it, and scales the cross to length 1. A cross less than 4,300 m
    /// from the market is also turned by noise.
    private mutating func finish(plan: TownPlan, noise: LatticeNoise) {
        for row in 0..<rows {
            for column in 0..<columns {
                let point = box.minimum + Vector2(x: Double(column) * spacing, y: Double(row) * spacing)
                let polar = Self.fourfold(point.normalized)
                let slot = row * columns + column
                let sum = (crosses[slot] + polar * 0.0004).normalized
                crosses[slot] = sum
                let inner = min(max((700 - point.length) / 300, 0), 1)
                guard point.length < 4300 else { continue }
                let turn =
                    (0.10 + 0.22 * inner) * noise.value(at: point, scale: 190)
                    + 0.2 * noise.value(at: point + Vector2(x: 9000, y: 0), scale: 620)
                crosses[slot] = sum.rotated(by: 4 * turn)
            }
        }
    }

    /// Returns the cosine and sine of four times the angle of a unit vector.
    private static func fourfold(_ direction: Vector2) -> Vector2 {
        let (double, twice) = (direction.x * direction.x - direction.y * direction.y, 2 * direction.x * direction.y)
        return Vector2(x: double * double - twice * twice, y: 2 * double * twice)
    }

    /// Returns the direction that is nearest to `heading`. The field has four directions at each point.
    func direction(at point: Vector2, near heading: Vector2) -> Vector2 {
        let x = min(max((point.x - box.minimum.x) / spacing, 0), Double(columns - 1) - 1e-9)
        let y = min(max((point.y - box.minimum.y) / spacing, 0), Double(rows - 1) - 1e-9)
        let (column, row) = (Int(x), Int(y))
        let (u, v) = (x - Double(column), y - Double(row))
        let base = row * columns + column
        let south = crosses[base] * ((1 - u) * (1 - v)) + crosses[base + 1] * (u * (1 - v))
        let sum = south + crosses[base + columns] * ((1 - u) * v) + crosses[base + columns + 1] * (u * v)
        let quarter = Self.halved(Self.halved(sum)).normalized
        let across = quarter.left
        let (along, aside) = (quarter.dot(heading), across.dot(heading))
        if abs(along) >= abs(aside) { return along < 0 ? -quarter : quarter }
        return aside < 0 ? -across : across
    }

    /// Returns a vector with half the angle, of any length.
    private static func halved(_ vector: Vector2) -> Vector2 {
        let sum = vector.length + vector.x
        return sum > 1e-12 ? Vector2(x: sum, y: vector.y) : Vector2(x: 0, y: 1)
    }
}
