package import FleetEngine
package import FoundationEssentials
package import Routing

extension FleetEngineState {
    /// Takes a router's answer over for the vehicles for which the straight line stands in still. Whoever has another way by now keeps that.
    ///
    /// - Parameter route: nil where there is no way: then the straight line stays.
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
