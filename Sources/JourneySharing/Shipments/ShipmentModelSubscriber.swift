public import FleetEngine
public import FoundationEssentials
public import Geo

/// Receives the changes of a shipment. Every method has an empty default.
///
/// For each answer of the server, the callbacks come in this order:
/// - `didRecoverAfterSeconds`, if failures came before.
/// - `shipmentModelDidReplace`, if the tracking id now belongs to another task.
/// - The specific callbacks in the order of their declaration, each only if its part of the shipment changed.
/// - `shipmentModel(_:didUpdate:updatedFields:)`, if anything changed at all.
/// - `didUpdateModelState`, after the answer that ends a shipment.
///
/// One answer can cause several updates. Each update is passed to `didTell` first, and then to its own callbacks from this list, if it has
/// any. Models hold their subscribers weakly.
@MainActor
public protocol ShipmentModelSubscriber: AnyObject {
    /// Every update, as in ``ShipmentModel/updates``, including updates without any change.
    func shipmentModel(_ model: ShipmentModel, didTell update: ShipmentUpdate)
    /// The tracking id now belongs to another task. Earlier reports are no longer valid, and all values that are set are reported again.
    func shipmentModelDidReplace(_ model: ShipmentModel)
    /// The task's new state.
    func shipmentModel(_ model: ShipmentModel, didUpdateState state: DeliveryTaskState)
    /// Outcome of the task; nil before its end.
    func shipmentModel(_ model: ShipmentModel, didUpdateOutcome outcome: DeliveryTaskOutcome?)
    /// Time of the outcome; nil if unknown.
    func shipmentModel(_ model: ShipmentModel, didUpdateOutcomeTime time: Date?)
    /// Planned location of the delivery; nil if not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdatePlannedLocation location: Coordinate?)
    /// Planned time of the delivery; nil without a plan.
    func shipmentModel(_ model: ShipmentModel, didUpdateTargetTimeWindow window: TimeWindow?)
    /// Attributes that the provider has set.
    func shipmentModel(_ model: ShipmentModel, didUpdateAttributes attributes: [DeliveryAttribute])
    /// Last report of the vehicle; nil if not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateVehicleLocation location: VehicleLocation?)
    /// Route to the shipment's stop; nil if not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateRoute route: Polyline?)
    /// Number of remaining stops, including the shipment's own stop; nil if not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateRemainingStopCount count: Int?)
    /// Metres to the shipment's stop; nil if not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateRemainingDistance meters: Double?)
    /// Arrival time at the shipment's stop; nil if not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateEstimatedArrivalTime time: Date?)
    /// Completion time of the task at the stop; nil if not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateEstimatedCompletionTime time: Date?)
    /// The whole shipment, and its changed parts.
    func shipmentModel(_ model: ShipmentModel, didUpdate shipment: TaskTrackingInfo, updatedFields fields: ShipmentFields)
    /// A failed poll. Polling continues after failures of every class.
    func shipmentModel(_ model: ShipmentModel, didFailUpdate failure: PollFailure)
    /// Polling works again: the first answer after failures has arrived. `seconds` is the time since the first failure.
    func shipmentModel(_ model: ShipmentModel, didRecoverAfterSeconds seconds: Double)
    /// The model has started or stopped polling.
    func shipmentModel(_ model: ShipmentModel, didUpdateModelState state: TripModelState)
}

extension ShipmentModelSubscriber {
    public func shipmentModel(_ model: ShipmentModel, didTell update: ShipmentUpdate) {}
    public func shipmentModelDidReplace(_ model: ShipmentModel) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateState state: DeliveryTaskState) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateOutcome outcome: DeliveryTaskOutcome?) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateOutcomeTime time: Date?) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdatePlannedLocation location: Coordinate?) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateTargetTimeWindow window: TimeWindow?) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateAttributes attributes: [DeliveryAttribute]) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateVehicleLocation location: VehicleLocation?) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateRoute route: Polyline?) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateRemainingStopCount count: Int?) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateRemainingDistance meters: Double?) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateEstimatedArrivalTime time: Date?) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateEstimatedCompletionTime time: Date?) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdate shipment: TaskTrackingInfo, updatedFields fields: ShipmentFields) {}
    public func shipmentModel(_ model: ShipmentModel, didFailUpdate failure: PollFailure) {}
    public func shipmentModel(_ model: ShipmentModel, didRecoverAfterSeconds seconds: Double) {}
    public func shipmentModel(_ model: ShipmentModel, didUpdateModelState state: TripModelState) {}
}

/// An update of a shipment as a value, for programs that read a sequence instead of implementing callbacks.
public struct ShipmentUpdate: Hashable, Sendable {
    /// Kind of the update.
    public enum Kind: Hashable, Sendable {
        /// The tracking id now belongs to another task. The server's answer follows as the next update, in which every field with a value
        /// counts as changed.
        case replaced
        /// An answer of the server. The fields are empty if nothing changed.
        case shipment(TaskTrackingInfo, changed: ShipmentFields)
        /// A failed poll, as in `didFailUpdate`.
        case failure(PollFailure)
        /// The server has answered again after failures. The value is the time since the first failure, in seconds. The answer follows as
        /// the next update, or after `replaced`.
        case recovered(afterSeconds: Double)
        /// The model has started or stopped polling.
        case state(TripModelState)
        /// The shipment has an outcome, or has been closed without one for 60 s. Only `.state(.inactive)` follows.
        case ended(TaskTrackingInfo)
    }

    /// Tracking name of the shipment.
    public let name: TaskTrackingName
    /// Time of the update, on the model's clock.
    public let time: Date
    /// Kind of the update.
    public let kind: Kind

    /// Creates an update, for programs that fill a tracker with data from another source, and for tests.
    public init(name: TaskTrackingName, time: Date, kind: Kind) {
        self.name = name
        self.time = time
        self.kind = kind
    }
}
