import FleetEngineAPI
import FleetEngineWire
import Geo
import Routing

/// The path to a stop, from the vehicle or from the previous stop.
///
/// The contents are immutable and on the heap, so that copies are cheap: each position report copies the vehicle's record.
struct StopPath: Equatable, Sendable {
    private final class Contents: Sendable {
        let route: RouteLine
        let encoded: String
        let lengthMeters: Double
        let durationSeconds: Double
        let planner: String?
        let traffic: WireConsumableTrafficPolyline

        init(_ route: RouteLine, encoded: String, lengthMeters: Double, durationSeconds: Double, planner: String?) {
            self.route = route
            self.encoded = encoded
            self.lengthMeters = lengthMeters
            self.durationSeconds = durationSeconds
            self.planner = planner
            traffic = WireConsumableTrafficPolyline(route, encoded: encoded)
        }
    }

    private var contents: Contents

    /// The line with its traffic, which is normal by default. The speed is uniform if the line has no times.
    var route: RouteLine { contents.route }
    /// The path as S2-encoded text. An uploaded route keeps the text that the driver sent.
    var encoded: String { contents.encoded }
    var lengthMeters: Double { contents.lengthMeters }
    var durationSeconds: Double { contents.durationSeconds }
    /// The router's name; nil for an uploaded route.
    var planner: String? { contents.planner }
    /// The traffic of `route`, as consumers receive it.
    var traffic: WireConsumableTrafficPolyline { contents.traffic }

    /// Creates a path from a router's leg. Its traffic is normal, because the vehicle drives at the router's speed.
    init(planned leg: RouterLeg, by planner: String) {
        let line = Polyline(leg.path)
        let route = RouteLine(line, slower: [], times: Timetable(line, cumulativeSeconds: leg.cumulativeSeconds))
        self.init(
            kept: route, encoded: nil, lengthMeters: leg.distanceMeters ?? route.lengthMeters, durationSeconds: leg.durationSeconds,
            planner: planner)
    }

    /// - Parameter durationSeconds: the driving time that the driver reported; nil to compute the time from the usual speed in towns.
    init(uploaded points: [Coordinate], encoded: String, durationSeconds: Double?, stretches: [TrafficStretch]) {
        let route = RouteLine(Polyline(points), slower: stretches)
        let seconds = durationSeconds ?? route.lengthMeters / StraightLineRouter.townSpeedMetersPerSecond
        self.init(kept: route, encoded: encoded, lengthMeters: route.lengthMeters, durationSeconds: seconds, planner: nil)
    }

    /// Restores a stored path.
    /// - Parameters:
    ///   - encoded: the text of an uploaded path; nil to compute the text of a planned path.
    ///   - planner: the router's name; nil for an uploaded path.
    init(
        kept route: RouteLine, encoded: String?, lengthMeters: Double, durationSeconds: Double, planner: String?
    ) {
        contents = Contents(
            route, encoded: encoded ?? S2Polyline.encode(route.coordinates), lengthMeters: lengthMeters, durationSeconds: durationSeconds,
            planner: planner)
    }

    static func == (left: StopPath, right: StopPath) -> Bool {
        let (one, other) = (left.contents, right.contents)
        return one === other
            || one.route == other.route && one.encoded == other.encoded && one.lengthMeters == other.lengthMeters
                && one.durationSeconds == other.durationSeconds && one.planner == other.planner && one.traffic == other.traffic
    }

    var line: Polyline { route.line }

    var pointCount: Int { line.coordinates.count }

    var points: [WireLatLng] { line.coordinates.map { WireLatLng($0) } }

    /// Returns the distance in metres and the time in seconds from a place on the line to the line's end.
    func rest(from place: Polyline.Projection) -> (meters: Double, seconds: Double) {
        let length = line.lengthMeters
        let share = length > 0 ? min(max(1 - place.alongMeters / length, 0), 1) : 0
        guard let times = route.times else { return (lengthMeters * share, durationSeconds * share) }
        return (lengthMeters * share, max(0, durationSeconds - times.seconds(atMeters: place.alongMeters)))
    }

    /// Scales the path's length so that the part ahead of a place is as long as the driver's remaining distance. The line alone is inexact,
    /// because its points are rounded. Ignores a distance that differs from the length of that part by more than 20 m and more than 2 %,
    /// because it belongs to another part of the route.
    mutating func fitLength(restMeters: Double, from place: Coordinate) {
        guard let along = line.nearest(to: place)?.alongMeters else { return }
        let ahead = line.lengthMeters - along
        guard ahead > 0, abs(restMeters - ahead) <= max(20, ahead / 50) else { return }
        self = StopPath(
            kept: route, encoded: encoded, lengthMeters: line.lengthMeters * (restMeters / ahead), durationSeconds: durationSeconds,
            planner: planner)
    }

    mutating func setTraffic(_ stretches: [TrafficStretch]) {
        self = StopPath(
            kept: RouteLine(line, slower: stretches, times: route.times), encoded: encoded, lengthMeters: lengthMeters,
            durationSeconds: durationSeconds, planner: planner)
    }
}

extension RouterLeg {
    /// Seconds to each point of the path, scaled to the total duration; empty if the router gave no times.
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
