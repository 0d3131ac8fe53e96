public import Geo

/// Asks another router for a route. If that router finds none, uses straight lines or throws the router's error, depending on ``Cover``. A
/// route of straight lines has `straight line` as its `planner`.
public struct FallbackRouter: Router {
    /// The failures of the other router that lead to straight lines.
    public enum Cover: Hashable, Sendable {
        /// Permanent failures. A temporary failure is thrown, for callers that ask again later and show a straight line in the meantime.
        case lasting
        /// All failures, for callers that cannot wait.
        case any
    }

    /// Name of the other router.
    public var name: String { first.name }
    private let first: any Router
    private let cover: Cover
    private let straight = StraightLineRouter()
    private let onOutcome: @Sendable (RoutingError?) -> Void

    /// - Parameter onOutcome: called after each request with the reason why the other router has no route; nil if it has a route. Not
    ///   called for a failure if the task was cancelled or the request is invalid.
    public init(_ first: any Router, for cover: Cover = .lasting, onOutcome: @escaping @Sendable (RoutingError?) -> Void = { _ in }) {
        self.first = first
        self.cover = cover
        self.onOutcome = onOutcome
    }

    /// Returns the other router's route, or straight lines.
    /// - Throws: the other router's error if the task was cancelled, or if this kind of failure does not lead to straight lines. Otherwise,
    ///   the error of `StraightLineRouter` for an invalid request.
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

    /// Returns the nearest point on a road, as found by the other router.
    public func nearestRoad(to place: Coordinate, within meters: Double) async -> Coordinate? {
        await first.nearestRoad(to: place, within: meters)
    }
}
