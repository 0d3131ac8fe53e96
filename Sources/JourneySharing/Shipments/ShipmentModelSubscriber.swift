public import FleetEngine
public import FoundationEssentials
public import Geo

/// Hears what changes in a shipment. Every method has an empty default.
///
/// For one answer of the server, and always in this order: `didRecoverAfterSeconds` if failures came before; `shipmentModelDidReplace` if
/// another task stands behind the tracking id; the specific callbacks in the order of their declaration, each only if its part changed;
/// `shipmentModel(_:didUpdate:updatedFields:)` last, if anything changed at all. After the answer that ends a shipment comes
/// `didUpdateModelState`. `didTell` comes before the others that report the same fact. Models hold their subscribers weakly.
@MainActor
public protocol ShipmentModelSubscriber: AnyObject {
    /// Every update, as in ``ShipmentModel/updates``: an answer that changed nothing included.
    func shipmentModel(_ model: ShipmentModel, didTell update: ShipmentUpdate)
    /// Another task stands behind the tracking id: nothing told before counts any more, and everything is told anew.
    func shipmentModelDidReplace(_ model: ShipmentModel)
    /// The task has another state.
    func shipmentModel(_ model: ShipmentModel, didUpdateState state: DeliveryTaskState)
    /// How it ended; nil before that.
    func shipmentModel(_ model: ShipmentModel, didUpdateOutcome outcome: DeliveryTaskOutcome?)
    /// When it ended; nil when that is not known.
    func shipmentModel(_ model: ShipmentModel, didUpdateOutcomeTime time: Date?)
    /// Where the parcel is to be handed over; nil when that is not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdatePlannedLocation location: Coordinate?)
    /// When that is planned; nil without a plan.
    func shipmentModel(_ model: ShipmentModel, didUpdateTargetTimeWindow window: TimeWindow?)
    /// The provider's own values.
    func shipmentModel(_ model: ShipmentModel, didUpdateAttributes attributes: [DeliveryAttribute])
    /// The vehicle's last report; nil when it is not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateVehicleLocation location: VehicleLocation?)
    /// The way to the shipment's stop; nil when it is not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateRoute route: Polyline?)
    /// The stops that remain, the shipment's own included; nil when that is not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateRemainingStopCount count: Int?)
    /// Metres to the shipment's stop; nil when that is not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateRemainingDistance meters: Double?)
    /// The arrival at the shipment's stop; nil when it is not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateEstimatedArrivalTime time: Date?)
    /// When the task there is done; nil when that is not shared.
    func shipmentModel(_ model: ShipmentModel, didUpdateEstimatedCompletionTime time: Date?)
    /// The whole shipment, and which parts of it changed.
    func shipmentModel(_ model: ShipmentModel, didUpdate shipment: TaskTrackingInfo, updatedFields fields: ShipmentFields)
    /// One failed poll. Polling goes on after failures of every class.
    func shipmentModel(_ model: ShipmentModel, didFailUpdate failure: PollFailure)
    /// The first good answer after failures.
    func shipmentModel(_ model: ShipmentModel, didRecoverAfterSeconds seconds: Double)
    /// The model has begun to ask the server, or has stopped.
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

/// The same facts as values, for programs that would rather read a sequence.
public struct ShipmentUpdate: Hashable, Sendable {
    /// What has happened.
    public enum Kind: Hashable, Sendable {
        /// Another task stands behind the tracking id. The answer that shows it comes next, with all its fields as changed.
        case replaced
        /// An answer of the server. The fields are empty when nothing changed.
        case shipment(TaskTrackingInfo, changed: ShipmentFields)
        /// One failed poll, as in `didFailUpdate`.
        case failure(PollFailure)
        /// The first good answer after failures; the time counts from the first of them, seconds. The answer itself comes next.
        case recovered(afterSeconds: Double)
        /// The model has begun to ask the server, or has stopped.
        case state(TripModelState)
        /// There is an outcome, or the shipment was closed without one for 60 s; `.state(.inactive)` alone follows.
        case ended(TaskTrackingInfo)
    }

    /// The shipment that it is about.
    public let name: TaskTrackingName
    /// On the model's clock.
    public let time: Date
    /// What has happened.
    public let kind: Kind

    /// An update as a model makes it; for programs that feed a tracker from elsewhere, and for tests.
    public init(name: TaskTrackingName, time: Date, kind: Kind) {
        self.name = name
        self.time = time
        self.kind = kind
    }
}
