public import Geo
public import Routing
public import VectorTiles

/// Finds routes on the roads of a base map. The road graph is built from the tiles at the map's highest zoom, but no higher than
/// ``greatestZoom``.
///
/// Lines are cut at the tiles' edges and joined across them. A bridge or tunnel never joins the roads that it crosses. Speeds are derived
/// from the roads' classes, and turns cost time. One-way and access rules are followed if the map's schema has them. The schemas have no
/// speed limits, traffic lights or turn restrictions; see also `RoadRule` of `VectorTiles`. Ferries are not used.
///
/// The driver's steps are computed from the angles at junctions, from ramps and from roundabouts. The names of their roads come
/// from the map's named lines.
///
/// A search reads tiles as it reaches them. Their graphs are kept for later requests, up to a limit in bytes.
public final class MapRouter: Router {
    /// The limits of one search, and of the graphs that are kept in memory.
    public struct Limits: Hashable, Sendable {
        /// Number of roads that one search may examine.
        public var steps = 1_500_000
        /// Number of tiles that one search may use.
        public var tiles = 1_500
        /// Bytes of graphs that one search may use.
        public var searchBytes = 512 << 20
        /// Bytes of graphs that are kept between searches.
        public var keptBytes = 64 << 20

        /// Creates the default limits.
        public init() {}
    }

    /// Largest distance between a place and the nearest road, 1,000 m. A place that is farther away has no route.
    public static let reachMeters = 1_000.0
    /// Largest straight-line distance of a leg, 150 km.
    public static let longestMeters = 150_000.0
    /// Lowest zoom at which a map has all streets. A map whose highest zoom is lower leaves streets out.
    public static let leastZoom = 13
    /// Highest zoom that is used. At higher zooms, maps have the same roads in more tiles.
    public static let greatestZoom = 16

    /// Name of the router, `map`.
    public let name = "map"
    private let zoom: Int
    private let store: TileGraphStore
    private let limits: Limits

    /// Creates a router on the roads of `source`.
    public init(source: any TileSource, limits: Limits = Limits()) {
        zoom = min(source.zoomRange.upperBound, Self.greatestZoom)
        self.limits = limits
        store = TileGraphStore(source: source, speeds: RoadSpeeds(), maximumByteCount: limits.keptBytes)
    }

    /// Finds a route; see ``way(_:)``.
    /// - Throws: `RoutingError`, retryable only if the task was cancelled.
    public func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        do throws(MapRoutingError) {
            return try await way(request)
        } catch {
            throw error.routingError
        }
    }

    /// Returns the nearest place on a road within `meters`, at most ``reachMeters``. Nil if there is no road, if the map cannot be read
    /// there, or if its highest zoom is below ``leastZoom``.
    public func nearestRoad(to place: Coordinate, within meters: Double) async -> Coordinate? {
        guard place.isValid, meters >= 0, zoom >= Self.leastZoom else { return nil }
        let center = TileID.containing(WebMercator.project(place), zoom: zoom)
        var reach = min(meters, Self.reachMeters)
        var nearest: Coordinate?
        for id in tiles(around: place, center, meters: reach) {
            guard let graph = try? await store.graph(id) else { continue }
            guard let snap = graph.snaps(to: place, reach: reach).min(by: { $0.meters < $1.meters }) else { continue }
            nearest = graph.coordinate(of: snap)
            reach = snap.meters
        }
        return nearest
    }

    /// Finds the route through all destinations. It begins and ends on drivable roads near the requested places. These roads are not always
    /// the nearest ones, because the nearest road may lead nowhere.
    /// - Throws: `MapRoutingError`.
    public func way(_ request: RouteRequest) async throws(MapRoutingError) -> PlannedRoute {
        let places = [request.origin] + request.destinations.map(\.coordinate)
        guard places.count > 1, places.allSatisfy(\.isValid) else { throw .invalidRequest }
        guard zoom >= Self.leastZoom else { throw .tooCoarse(zoom: zoom) }
        var legs: [RouterLeg] = []
        var course = request.originCourseDegrees
        var from = try await snaps(to: request.origin, .left)
        for (index, destination) in request.destinations.enumerated() {
            let place = places[index]
            let meters = place.distanceMeters(to: destination.coordinate)
            guard meters <= Self.longestMeters else { throw .tooFar(meters: meters) }
            let isLast = index == request.destinations.count - 1
            let ends = try await snaps(to: destination.coordinate, isLast ? .reached : [.reached, .left])
            let (leg, end) = try await leg(from, ends, course, destination, needsSteps: request.needsSteps)
            legs.append(leg)
            (from, course) = ([end], nil)
        }
        do throws(RouteError) {
            return try PlannedRoute(planner: name, legs: legs)
        } catch {
            throw .tooLong
        }
    }
}

extension MapRouter {
    /// If the nearest road leads nowhere, roads up to this many metres farther away are tried.
    private static let widerMeters = 150.0
    /// Roads up to this many metres farther away than the nearest road are tried together with it, such as the two sides of a street.
    private static let nearMeters = 10.0
    /// Cost, in seconds, for each metre that a road is farther away than the nearest road.
    private static let secondsPerMeter = 5.0
    /// Number of steps between two checks for cancellation.
    private static let stepsAtOnce = 8_192

