import Geo
import Routing
import Synchronization
import Testing

@Suite("A router with the straight line as its fallback")
struct FallbackRouterTests {
    /// A router whose requests fail with a given error.
    private struct Failing: Router {
        let name = "failing"
        let isRetryable: Bool
        func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
            throw RoutingError("no way", isRetryable: isRetryable)
        }
    }

    private final class Told: Sendable {
        let errors = Mutex<[RoutingError?]>([])
    }

    private let request = RouteRequest(
        origin: Coordinate(latitude: 50, longitude: 10),
        destinations: [NavigationWaypoint(coordinate: Coordinate(latitude: 50.01, longitude: 10))])

    @Test("if the first router finds no route, the route is marked as a straight line, and the reason is reported")
    func straight() async throws {
        let told = Told()
        let router = FallbackRouter(Failing(isRetryable: false)) { error in told.errors.withLock { $0.append(error) } }
        #expect(router.name == "failing")
        #expect(try await router.route(request).planner == "straight line")
        #expect(told.errors.withLock { $0 } == [RoutingError("no way", isRetryable: false)])
    }

    @Test("a temporary failure is reported and thrown, and a request that no router can answer is thrown")
    func thrown() async {
        let told = Told()
        let note: @Sendable (RoutingError?) -> Void = { error in told.errors.withLock { $0.append(error) } }
        await #expect(throws: RoutingError.self) {
            try await FallbackRouter(Failing(isRetryable: true), onOutcome: note).route(request)
        }
        let empty = RouteRequest(origin: request.origin, destinations: [])
        await #expect(throws: RoutingError.self) {
            try await FallbackRouter(Failing(isRetryable: false), onOutcome: note).route(empty)
        }
        #expect(told.errors.withLock { $0 } == [RoutingError("no way", isRetryable: true)])
    }

    @Test("a caller who cannot wait gets the straight line for a temporary failure, too")
    func impatient() async throws {
        let told = Told()
        let router = FallbackRouter(Failing(isRetryable: true), for: .any) { error in told.errors.withLock { $0.append(error) } }
        #expect(try await router.route(request).planner == "straight line")
        #expect(told.errors.withLock { $0 } == [RoutingError("no way", isRetryable: true)])
    }

    @Test("a route of the first router is passed on unchanged")
    func first() async throws {
        let way = GivenWayRouter(way: Polyline([request.origin, Coordinate(latitude: 50.01, longitude: 10)]))
        let told = Told()
        let router = FallbackRouter(way) { error in told.errors.withLock { $0.append(error) } }
        #expect(try await router.route(request).planner == "given route")
        #expect(told.errors.withLock { $0 } == [nil])
    }
}
