import Geo

extension FeatureMaker {
    /// Adds one line for each street. A street is divided only where it forks, where a bridge begins or ends, and where its class or the
    /// direction of traffic changes.
    mutating func addStreets() {
        for (number, run) in draft.runs.runs.enumerated() {
            for path in run.paths { addStreet(path, name: draft.names.streets[number], run: run) }
        }
    }

    /// The values that do not change along a line.
    private struct Stretch: Equatable {
        var roadClass: RoadClass
        var isBridge: Bool
        /// The direction of traffic, relative to the direction of the line.
        var direction: RoadGraph.Piece.Direction
    }

    private mutating func addStreet(_ path: [Int], name: String?, run: StreetRuns.Run) {
        var points: [Vector2] = []
        var open: Stretch?
        for half in path {
            let next = stretch(of: half)
            if let open, open != next {
                addStretch(open, points, name: name, run: run)
                points = []
            }
            open = next
            points += points.isEmpty ? draft.graph.points(of: half) : Array(draft.graph.points(of: half).dropFirst())
        }
        if let open { addStretch(open, points, name: name, run: run) }
    }

    private func stretch(of half: Int) -> Stretch {
        let edge = draft.graph.edges[half / 2]
        let direction: RoadGraph.Piece.Direction =
            switch draft.directions[half / 2] {
            case .both: .both
            case .forward: half.isMultiple(of: 2) ? .forward : .backward
            case .backward: half.isMultiple(of: 2) ? .backward : .forward
            }
        return Stretch(roadClass: edge.roadClass, isBridge: edge.isBridge, direction: direction)
    }

    private mutating func addStretch(_ stretch: Stretch, _ points: [Vector2], name: String?, run: StreetRuns.Run) {
        // If a small ring were a single line, routers would treat it as a roundabout with one-way traffic.
        let isRing = points.count > 3 && points.first == points.last && stretch.direction == .both
        let halves = isRing ? [Array(points[...(points.count / 2)]), Array(points[(points.count / 2)...])] : [points]
        for half in halves {
            addLine(
                Self.kind(of: stretch.roadClass), stretch.direction == .backward ? half.reversed() : half, name: name,
                isBridge: stretch.isBridge, isOneWay: stretch.direction != .both, rank: rank(of: run))
        }
    }

    private func rank(of run: StreetRuns.Run) -> Int { run.length > 900 ? 0 : (run.length > 400 ? 1 : 2) }

    private static func kind(of roadClass: RoadClass) -> DemoTown.Kind {
        switch roadClass {
        case .ringRoad: .ringRoad
        case .primary: .primary
        case .secondary: .secondary
        case .tertiary: .tertiary
        case .residential: .residential
        case .service: .service
        }
    }

    mutating func addRailway(landmarks: [DemoTown.Landmark]) {
        let railway = draft.plan.railway
        let water = draft.plan.water.distance
        var points: [Vector2] = []
        var isBridge = false
        for point in Line.resampled(railway.line, step: 20) {
            let isWet = water.value(at: point) < 8
            if isWet != isBridge, let last = points.last {
                addLine(.railway, Line.simplified(points, tolerance: 0.7), isBridge: isBridge)
                points = [last]
                isBridge = isWet
            }
            points.append(point)
        }
        addLine(.railway, Line.simplified(points, tolerance: 0.7), isBridge: isBridge)
        addStation(landmarks: landmarks)
    }

    private mutating func addStation(landmarks: [DemoTown.Landmark]) {
        let railway = draft.plan.railway
        let along = railway.direction
        let name = landmarks.first { $0.kind == .station }?.name
        let away = railway.station.dot(along.left) > 0 ? along.left : -along.left
        for track in [9.0, 16] {
            let middle = railway.station + away * track
            let ends = [railway.station - along * 240, middle - along * 190, middle + along * 190, railway.station + along * 240]
            addLine(.railway, ends, rank: 1)
        }
        addPolygon(.railwayArea, [Self.rectangle(railway.station + away * 6, along, 235, 20)])
        addPolygon(.station, [Self.rectangle(railway.station - away * 15, along, 55, 8)], name: name)
        addPoint(.station, railway.station, name: name)
    }

    static func rectangle(_ center: Vector2, _ axis: Vector2, _ halfLength: Double, _ halfWidth: Double) -> [Vector2] {
        let (long, wide) = (axis * halfLength, axis.left * halfWidth)
        return [center - long - wide, center + long - wide, center + long + wide, center - long + wide]
    }
}
