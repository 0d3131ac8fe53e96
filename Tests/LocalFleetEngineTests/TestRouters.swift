import Geo
import Routing
import Synchronization

/// A router whose routes have one right angle: first north or south at 5 m/s, then east or west at 20 m/s. Tests can make it
/// wait or fail.
final class CornerRouter: Router {
    let name = "corner"

    private struct State {
        var isOpen: Bool
        var failures: [RoutingError] = []
        var asked: [RouteRequest] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func readyWatchers() -> [CheckedContinuation<Void, Never>] {
            let ready = watchers.filter { $0.count <= asked.count }.map(\.continuation)
            watchers.removeAll { $0.count <= asked.count }
            return ready
        }
    }

    private let state: Mutex<State>

    /// - Parameter isOpen: whether the router answers at once. If not, all requests wait until `open()` is called.
    init(isOpen: Bool = true, failures: [RoutingError] = []) {
        state = Mutex(State(isOpen: isOpen, failures: failures))
    }

    /// The requests in the order in which they arrived.
    var asked: [RouteRequest] { state.withLock { $0.asked } }

    /// Waits until `count` requests have arrived.
    func waitUntilAsked(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.watchers.append((count, continuation))
                return state.readyWatchers()
            }
            for continuation in ready { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        let (failure, ready) = state.withLock { state in
            state.asked.append(request)
            return (state.failures.isEmpty ? nil : state.failures.removeFirst(), state.readyWatchers())
        }
        for continuation in ready { continuation.resume() }
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
        if let failure { throw failure }
        return try Self.route(request, name)
    }

    private static func route(_ request: RouteRequest, _ name: String) throws(RoutingError) -> PlannedRoute {
        guard let end = request.destinations.first else { throw RoutingError("no destination", isRetryable: false) }
        let corner = Coordinate(latitude: end.coordinate.latitude, longitude: request.origin.longitude)
        let path = [request.origin, corner, end.coordinate]
        let meters = Polyline(path).cumulativeMeters
        let seconds = [meters[1] / 5, (meters[2] - meters[1]) / 20]
        let leg = RouterLeg(path: path, destination: end, durationSeconds: seconds.reduce(0, +), segmentSeconds: seconds)
        do { return try PlannedRoute(planner: name, legs: [leg]) } catch {
            throw RoutingError("\(error)", isRetryable: false)
        }
    }
}
