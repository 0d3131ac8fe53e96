public import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import Routing

/// The driver's own way to his first stop, with his figures.
struct DeliveryUpload: Equatable, Sendable {
    /// The largest distance between the end of a way and the stop it leads to, metres.
    static let reachMeters = 100.0
    /// The largest distance from a way at which a position is drawn on it, metres.
    static let snapMeters = 60.0

    /// The encoded polyline as it was sent.
    var text: String
    var line: Polyline
    var endPoint: Coordinate?
    /// Metres from the vehicle, as sent.
    var remainingMeters: Int32?
    /// The remaining duration as a moment.
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
    /// A number that rises from vehicle to vehicle. Lists use this order.
    package let serial: UInt64
    /// The stamp of the last write.
    var stamp: ChangeStamp
    var type: DeliveryVehicleType
    var attributes: [DeliveryAttribute]
    /// The last report as received, with its defaults; nil before the first.
    var location: WireVehicleLocation?
    var navigationStatus = WireNavigationStatus.unknownNavigationStatus
    /// Nil without a way.
    var upload: DeliveryUpload?
    var run = DeliveryRun()
    /// The filter with the reports discarded before.
    var jumps = JumpFilter()
    /// The account that made the vehicle; see `EngineAccount`.
    let account: String

    /// The vehicle's place; nil before the first report.
    var position: Coordinate? { location.map { $0.location.coordinate } }

    /// The driver's way, if it leads to the first stop.
    var guide: DeliveryUpload? {
        guard let upload, let first = run.stops.first, upload.leads(to: first) else { return nil }
        return upload
    }

    /// The number of points of all ways of this vehicle.
    var routePoints: Int { run.pointCount + (upload?.line.coordinates.count ?? 0) }

    /// The ways that still use the straight line, in driving order.
    package var missingWays: [Way] { run.missingWays }

    /// Replaces the list of stops.
    mutating func setStops(_ stops: [DeliveryStop], _ straightLine: StraightLineRouter, now: Date) {
        let reported = stops.first.flatMap { first in upload.flatMap { $0.leads(to: first) ? $0.secondsLeft(now: now) : nil } }
        run.setStops(stops, from: position, reportedSeconds: reported, straightLine: straightLine, now: now)
    }

    /// Takes a checked position, unless the vehicle cannot have reached it.
    /// - Returns: whether the position was left out.
    mutating func take(_ report: WireVehicleLocation, judgesJumps: Bool, _ straightLine: StraightLineRouter, now: Date) -> Bool {
        if judgesJumps, let location, jumps.discards(report, after: location) { return true }
        location = report
        run.follow(report, isGuided: guide != nil, straightLine: straightLine, now: now)
        return false
    }
}
