import Geo
import Routing
import VectorTiles

/// Makes a leg from the driven arcs.
enum WayAssembly {
    static func leg(_ parts: [RoadSearch.Part], to destination: NavigationWaypoint, needsSteps: Bool) -> RouterLeg {
        var path: [Coordinate] = []
        var seconds: [Double] = []
        // The index in the path at which each part begins.
        var firsts: [Int] = []
        for part in parts {
            firsts.append(max(0, path.count - 1))
            append(part, to: &path, &seconds)
        }
        return RouterLeg(
            path: path, destination: destination, durationSeconds: seconds.reduce(0, +), segmentSeconds: seconds,
            steps: needsSteps ? steps(parts, firsts, path) : [])
    }

    private static func steps(_ parts: [RoadSearch.Part], _ firsts: [Int], _ path: [Coordinate]) -> [RouteStep] {
        let meters = Polyline(path).cumulativeMeters
        // If the polyline has dropped points of the path, its distances do not match the path, so the steps are left out.
        guard let length = meters.last, meters.count == path.count else { return [] }
        return StepAssembly(parts, starts: firsts.map { meters[$0] }, length: length).steps(length: length)
    }

    private static func append(_ part: RoadSearch.Part, to path: inout [Coordinate], _ seconds: inout [Double]) {
        let graph = part.graph
        let points = graph.path(of: part.arc)
        let length = Double(graph.edges[Int(part.arc.edge)].meters)
        let pace = length > 0 ? Double(part.arc.seconds) / length : 0
        let (begin, end) = (part.shares.lowerBound * length, part.shares.upperBound * length)
        var along = 0.0
        var lost = 0.0
        for (start, next) in zip(points, points.dropFirst()) {
            let meters = graph.scale.meters(start, next)
            defer { along += meters }
            let (enter, leave) = (max(begin, along), min(end, along + meters))
            guard meters > 0, enter <= leave, along <= end, along + meters >= begin else { continue }
            let place = { (at: Double) in
                let share = (at - along) / meters
                return graph.scale.coordinate(
                    x: Double(start.x) + share * Double(next.x - start.x), y: Double(start.y) + share * Double(next.y - start.y))
            }
            if path.isEmpty { path.append(place(enter)) }
            let target = place(leave)
            let spent = (leave - enter) * pace
            if let last = path.last, last == target || leave - enter < 1e-6 {
                lost += spent
            } else {
                path.append(target)
                seconds.append(spent + lost)
                lost = 0
            }
        }
        if path.isEmpty, let first = points.first { path.append(graph.scale.coordinate(x: Double(first.x), y: Double(first.y))) }
        if !seconds.isEmpty { seconds[seconds.count - 1] += lost + part.turnSeconds }
    }
}
