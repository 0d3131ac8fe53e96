public import FleetEngine
public import FoundationEssentials
public import Geo

/// Whether a model asks the server.
public enum TripModelState: Hashable, Sendable {
    /// There are subscribers and the trip goes on: the model polls, or waits for the next poll.
    case active
    /// There are no subscribers, or the trip is over: nothing is asked.
    case inactive
}

/// Hears what changes in a trip (`GMTCTripModelSubscriber`). Every method has an empty default.
///
/// For one answer of the server, and always in this order: `didRecoverAfterSeconds` if failures came before; the specific callbacks in the
/// order of their declaration, each only if its part changed; `tripModel(_:didUpdate:updatedPropertyFields:)` last, if anything changed at
/// all. After the answer that ends a trip comes `didUpdateModelState`. ``tripModel(_:didTell:)`` comes before the others that report the
/// same fact. Each callback goes to all subscribers, in the order in which they registered, before the next one. Models hold their
/// subscribers weakly.
@MainActor
public protocol TripModelSubscriber: AnyObject {
    /// Every update, as in ``TripModel/updates``: an answer that changed nothing included.
    func tripModel(_ tripModel: TripModel, didTell update: TripUpdate)
    /// The trip has another status.
    func tripModel(_ tripModel: TripModel, didUpdateTripStatus status: TripStatus)
    /// Where the rider gets in; nil when the server has no place any more.
    func tripModel(_ tripModel: TripModel, didUpdatePickupLocation location: Coordinate?)
    /// Where the rider gets out; nil when the server has no place any more.
    func tripModel(_ tripModel: TripModel, didUpdateDropoffLocation location: Coordinate?)
    /// The stops between pick-up and drop-off, in the order of travel.
    func tripModel(_ tripModel: TripModel, didUpdateIntermediateDestinations destinations: [Coordinate])
    /// The vehicle's last report; nil after the server has withdrawn it.
    func tripModel(_ tripModel: TripModel, didUpdateVehicleLocation location: VehicleLocation?)
    /// The path to the vehicle's next stop, with its traffic; nil without a path.
    func tripModel(_ tripModel: TripModel, didUpdateActiveRoute route: RouteLine?)
    /// Metres to the vehicle's next stop.
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteRemainingDistance meters: Double?)
    /// The traffic on the path to the next stop, in metres from its start; empty when nothing is known of it.
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteTraffic traffic: [TrafficStretch])
    /// The stops from the vehicle through this trip's drop-off, stops of other trips included.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingWaypoints waypoints: [TripWaypoint])
    /// The path from the next stop to the drop-off, with its traffic; empty when the next stop is the drop-off.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRoute route: RouteLine)
    /// Metres from the next stop to the drop-off.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteDistance meters: Double?)
    /// The traffic on the path from the next stop to the drop-off, in metres from its start.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteTraffic traffic: [TrafficStretch])
    /// The forecast of the pick-up, and from then on the moment at which it was; nil when unknown.
    func tripModel(_ tripModel: TripModel, didUpdatePickupETA time: Date?)
    /// The forecast of the drop-off, and at last the moment at which it was; nil when unknown.
    func tripModel(_ tripModel: TripModel, didUpdateDropoffETA time: Date?)
    /// When the vehicle reaches its next stop, which may be another trip's; nil when unknown.
    func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint time: Date?)
    /// The whole trip. The fields are empty where only parts changed that have no bit.
    func tripModel(_ tripModel: TripModel, didUpdate trip: Trip, updatedPropertyFields fields: TripPropertyFields)
    /// One failed poll. Polling goes on after failures of every class.
    func tripModel(_ tripModel: TripModel, didFailUpdateTrip failure: PollFailure)
    /// The first good answer after failures.
    func tripModel(_ tripModel: TripModel, didRecoverAfterSeconds seconds: Double)
    /// The model has begun to ask the server, or has stopped.
    func tripModel(_ tripModel: TripModel, didUpdateModelState state: TripModelState)
}

extension TripModelSubscriber {
    public func tripModel(_ tripModel: TripModel, didTell update: TripUpdate) {}
    public func tripModel(_ tripModel: TripModel, didUpdateTripStatus status: TripStatus) {}
    public func tripModel(_ tripModel: TripModel, didUpdatePickupLocation location: Coordinate?) {}
    public func tripModel(_ tripModel: TripModel, didUpdateDropoffLocation location: Coordinate?) {}
    public func tripModel(_ tripModel: TripModel, didUpdateIntermediateDestinations destinations: [Coordinate]) {}
    public func tripModel(_ tripModel: TripModel, didUpdateVehicleLocation location: VehicleLocation?) {}
    public func tripModel(_ tripModel: TripModel, didUpdateActiveRoute route: RouteLine?) {}
    public func tripModel(_ tripModel: TripModel, didUpdateActiveRouteRemainingDistance meters: Double?) {}
    public func tripModel(_ tripModel: TripModel, didUpdateActiveRouteTraffic traffic: [TrafficStretch]) {}
    public func tripModel(_ tripModel: TripModel, didUpdateRemainingWaypoints waypoints: [TripWaypoint]) {}
    public func tripModel(_ tripModel: TripModel, didUpdateRemainingRoute route: RouteLine) {}
    public func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteDistance meters: Double?) {}
    public func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteTraffic traffic: [TrafficStretch]) {}
    public func tripModel(_ tripModel: TripModel, didUpdatePickupETA time: Date?) {}
    public func tripModel(_ tripModel: TripModel, didUpdateDropoffETA time: Date?) {}
    public func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint time: Date?) {}
    public func tripModel(_ tripModel: TripModel, didUpdate trip: Trip, updatedPropertyFields fields: TripPropertyFields) {}
    public func tripModel(_ tripModel: TripModel, didFailUpdateTrip failure: PollFailure) {}
    public func tripModel(_ tripModel: TripModel, didRecoverAfterSeconds seconds: Double) {}
    public func tripModel(_ tripModel: TripModel, didUpdateModelState state: TripModelState) {}
}

/// The same facts as values, for programs that would rather read a sequence.
public struct TripUpdate: Hashable, Sendable {
    /// What has happened.
    public enum Kind: Hashable, Sendable {
        /// An answer of the server, merged into the known trip. The fields are empty when nothing changed.
        case trip(Trip, changed: TripPropertyFields)
        /// One failed poll, as in `didFailUpdateTrip`.
        case failure(PollFailure)
        /// The first good answer after failures; the time counts from the first of them, seconds. The answer itself comes next.
        case recovered(afterSeconds: Double)
        /// The model has begun to ask the server, or has stopped.
        case state(TripModelState)
        /// COMPLETE or CANCELED; `.state(.inactive)` alone follows.
        case ended(TripStatus)
    }

    /// The trip that it is about.
    public let name: TripName
    /// On the model's clock.
    public let time: Date
    /// What has happened.
    public let kind: Kind

    /// An update as a model makes it; for programs that feed a tracker from elsewhere, and for tests.
    public init(name: TripName, time: Date, kind: Kind) {
        self.name = name
        self.time = time
        self.kind = kind
    }
}
