public import FleetEngine
public import FleetEngineAPI
import FoundationEssentials
public import Geo

/// The data of a delivery vehicle at one moment, as an answer shows it.
public struct DeliveryVehicleAnswer: Equatable, Sendable {
    /// The vehicle's full name.
    public let name: DeliveryVehicleName
    /// The type of the vehicle.
    public let type: DeliveryVehicleType
    /// The last report as received; nil before the first.
    public let lastLocation: WireVehicleLocation?
    /// The state of the driver's navigation.
    public let navigationStatus: WireNavigationStatus
    /// The driver's route as received, an encoded polyline; empty without a route.
    public let currentRouteSegment: String
    /// The end point of the driver's route.
    public let currentRouteSegmentEndPoint: Coordinate?
    /// Remaining metres along the driver's route, as received.
    public let remainingDistanceMeters: Int32?
    /// The remaining driving time along the driver's route, in seconds: the last received value minus its age, at least 0.
    public let remainingDurationSeconds: Double?
    /// The remaining stops; empty in a list of vehicles.
    public let segments: [VehicleJourneySegment]
    /// The provider's own attributes.
    public let attributes: [DeliveryAttribute]

    /// - Parameter windows: returns the target time window of a task, or nil if it has none. Without this function, the answer has no stops.
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
