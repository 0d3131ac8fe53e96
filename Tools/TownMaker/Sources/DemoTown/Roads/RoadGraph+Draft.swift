import Geo

extension RoadGraph {
    init(draft: TownDraft, projection: TownProjection) {
        let graph = draft.graph
        let pieces = graph.edges.indices.map { number -> Piece in
            let edge = graph.edges[number]
            return Piece(
                from: edge.from, to: edge.to, points: projection.coordinates(of: edge.points), roadClass: edge.roadClass,
                name: draft.names.streets[draft.runs.runOfEdge[number]], speed: Self.speed(of: edge, zones: draft.zones),
                isBridge: edge.isBridge, direction: draft.directions[number])
        }
        self.init(nodes: projection.coordinates(of: graph.nodes), pieces: pieces, projection: projection)
    }

    /// Returns the free-flow speed in metres a second. In km/h, it is 15 on service roads, 20 to 30 in side streets, 30 to 50 on main
    /// streets, 70 on the ring road, and 60 to 80 in the country.
    private static func speed(of edge: StreetGraph.Edge, zones: StreetZones) -> Double {
        let zone = zones.zone(at: edge.points[edge.points.count / 2])
        let kilometresPerHour: Double
        switch edge.roadClass {
        case .ringRoad: kilometresPerHour = 70
        case .primary, .secondary: kilometresPerHour = zone == .open && edge.role != .boulevard ? 80 : 50
        case .tertiary: kilometresPerHour = zone == .open ? 60 : (zone == .oldTown ? 30 : 40)
        case .residential: kilometresPerHour = zone == .oldTown ? 20 : 30
        case .service: kilometresPerHour = 15
        }
        return kilometresPerHour / 3.6
    }
}
