public import Geo

/// Asks a router, and takes the straight line where that one has no way: the route is then named as such.
public struct FallbackRouter: Router {
    /// Which failures of the first router the straight line is taken for.
    public enum Cover: Hashable, Sendable {
        /// Those that stay: a failure that may pass is thrown, for callers that ask again and have a straight line meanwhile.
        case lasting
        /// All, for callers that cannot wait.
        case any
    }

    /// The first router's.
    public var name: String { first.name }
    private let first: any Router
    private let cover: Cover
    private let straight = StraightLineRouter()
    private let onOutcome: @Sendable (RoutingError?) -> Void

    /// - Parameter onOutcome: told each time why there is no way of the first router's now; nil where there is one.
    public init(_ first: any Router, for cover: Cover = .lasting, onOutcome: @escaping @Sendable (RoutingError?) -> Void = { _ in }) {
        self.first = first
        self.cover = cover
        self.onOutcome = onOutcome
    }

    /// The first router's way, else straight lines.
    /// - Throws: a failure that may pass, where only lasting ones are covered; any where the task was cancelled.
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

    /// The first router's nearest road.
    public func nearestRoad(to place: Coordinate, within meters: Double) async -> Coordinate? {
        await first.nearestRoad(to: place, within: meters)
    }
}
