public import Geo
public import Routing

/// The position and direction in which a route begins.
public struct RouteOrigin: Hashable, Sendable {
    /// Position of the vehicle.
    public var coordinate: Coordinate
    /// Direction of movement, in degrees clockwise from north; nil while the vehicle is stationary.
    public var courseDegrees: Double?

    /// Creates an origin at `coordinate`, with the direction of movement.
    public init(coordinate: Coordinate, courseDegrees: Double? = nil) {
        self.coordinate = coordinate
        self.courseDegrees = courseDegrees
    }
}

extension Navigator {
    /// Requests a route from the vehicle through all destinations, and sets it (`setDestinations`). Guidance stays on or off, as it
    /// was.
    ///
    /// - Parameters:
    ///   - origin: start of the route; nil for the newest position of the vehicle.
    ///   - prepare: changes the route that the router found, before it is set. It may change only times and traffic.
    /// - Returns: the outcome; `canceled` if the task is cancelled, or if the route, its traffic or the current leg changes before the
    ///   router answers. The answer is then not used.
    public func setDestinations(
        _ destinations: [NavigationWaypoint], by router: any Router, from origin: RouteOrigin? = nil,
        preparing prepare: @Sendable (NavigationRoute) -> NavigationRoute = { $0 }
    ) async -> RouteStatus {
        await ask(router, for: destinations, from: origin, change: .newDestinations, prepare)
    }

    /// Requests a new route through the remaining destinations, and sets it. Reports the request and its reason to listeners.
    ///
    /// - Parameters:
    ///   - reason: reason for the request; nil means `offRouteReason`, or `requested` if the vehicle is on its route.
    ///   - origin: start of the route; nil for the newest position of the vehicle.
    ///   - prepare: changes the route that the router found, before it is set. It may change only times and traffic.
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
    /// Lowest speed at which the router is told the vehicle's direction of movement, in metres per second.
    private static let movingMetersPerSecond = 2.0

    fileprivate var isMoving: Bool { location?.speedMetersPerSecond ?? 0 >= Self.movingMetersPerSecond }

    fileprivate var origin: RouteOrigin? {
        location.map { RouteOrigin(coordinate: $0.rawCoordinate, courseDegrees: isMoving ? $0.courseDegrees : nil) }
    }
}
