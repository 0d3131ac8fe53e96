public import Geo

/// Asks a router for a route, and uses straight lines if the router has none. Such a route names the straight line as its planner.
public struct FallbackRouter: Router {
    /// Failures of the first router for which the straight line is used.
    public enum Cover: Hashable, Sendable {
        /// Permanent failures. A temporary failure is thrown, for callers that ask again and show a straight line meanwhile.
        case lasting
        /// All failures, for callers that cannot wait.
        case any
    }

    /// Name of the first router.
    public var name: String { first.name }
    private let first: any Router
    private let cover: Cover
    private let straight = StraightLineRouter()
    private let onOutcome: @Sendable (RoutingError?) -> Void

    /// - Parameter onOutcome: called for each request with the reason the first router has no route; nil if it has one.
    public init(_ first: any Router, for cover: Cover = .lasting, onOutcome: @escaping @Sendable (RoutingError?) -> Void = { _ in }) {
        self.first = first
        self.cover = cover
        self.onOutcome = onOutcome
    }

    /// Finds the first router's route, or straight lines.
    /// - Throws: a temporary failure if only permanent ones are covered; any failure if the task was cancelled.
    public func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        do throws(RoutingError) {
            let route = try await first.route(request)
            onOutcome(nil)
            return route
        } catch {
            guard !Task.isCancelled else { throw error }
            guard cover == .any || !error.isRetryable else {
                onOutcome(error)
                throw error
            }
            let route = try await straight.route(request)
            onOutcome(error)
            return route
        }
    }

    /// The nearest place on a road, as found by the first router.
    public func nearestRoad(to place: Coordinate, within meters: Double) async -> Coordinate? {
        await first.nearestRoad(to: place, within: meters)
    }
}
