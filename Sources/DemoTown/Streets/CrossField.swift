/// The directions in which streets run at each place: two, at right angles to each other.
///
/// Such a cross is the same after a quarter turn, so it is kept as cosine and sine of four times its angle, which can be added
/// and blended (the idea of a direction field for streets: G. Chen et al., "Interactive procedural street modeling", SIGGRAPH 2008).
struct CrossField: Sendable {
    private let box: PlaneBox
    private let spacing = 100.0
    private let columns: Int
    private let rows: Int
    private var cosines: [Double]
    private var sines: [Double]

    private static let reachMeters = 640.0

    init(plan: TownPlan, noise: LatticeNoise) {
        box = plan.frame.box.padded(by: 300)
        columns = Int((box.maximum.x - box.minimum.x) / spacing) + 2
        rows = Int((box.maximum.y - box.minimum.y) / spacing) + 2
        cosines = [Double](repeating: 0, count: columns * rows)
        sines = cosines
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
            let (cosine, sine) = Self.fourfold(axis * (1 / length))
            add(at: start.interpolated(to: end, fraction: 0.5), cosine: cosine * length * weight, sine: sine * length * weight)
        }
    }

    private mutating func add(at center: Vector2, cosine: Double, sine: Double) {
        let reach = Self.reachMeters
        let firstColumn = max(0, Int((center.x - reach - box.minimum.x) / spacing))
        let lastColumn = min(columns - 1, Int((center.x + reach - box.minimum.x) / spacing))
        let firstRow = max(0, Int((center.y - reach - box.minimum.y) / spacing))
        let lastRow = min(rows - 1, Int((center.y + reach - box.minimum.y) / spacing))
        guard firstColumn <= lastColumn, firstRow <= lastRow else { return }
        // Taken out for the loop, so that the arrays are not asked at every element whether they are shared.
        var (real, imaginary): ([Double], [Double]) = ([], [])
        swap(&real, &cosines)
        swap(&imaginary, &sines)
        for row in firstRow...lastRow {
            let y = box.minimum.y + Double(row) * spacing - center.y
            for column in firstColumn...lastColumn {
                let x = box.minimum.x + Double(column) * spacing - center.x
                let squared = x * x + y * y
                guard squared < reach * reach else { continue }
                let weight = (1 - squared / (reach * reach)) / (squared + 3600)
                real[row * columns + column] += cosine * weight
                imaginary[row * columns + column] += sine * weight
            }
        }
        swap(&real, &cosines)
        swap(&imaginary, &sines)
    }

    /// Adds the pull of the polar directions, turns everything by the local unrest and brings it to length 1.
    private mutating func finish(plan: TownPlan, noise: LatticeNoise) {
        for row in 0..<rows {
            for column in 0..<columns {
                let point = box.minimum + Vector2(x: Double(column) * spacing, y: Double(row) * spacing)
                let polar = Self.fourfold(point.normalized)
                let slot = row * columns + column
                let sum = Vector2(x: cosines[slot] + polar.cosine * 0.0004, y: sines[slot] + polar.sine * 0.0004).normalized
                (cosines[slot], sines[slot]) = (sum.x, sum.y)
                let inner = min(max((700 - point.length) / 300, 0), 1)
                guard point.length < 4300 else { continue }
                let turn =
                    (0.10 + 0.22 * inner) * noise.value(at: point, scale: 190)
                    + 0.2 * noise.value(at: point + Vector2(x: 9000, y: 0), scale: 620)
                let turned = sum.rotated(by: 4 * turn)
                cosines[slot] = turned.x
                sines[slot] = turned.y
            }
        }
    }

    /// Cosine and sine of four times the angle of a unit vector.
    private static func fourfold(_ direction: Vector2) -> (cosine: Double, sine: Double) {
        let (double, twice) = (direction.x * direction.x - direction.y * direction.y, 2 * direction.x * direction.y)
        return (double * double - twice * twice, 2 * double * twice)
    }

    /// The one of the four directions at a place that is nearest to `heading`.
    func direction(at point: Vector2, near heading: Vector2) -> Vector2 {
        let x = min(max((point.x - box.minimum.x) / spacing, 0), Double(columns - 1) - 1e-9)
        let y = min(max((point.y - box.minimum.y) / spacing, 0), Double(rows - 1) - 1e-9)
        let (column, row) = (Int(x), Int(y))
        let (u, v) = (x - Double(column), y - Double(row))
        let base = row * columns + column
        let (southWest, southEast, northWest, northEast) = ((1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v)
        let cosine =
            cosines[base] * southWest + cosines[base + 1] * southEast + cosines[base + columns] * northWest
            + cosines[base + columns + 1] * northEast
        let sine =
            sines[base] * southWest + sines[base + 1] * southEast + sines[base + columns] * northWest + sines[base + columns + 1]
            * northEast
        let quarter = Self.halved(Self.halved(Vector2(x: cosine, y: sine))).normalized
        let across = quarter.left
        let (along, aside) = (quarter.dot(heading), across.dot(heading))
        if abs(along) >= abs(aside) { return along < 0 ? -quarter : quarter }
        return aside < 0 ? -across : across
    }

    /// A vector with half the angle; its length does not matter.
    private static func halved(_ vector: Vector2) -> Vector2 {
        let sum = vector.length + vector.x
        return sum > 1e-12 ? Vector2(x: sum, y: vector.y) : Vector2(x: 0, y: 1)
    }
}
