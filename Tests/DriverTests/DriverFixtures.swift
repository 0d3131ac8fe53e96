import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing
import Synchronization

/// Places in the open sea, the start time, and other values that all suites use.
enum Sea {
    static let origin = Coordinate(latitude: 47.5, longitude: -30.25)
    static let start = Date(timeIntervalSince1970: 1_700_000_000)

    static func place(_ east: Double, _ north: Double) -> Coordinate { origin.offset(eastMeters: east, northMeters: north) }

    static func location(_ second: Double, course: Double? = 90, speed: Double? = 8) -> RoadSnappedLocation {
        RoadSnappedLocation(
            LocationFix(
                coordinate: place(second * 8, 0), time: start + second, accuracyMeters: 5, courseDegrees: course,
                speedMetersPerSecond: speed))
    }

    static func error(_ code: StatusCode, _ message: String = "", _ details: [ErrorDetail] = []) -> FleetEngineError {
        FleetEngineError(code: code, message: message, details: details)
    }
}

/// A router whose routes have one right angle. Tests can make it fail.
struct CornerRouter: Router {
    let name = "corner"
    var failures: @Sendable (Int) -> RoutingError? = { _ in nil }
    private let calls = Counter()

    private final class Counter: Sendable {
        private let count = Mutex(0)
        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    init(failures: @escaping @Sendable (Int) -> RoutingError? = { _ in nil }) { self.failures = failures }

    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        if let failure = failures(calls.next()) { throw failure }
        guard let target = request.destinations.first else { throw RoutingError("no destination", isRetryable: false) }
        let corner = Coordinate(latitude: target.coordinate.latitude, longitude: request.origin.longitude)
        let path = [request.origin, corner, target.coordinate]
        do {
            return try PlannedRoute(
                planner: name, legs: [RouterLeg(path: path, destination: target, durationSeconds: Polyline(path).lengthMeters / 10)])
        } catch {
            throw RoutingError("\(error)", isRetryable: false)
        }
    }
}

/// A simulated drive at 14 m/s.
struct SimulatedDrive {
    var driver = TripDriverConfiguration()
    var car = SimulatedVehicleConfiguration()

    init() { car.simulation.straightSpeedMetersPerSecond = 14 }
}

/// Collects the events that a driver reports.
final class DriverLog: Sendable {
    private let events = Mutex<[TripDriverEvent]>([])
    func note(_ event: TripDriverEvent) { events.withLock { $0.append(event) } }
    var all: [TripDriverEvent] { events.withLock { $0 } }
    var reroutes: Int { all.count { if case .route(_, _, _, true) = $0 { true } else { false } } }
    var navigation: [NavigatorEvent] { all.compactMap { if case .navigation(let event) = $0 { event } else { nil } } }
    /// All events except navigation events.
    var news: [TripDriverEvent] { all.filter { if case .navigation = $0 { false } else { true } } }
    var retries: [TripDriverFailure] { all.compactMap { if case .retrying(let failure, _) = $0 { failure } else { nil } } }
}
