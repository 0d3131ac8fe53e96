public import DemoTown
public import Geo

/// Ways on the roads of the demo town; it knows none outside.
public struct DemoTownRoutePlanning: RoutePlanning {
    private let bounds: BoundingBox
    private let roads: RoadGraph

    public init(town: DemoTown) {
        bounds = town.bounds
        roads = town.roads
    }

    public func route(from start: Coordinate, to end: Coordinate) -> PlannedRoute? {
        guard bounds.contains(start), bounds.contains(end), let found = roads.route(from: start, to: end) else { return nil }
        return PlannedRoute(
            points: found.polyline.coordinates, lengthMeters: found.polyline.lengthMeters, durationSeconds: found.durationSeconds,
            cumulativeSeconds: found.cumulativeSeconds, origin: .roads)
    }
}

extension FallbackRoutePlanning {
    /// The demo town's roads inside it, straight lines elsewhere: what an engine without a router uses.
    public static func demoTown(_ town: DemoTown) -> FallbackRoutePlanning {
        FallbackRoutePlanning([DemoTownRoutePlanning(town: town), StraightLineRoutePlanning()])
    }
}
