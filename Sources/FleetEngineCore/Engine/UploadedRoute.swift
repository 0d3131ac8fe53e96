import FleetEngineAPI
import FleetEngineWire
import Geo

/// A route from the driver, with the vehicle's stops on it.
struct UploadedRoute: Equatable, Sendable {
    /// Maximum distance between a route and a stop that it passes or ends at, in metres.
    static let reachMeters = 50.0
    /// Maximum distance between the driver's end point and the intermediate stop that the end point names, in metres.
    private static let sameStopMeters = 150.0
    /// Maximum number of stops before the route's last stop. It limits the search, which looks at the route once per stop.
    private static let stopsOnTheWay = 25

    var leg: StopPath
    /// The route's end point as the driver sent it; nil if the driver sent none.
    let endPoint: WireTripWaypoint?
    /// The distances along the route to its stops, in metres and in order. The last one is the length of the route. Empty if the
    /// route does not end at a stop, or misses an earlier stop.
    private(set) var stopMeters: [Double] = []

    init(leg: StopPath, endPoint: WireTripWaypoint?) {
        self.leg = leg
        self.endPoint = endPoint
    }

    /// Whether the driver's remaining distance and time apply to the vehicle's stops.
    var leadsToStops: Bool { !stopMeters.isEmpty }

    /// The index of the stop at the route's end; nil if the route does not lead to the stops.
    var lastStopIndex: Int? { leadsToStops ? stopMeters.count - 1 : nil }

    /// Finds the stops on the route, after a change to the list of stops.
    mutating func find(_ stops: [Stop]) {
        stopMeters = metersAlong(to: stops) ?? []
    }

    private func metersAlong(to stops: [Stop]) -> [Double]? {
        guard let last = stops.prefix(Self.stopsOnTheWay + 1).firstIndex(where: endsAt) else { return nil }
        var along: [Double] = []
        for stop in stops[..<last] {
            let start = along.last ?? 0
            guard let place = leg.line.nearest(to: stop.coordinate, alongMeters: start...max(start, leg.line.lengthMeters)),
                place.distanceMeters <= Self.reachMeters
            else { return nil }
            along.append(place.alongMeters)
        }
        return along + [leg.line.lengthMeters]
    }

    /// Whether the route ends at a stop. If the driver's end point names a trip, the stop must have this trip and type. An intermediate
    /// stop must also be within `sameStopMeters` of the end point, if that has a place. Without a trip, the stop must be within
    /// `reachMeters` of the end of the line or of the end point.
    private func endsAt(_ stop: Stop) -> Bool {
        if let endPoint, !endPoint.tripID.isEmpty {
            guard endPoint.tripID == stop.tripID, endPoint.waypointType == stop.waypointType else { return false }
            guard case .intermediate = stop.kind, endPoint.hasLocation, endPoint.location.hasPoint else { return true }
            return endPoint.location.point.coordinate.distanceMeters(to: stop.coordinate) <= Self.sameStopMeters
        }
        var ends = [leg.line.coordinates.last].compactMap { $0 }
        if let endPoint, endPoint.hasLocation, endPoint.location.hasPoint { ends.append(endPoint.location.point.coordinate) }
        return ends.contains { $0.distanceMeters(to: stop.coordinate) <= Self.reachMeters }
    }
}
