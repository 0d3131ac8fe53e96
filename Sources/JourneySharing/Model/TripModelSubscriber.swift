public import FleetEngine
public import FoundationEssentials
public import Geo

/// Whether a model asks the server.
public enum TripModelState: Hashable, Sendable { case active, inactive }

/// Hears what changes in a trip (`GMTCTripModelSubscriber`). Every method has an empty default.
///
/// For one answer of the server, and always in this order: `didRecoverAfterSeconds` where failures came before; the specific callbacks in
/// the order in which they stand here, each only if its part changed; `tripModel(_:didUpdate:updatedPropertyFields:)` last, if anything
/// changed at all. After the answer that ends a trip comes `didUpdateModelState`. What ``tripModel(_:didTell:)`` has told is told by the
/// others after it. Each callback goes to all subscribers, in the order in which they registered, before the next one. Models hold their
/// subscribers weakly.
@MainActor
public protocol TripModelSubscriber: AnyObject {
    /// Everything that the model tells, as ``TripModel/updates`` has it: an answer that changed nothing too.
    func tripModel(_ tripModel: TripModel, didTell update: TripUpdate)
    func tripModel(_ tripModel: TripModel, didUpdateTripStatus status: TripStatus)
    func tripModel(_ tripModel: TripModel, didUpdatePickupLocation location: Coordinate?)
    func tripModel(_ tripModel: TripModel, didUpdateDropoffLocation location: Coordinate?)
    func tripModel(_ tripModel: TripModel, didUpdateIntermediateDestinations destinations: [Coordinate])
    func tripModel(_ tripModel: TripModel, didUpdateVehicleLocation location: VehicleLocation?)
    func tripModel(_ tripModel: TripModel, didUpdateActiveRoute route: RouteLine?)
    /// Metres to the vehicle's next stop.
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteRemainingDistance meters: Double?)
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteTraffic traffic: [TrafficStretch])
    func tripModel(_ tripModel: TripModel, didUpdateRemainingWaypoints waypoints: [TripWaypoint])
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRoute route: RouteLine)
    /// Metres from the next stop to the drop-off.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteDistance meters: Double?)
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteTraffic traffic: [TrafficStretch])
    func tripModel(_ tripModel: TripModel, didUpdatePickupETA time: Date?)
    func tripModel(_ tripModel: TripModel, didUpdateDropoffETA time: Date?)
    func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint time: Date?)
    /// The whole trip. The fields are empty where only parts changed that have no bit.
    func tripModel(_ tripModel: TripModel, didUpdate trip: Trip, updatedPropertyFields fields: TripPropertyFields)
    /// One failed poll. Polling goes on whatever the class of the failure is.
    func tripModel(_ tripModel: TripModel, didFailUpdateTrip failure: PollFailure)
    /// The first good answer after failures.
    func tripModel(_ tripModel: TripModel, didRecoverAfterSeconds seconds: Double)
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
    public enum Kind: Hashable, Sendable {
        /// An answer of the server, laid over what was known. The fields are empty when nothing changed.
        case trip(Trip, changed: TripPropertyFields)
        case failure(PollFailure)
        case recovered(afterSeconds: Double)
        case state(TripModelState)
        /// COMPLETE or CANCELED; nothing follows.
        case ended(TripStatus)
    }

    public let name: TripName
    /// On the model's clock.
    public let time: Date
    public let kind: Kind

    public init(name: TripName, time: Date, kind: Kind) {
        self.name = name
        self.time = time
        self.kind = kind
    }
}
