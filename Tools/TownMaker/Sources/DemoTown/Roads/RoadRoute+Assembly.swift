import Geo

extension RoadGraph {
    /// Builds the route from a path that a search has found, with its line, times and steps.
    func assemble(_ path: RoutePath, from start: RoadPosition, to end: RoadPosition) -> RoadRoute {
        var draft = RouteDraft(start: start.coordinate)
        for (place, index) in path.edges.enumerated() {
            let edge = edges[index]
            if place > 0 {
                let before = path.edges[place - 1]
                draft.wait(turns.seconds(from: before, to: index))
                draft.turn(into: edge, degrees: edges[before].reverse == index ? 180 : turns.degrees(from: before, to: index))
            } else {
                draft.turn(into: edge, degrees: 0)
            }
            let from = place == 0 ? along(start, on: index) : 0
            let to = place == path.edges.count - 1 ? along(end, on: index) : edge.lengthMeters
            let line = Polyline(geometry(ofEdge: index)).slice(fromMeters: from, toMeters: to)
            for coordinate in line.coordinates.dropFirst() { draft.move(to: coordinate, speed: edge.speedMetersPerSecond) }
        }
        return draft.finished(at: end.coordinate, seconds: path.seconds)
    }

    private func along(_ position: RoadPosition, on edge: Int) -> Double {
        edge == position.edge ? position.alongMeters : edges[edge].lengthMeters - position.alongMeters
    }
}

/// A route under construction.
private struct RouteDraft {
    private struct OpenStep {
        var name: String?
        var roadClass: RoadClass
        var turnDegrees: Double
        var startVertex: Int
    }

    private var coordinates: [Coordinate]
    private var seconds = [0.0]
    private var speeds: [Double] = []
    private var open: [OpenStep] = []
    private var pendingSeconds = 0.0

    init(start: Coordinate) { coordinates = [start] }

    mutating func move(to coordinate: Coordinate, speed: Double) {
        guard let last = coordinates.last, let time = seconds.last, last != coordinate else { return }
        coordinates.append(coordinate)
        seconds.append(time + pendingSeconds + last.distanceMeters(to: coordinate) / speed)
        speeds.append(speed)
        pendingSeconds = 0
    }

    /// Adds waiting time at the last vertex. At the start of the route, where the time is 0, the wait counts for the first segment.
    mutating func wait(_ time: Double) {
        if seconds.count > 1 { seconds[seconds.count - 1] += time } else { pendingSeconds += time }
    }

    /// Begins a new step if the street's name changes or the route turns sharply.
    mutating func turn(into edge: RoadGraph.Edge, degrees: Double) {
        if let last = open.last, last.name == edge.name, abs(degrees) < 60 { return }
        let vertex = coordinates.count - 1
        let step = OpenStep(name: edge.name, roadClass: edge.roadClass, turnDegrees: vertex == 0 ? 0 : degrees, startVertex: vertex)
        if let last = open.last, last.startVertex == step.startVertex { open.removeLast() }
        open.append(step)
    }

    /// Finishes the route. The last entry of the times is replaced by the duration that the search found. They differ by rounding
    /// only.
    mutating func finished(at end: Coordinate, seconds duration: Double) -> RoadRoute {
        if coordinates.count == 1 {
            coordinates.append(end)
            seconds.append(duration)
            speeds.append(speeds.last ?? 1)
        }
        let polyline = Polyline(coordinates)
        seconds[seconds.count - 1] = duration
        for index in seconds.indices { seconds[index] = min(seconds[index], duration) }
        let kept = withoutScraps(polyline)
        let steps = kept.indices.map { number -> RoadRoute.Step in
            let step = kept[number]
            let next = number + 1 < kept.count ? kept[number + 1].startVertex : coordinates.count - 1
            return RoadRoute.Step(
                name: step.name, roadClass: step.roadClass,
                distanceMeters: polyline.cumulativeMeters[next] - polyline.cumulativeMeters[step.startVertex],
                durationSeconds: seconds[next] - seconds[step.startVertex], turnDegrees: step.turnDegrees, startVertex: step.startVertex)
        }
        return RoadRoute(
            polyline: polyline, durationSeconds: duration, cumulativeSeconds: seconds, segmentSpeedsMetersPerSecond: speeds, steps: steps)
    }

    /// Returns the steps of the route. Steps of a metre or two at the ends, where the route touches another street, are left out.
    private func withoutScraps(_ polyline: Polyline) -> [OpenStep] {
        var kept = open
        if kept.count > 1, polyline.cumulativeMeters[kept[1].startVertex] < Self.scrapMeters {
            kept.removeFirst()
            (kept[0].startVertex, kept[0].turnDegrees) = (0, 0)
        }
        if kept.count > 1, let last = kept.last, polyline.lengthMeters - polyline.cumulativeMeters[last.startVertex] < Self.scrapMeters {
            kept.removeLast()
        }
        return kept
    }

    private static let scrapMeters = 2.0
}
