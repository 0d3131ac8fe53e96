public import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import Routing

/// A route that the driver's app has sent, with the remaining distance and time to its end.
struct DeliveryUpload: Equatable, Sendable {
    /// Maximum distance between the end of a route and the stop that it leads to, in metres.
    static let reachMeters = 100.0
    /// Maximum distance from a route at which a position is still drawn on the route, in metres.
    static let snapMeters = 60.0

    /// The encoded polyline as received.
    var text: String
    var line: Polyline
    var endPoint: Coordinate?
    /// The remaining distance from the vehicle to the end of the route, in metres, as received.
    var remainingMeters: Int32?
    /// The arrival time that follows from the reported remaining duration.
    var arrival: Date?

    func leads(to stop: DeliveryStop) -> Bool {
        guard let end = line.coordinates.last else { return false }
        return end.distanceMeters(to: stop.place) <= Self.reachMeters
    }

    func secondsLeft(now: Date) -> Double? { arrival.map { max(0, $0.timeIntervalSince(now)) } }
}

/// A delivery vehicle in the engine.
public struct DeliveryVehicleRecord: Equatable, Sendable {
    /// The vehicle's full name.
    public let name: DeliveryVehicleName
    /// A number that increases with each new vehicle, and defines the order of lists.
    package let serial: UInt64
    /// The stamp of the last write.
    var stamp: ChangeStamp
    var type: DeliveryVehicleType
    var attributes: [DeliveryAttribute]
    /// The last report as received, with defaults for unset fields; nil before the first.
    var location: WireVehicleLocation?
    var navigationStatus = WireNavigationStatus.unknownNavigationStatus
    /// The driver's own route; nil without one.
    var upload: DeliveryUpload?
    var run = DeliveryRun()
    /// The filter for impossible positions. It remembers the last position that it has discarded.
    var jumps = JumpFilter()
    /// The account that created the vehicle; see `EngineAccount`.
    let account: String

    /// The vehicle's position; nil before the first report.
    var position: Coordinate? { location.map { $0.location.coordinate } }

    /// The driver's route; nil if it does not lead to the first stop.
    var guide: DeliveryUpload? {
        guard let upload, let first = run.stops.first, upload.leads(to: first) else { return nil }
        return upload
    }

    /// The total number of points in this vehicle's routes.
    var routePoints: Int { run.pointCount + (upload?.line.coordinates.count ?? 0) }

    /// The route requests that a router has not answered yet, in driving order.
    package var missingWays: [Way] { run.missingWays }

    /// Replaces the list of stops.
    mutating func setStops(_ stops: [DeliveryStop], _ straightLine: StraightLineRouter, now: Date) {
        let reported = stops.first.flatMap { first in upload.flatMap { $0.leads(to: first) ? $0.secondsLeft(now: now) : nil } }
        run.setStops(stops, from: position, reportedSeconds: reported, straightLine: straightLine, now: now)
    }

    /// Applies a checked position, unless the vehicle cannot have reached it.
    /// - Returns: whether the position was dropped.
    mutating func take(_ report: WireVehicleLocation, judgesJumps: Bool, _ straightLine: StraightLineRouter, now: Date) -> Bool {
        if judgesJumps, let location, jumps.discards(report, after: location) { return true }
        location = report
        run.follow(report, isGuided: guide != nil, straightLine: straightLine, now: now)
        return false
    }
}
