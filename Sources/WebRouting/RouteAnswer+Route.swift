import BoundedJSON
import FleetEngine
import FoundationEssentials
import Geo
package import Routing

extension RouteAnswer {
    /// Reads an answer with status 200.
    /// - Throws: `WebRoutingError` if the answer has no route for the request.
    package static func route(
        _ body: [UInt8], for request: RouteRequest, planner: String
    ) throws(WebRoutingError) -> PlannedRoute {
        let answer = try read(body)
        guard answer.code == "Ok", let route = answer.routes?.first else { throw .noWay(ForeignText.line(answer.said)) }
        try answer.checkPlaces(request)
        guard route.legs.count == request.destinations.count else {
            throw .notUnderstood("the number of its legs is \(route.legs.count) instead of \(request.destinations.count)")
        }
        let paths = try route.paths()
        var legs: [RouterLeg] = []
        for ((leg, path), destination) in zip(zip(route.legs, paths), request.destinations) {
            legs.append(leg.leg(along: path, to: destination))
        }
        try checkEnds(legs, request)
        do throws(RouteError) {
            return try PlannedRoute(planner: planner, legs: legs)
        } catch .tooManyCoordinates {
            throw .tooLarge
        } catch {
            throw .notUnderstood("\(error)")
        }
    }

    /// Returns the error for an answer with a status other than 200.
    package static func refusal(status: Int, _ body: [UInt8], askedSeconds: Double? = nil) -> WebRoutingError {
        guard let answer = try? read(body) else { return .refused(status: status, "", askedSeconds: askedSeconds) }
        let said = ForeignText.line(answer.said)
        // These codes mean that the router's URL, not the coordinates, is wrong.
        let isForeign = ["InvalidUrl", "InvalidService", "InvalidVersion", "InvalidQuery", "InvalidOptions"].contains(answer.code ?? "")
        return status == 400 && !isForeign ? .noWay(said) : .refused(status: status, said, askedSeconds: askedSeconds)
    }

    private static func read(_ body: [UInt8]) throws(WebRoutingError) -> RouteAnswer {
        do {
            return try JSONDecoder().decodeBounded(RouteAnswer.self, from: Data(body), maximumValues: WebRouter.maximumValueCount)
        } catch is TooManyJSONValues {
            throw .tooLarge
        } catch {
            throw .notUnderstood("it is not JSON in OSRM's format")
        }
    }

    /// Throws if the router's road for a requested coordinate is farther away than ``WebRouter/reachMeters``. Outside its map, a router
    /// uses the nearest road, however far.
    private func checkPlaces(_ request: RouteRequest) throws(WebRoutingError) {
        let asked = [request.origin] + request.destinations.map(\.coordinate)
        for (place, waypoint) in zip(asked, waypoints ?? []) {
            guard let location = waypoint.location, location.count == 2 else { continue }
            try Self.check(Coordinate(latitude: location[1], longitude: location[0]), isNear: place)
        }
    }

    private static func checkEnds(_ legs: [RouterLeg], _ request: RouteRequest) throws(WebRoutingError) {
        if let start = legs.first?.path.first { try check(start, isNear: request.origin) }
        for leg in legs {
            if let end = leg.path.last { try check(end, isNear: leg.destination.coordinate) }
        }
    }

    private static func check(_ found: Coordinate, isNear place: Coordinate) throws(WebRoutingError) {
        guard found.isValid else { throw .notUnderstood("a coordinate is out of range") }
        let meters = found.distanceMeters(to: place)
        guard meters <= WebRouter.reachMeters else { throw .tooFar(from: place, meters: meters) }
    }
}

extension RouteAnswer.Route {
    /// Returns the path of each leg. A single leg gets the whole line of the route. Several legs divide the line: each gets as many
    /// segments as it has annotations. If a leg has no annotations, or the numbers do not match the line, each path is made from the leg's
    /// steps: their lines are joined.
    fileprivate func paths() throws(WebRoutingError) -> [[Coordinate]] {
        let line = try geometry.map { text throws(WebRoutingError) in try Self.decode(text) } ?? []
        if legs.count == 1, line.count > 1 { return [line] }
        let counts = legs.map { $0.annotation?.segmentCount ?? 0 }
        if !counts.contains(0), counts.reduce(0, +) == line.count - 1 {
            var start = 0
            return counts.map { count in
                defer { start += count }
                return Array(line[start...start + count])
            }
        }
        var paths: [[Coordinate]] = []
        for leg in legs {
            var path: [Coordinate] = []
            for step in leg.steps ?? [] {
                path += try Self.decode(step.geometry ?? "")
                guard path.count <= PlannedRoute.maximumCoordinates else { throw .tooLarge }
            }
            guard !path.isEmpty else { throw .notUnderstood("a leg has no geometry") }
            paths.append(path)
        }
        return paths
    }

    private static func decode(_ text: String) throws(WebRoutingError) -> [Coordinate] {
        do throws(PolylineError) {
            return try EncodedPolyline.decode(text, precision: .six, maximumCount: PlannedRoute.maximumCoordinates)
        } catch {
            if case .tooManyPoints = error { throw .tooLarge }
            throw .notUnderstood("its geometry cannot be decoded")
        }
    }
}

extension RouteAnswer.Annotation {
    fileprivate var segmentCount: Int { duration?.count ?? distance?.count ?? 0 }
}
