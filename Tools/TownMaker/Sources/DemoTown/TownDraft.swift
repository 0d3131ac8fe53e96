import Geo

/// A complete town on the plane, before its content becomes features and roads on the globe.
struct TownDraft: Sendable {
    let plan: TownPlan
    let zones: StreetZones
    let graph: StreetGraph
    let faces: [StreetFace]
    /// The use and the outline of each piece of land.
    let lands: [(use: LandUse, outline: [Vector2])]
    let runs: StreetRuns
    let names: TownNames
    let directions: [RoadGraph.Piece.Direction]

    init(seed: UInt64) {
        plan = TownPlan(seed: seed)
        let grower = StreetGrower(plan: plan)
        zones = grower.zones
        let planner = LandPlanner(graph: Self.cleaned(StreetGraph(network: grower.network), zones: zones), plan: plan, zones: zones)
        var graph = Self.finished(planner.graph, plan: plan, zones: zones)
        let blocks = graph.faces().faces
        lands = Self.outlines(of: planner.uses, faces: blocks, graph: graph)
        graph.addDrives(into: lands.filter { $0.use.purpose.hasDrive }.map(\.outline), obstacles: plan.obstacles)
        graph.addDrives(into: Self.yards(blocks, besides: lands.map(\.outline), graph: graph, zones: zones), obstacles: plan.obstacles)
        self.graph = graph
        (faces, _) = graph.faces()
        runs = StreetRuns(graph: graph)
        names = TownNames(plan: plan, zones: zones, uses: lands.map(\.use), runs: runs)
        directions = OneWayStreets(graph: graph, runs: runs, zones: zones, random: plan.frame.random(for: .clearing)).directions
    }

    private static func cleaned(_ graph: StreetGraph, zones: StreetZones) -> StreetGraph {
        var graph = graph
        graph.keepLargestPart()
        graph.removeUnsightly(cosine: 0.86) { place in
            zones.zone(at: place) == .oldTown
                ? .init(smallestBlock: 700, smallestThickness: 11) : .init(smallestBlock: 1800, smallestThickness: 17)
        }
        graph.removeDeadEnds { _, length in (45...130).contains(length) }
        graph = graph.compacted()
        return graph
    }

    /// Returns the finished streets: connected, smooth and without faults.
    private static func finished(_ graph: StreetGraph, plan: TownPlan, zones: StreetZones) -> StreetGraph {
        var graph = graph
        graph.keepLargestPart()
        graph.lowerDryBridges(obstacles: plan.obstacles)
        graph = graph.compacted()
        for edge in graph.edges.indices {
            let simple = Line.simplified(Line.withoutSpikes(graph.edges[edge].points), tolerance: 0.7)
            // Simplifying may create spikes. They are removed from ordinary streets. Planned roads keep them, because a quay that leads
            // round a narrow pier looks like a spike.
            graph.edges[edge].points = graph.edges[edge].isRemovable ? Line.withoutSpikes(simple) : simple
        }
        graph.removeFaults(obstacles: plan.obstacles)
        return graph
    }

    /// Returns the larger blocks of the industrial areas that have no other use.
    private static func yards(_ faces: [StreetFace], besides grounds: [[Vector2]], graph: StreetGraph, zones: StreetZones) -> [[Vector2]] {
        faces.filter { face in
            face.area > 16_000 && face.area < 120_000 && zones.zone(at: face.centroid) == .industry
                && !grounds.contains { Line.contains($0, face.centroid) }
        }.map { graph.outline(of: $0) }
    }

    private static func outlines(of uses: [LandUse], faces: [StreetFace], graph: StreetGraph) -> [(use: LandUse, outline: [Vector2])] {
        let enclosed = faces.filter { $0.area > 0 && $0.area < 600_000 }
        return uses.compactMap { use in
            for face in enclosed where face.box.contains(use.anchor) {
                let outline = graph.outline(of: face)
                if Line.contains(outline, use.anchor) { return (use, outline) }
            }
            return nil
        }
    }
}
