public import Geo
public import Routing

/// Where a way is to begin.
public struct RouteOrigin: Hashable, Sendable {
    /// The vehicle's place.
    public var coordinate: Coordinate
    /// Where it drives to, degrees clockwise from north; nil while it stands.
    public var courseDegrees: Double?

    /// A way from `coordinate`, in the direction in which the vehicle moves.
    public init(coordinate: Coordinate, courseDegrees: Double? = nil) {
        self.coordinate = coordinate
        self.courseDegrees = courseDegrees
    }
}

extension Navigator {
    /// Asks a router for a way from where the vehicle is through all destinations, and takes it (`setDestinations`). Guidance stays as it is:
    /// switch it on afterwards.
    ///
    /// - Parameters:
    ///   - origin: where the way begins; nil for the newest position.
    ///   - prepare: what the answer becomes before it is taken: the same way with other times and traffic.
    /// - Returns: what became of it. Whatever else sets or takes away a route meanwhile counts more: then the answer is dropped.
    public func setDestinations(
        _ destinations: [NavigationWaypoint], by router: any Router, from origin: RouteOrigin? = nil,
        preparing prepare: @Sendable (NavigationRoute) -> NavigationRoute = { $0 }
    ) async -> RouteStatus {
        await ask(router, for: destinations, from: origin, change: .newDestinations, prepare)
    }

    /// Asks for another way to the destinations that are left, and takes it. Listeners hear that it is asked for, and why.
    ///
    /// - Parameters:
    ///   - reason: why; nil for how the vehicle has left its route, as far as it has.
    ///   - origin: where the way begins; nil for the newest position.
    ///   - prepare: what the answer becomes before it is taken: the same way with other times and traffic.
    public func reroute(
        by router: any Router, reason: RerouteReason? = nil, from origin: RouteOrigin? = nil,
        preparing prepare: @Sendable (NavigationRoute) -> NavigationRoute = { $0 }
    ) async -> RouteStatus {
        let state = state
        willReroute(reason ?? state.offRouteReason.map { RerouteReason($0) } ?? .requested)
        return await ask(router, for: state.routeLegs.map(\.destination), from: origin, change: .reroute, prepare)
    }

    private func ask(
        _ router: any Router, for destinations: [NavigationWaypoint], from given: RouteOrigin?, change: RouteChange,
        _ prepare: @Sendable (NavigationRoute) -> NavigationRoute
    ) async -> RouteStatus {
        guard !destinations.isEmpty else { return .noWaypoints }
        guard destinations.allSatisfy(\.coordinate.isValid) else { return .invalidWaypoint }
        let before = state
        guard let origin = given ?? before.origin else { return .locationUnavailable }
        let request = RouteRequest(
            origin: origin.coordinate, originCourseDegrees: origin.courseDegrees, destinations: destinations)
        do throws(RoutingError) {
            let planned = NavigationRoute(try await router.route(request))
            guard !Task.isCancelled, state.routeRevision == before.routeRevision else { return .canceled }
            let route = prepare(planned)
            return setRoute(route, change: change, ifRevision: before.routeRevision) ? .ok : .canceled
        } catch {
            guard !Task.isCancelled else { return .canceled }
            return error.isRetryable ? .networkError(error) : .noRouteFound(error)
        }
    }
}

extension NavigatorState {
    /// A slower vehicle has no direction that a way should begin in, metres per second.
    private static let movingMetersPerSecond = 2.0

    fileprivate var isMoving: Bool { location?.speedMetersPerSecond ?? 0 >= Self.movingMetersPerSecond }

    fileprivate var origin: RouteOrigin? {
        location.map { RouteOrigin(coordinate: $0.rawCoordinate, courseDegrees: isMoving ? $0.courseDegrees : nil) }
    }
}
