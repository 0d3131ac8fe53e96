import FleetEngineAPI
import Geo

/// The path to a stop: from the vehicle to its first one, or from one stop to the next.
struct RouteLeg: Equatable, Sendable {
    enum Origin: Hashable, Sendable {
        case driver
        case planned(PlannedRoute.Origin)
    }

    let line: Polyline
    /// The S2 form; of an uploaded route the very text that came.
    let encoded: String
    let lengthMeters: Double
    let durationSeconds: Double
    /// Seconds to each point of the line; empty where the speed is the same all the way.
    private let cumulativeSeconds: [Double]
    let origin: Origin
    private(set) var traffic: WireConsumableTrafficPolyline

    /// A planned leg is driven at the planner's speed, so its traffic is normal throughout.
    init(planned route: PlannedRoute) {
        line = Polyline(route.points)
        encoded = S2Polyline.encode(line.coordinates)
        lengthMeters = max(0, route.lengthMeters.isFinite ? route.lengthMeters : line.lengthMeters)
        durationSeconds = max(0, route.durationSeconds.isFinite ? route.durationSeconds : 0)
        cumulativeSeconds = route.cumulativeSeconds.count == line.coordinates.count ? route.cumulativeSeconds : []
        origin = .planned(route.origin)
        traffic = TrafficIntervals.consumable(line: line, encoded: encoded, stretches: [])
    }

    /// - Parameter durationSeconds: what the driver says it takes; nil leaves the town speed.
    init(uploaded points: [Coordinate], encoded: String, durationSeconds: Double?, stretches: [TrafficStretch]) {
        line = Polyline(points)
        self.encoded = encoded
        lengthMeters = line.lengthMeters
        self.durationSeconds = durationSeconds ?? lengthMeters / StraightLineRoutePlanning.townSpeedMetersPerSecond
        cumulativeSeconds = []
        origin = .driver
        traffic = TrafficIntervals.consumable(line: line, encoded: encoded, stretches: stretches)
    }

    var isPlanned: Bool { origin != .driver }

    var pointCount: Int { line.coordinates.count }

    var points: [WireLatLng] { line.coordinates.map { WireLatLng($0) } }

    /// Metres and seconds from a place on the line to its end.
    func rest(from place: Polyline.Projection) -> (meters: Double, seconds: Double) {
        let length = line.lengthMeters
        let share = length > 0 ? min(max(1 - place.alongMeters / length, 0), 1) : 0
        let next = place.segmentIndex + 1
        guard cumulativeSeconds.indices.contains(next), line.cumulativeMeters.indices.contains(next) else {
            return (lengthMeters * share, durationSeconds * share)
        }
        let (start, end) = (line.cumulativeMeters[place.segmentIndex], line.cumulativeMeters[next])
        let fraction = end > start ? min(max((place.alongMeters - start) / (end - start), 0), 1) : 0
        let driven = cumulativeSeconds[place.segmentIndex] * (1 - fraction) + cumulativeSeconds[next] * fraction
        return (lengthMeters * share, max(0, durationSeconds - driven))
    }

    mutating func setTraffic(_ stretches: [TrafficStretch]) {
        traffic = TrafficIntervals.consumable(line: line, encoded: encoded, stretches: stretches)
    }
}
