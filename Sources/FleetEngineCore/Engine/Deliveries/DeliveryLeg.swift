import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import Routing

/// The route of a delivery vehicle to a stop, from its own position or from the previous stop.
struct DeliveryLeg: Equatable, Sendable {
    let way: Way
    let line: Polyline
    let meters: Double
    let seconds: Double
    /// Whether the leg is a straight line that is used until a router answers.
    private(set) var isStandIn: Bool

    /// Creates a straight line, which is used until a router has answered.
    init(_ way: Way, _ straightLine: StraightLineRouter) {
        self.init(way, straightLine.leg(from: way.start, to: NavigationWaypoint(coordinate: way.end)), isStandIn: true)
    }

    /// Restores a stored leg.
    init(kept way: Way, line: Polyline, meters: Double, seconds: Double, isStandIn: Bool) {
        self.way = way
        self.line = line
        self.meters = meters
        self.seconds = seconds
        self.isStandIn = isStandIn
    }

    private init(_ way: Way, _ found: RouterLeg, isStandIn: Bool) {
        self.way = way
        line = Polyline(found.path)
        meters = found.distanceMeters ?? line.lengthMeters
        seconds = found.durationSeconds
        self.isStandIn = isStandIn
    }

    /// Applies a router's answer.
    /// - Parameter found: the router's leg; nil if the router found no route. The straight line is then kept.
    mutating func settle(_ found: RouterLeg?) {
        isStandIn = false
        if let found { self = DeliveryLeg(way, found, isStandIn: false) }
    }
}

/// The route from the vehicle to its first stop, with the vehicle's position on it.
struct DeliveryApproach: Equatable, Sendable {
    /// A vehicle counts as being on the route up to this distance from it, in metres, or up to twice the position's accuracy if that is
    /// more.
    private static let leftMeters = 50.0
    /// The minimum time between two calculations of the route, in seconds.
    private static let replanSeconds = 4.0

    var leg: DeliveryLeg
    let madeAt: Date
    /// The distance along the route to the vehicle's last position, in metres.
    private(set) var alongMeters = 0.0
    /// The time of the last position. The remaining driving time counts down from this time.
    private(set) var placedAt: Date

    init(_ leg: DeliveryLeg, now: Date) {
        self.leg = leg
        madeAt = now
        placedAt = now
    }

    /// Restores a stored approach.
    init(_ leg: DeliveryLeg, madeAt: Date, alongMeters: Double, placedAt: Date) {
        self.leg = leg
        self.madeAt = madeAt
        self.alongMeters = alongMeters
        self.placedAt = placedAt
    }

    /// Finds the vehicle on the route.
    /// - Returns: whether the vehicle is still on the route. Always true within `replanSeconds` after the route was made.
    mutating func follow(_ location: WireVehicleLocation, now: Date) -> Bool {
        guard let place = leg.line.nearest(to: location.location.coordinate) else { return true }
        let limit = max(Self.leftMeters, 2 * location.accuracyMeters)
        let isNew = (0..<Self.replanSeconds).contains(now.timeIntervalSince(madeAt))
        guard place.distanceMeters <= limit || isNew else { return false }
        alongMeters = place.alongMeters
        placedAt = now
        return true
    }

    private var shareLeft: Double {
        let length = leg.line.lengthMeters
        return length > 0 ? min(max(1 - alongMeters / length, 0), 1) : 0
    }

    var metersLeft: Double { leg.meters * shareLeft }

    /// The arrival time that follows from the last position.
    var arrival: Date { placedAt.addingTimeInterval(leg.seconds * shareLeft) }

    func secondsLeft(now: Date) -> Double { max(0, leg.seconds * shareLeft - max(0, now.timeIntervalSince(placedAt))) }

    /// The points of the route from the vehicle to the stop.
    var placesLeft: [Coordinate] { leg.line.slice(fromMeters: alongMeters, toMeters: leg.line.lengthMeters).coordinates }
}
