public import FleetEngine
public import FleetEngineAPI
import FoundationEssentials
public import Geo

/// A delivery vehicle at one moment.
public struct DeliveryVehicleAnswer: Equatable, Sendable {
    /// The vehicle's full name.
    public let name: DeliveryVehicleName
    /// What kind of vehicle it is.
    public let type: DeliveryVehicleType
    /// The last report as received; nil before the first.
    public let lastLocation: WireVehicleLocation?
    /// The driver's navigation.
    public let navigationStatus: WireNavigationStatus
    /// The driver's way, as he sent it; empty without one.
    public let currentRouteSegment: String
    /// The end of the driver's way.
    public let currentRouteSegmentEndPoint: Coordinate?
    /// Metres along the driver's way, as he sent them.
    public let remainingDistanceMeters: Int32?
    /// Seconds along the driver's way, less the time since he sent them; at least 0.
    public let remainingDurationSeconds: Double?
    /// The stops that remain; empty in a list of vehicles.
    public let segments: [VehicleJourneySegment]
    /// The provider's own values.
    public let attributes: [DeliveryAttribute]

    /// - Parameter windows: the target time window of each task; nil leaves the stops out.
    init(_ record: DeliveryVehicleRecord, now: Date, windows: ((String) -> TimeWindow?)?) {
        name = record.name
        type = record.type
        lastLocation = record.location?.forVehicleAnswer
        navigationStatus = record.navigationStatus
        currentRouteSegment = record.upload?.text ?? ""
        currentRouteSegmentEndPoint = record.upload?.endPoint
        remainingDistanceMeters = record.upload?.remainingMeters
        remainingDurationSeconds = record.upload?.secondsLeft(now: now)
        segments = windows.map { record.segments(count: record.run.stops.count, isForTask: false, now: now, windows: $0) } ?? []
        attributes = record.attributes
    }
}
