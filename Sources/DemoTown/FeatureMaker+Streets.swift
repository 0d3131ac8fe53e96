import Geo

extension FeatureMaker {
    /// One line for each street, cut only where it goes over a bridge or forks.
    mutating func addStreets() {
        for (number, run) in draft.runs.runs.enumerated() {
            for path in run.paths { addStreet(path, name: draft.names.streets[number], run: run) }
        }
    }

    private mutating func addStreet(_ path: [Int], name: String?, run: StreetRuns.Run) {
        var points: [Vector2] = []
        var isBridge = false
        var roadClass = run.roadClass
        for half in path {
            let edge = draft.graph.edges[half / 2]
            if !points.isEmpty, edge.isBridge != isBridge || edge.roadClass != roadClass {
                addLine(Self.kind(of: roadClass), points, name: name, isBridge: isBridge, rank: rank(of: run))
                points = []
            }
            (isBridge, roadClass) = (edge.isBridge, edge.roadClass)
            points += points.isEmpty ? draft.graph.points(of: half) : Array(draft.graph.points(of: half).dropFirst())
        }
        addLine(Self.kind(of: roadClass), points, name: name, isBridge: isBridge, rank: rank(of: run))
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
