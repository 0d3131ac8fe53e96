import DemoTown
import Geo
import Navigation

/// The demo town's own road graph as a driver's router; outside the town it says so.
struct DemoTownRouter: RouteProvider {
    let name = "demo town"
    let town: DemoTown

    func route(_ request: RouteRequest) async throws(RouteProviderError) -> NavigationRoute {
        var legs: [RouterLeg] = []
        var from = request.origin
        for destination in request.destinations {
            guard let found = town.roads.route(from: from, to: destination.coordinate) else {
                throw RouteProviderError(
                    "no way through \(town.name) from \(from.latitude),\(from.longitude): a place must be within 300 m of its roads",
                    isRetryable: false)
            }
            legs.append(Self.leg(found, to: destination))
            from = destination.coordinate
        }
        do throws(RouteError) {
            return try NavigationRoute(legs: legs)
        } catch {
            throw RouteProviderError("no way through \(town.name): \(error)", isRetryable: false)
        }
    }

    private static func leg(_ found: RoadRoute, to destination: NavigationWaypoint) -> RouterLeg {
        let seconds = zip(found.cumulativeSeconds, found.cumulativeSeconds.dropFirst()).map { $1 - $0 }
        let steps = found.steps.map {
            RouterStep(streetName: $0.name ?? "", distanceMeters: $0.distanceMeters, durationSeconds: $0.durationSeconds)
        }
        return RouterLeg(
            path: found.polyline.coordinates, destination: destination, durationSeconds: found.durationSeconds, segmentSeconds: seconds,
            steps: steps)
    }
}

/// A way given on the command line: drives along it from the place nearest to the vehicle to the place nearest to each destination.
struct GivenWayRouter: RouteProvider {
    let name = "given route"
    let way: Polyline
    /// Farther from the given way than this a place is reached by the straight line.
    static let reachMeters = 250.0
    static let speedMetersPerSecond = 11.0

    func route(_ request: RouteRequest) async throws(RouteProviderError) -> NavigationRoute {
        var legs: [RouterLeg] = []
        var from = request.origin
        for destination in request.destinations {
            let path = path(from: from, to: destination.coordinate)
            let meters = Polyline(path).cumulativeMeters
            let seconds = zip(meters, meters.dropFirst()).map { ($1 - $0) / Self.speedMetersPerSecond }
            legs.append(
                RouterLeg(path: path, destination: destination, durationSeconds: seconds.reduce(0, +), segmentSeconds: seconds))
            from = destination.coordinate
        }
        do throws(RouteError) {
            return try NavigationRoute(legs: legs)
        } catch {
            throw RouteProviderError("the given route cannot be driven: \(error)", isRetryable: false)
        }
    }

    private func path(from start: Coordinate, to end: Coordinate) -> [Coordinate] {
        guard let first = way.nearest(to: start), let last = way.nearest(to: end), first.distanceMeters < Self.reachMeters,
            last.distanceMeters < Self.reachMeters
        else { return [start, end] }
        let isForward = first.alongMeters <= last.alongMeters
        let part = way.slice(
            fromMeters: min(first.alongMeters, last.alongMeters), toMeters: max(first.alongMeters, last.alongMeters)
        ).coordinates
        return [start] + (isForward ? part : part.reversed()) + [end]
    }
}
