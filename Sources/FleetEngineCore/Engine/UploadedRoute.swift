import FleetEngineAPI
import FleetEngineWire
import Geo

/// A route from the driver, and the vehicle's stops on it.
struct UploadedRoute: Equatable, Sendable {
    /// The largest distance between a route and a stop that it passes or ends at, metres.
    static let reachMeters = 50.0
    /// The largest distance between an intermediate destination and the one that the driver named, metres. A trip can have several.
    private static let sameStopMeters = 150.0
    /// The most stops to look for along a route before its last one. The work grows with stops times points.
    private static let stopsOnTheWay = 25

    var leg: StopPath
    /// The route's end as the driver stated it; nil without a statement.
    let endPoint: WireTripWaypoint?
    /// Metres along the route to each of the vehicle's first stops, in their order. The last figure is the route's end. Empty if the route
    /// leads elsewhere or misses an earlier stop.
    private(set) var stopMeters: [Double] = []

    init(leg: StopPath, endPoint: WireTripWaypoint?) {
        self.leg = leg
        self.endPoint = endPoint
    }

    /// Whether the driver's figures apply to the vehicle's stops.
    var leadsToStops: Bool { !stopMeters.isEmpty }

    /// The index of the stop at the route's end.
    var lastStopIndex: Int? { leadsToStops ? stopMeters.count - 1 : nil }

    /// Finds the stops on the route again after the list of stops has changed.
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

    /// Whether the route ends at a stop, by the stop that the driver named or else by the route's last point.
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
