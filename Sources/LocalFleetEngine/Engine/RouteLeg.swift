import FleetEngineAPI
import FleetEngineWire
import Geo
import Routing

/// The path to a stop: from the vehicle to its first one, or from one stop to the next.
struct RouteLeg: Equatable, Sendable {
    /// Traffic is normal where nothing else is said; without times the speed is the same all the way.
    private(set) var route: RouteLine
    /// The S2 form; of an uploaded route the very text that came.
    let encoded: String
    private(set) var lengthMeters: Double
    let durationSeconds: Double
    /// The router's name; nil for what the driver uploaded.
    let planner: String?
    /// The traffic of `route` as a consumer gets it.
    private(set) var traffic: WireConsumableTrafficPolyline

    /// A planned leg is driven at the router's speed, so its traffic is normal throughout.
    init(planned leg: RouterLeg, by planner: String) {
        let line = Polyline(leg.path)
        route = RouteLine(line, slower: [], times: Timetable(line, cumulativeSeconds: leg.cumulativeSeconds))
        encoded = S2Polyline.encode(route.coordinates)
        lengthMeters = leg.distanceMeters ?? route.lengthMeters
        durationSeconds = leg.durationSeconds
        self.planner = planner
        traffic = WireConsumableTrafficPolyline(route, encoded: encoded)
    }

    /// - Parameter durationSeconds: what the driver says it takes; nil leaves the town speed.
    init(uploaded points: [Coordinate], encoded: String, durationSeconds: Double?, stretches: [TrafficStretch]) {
        route = RouteLine(Polyline(points), slower: stretches)
        self.encoded = encoded
        lengthMeters = route.lengthMeters
        self.durationSeconds = durationSeconds ?? lengthMeters / StraightLineRouter.townSpeedMetersPerSecond
        planner = nil
        traffic = WireConsumableTrafficPolyline(route, encoded: encoded)
    }

    /// A path that was stored.
    /// - Parameters:
    ///   - encoded: the text of an uploaded one; nil for a planned one, for which it is worked out.
    ///   - planner: nil for an uploaded one.
    init(
        kept route: RouteLine, encoded: String?, lengthMeters: Double, durationSeconds: Double, planner: String?
    ) {
        self.route = route
        self.encoded = encoded ?? S2Polyline.encode(route.coordinates)
        self.lengthMeters = lengthMeters
        self.durationSeconds = durationSeconds
        self.planner = planner
        traffic = WireConsumableTrafficPolyline(route, encoded: self.encoded)
    }

    var line: Polyline { route.line }

    var pointCount: Int { line.coordinates.count }

    var points: [WireLatLng] { line.coordinates.map { WireLatLng($0) } }

    /// Metres and seconds from a place on the line to its end.
    func rest(from place: Polyline.Projection) -> (meters: Double, seconds: Double) {
        let length = line.lengthMeters
        let share = length > 0 ? min(max(1 - place.alongMeters / length, 0), 1) : 0
        guard let times = route.times else { return (lengthMeters * share, durationSeconds * share) }
        return (lengthMeters * share, max(0, durationSeconds - times.seconds(atMeters: place.alongMeters)))
    }

    /// Takes over how long the road is by what the driver says is left of it: the line's rounded points miss it by a little. What fits the line
    /// badly is for another part of the way.
    mutating func fitLength(restMeters: Double, from place: Coordinate) {
        guard let along = line.nearest(to: place)?.alongMeters else { return }
        let ahead = line.lengthMeters - along
        guard ahead > 0, abs(restMeters - ahead) <= max(20, ahead / 50) else { return }
        lengthMeters = line.lengthMeters * (restMeters / ahead)
    }

    mutating func setTraffic(_ stretches: [TrafficStretch]) {
        route = RouteLine(line, slower: stretches, times: route.times)
        traffic = WireConsumableTrafficPolyline(route, encoded: encoded)
    }
}

extension RouterLeg {
    /// Seconds to each place of the path, fitted to the whole duration; empty where the router told no times.
    fileprivate var cumulativeSeconds: [Double] {
        let sum = segmentSeconds.reduce(0, +)
        guard sum > 0 else { return [] }
        var passed = 0.0
        let later = segmentSeconds.map { seconds in
            passed += seconds
            return durationSeconds * (passed / sum)
        }
        return [0] + later
    }
}
