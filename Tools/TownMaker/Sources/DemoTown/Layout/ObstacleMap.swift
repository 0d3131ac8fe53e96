/// Obstacles for streets. The value at a point is the distance to the nearest bank or rail in metres, negative in the water and on the
/// tracks.
struct ObstacleMap: Sendable {
    let distance: ScalarGrid

    /// The smallest distance, in metres, between a road and the banks or rails that it does not cross.
    static let clearance = 11.0

    /// Returns a road along `points`, with every crossing of water or rails as one straight bridge. The road is divided in two where a
    /// bridge would be longer than `longestBridge` metres.
    func span(_ points: [Vector2], longestBridge: Double, roadClass: RoadClass, role: PlannedRoad.Role) -> [PlannedRoad] {
        var roads: [PlannedRoad] = []
        var current = PlannedRoad(points: [], roadClass: roadClass, role: role)
        var wet: [Vector2] = []
        for point in points {
            if distance.value(at: point) < Self.clearance {
                wet.append(point)
                continue
            }
            let isCrossing = !wet.isEmpty && current.points.last.map { crosses(from: $0, to: point, over: wet) } ?? false
            if isCrossing, let last = current.points.last, let first = wet.first, let end = wet.last {
                let (head, tail) = (abutment(from: last, towards: first), abutment(from: point, towards: end))
                append([head], to: &current)
                if head.distance(to: tail) > longestBridge {
                    roads.append(current)
                    current = PlannedRoad(points: [tail], roadClass: roadClass, role: role)
                } else {
                    append([tail], to: &current, isBridge: true)
                }
            } else if !current.points.isEmpty {
                append(wet, to: &current)
            }
            append([point], to: &current)
            wet = []
        }
        return (roads + [current]).filter { $0.points.count > 1 }
    }

    /// Whether a line between two dry points enters the water or the tracks.
    private func crosses(from start: Vector2, to end: Vector2, over wet: [Vector2]) -> Bool {
        Line.resampled([start] + wet + [end], step: 3).contains { distance.value(at: $0) < 2 }
    }

    /// Returns the point at which a bridge begins, between a dry and a wet point.
    private func abutment(from dry: Vector2, towards wet: Vector2) -> Vector2 {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<12 {
            let middle = (low + high) / 2
            if distance.value(at: dry.interpolated(to: wet, fraction: middle)) > Self.clearance { low = middle } else { high = middle }
        }
        return dry.interpolated(to: wet, fraction: low)
    }

    private func append(_ points: [Vector2], to road: inout PlannedRoad, isBridge: Bool = false) {
        for point in points {
            if let last = road.points.last {
                guard isBridge || last.distance(to: point) > 0.5 else { continue }
                road.isBridge.append(isBridge)
            }
            road.points.append(point)
        }
    }

    /// Returns the total length, in metres, of the line's segments whose end point is less than 40 m from water or rails. A segment whose
    /// end point is in the water or on the tracks counts twice. The result is small for a line that crosses water and rails at a right
    /// angle.
    func cost(of points: [Vector2]) -> Double {
        var cost = 0.0
        for (start, end) in zip(points, points.dropFirst()) {
            let here = distance.value(at: end)
            if here < 40 { cost += start.distance(to: end) * (here < 0 ? 2 : 1) }
        }
        return cost
    }
}
