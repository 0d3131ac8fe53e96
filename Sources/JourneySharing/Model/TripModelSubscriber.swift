public import FleetEngine
public import FoundationEssentials
public import Geo

/// Whether a model polls the server.
public enum TripModelState: Hashable, Sendable {
    /// There are subscribers, and the trip is not over. The model polls, or waits for the next poll.
    case active
    /// There are no subscribers, or the trip is over. The model does not poll.
    case inactive
}

/// Receives the changes of a trip (`GMTCTripModelSubscriber`). Every method has an empty default.
///
/// For each answer of the server, the callbacks come in this order:
/// - `didRecoverAfterSeconds`, if failures came before.
/// - The specific callbacks in the order of their declaration, each only if its part of the trip changed.
/// - `tripModel(_:didUpdate:updatedPropertyFields:)`, if anything but countdowns and versions changed.
/// - `didUpdateModelState`, after the answer that ends a trip.
///
/// One answer can cause several updates. Each update is passed to ``tripModel(_:didTell:)`` first, and then to its own callbacks from this
/// list, if it has any. Each callback goes to all subscribers, in the order of their registration, before the next callback is made. Models
/// hold their subscribers weakly.
@MainActor
public protocol TripModelSubscriber: AnyObject {
    /// Every update, as in ``TripModel/updates``, including updates without any change.
    func tripModel(_ tripModel: TripModel, didTell update: TripUpdate)
    /// The trip's new status.
    func tripModel(_ tripModel: TripModel, didUpdateTripStatus status: TripStatus)
    /// New pickup location; nil if the server no longer has one.
    func tripModel(_ tripModel: TripModel, didUpdatePickupLocation location: Coordinate?)
    /// New drop-off location; nil if the server no longer has one.
    func tripModel(_ tripModel: TripModel, didUpdateDropoffLocation location: Coordinate?)
    /// Stops between pickup and drop-off, in the order of travel.
    func tripModel(_ tripModel: TripModel, didUpdateIntermediateDestinations destinations: [Coordinate])
    /// Last report of the vehicle; nil if the server no longer shares it.
    func tripModel(_ tripModel: TripModel, didUpdateVehicleLocation location: VehicleLocation?)
    /// Path to the vehicle's next stop, with its traffic; nil without a path.
    func tripModel(_ tripModel: TripModel, didUpdateActiveRoute route: RouteLine?)
    /// Metres to the vehicle's next stop.
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteRemainingDistance meters: Double?)
    /// Traffic on the path to the next stop; empty if unknown. Distances are metres from the start of the path.
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteTraffic traffic: [TrafficStretch])
    /// The stops ahead of the vehicle, up to and including this trip's drop-off. They include the stops of other trips.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingWaypoints waypoints: [TripWaypoint])
    /// Path from the next stop to the drop-off, with its traffic; empty if the next stop is the drop-off.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRoute route: RouteLine)
    /// Metres from the next stop to the drop-off.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteDistance meters: Double?)
    /// Traffic on the path from the next stop to the drop-off. Distances are metres from the start of this path.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteTraffic traffic: [TrafficStretch])
    /// Forecast time of the pickup, or the actual time once it has happened; nil if unknown.
    func tripModel(_ tripModel: TripModel, didUpdatePickupETA time: Date?)
    /// Forecast time of the drop-off, or the actual time once it has happened; nil if unknown.
    func tripModel(_ tripModel: TripModel, didUpdateDropoffETA time: Date?)
    /// Arrival time at the vehicle's next stop, which may be another trip's; nil if unknown.
    func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint time: Date?)
    /// The whole trip. The fields are empty if none of the changed parts has a bit in ``TripPropertyFields``.
    func tripModel(_ tripModel: TripModel, didUpdate trip: Trip, updatedPropertyFields fields: TripPropertyFields)
    /// A failed poll. Polling continues after failures of every class.
    func tripModel(_ tripModel: TripModel, didFailUpdateTrip failure: PollFailure)
    /// The first answer after failures, and the seconds since the first failure.
    func tripModel(_ tripModel: TripModel, didRecoverAfterSeconds seconds: Double)
    /// The model has started or stopped polling.
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

/// An update of a trip as a value, for programs that read a sequence instead of implementing callbacks.
public struct TripUpdate: Hashable, Sendable {
    /// Kind of the update.
    public enum Kind: Hashable, Sendable {
        /// An answer of the server, merged into the trip as known so far. The fields are empty when nothing changed.
        case trip(Trip, changed: TripPropertyFields)
        /// A failed poll, as in `didFailUpdateTrip`.
        case failure(PollFailure)
        /// The first answer after failures, with the seconds since the first failure. The answer itself is the next update.
        case recovered(afterSeconds: Double)
        /// The model has started or stopped polling.
        case state(TripModelState)
        /// The trip is COMPLETE or CANCELED. Only `.state(.inactive)` follows.
        case ended(TripStatus)
    }

    /// Name of the trip.
    public let name: TripName
    /// Time of the update, on the model's clock.
    public let time: Date
    /// Kind of the update.
    public let kind: Kind

    /// Creates an update, for programs that fill a tracker with data from another source, and for tests.
    public init(name: TripName, time: Date, kind: Kind) {
        self.name = name
        self.time = time
        self.kind = kind
    }
}
