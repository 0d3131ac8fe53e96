public import FoundationEssentials
public import Geo

/// The vehicle's route to a task. The server shows it to the provider while the task is open and assigned to a vehicle.
public struct TaskJourneySharing: Hashable, Sendable {
    /// The stops up to and including the task's own stop; some may belong to other tasks.
    public var remainingSegments: [VehicleJourneySegment]
    /// The vehicle's last report; nil before the first.
    public var lastLocation: VehicleLocation?
    /// Whether the last report can be drawn on the route; false if there is no report or no route.
    public var isLastLocationSnappable: Bool

    /// Creates a route; all its details are optional.
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
    /// The task's full name, as in the request.
    public var name: TaskName
    /// The kind of the task.
    public var type: DeliveryTaskType
    /// Whether the task is still to be done.
    public var state: DeliveryTaskState
    /// The id with which a consumer follows the task; nil for a task that is not a shipment.
    public var trackingID: String?
    /// Bare id of the vehicle; nil while no vehicle is assigned. A closed task keeps it.
    public var vehicleID: String?
    /// The planned location of the task; nil for an `unavailable` task without a place.
    public var plannedLocation: Coordinate?
    /// Seconds that the task takes at its stop, at least 0.
    public var durationSeconds: Double?
    /// The vehicle's route to the task; nil for an unassigned or closed task.
    public var journeySharing: TaskJourneySharing?
    /// The outcome of the task; nil while there is no outcome.
    public var outcome: DeliveryTaskOutcome?
    /// The time of the outcome, as the provider reports it.
    public var outcomeTime: Date?
    /// The place where the outcome happened, from the provider or from the last position of the vehicle.
    public var outcomeLocation: Coordinate?
    /// The source of `outcomeLocation`.
    public var outcomeLocationSource: TaskOutcomeLocationSource?
    /// The conditions under which a consumer sees the details of the task; nil if the server's default applies to all of them.
    public var trackingViewConfig: TaskTrackingViewConfig?
    /// The planned time window of the task.
    public var targetTimeWindow: TimeWindow?
    /// The provider's own values, in the provider's order.
    public var attributes: [DeliveryAttribute]

    /// Creates a task; only the name is required.
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
