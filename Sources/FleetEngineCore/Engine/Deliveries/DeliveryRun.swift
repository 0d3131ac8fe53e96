import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import Routing

/// A stop of a delivery vehicle.
struct DeliveryStop: Hashable, Sendable {
    /// A task at a stop, with the values from which the arrival times at later stops are computed.
    struct Task: Hashable, Sendable {
        /// The bare id of the task.
        let id: String
        let durationSeconds: Double
        /// Whether the vehicle is unavailable during the task, for example during a break.
        let isUnavailable: Bool
    }

    var place: Coordinate
    var state: VehicleStopState
    var tasks: [Task]

    /// Expected duration of the stay at the stop, in seconds.
    var dwellSeconds: Double { tasks.reduce(0) { $0 + $1.durationSeconds } }

    var isUnavailable: Bool { tasks.contains(where: \.isUnavailable) }

    /// Whether both stops are at the same place and have a task in common.
    func isSameStop(as other: DeliveryStop) -> Bool {
        place == other.place && tasks.contains { task in other.tasks.contains { $0.id == task.id } }
    }
}

/// The remaining stops of a delivery vehicle and the routes to them.
struct DeliveryRun: Equatable, Sendable {
    private(set) var stops: [DeliveryStop] = []
    /// The route to the first stop. It starts where the vehicle was when the stop became first, or at the first position reported after
    /// that. Nil without a position.
    private(set) var added: DeliveryLeg?
    /// The planned route to the first stop; nil without a stop or a position. A vehicle that leaves this route gets a new one, unless the
    /// stop is ARRIVED or the driver's own route leads to the stop.
    private(set) var approach: DeliveryApproach?
    /// The routes between stops: `between[i]` leads from stop i to stop i + 1.
    private(set) var between: [DeliveryLeg] = []
    /// The time when the current first stop became first in the list.
    private(set) var isFirstSince = Date.distantPast
    /// The time when the first stop became ARRIVED; nil if the stop has another state.
    private(set) var arrivedAt: Date?
    /// The whole driving time to the first stop, in seconds, from the moment when the stop became first. It is computed again when the list
    /// of stops or `added` changes. It does not count down.
    private(set) var firstSeconds = 0.0
    /// The index of each task's stop.
    private(set) var places: [String: Int] = [:]

    init() {}

    /// The route requests that a router has not answered yet, in driving order.
    var missingWays: [Way] {
        var ways: [Way] = []
        for leg in [added, approach?.leg].compactMap({ $0 }) + between where leg.isStandIn && ways.last != leg.way { ways.append(leg.way) }
        return ways
    }

    /// The total number of points in all routes.
    var pointCount: Int {
        let first = (added?.line.coordinates.count ?? 0) + (approach?.leg.line.coordinates.count ?? 0)
        return between.reduce(first) { $0 + $1.line.coordinates.count }
    }

    /// Replaces the list of stops. Routes between stops that remain adjacent are kept.
    ///
    /// - Parameters:
    ///   - position: the vehicle's position; nil if it has none.
    ///   - reportedSeconds: the driver's remaining time to the new first stop; nil if the driver has reported none.
    mutating func setStops(
        _ new: [DeliveryStop], from position: Coordinate?, reportedSeconds: Double?, straightLine: StraightLineRouter, now: Date
    ) {
        let staysFirst = new.first.map { first in stops.first.map(first.isSameStop) ?? false } ?? false
        let known = Dictionary(between.map { ($0.way, $0) }) { first, _ in first }
        between = zip(new, new.dropFirst()).map { start, end in
            let way = Way(start: start.place, end: end.place)
            return known[way] ?? DeliveryLeg(way, straightLine)
        }
        stops = new
        places = Self.places(of: new)
        if !staysFirst {
            added = nil
            approach = nil
            arrivedAt = nil
            isFirstSince = now
            plan(from: position, straightLine, now)
        }
        noteFirst(reportedSeconds: reportedSeconds, now)
    }

    private static func places(of stops: [DeliveryStop]) -> [String: Int] {
        Dictionary(stops.enumerated().flatMap { index, stop in stop.tasks.map { ($0.id, index) } }) { first, _ in first }
    }

    /// Records the arrival at the first stop and the driving time to it.
    private mutating func noteFirst(reportedSeconds: Double?, _ now: Date) {
        let passed = max(0, now.timeIntervalSince(isFirstSince))
        guard stops.first?.state == .arrived else {
            arrivedAt = nil
            firstSeconds = passed + (reportedSeconds ?? approach?.secondsLeft(now: now) ?? 0)
            return
        }
        guard arrivedAt == nil else { return }
        arrivedAt = now
        firstSeconds = passed
    }

    /// Plans the route to the first stop.
    private mutating func plan(from position: Coordinate?, _ straightLine: StraightLineRouter, _ now: Date) {
        guard let position, let first = stops.first else { return }
        let leg = DeliveryLeg(Way(start: position, end: first.place), straightLine)
        approach = DeliveryApproach(leg, now: now)
        guard added == nil else { return }
        added = leg
        if arrivedAt == nil { firstSeconds = max(0, now.timeIntervalSince(isFirstSince)) + leg.seconds }
    }
}

extension DeliveryRun {
    /// Restores the stored stops, the routes between them, and the data of the first stop.
    mutating func restore(
        _ stops: [DeliveryStop], between: [DeliveryLeg], isFirstSince: Date, arrivedAt: Date?, firstSeconds: Double
    ) {
        self.stops = stops
        places = Self.places(of: stops)
        self.between = between
        self.isFirstSince = isFirstSince
        self.arrivedAt = arrivedAt
        self.firstSeconds = firstSeconds
    }

    /// Restores the stored routes to the first stop.
    mutating func restore(added: DeliveryLeg?, approach: DeliveryApproach) {
        self.added = added
        self.approach = approach
    }

    /// Finds the vehicle's new position on its route. Plans a new route if the vehicle has left the old one.
    ///
    /// - Parameter isGuided: whether the driver's own route leads to the first stop. If so, the planned route is kept even if the vehicle
    ///   has left it.
    mutating func follow(_ location: WireVehicleLocation, isGuided: Bool, straightLine: StraightLineRouter, now: Date) {
        guard !stops.isEmpty, arrivedAt == nil else { return }
        if approach?.follow(location, now: now) == true || approach != nil && isGuided { return }
        plan(from: location.location.coordinate, straightLine, now)
    }

    /// Applies a router's answer to all legs that are waiting for the answer to this route request.
    /// - Parameter found: the router's leg; nil if the router found no route. The straight line is then kept.
    mutating func settle(_ way: Way, with found: RouterLeg?) {
        for index in between.indices where between[index].isStandIn && between[index].way == way { between[index].settle(found) }
        if let leg = approach?.leg, leg.isStandIn, leg.way == way { approach?.leg.settle(found) }
        guard let leg = added, leg.isStandIn, leg.way == way else { return }
        let old = leg.seconds
        added?.settle(found)
        if arrivedAt == nil, let new = added?.seconds { firstSeconds = max(0, firstSeconds + new - old) }
    }
}
