/// Asks a router, and takes the straight line where that one has no way: the route is then named as such.
public struct FallbackRouter: Router {
    /// The first router's.
    public var name: String { first.name }
    private let first: any Router
    private let straight = StraightLineRouter()
    private let onStraightLine: @Sendable (RoutingError) -> Void

    /// - Parameter onStraightLine: told each time why the straight line stands in.
    public init(_ first: any Router, onStraightLine: @escaping @Sendable (RoutingError) -> Void = { _ in }) {
        (self.first, self.onStraightLine) = (first, onStraightLine)
    }

    /// The first router's way, else straight lines. A failure that may pass is thrown: asking again is better than a straight line.
    public func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        do throws(RoutingError) {
            return try await first.route(request)
        } catch {
            guard !error.isRetryable else { throw error }
            let route = try await straight.route(request)
            onStraightLine(error)
            return route
        }
    }
}
