package import FleetEngine
package import FoundationEssentials
package import Routing

extension FleetEngineState {
    /// Applies a router's answer to the named vehicles that are still waiting for it.
    ///
    /// - Parameter route: the router's route; nil if the router found no route. The straight line is then kept. It is also kept if the
    ///   route would exceed the engine's limit on route points.
    package mutating func settle(_ way: Way, with route: PlannedRoute?, for names: some Sequence<VehicleName>, now: Date) -> [Change] {
        var changes: [Change] = []
        let leg = route.flatMap { route in route.legs.first.map { StopPath(planned: $0, by: route.planner) } }
        for name in names.sorted(by: { $0.vehicle < $1.vehicle }) where vehicles[name]?.missingWays.contains(way) == true {
            let hasRoom = routePoints + (leg?.pointCount ?? 0) <= options.limits.routePoints
            let context = context(now)
            changeVehicle(name, context, &changes) { $0.settle(way, with: hasRoom ? leg : nil, context) }
        }
        return changes
    }
}