    /// Returns the roads near a place, sorted by distance: the nearest one, and those up to `widerMeters` farther away. If any road within
    /// reach has all of `outlets`, only roads with all of them count.
    private func snaps(to place: Coordinate, _ outlets: RoadOutlets) async throws(MapRoutingError) -> [RoadSnap] {
        let center = TileID.containing(WebMercator.project(place), zoom: zoom)
        var snaps: [RoadSnap] = []
        var nearest = Self.reachMeters
        func add(_ id: TileID) async throws(MapRoutingError) {
            guard let graph = try await store.graph(id) else { return }
            snaps += graph.snaps(to: place, reach: min(nearest + Self.widerMeters, Self.reachMeters))
            nearest = snaps.filter { $0.outlets.isSuperset(of: outlets) }.map(\.meters).min() ?? nearest
        }
        try await add(center)
        for id in tiles(around: place, center, meters: min(nearest + Self.nearMeters, Self.reachMeters)) where id != center {
            try await add(id)
        }
        if snaps.contains(where: { $0.outlets.isSuperset(of: outlets) }) { snaps.removeAll { !$0.outlets.isSuperset(of: outlets) } }
        guard let least = snaps.map(\.meters).min() else { throw .noRoad(near: place) }
        return snaps.filter { $0.meters <= least + Self.widerMeters }.sorted { $0.meters < $1.meters }
    }

    private func tiles(around place: Coordinate, _ center: TileID, meters: Double) -> [TileID] {
        let corners = [(-1.0, -1.0), (1.0, 1.0)].map { place.offset(eastMeters: $0.0 * meters, northMeters: -$0.1 * meters) }
        let ids = corners.map { TileID.containing(WebMercator.project($0), zoom: zoom) }
        let steps = ids.map { (x: min(max($0.x - center.x, -2), 2), y: min(max($0.y - center.y, -2), 2)) }
        guard let first = steps.first, let last = steps.last, first.x <= last.x, first.y <= last.y else { return [center] }
        return (first.y...last.y).flatMap { y in (first.x...last.x).compactMap { x in center.neighbour(x: x, y: y) } }
    }

    /// Finds one leg, and the place on a road at which it ends.
    private func leg(
        _ starts: [RoadSnap], _ ends: [RoadSnap], _ course: Double?, _ destination: NavigationWaypoint, needsSteps: Bool
    ) async throws(MapRoutingError) -> (RouterLeg, RoadSnap) {
        var failure = MapRoutingError.outsideMap
        // The nearest roads may lead nowhere, or to service roads only.
        for (meters, avoidsLocal) in [(Self.nearMeters, true), (Self.nearMeters, false), (Self.widerMeters, false)] {
            let reach = { (snaps: [RoadSnap]) in snaps.prefix { $0.meters <= (snaps.first?.meters ?? 0) + meters } }
            do throws(MapRoutingError) {
                let parts = try await search(
                    reach(starts), reach(ends), course, destination.coordinate, avoidsLocal: avoidsLocal)
                guard let last = parts.last else { throw .outsideMap }
                let end = RoadSnap(
                    tile: last.graph.id, edge: Int(last.arc.edge),
                    share: last.arc.isForward ? last.shares.upperBound : 1 - last.shares.upperBound, meters: 0,
                    outlets: [])
                return (WayAssembly.leg(parts, to: destination, needsSteps: needsSteps), end)
            } catch {
                guard error == .outsideMap else { throw error }
                failure = error
            }
        }
        throw failure
    }

    private func search(
        _ starts: ArraySlice<RoadSnap>, _ ends: ArraySlice<RoadSnap>, _ course: Double?, _ place: Coordinate, avoidsLocal: Bool
    ) async throws(MapRoutingError) -> [RoadSearch.Part] {
        let center = TileID.containing(WebMercator.project(place), zoom: zoom)
        var search = RoadSearch(target: place, tile: center, avoidsLocal: avoidsLocal)
        var bytes = 0
        let reach = Reach(from: starts.first?.tile ?? center, to: center)
        for snap in ends + starts where !search.has(snap.tile) { try await provide(snap.tile, to: &search, &bytes) }
        for snap in ends {
            search.addGoal(snap, extraSeconds: (snap.meters - (ends.first?.meters ?? 0)) * Self.secondsPerMeter)
        }
        for snap in starts {
            let extra = (snap.meters - (starts.first?.meters ?? 0)) * Self.secondsPerMeter
            search.addStart(snap, extraSeconds: extra, courseDegrees: course)
        }
        while true {
            switch search.advance(maximumSteps: Self.stepsAtOnce) {
            case .found: return search.parts()
            case .exhausted: throw .outsideMap
            case .needs(let id) where !reach.contains(id): search.provide(id, nil)
            case .needs(let id): try await provide(id, to: &search, &bytes)
            case .paused:
                guard search.steps < limits.steps else { throw .tooLong }
                await Task.yield()
            }
            guard !Task.isCancelled else { throw .cancelled }
        }
    }

    private func provide(_ id: TileID, to search: inout RoadSearch, _ bytes: inout Int) async throws(MapRoutingError) {
        guard search.tileCount < limits.tiles, bytes < limits.searchBytes else { throw .tooLong }
        let graph = try await store.graph(id)
        bytes += graph?.byteCount ?? 0
        search.provide(id, graph)
    }
}

/// The area that a search may examine. The distances from a tile to the two ends may add up to at most twice the straight line plus
/// `moreTiles` tiles. A longer route is not worth driving.
private struct Reach {
    private static let moreTiles = 12.0
    private let start: TileID
    private let end: TileID
    private let most: Double

    init(from start: TileID, to end: TileID) {
        (self.start, self.end) = (start, end)
        most = 2 * Self.tiles(start, end) + Self.moreTiles
    }

    func contains(_ id: TileID) -> Bool { Self.tiles(start, id) + Self.tiles(id, end) <= most }

    private static func tiles(_ one: TileID, _ other: TileID) -> Double {
        let columns = 1 << one.zoom
        let apart = abs(one.x - other.x)
        let (x, y) = (Double(min(apart, columns - apart)), Double(one.y - other.y))
        return (x * x + y * y).squareRoot()
    }
}
