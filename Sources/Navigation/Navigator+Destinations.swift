import Geo
public import Routing

extension Navigator {
    /// Asks a router for a way from where the vehicle is through all destinations, and takes it (`setDestinations`). Guidance stays as it is:
    /// switch it on afterwards.
    ///
    /// - Returns: what became of it. Whatever else sets or takes away a route meanwhile counts more: then the answer is dropped.
    public func setDestinations(_ destinations: [NavigationWaypoint], by router: any Router) async -> RouteStatus {
        await ask(router, for: destinations, change: .newDestinations)
    }

    /// Asks for another way to the destinations that are left, and takes it. Listeners hear that it is asked for, and why.
    public func reroute(by router: any Router) async -> RouteStatus {
        let state = state
        willReroute(state.offRouteReason.map { RerouteReason($0) } ?? .requested)
        return await ask(router, for: state.routeLegs.map(\.destination), change: .reroute)
    }

    private func ask(_ router: any Router, for destinations: [NavigationWaypoint], change: RouteChange) async -> RouteStatus {
        guard !destinations.isEmpty else { return .noWaypoints }
        guard destinations.allSatisfy(\.coordinate.isValid) else { return .invalidWaypoint }
        let before = state
        guard let location = before.location else { return .locationUnavailable }
        let request = RouteRequest(
            origin: location.rawCoordinate, originCourseDegrees: before.isMoving ? location.courseDegrees : nil, destinations: destinations)
        do throws(RoutingError) {
            let route = NavigationRoute(try await router.route(request))
            guard !Task.isCancelled else { return .canceled }
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
}
