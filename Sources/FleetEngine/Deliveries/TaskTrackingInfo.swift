public import FoundationEssentials
public import Geo

/// A shipment as a consumer sees it in one answer of the server. A detail that the server does not share is nil.
public struct TaskTrackingInfo: Hashable, Sendable {
    /// The full name, as in the request; its last part is the tracking id.
    public var name: TaskTrackingName
    /// Whether the shipment's task is still to be done; `unknown` may mean that the shipment does not exist.
    public var state: DeliveryTaskState
    /// The outcome of the task; nil while there is no outcome. An open task may already have an outcome.
    public var outcome: DeliveryTaskOutcome?
    /// The time of the outcome, as the provider reports it.
    public var outcomeTime: Date?
    /// The planned location of the handover.
    public var plannedLocation: Coordinate?
    /// The planned time window of the handover.
    public var targetTimeWindow: TimeWindow?
    /// The provider's own values, in the provider's order.
    public var attributes: [DeliveryAttribute]
    /// The vehicle's last position report; nil when it is not shared.
    public var vehicleLocation: VehicleLocation?
    /// The route from the vehicle to the shipment's stop, through the stops before it; nil when it is not shared.
    public var route: Polyline?
    /// The number of stops that remain, at least 0. The shipment's own stop counts, so 1 means that it is the next stop.
    public var remainingStopCount: Int?
    /// Metres that the vehicle still has to drive to the shipment's stop, at least 0.
    public var remainingDistanceMeters: Double?
    /// The time at which the server expects the vehicle to reach the shipment's stop.
    public var estimatedArrivalTime: Date?
    /// The time at which the server expects the task at the shipment's stop to be done.
    public var estimatedCompletionTime: Date?

    /// Creates a shipment; only the name is required.
    public init(
        name: TaskTrackingName, state: DeliveryTaskState = .unknown, outcome: DeliveryTaskOutcome? = nil, outcomeTime: Date? = nil,
        plannedLocation: Coordinate? = nil, targetTimeWindow: TimeWindow? = nil, attributes: [DeliveryAttribute] = [],
        vehicleLocation: VehicleLocation? = nil, route: Polyline? = nil, remainingStopCount: Int? = nil,
        remainingDistanceMeters: Double? = nil, estimatedArrivalTime: Date? = nil, estimatedCompletionTime: Date? = nil
    ) {
        self.name = name
        self.state = state
        self.outcome = outcome
        self.outcomeTime = outcomeTime
        self.plannedLocation = plannedLocation
        self.targetTimeWindow = targetTimeWindow
        self.attributes = attributes
        self.vehicleLocation = vehicleLocation
        self.route = route
        self.remainingStopCount = remainingStopCount
        self.remainingDistanceMeters = remainingDistanceMeters
        self.estimatedArrivalTime = estimatedArrivalTime
        self.estimatedCompletionTime = estimatedCompletionTime
    }
}
