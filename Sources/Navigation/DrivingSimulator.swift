public import FoundationEssentials
public import Geo
import Glibc
public import Routing

/// A simulated vehicle with a simulated position receiver. The caller supplies the time.
///
/// The vehicle drives a route leg by leg. At the end of each leg except the last, it waits until `proceed()` is called. `advance(to:)`
/// returns a fix. The vehicle's position depends only on the time, not on the number of calls; the noise depends on both. The same seed and
/// the same calls give the same fixes.
public struct DrivingSimulator: Sendable {
    /// An activity of the vehicle.
    public enum Activity: Hashable, Sendable {
        /// Driving along a leg or a detour, or paused on it.
        case driving
        /// Waiting at the end of a leg that is not the last one.
        case waitingAtStop(leg: Int)
        /// Standing at the end of the last leg.
        case arrived
        /// Standing at the end of a detour, without a route.
        case astray
    }

    /// The route with the times of the simulated drive, and with the jams as traffic.
    public private(set) var route: NavigationRoute
    /// The vehicle's current activity.
    public private(set) var activity: Activity
    /// The true position, without noise.
    public private(set) var coordinate: Coordinate
    /// The true speed, in metres per second.
    public private(set) var speedMetersPerSecond = 0.0
    /// Whether `pause()` has stopped the vehicle on the road.
    public private(set) var isPaused = false

    private var configuration: SimulationConfiguration
    private var path: SimulatedPath
    private var legIndex = 0
    /// Driving time on the current path, in seconds, multiplied by `speedMultiplier`.
    private var pathSeconds = 0.0
    private var courseDegrees: Double?
    private var clock: Date
    private let startedAt: Date
    private var noise: NoiseState

    /// Creates a vehicle at the beginning of `route`.
    public init(route: NavigationRoute, configuration: SimulationConfiguration = .init(), seed: UInt64, startingAt now: Date) {
        self.configuration = configuration
        self.route = route.timed(for: configuration)
        let leg = route.firstLeg
        path = SimulatedPath(leg: leg, of: route, configuration)
        activity = .driving
        coordinate = route.line.coordinates.first ?? leg.destination.coordinate
        courseDegrees = path.line.bearingDegrees(atMeters: 0, averagingOverMeters: 10)
        clock = now
        startedAt = now
        noise = NoiseState(seed: seed)
        settle()
    }

    /// Creates a vehicle without a route. It stays at a coordinate until it gets a route.
    /// - Throws: `RouteError` for an invalid coordinate.
    public init(
        standingAt place: Coordinate, configuration: SimulationConfiguration = .init(), seed: UInt64, startingAt now: Date
    ) throws(RouteError) {
        let leg = RouterLeg(path: [place], destination: NavigationWaypoint(coordinate: place), durationSeconds: 0)
        self.init(route: try NavigationRoute(legs: [leg]), configuration: configuration, seed: seed, startingAt: now)
    }

    /// Drives on until `date` and returns the receiver's fix at that time. An invalid date, or a date before the previous one, counts as
    /// the previous date.
    /// - Returns: the fix; nil during a period without fixes.
    public mutating func advance(to date: Date) -> LocationFix? {
        let ahead = date.timeIntervalSince(clock)
        let elapsed = ahead.isFinite ? max(0, ahead) : 0
        clock = clock.addingTimeInterval(elapsed)
        if activity == .driving, !isPaused { pathSeconds += elapsed * configuration.multiplier }
        settle()
        let offset = configuration.noise.map { noise.next(after: elapsed, $0) } ?? (east: 0, north: 0)
        let sinceStart = clock.timeIntervalSince(startedAt)
        guard !configuration.gaps.contains(where: { sinceStart >= $0.afterSeconds && sinceStart < $0.afterSeconds + $0.durationSeconds })
        else { return nil }
        return LocationFix(
            coordinate: coordinate.offset(eastMeters: offset.east, northMeters: offset.north), time: clock,
            accuracyMeters: configuration.noise?.accuracyMeters ?? configuration.accuracyMeters, courseDegrees: courseDegrees,
            speedMetersPerSecond: speedMetersPerSecond)
    }

    /// Leaves the stop for the next leg. Does nothing unless the vehicle waits at a stop.
    public mutating func proceed() {
        guard case .waitingAtStop = activity, route.legs.indices.contains(legIndex + 1) else { return }
        legIndex += 1
        drive(SimulatedPath(leg: route.legs[legIndex], of: route, configuration))
    }

    /// Starts a new route from the vehicle's current position and speed. If the vehicle is within 30 m of the first leg's first 300 m, it
    /// joins the route at the nearest point. Otherwise it joins at the route's start. It drives straight to that point at no more than 8
    /// m/s.
    ///
    /// - Parameter changed: how to drive from now on. Nil keeps the configuration, but not the old route's jams and wrong turn.
    public mutating func follow(_ new: NavigationRoute, configuration changed: SimulationConfiguration? = nil) {
        configuration.jams = []
        configuration.wrongTurn = nil
        if let changed { configuration = changed }
        route = new.timed(for: configuration)
        legIndex = 0
        let speed = speedMetersPerSecond / configuration.multiplier
        drive(SimulatedPath(joining: route, leg: route.firstLeg, from: coordinate, configuration, speed: speed))
    }

    /// Stops the vehicle at once, until `resume()`. The receiver still gives fixes.
    public mutating func pause() { isPaused = true }

    /// Ends the pause. The vehicle continues at the speed that it had before the pause.
    public mutating func resume() { isPaused = false }

    private mutating func drive(_ next: SimulatedPath) {
        path = next
        pathSeconds = 0
        activity = .driving
        settle()
    }

    /// Sets the position, speed and course for `pathSeconds`. At the end of the path, stops the vehicle.
    private mutating func settle() {
        let (meters, speed) = path.profile.position(atSeconds: pathSeconds)
        coordinate = path.line.coordinate(atMeters: meters) ?? coordinate
        courseDegrees = path.line.bearingDegrees(atMeters: meters, averagingOverMeters: 10) ?? courseDegrees
        guard activity == .driving else { return speedMetersPerSecond = 0 }
        speedMetersPerSecond = isPaused ? 0 : speed * configuration.multiplier
        guard pathSeconds >= path.profile.durationSeconds else { return }
        speedMetersPerSecond = 0
        let isLast = legIndex == route.legs.count - 1
        activity = path.endsOffRoute ? .astray : isLast ? .arrived : .waitingAtStop(leg: legIndex)
    }
}

/// The receiver's current error to the east and to the north. It follows a first-order autoregressive process.
struct NoiseState: Sendable {
    /// The 68 % confidence radius, divided by the standard deviation of one axis.
    static let radiusFactor = 1.51

    private var random: SeededRandom
    private var east = 0.0
    private var north = 0.0
    private var isFirst = true

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func next(after seconds: Double, _ noise: SimulatedNoise) -> (east: Double, north: Double) {
        let deviation = max(0, noise.accuracyMeters) / Self.radiusFactor
        let kept = noise.correlationSeconds > 0 && !isFirst ? exp(-seconds / noise.correlationSeconds) : 0
        isFirst = false
        let fresh = deviation * max(0, 1 - kept * kept).squareRoot()
        east = kept * east + fresh * random.normal()
        north = kept * north + fresh * random.normal()
        return (east, north)
    }
}
