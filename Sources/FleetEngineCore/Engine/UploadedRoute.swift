import FleetEngineAPI
import FleetEngineWire
import Geo

/// A route that the driver uploaded, and which of the vehicle's stops it leads to.
struct UploadedRoute: Equatable, Sendable {
    /// A route passes a stop, or ends at it, within this, metres.
    static let reachMeters = 50.0
    /// An intermediate destination counts as the one that the driver named within this, metres: a trip may have several.
    private static let sameStopMeters = 150.0
    /// At most this many stops are looked for along a route before the one at its end: the search grows with stops times points.
    private static let stopsOnTheWay = 25

    var leg: StopPath
    /// Where the driver says it ends; nil when he did not say.
    let endPoint: WireTripWaypoint?
    /// Metres along the route at which it reaches the vehicle's stops, from the first one on, in their order. The last figure is the route's
    /// end. Empty where the route leads elsewhere, or past a stop that comes before.
    private(set) var stopMeters: [Double] = []

    init(leg: StopPath, endPoint: WireTripWaypoint?) {
        self.leg = leg
        self.endPoint = endPoint
    }

    /// Whether the driver's figures are those of the vehicle's stops.
    var leadsToStops: Bool { !stopMeters.isEmpty }

    /// The stop at the route's end, by its place among the vehicle's.
    var lastStopIndex: Int? { leadsToStops ? stopMeters.count - 1 : nil }

    /// Finds the stops again after they, or their order, changed.
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

    /// By the stop that the driver named, else by the place where the route ends.
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
