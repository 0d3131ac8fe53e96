public import FleetEngine
public import Geo

/// A stop of a trip, as a destination of the driver.
public struct TripStop: Hashable, Sendable {
    /// The type of the stop.
    public var type: WaypointType
    /// The position at which the vehicle stops.
    public var coordinate: Coordinate

    /// Creates a stop of one type at one position.
    public init(type: WaypointType, coordinate: Coordinate) {
        self.type = type
        self.coordinate = coordinate
    }
}

/// The driver's next step. It depends only on the trip, so a driver that was restarted continues at the trip's current status.
enum TripStep: Hashable, Sendable {
    /// A change of the trip's status.
    struct Change: Hashable, Sendable {
        var status: TripStatus
        /// The index of the stop to drive to; only for intermediate destinations.
        var intermediateIndex: Int?

        init(_ status: TripStatus, intermediateIndex: Int? = nil) {
            self.status = status
            self.intermediateIndex = intermediateIndex
        }
    }

    case set(Change)
    case drive(to: TripStop, then: Change)
    case dwell(then: Change)
    /// Waiting until the trip changes.
    case wait
    case end(TripOutcome)

    /// Determines the next step for a trip.
    /// - Parameter vehicleID: id of the driver's vehicle.
    init(_ trip: Trip, vehicleID: String) {
        if trip.status == .complete {
            self = .end(.completed)
        } else if trip.status == .canceled {
            self = .end(.canceled)
        } else if let assigned = trip.vehicleID, !assigned.isEmpty {
            self = assigned == vehicleID ? Self.open(trip) : .end(.reassigned)
        } else {
            self = .wait
        }
    }

    private static func open(_ trip: Trip) -> TripStep {
        let index = trip.intermediateDestinationIndex
        switch trip.status {
        case .new: return .set(Change(.enrouteToPickup))
        case .enrouteToPickup: return drive(.pickup, trip.pickupPoint, then: Change(.arrivedAtPickup))
        case .arrivedAtPickup: return .dwell(then: onward(trip, index: 0))
        case .enrouteToIntermediateDestination:
            guard trip.intermediateDestinations.indices.contains(index) else { return .set(Change(.enrouteToDropoff)) }
            return drive(.intermediate, trip.intermediateDestinations[index], then: Change(.arrivedAtIntermediateDestination))
        case .arrivedAtIntermediateDestination: return .dwell(then: onward(trip, index: index == .max ? index : index + 1))
        case .enrouteToDropoff: return drive(.dropoff, trip.dropoffPoint, then: Change(.complete))
        case .unknown, .complete, .canceled: return .wait
        }
    }

    private static func onward(_ trip: Trip, index: Int) -> Change {
        trip.intermediateDestinations.indices.contains(index)
            ? Change(.enrouteToIntermediateDestination, intermediateIndex: index) : Change(.enrouteToDropoff)
    }

    private static func drive(_ type: WaypointType, _ place: Coordinate?, then change: Change) -> TripStep {
        guard let place, place.isValid else { return .wait }
        return .drive(to: TripStop(type: type, coordinate: place), then: change)
    }
}
