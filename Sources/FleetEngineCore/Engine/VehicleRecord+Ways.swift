package import Geo
import Routing

/// A request for a route from one place to another.
package struct Way: Hashable, Sendable {
    package var start: Coordinate
    package var end: Coordinate
}

extension VehicleRecord {
    /// The route requests that a router has not answered yet, in driving order.
    package var missingWays: [Way] {
        var ways: [Way] = []
        if let plan, plan.isStandIn, let first = stops.first { ways.append(Way(start: plan.origin, end: first.coordinate)) }
        for (index, leg) in between.enumerated() where leg.isStandIn { ways.append(way(fromStop: index)) }
        return ways
    }

    private func way(fromStop index: Int) -> Way { Way(start: stops[index].coordinate, end: stops[index + 1].coordinate) }

    /// Applies the router's answer to a route request. Several paths may wait for the same answer.
    /// - Parameter found: the router's path; nil to keep the straight line.
    mutating func settle(_ way: Way, with found: StopPath?, _ context: RouteContext) {
        for index in between.indices where between[index].isStandIn && self.way(fromStop: index) == way {
            between[index].isStandIn = false
            guard let found else { continue }
            between[index].leg = found
            between[index].stamp = context.stamp
        }
        guard let old = plan, old.isStandIn, old.origin == way.start, stops.first?.coordinate == way.end else { return }
        plan?.isStandIn = false
        guard let found else { return }
        standing = nil
        let offset = found.line.coordinates.first?.distanceMeters(to: way.start) ?? 0
        plan = Plan(
            leg: found, origin: way.start, isStandIn: false, madeAt: context.now, offsetMeters: offset.isFinite ? offset : 0)
        lookAhead(context)
        stampEndPoint(context)
    }
}
