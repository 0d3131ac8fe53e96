import DemoTown
import Geo
import Routing

/// The demo town's own road graph as a router; outside the town it says so.
struct DemoTownRouter: Router {
    let name = "demo town"
    let town: DemoTown

    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        var legs: [RouterLeg] = []
        var from = request.origin
        for destination in request.destinations {
            guard let found = town.roads.route(from: from, to: destination.coordinate) else {
                throw RoutingError(
                    "no way through \(town.name) from \(from.latitude),\(from.longitude): a place must be within 300 m of its roads",
                    isRetryable: false)
            }
            legs.append(Self.leg(found, to: destination))
            from = destination.coordinate
        }
        do throws(RouteError) {
            return try PlannedRoute(planner: name, legs: legs)
        } catch {
            throw RoutingError("no way through \(town.name): \(error)", isRetryable: false)
        }
    }

    private static func leg(_ found: RoadRoute, to destination: NavigationWaypoint) -> RouterLeg {
        let seconds = zip(found.cumulativeSeconds, found.cumulativeSeconds.dropFirst()).map { $1 - $0 }
        var along = 0.0
        let steps = found.steps.map { step in
            defer { along += step.distanceMeters }
            return RouteStep(maneuver: .unknown, roadName: step.name, offsetMeters: along, lengthMeters: step.distanceMeters)
        }
        return RouterLeg(
            path: found.polyline.coordinates, destination: destination, durationSeconds: found.durationSeconds, segmentSeconds: seconds,
            steps: steps)
    }
}
