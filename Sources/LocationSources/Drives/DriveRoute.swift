import Geo
import Navigation
import Routing

/// A route in a recording.
struct DriveRoute: Codable {
    /// A manoeuvre on a leg. `offsetMeters` counts from the leg's start. `offsetMeters` and `lengthMeters` are measured along the path, and
    /// then scaled so that the whole path has the leg's `distanceMeters`.
    struct Step: Codable {
        let maneuver: String
        let roadName: String?
        let offsetMeters: Double
        let lengthMeters: Double
    }

    struct Limit: Codable {
        let offsetMeters: Double
        let lengthMeters: Double
        /// The speed limit; nil for a road without a limit.
        let speedMetersPerSecond: Double?
    }

    struct Leg: Codable {
        /// The points of the path, each as its latitude and then its longitude.
        let path: [Double]
        let lat: Double
        let lng: Double
        let title: String
        let distanceMeters: Double
        let durationSeconds: Double
        let segmentSeconds: [Double]
        var freeFlowSeconds: Double?
        var limits: [Limit]?
        var steps: [Step]?
    }

    struct Stretch: Codable {
        let startMeters: Double
        let endMeters: Double
        let speed: String
    }

    let legs: [Leg]
    let traffic: [Stretch]

    init(_ route: NavigationRoute) {
        legs = route.legs.map { Leg($0, of: route) }
        traffic = route.traffic.map { Stretch(startMeters: $0.startMeters, endMeters: $0.endMeters, speed: $0.speed.rawValue) }
    }

    /// The route for a navigator; nil if its data do not describe a route that can be driven.
    var route: NavigationRoute? {
        let stretches = traffic.compactMap { stretch in
            TrafficSpeed(rawValue: stretch.speed).map {
                TrafficStretch(startMeters: stretch.startMeters, endMeters: stretch.endMeters, speed: $0)
            }
        }
        return try? NavigationRoute(legs: legs.map(\.leg), traffic: stretches)
    }
}

extension DriveRoute.Leg {
    init(_ leg: RouteLeg, of route: NavigationRoute) {
        let line = route.line.slice(fromMeters: leg.startMeters, toMeters: leg.endMeters)
        let seconds = line.cumulativeMeters.map { route.seconds(atMeters: leg.startMeters + $0) }
        let scale = leg.lineLengthMeters > 0 ? leg.distanceMeters / leg.lineLengthMeters : 1
        path = line.coordinates.flatMap { [$0.latitude, $0.longitude] }
        (lat, lng) = (leg.destination.coordinate.latitude, leg.destination.coordinate.longitude)
        title = leg.destination.title
        (distanceMeters, durationSeconds) = (leg.distanceMeters, leg.durationSeconds)
        segmentSeconds = zip(seconds, seconds.dropFirst()).map { max(0, $1 - $0) }
        freeFlowSeconds = leg.freeFlowSeconds
        let part = leg.startMeters...max(leg.startMeters, leg.endMeters)
        limits = route.speedLimits.compactMap { stretch in
            let start = part.clamped(stretch.offsetMeters), end = part.clamped(stretch.offsetMeters + stretch.lengthMeters)
            guard start < end, stretch.limit != .unknown else { return nil }
            let speed: Double? = if case .metersPerSecond(let speed) = stretch.limit { speed } else { nil }
            return .init(
                offsetMeters: (start - leg.startMeters) * scale, lengthMeters: (end - start) * scale, speedMetersPerSecond: speed)
        }
        steps = leg.steps.map { step in
            .init(
                maneuver: step.maneuver.rawValue, roadName: step.roadName,
                offsetMeters: max(0, step.offsetMeters - leg.startMeters) * scale,
                lengthMeters: step.lengthMeters * scale)
        }
    }

    /// The leg in the form that routers return. Its data is not checked here.
    var leg: RouterLeg {
        let places = stride(from: 0, to: path.count - 1, by: 2).map { Coordinate(latitude: path[$0], longitude: path[$0 + 1]) }
        return RouterLeg(
            path: places, destination: NavigationWaypoint(title: title, coordinate: Coordinate(latitude: lat, longitude: lng)),
            distanceMeters: distanceMeters, durationSeconds: durationSeconds, segmentSeconds: segmentSeconds,
            freeFlowSeconds: freeFlowSeconds,
            speedLimits: (limits ?? []).map { limit in
                SpeedLimitStretch(
                    offsetMeters: limit.offsetMeters, lengthMeters: limit.lengthMeters,
                    limit: limit.speedMetersPerSecond.map { .metersPerSecond($0) } ?? .unlimited)
            },
            steps: (steps ?? []).map { step in
                RouteStep(
                    maneuver: Maneuver(rawValue: step.maneuver) ?? .unknown, roadName: step.roadName, offsetMeters: step.offsetMeters,
                    lengthMeters: step.lengthMeters)
            })
    }
}

extension ClosedRange<Double> {
    fileprivate func clamped(_ value: Double) -> Double { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
