public import FoundationEssentials
public import Geo

/// The vehicle's way to a task, as the server shows it to the provider while the task is open and on a vehicle.
public struct TaskJourneySharing: Hashable, Sendable {
    /// The stops up to and including the task's own; some are other people's.
    public var remainingSegments: [VehicleJourneySegment]
    /// The vehicle's last report; nil before the first.
    public var lastLocation: VehicleLocation?
    /// Whether the report can be drawn on the way; false without a report or a way.
    public var isLastLocationSnappable: Bool

    /// A way of which nothing is known, unless it is given.
    public init(
        remainingSegments: [VehicleJourneySegment] = [], lastLocation: VehicleLocation? = nil, isLastLocationSnappable: Bool = false
    ) {
        self.remainingSegments = remainingSegments
        self.lastLocation = lastLocation
        self.isLastLocationSnappable = isLastLocationSnappable
    }
}

/// A task of a delivery driver, as one answer of the server shows it.
public struct DeliveryTask: Hashable, Sendable {
    /// The task's full name, as it was asked for.
    public var name: TaskName
    /// What is to be done.
    public var type: DeliveryTaskType
    /// Whether it is still to be done.
    public var state: DeliveryTaskState
    /// The id by which a consumer follows it; nil for a task that is not a shipment.
    public var trackingID: String?
    /// Bare id of the vehicle; nil while none is assigned. It stays on a closed task.
    public var vehicleID: String?
    /// Where the task is to be done; nil if the vehicle is merely unavailable.
    public var plannedLocation: Coordinate?
    /// Seconds that the task takes at its stop, at least 0.
    public var durationSeconds: Double?
    /// The vehicle's way to it; nil for a closed task.
    public var journeySharing: TaskJourneySharing?
    /// How it ended; nil before that.
    public var outcome: DeliveryTaskOutcome?
    /// When it ended, as the provider says.
    public var outcomeTime: Date?
    /// Where it ended.
    public var outcomeLocation: Coordinate?
    /// Where `outcomeLocation` comes from.
    public var outcomeLocationSource: TaskOutcomeLocationSource?
    /// What a consumer sees of it; nil where the server's default holds for all.
    public var trackingViewConfig: TaskTrackingViewConfig?
    /// When it is planned to be done.
    public var targetTimeWindow: TimeWindow?
    /// The provider's own values, in its order.
    public var attributes: [DeliveryAttribute]

    /// A task of which only the name is known, unless more is given.
    public init(
        name: TaskName, type: DeliveryTaskType = .unknown, state: DeliveryTaskState = .unknown, trackingID: String? = nil,
        vehicleID: String? = nil, plannedLocation: Coordinate? = nil, durationSeconds: Double? = nil,
        journeySharing: TaskJourneySharing? = nil, outcome: DeliveryTaskOutcome? = nil, outcomeTime: Date? = nil,
        outcomeLocation: Coordinate? = nil, outcomeLocationSource: TaskOutcomeLocationSource? = nil,
        trackingViewConfig: TaskTrackingViewConfig? = nil, targetTimeWindow: TimeWindow? = nil, attributes: [DeliveryAttribute] = []
    ) {
        self.name = name
        self.type = type
        self.state = state
        self.trackingID = trackingID
        self.vehicleID = vehicleID
        self.plannedLocation = plannedLocation
        self.durationSeconds = durationSeconds
        self.journeySharing = journeySharing
        self.outcome = outcome
        self.outcomeTime = outcomeTime
        self.outcomeLocation = outcomeLocation
        self.outcomeLocationSource = outcomeLocationSource
        self.trackingViewConfig = trackingViewConfig
        self.targetTimeWindow = targetTimeWindow
        self.attributes = attributes
    }
}
