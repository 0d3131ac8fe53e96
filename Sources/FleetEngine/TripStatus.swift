/// The status of a trip.
///
/// The wire and the iOS SDK number the same states differently, so a status has two explicit maps and no raw value.
public enum TripStatus: String, CaseIterable, Hashable, Sendable {
    /// The server did not say, or said something that this program does not know.
    case unknown = "UNKNOWN_TRIP_STATUS"
    /// The trip is booked; no vehicle drives to it yet.
    case new = "NEW"
    /// The vehicle drives to the rider.
    case enrouteToPickup = "ENROUTE_TO_PICKUP"
    /// The vehicle stands where the rider gets in.
    case arrivedAtPickup = "ARRIVED_AT_PICKUP"
    /// The vehicle stands at a stop between pick-up and drop-off.
    case arrivedAtIntermediateDestination = "ARRIVED_AT_INTERMEDIATE_DESTINATION"
    /// The rider is in, and the vehicle drives to a stop before the drop-off.
    case enrouteToIntermediateDestination = "ENROUTE_TO_INTERMEDIATE_DESTINATION"
    /// The rider is in, and the vehicle drives to the drop-off.
    case enrouteToDropoff = "ENROUTE_TO_DROPOFF"
    /// The rider is out: the trip ended as planned.
    case complete = "COMPLETE"
    /// The trip ended before its time; the status does not say who ended it.
    case canceled = "CANCELED"

    /// The name on the wire and in output, such as `ENROUTE_TO_PICKUP`.
    public var name: String { rawValue }

    /// The number of `maps.fleetengine.v1.TripStatus`.
    public var wireNumber: Int {
        switch self {
        case .unknown: 0
        case .new: 1
        case .enrouteToPickup: 2
        case .arrivedAtPickup: 3
        case .enrouteToDropoff: 4
        case .complete: 5
        case .canceled: 6
        case .arrivedAtIntermediateDestination: 7
        case .enrouteToIntermediateDestination: 8
        }
    }

    /// The number of the iOS SDK's `GMTSTripStatus`.
    public var iOSNumber: Int {
        switch self {
        case .unknown: 0
        case .new: 1
        case .enrouteToPickup: 2
        case .arrivedAtPickup: 3
        case .arrivedAtIntermediateDestination: 4
        case .enrouteToIntermediateDestination: 5
        case .enrouteToDropoff: 6
        case .complete: 7
        case .canceled: 8
        }
    }

    /// An unknown number is `.unknown`: a newer server must not break an older reader.
    public init(wireNumber: Int) {
        self = Self.allCases.first { $0.wireNumber == wireNumber } ?? .unknown
    }

    /// An unknown number is `.unknown`.
    public init(iOSNumber: Int) {
        self = Self.allCases.first { $0.iOSNumber == iOSNumber } ?? .unknown
    }

    /// Whether the status is final: nothing changes any more.
    public var isFinal: Bool { self == .complete || self == .canceled }

    /// Whether the rider is not in the vehicle yet.
    public var isBeforePickup: Bool {
        switch self {
        case .new, .enrouteToPickup, .arrivedAtPickup: true
        default: false
        }
    }

    /// The indexes of the intermediate destinations that are still ahead of a trip with this status.
    /// - Parameters:
    ///   - count: the number of the trip's intermediate destinations; a negative number counts as 0.
    ///   - index: the trip's index of the next one; an index beyond the list means the end of the list.
    package func intermediatesAhead(of count: Int, index: Int) -> Range<Int> {
        let end = max(0, count)
        return switch self {
        case .unknown, .new, .enrouteToPickup, .arrivedAtPickup: 0..<end
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination: min(max(0, index), end)..<end
        case .enrouteToDropoff, .complete, .canceled: end..<end
        }
    }

    /// Whether the vehicle stands at one of this trip's stops.
    public var isAtStop: Bool { self == .arrivedAtPickup || self == .arrivedAtIntermediateDestination }
}

/// Whether the vehicle is shared with other riders.
public enum TripType: String, Hashable, Sendable {
    /// The server did not say.
    case unknown = "UNKNOWN_TRIP_TYPE"
    /// Other riders may share the vehicle.
    case shared = "SHARED"
    /// The vehicle serves this trip alone.
    case exclusive = "EXCLUSIVE"
}

/// The purpose of a stop.
public enum WaypointType: String, Hashable, Sendable {
    /// The server did not say.
    case unknown = "UNKNOWN"
    /// The rider gets in.
    case pickup = "PICKUP"
    /// A stop of the rider's between pick-up and drop-off.
    case intermediate = "INTERMEDIATE"
    /// The rider gets out.
    case dropoff = "DROPOFF"

    /// The word in lower-case output.
    public var word: String { rawValue.lowercased() }
}

/// Whether a vehicle takes new trips.
public enum VehicleState: String, Hashable, Sendable {
    /// The server did not say.
    case unknown = "UNKNOWN_VEHICLE_STATE"
    /// The vehicle takes no trips.
    case offline = "OFFLINE"
    /// The vehicle takes trips.
    case online = "ONLINE"
}

/// The state of the driver's navigation.
public enum NavigationStatus: String, Hashable, Sendable {
    /// The driver's app did not say.
    case unknown = "UNKNOWN_NAVIGATION_STATUS"
    /// Navigation runs without a destination.
    case noGuidance = "NO_GUIDANCE"
    /// The vehicle is guided along its route.
    case enrouteToDestination = "ENROUTE_TO_DESTINATION"
    /// The vehicle has left its route, and a new one is not there yet.
    case offRoute = "OFF_ROUTE"
    /// The vehicle is at its destination.
    case arrivedAtDestination = "ARRIVED_AT_DESTINATION"
}

/// Kind of vehicle.
public enum VehicleCategory: String, Hashable, Sendable {
    /// The provider did not say.
    case unknown = "UNKNOWN"
    /// A passenger car.
    case auto = "AUTO"
    /// A car that carries passengers for pay, by licence.
    case taxi = "TAXI"
    /// A lorry.
    case truck = "TRUCK"
    /// A motorcycle, moped or another two-wheeler with a motor.
    case twoWheeler = "TWO_WHEELER"
    /// A bicycle.
    case bicycle = "BICYCLE"
    /// A person on foot.
    case pedestrian = "PEDESTRIAN"
}
