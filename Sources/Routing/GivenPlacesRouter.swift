public import Geo

/// Plans routes through a few given locations, on roads that another router finds. Each leg leads through the locations between its start
/// and its end.
public struct GivenPlacesRouter: Router {
    /// Maximum number of locations. A longer list describes the roads themselves: use `GivenWayRouter` for it.
    public static let maximumPlaces = 25
    /// Maximum distance from the line through the locations, in metres. A leg that starts or ends farther away does not lead through the
    /// locations.
    public static let reachMeters = GivenWayRouter.reachMeters
    /// Distance below which a location counts as the start or end of a leg, in metres.
    private static let samePlaceMeters = 50.0

    /// Name of the other router.
    public var name: String { roads.name }
    /// The line through the locations. It can be driven in both directions.
    public let way: Polyline
    private let roads: any Router

    /// Creates a router that leads through the coordinates of `way`, on roads that `roads` finds.
    public init(way: Polyline, roads: any Router) {
        self.way = way
        self.roads = roads
    }

    /// Finds one leg to each destination with the other router. A leg between two points of the line leads through the locations between
    /// them.
    /// - Throws: the error of the other router; `RoutingError`, not retryable, if that router's answer leaves out a location, or if the
    ///   joined legs are not a valid route.
    public func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        var whole = request
        whole.destinations = []
        var counts: [Int] = []
        var from = request.origin
        for destination in request.destinations {
            let between = places(from: from, to: destination.coordinate).map { NavigationWaypoint(coordinate: $0) }
            whole.destinations += between + [destination]
            counts.append(between.count + 1)
            from = destination.coordinate
        }
        let route = try await roads.route(whole)
        guard route.legs.count == whole.destinations.count else {
            throw RoutingError("no usable route (\(name)): the router's answer leaves out some of the given places", isRetryable: false)
        }
        var legs: [RouterLeg] = []
        var rest = route.legs[...]
        for (destination, count) in zip(request.destinations, counts) {
            guard var leg = rest.first else { break }
            for next in rest.prefix(count).dropFirst() { leg.append(next) }
            leg.destination = destination
            legs.append(leg)
            rest = rest.dropFirst(count)
        }
        do throws(RouteError) {
            return try PlannedRoute(planner: route.planner, legs: legs)
        } catch {
            throw RoutingError("no usable route (\(name)): \(error)", isRetryable: false)
        }
    }

    private func places(from start: Coordinate, to end: Coordinate) -> [Coordinate] {
        guard let first = way.nearest(to: start), let last = way.nearest(to: end), first.distanceMeters <= Self.reachMeters,
            last.distanceMeters <= Self.reachMeters
        else { return [] }
        let (low, high) = (min(first.alongMeters, last.alongMeters), max(first.alongMeters, last.alongMeters))
        let between = zip(way.cumulativeMeters, way.coordinates).filter { meters, place in
            meters > low && meters < high && place.distanceMeters(to: start) > Self.samePlaceMeters
                && place.distanceMeters(to: end) > Self.samePlaceMeters
        }.map(\.1)
        return first.alongMeters <= last.alongMeters ? between : between.reversed()
    }
}

extension RouterLeg {
    /// Appends another leg, which starts where this leg ends.
    fileprivate mutating func append(_ next: RouterLeg) {
        let meters = lengthMeters
        steps = steps(before: next, atMeters: meters)
        speedLimits += next.speedLimits.map {
            SpeedLimitStretch(offsetMeters: $0.offsetMeters + meters, lengthMeters: $0.lengthMeters, limit: $0.limit)
        }
        let areTimed = segmentSeconds.count == path.count - 1 && next.segmentSeconds.count == next.path.count - 1
        let meets = path.last == next.path.first
        segmentSeconds = areTimed ? segmentSeconds + (meets ? [] : [0]) + next.segmentSeconds : []
        path += meets ? next.path.dropFirst() : next.path[...]
        distanceMeters = meters + next.lengthMeters
        durationSeconds += next.durationSeconds
        freeFlowSeconds = freeFlowSeconds.flatMap { free in next.freeFlowSeconds.map { free + $0 } }
    }

    /// Joins the steps of both legs. Leaves out the arrival and the departure between them. If one of the legs has no steps, the result has
    /// none, too.
    private func steps(before next: RouterLeg, atMeters meters: Double) -> [RouteStep] {
        guard !steps.isEmpty, !next.steps.isEmpty else { return [] }
        var all = steps.filter { $0.maneuver != .arrive }
        for step in next.steps {
            if step.maneuver == .depart, var last = all.popLast() {
                last.lengthMeters += step.lengthMeters
                all.append(last)
            } else {
                all.append(
                    RouteStep(
                        maneuver: step.maneuver, roadName: step.roadName, offsetMeters: step.offsetMeters + meters,
                        lengthMeters: step.lengthMeters))
            }
        }
        return all
    }
}
