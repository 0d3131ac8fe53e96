/// The status of a trip. Its raw value is its name, because the wire format and the iOS SDK give it different numbers.
public enum TripStatus: String, CaseIterable, Hashable, Sendable {
    /// The server did not report a status, or reported one that this program does not know.
    case unknown = "UNKNOWN_TRIP_STATUS"
    /// The trip is booked; no vehicle is on its way yet.
    case new = "NEW"
    /// The vehicle is driving to the rider.
    case enrouteToPickup = "ENROUTE_TO_PICKUP"
    /// The vehicle is waiting at the pickup.
    case arrivedAtPickup = "ARRIVED_AT_PICKUP"
    /// The vehicle is waiting at a stop between pickup and drop-off.
    case arrivedAtIntermediateDestination = "ARRIVED_AT_INTERMEDIATE_DESTINATION"
    /// The rider is on board, and the vehicle is driving to a stop before the drop-off.
    case enrouteToIntermediateDestination = "ENROUTE_TO_INTERMEDIATE_DESTINATION"
    /// The rider is on board, and the vehicle is driving to the drop-off.
    case enrouteToDropoff = "ENROUTE_TO_DROPOFF"
    /// The rider has got out, and the trip has ended as planned.
    case complete = "COMPLETE"
    /// The trip ended early; the status does not say who ended it.
    case canceled = "CANCELED"

    /// The name on the wire and in output, such as `ENROUTE_TO_PICKUP`.
    public var name: String { rawValue }

    /// The number in `maps.fleetengine.v1.TripStatus`.
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

    /// The number in the iOS SDK's `GMTSTripStatus`.
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

    /// Creates the status with this wire number. An unknown number becomes `.unknown`, because a newer server must not break an older
    /// client.
    public init(wireNumber: Int) {
        self = Self.allCases.first { $0.wireNumber == wireNumber } ?? .unknown
    }

    /// Creates the status with this number in the iOS SDK; `.unknown` for an unknown number.
    public init(iOSNumber: Int) {
        self = Self.allCases.first { $0.iOSNumber == iOSNumber } ?? .unknown
    }

    /// Whether the status is final: the trip has ended.
    public var isFinal: Bool { self == .complete || self == .canceled }

    /// Whether the rider is not in the vehicle yet.
    public var isBeforePickup: Bool {
        switch self {
        case .new, .enrouteToPickup, .arrivedAtPickup: true
        default: false
        }
    }

    /// Returns the indexes of the intermediate destinations that are still ahead of a trip with this status, including one at which the
    /// vehicle is waiting.
    /// - Parameters:
    ///   - count: the number of the trip's intermediate destinations; a negative number counts as 0.
    ///   - index: the index of the intermediate destination that the vehicle is driving to or waiting at; an index beyond the list means
    ///     that no destination is ahead.
    package func intermediatesAhead(of count: Int, index: Int) -> Range<Int> {
        let end = max(0, count)
        return switch self {
        case .unknown, .new, .enrouteToPickup, .arrivedAtPickup: 0..<end
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination: min(max(0, index), end)..<end
        case .enrouteToDropoff, .complete, .canceled: end..<end
        }
    }

    /// Whether the vehicle is waiting at one of this trip's stops.
    public var isAtStop: Bool { self == .arrivedAtPickup || self == .arrivedAtIntermediateDestination }
}

/// Whether the vehicle is shared with other riders.
public enum TripType: String, Hashable, Sendable {
    /// The server did not report a type.
    case unknown = "UNKNOWN_TRIP_TYPE"
    /// Other riders may share the vehicle.
    case shared = "SHARED"
    /// The vehicle serves this trip alone.
    case exclusive = "EXCLUSIVE"
}

/// The purpose of a stop.
public enum WaypointType: String, Hashable, Sendable {
    /// The server did not report a purpose.
    case unknown = "UNKNOWN"
    /// The rider gets in.
    case pickup = "PICKUP"
    /// A stop of the trip between pickup and drop-off.
    case intermediate = "INTERMEDIATE"
    /// The rider gets out.
    case dropoff = "DROPOFF"

    /// The name in lower case, for the output.
    public var word: String { rawValue.lowercased() }
}

/// Whether a vehicle accepts new trips.
public enum VehicleState: String, Hashable, Sendable {
    /// The server did not report a state.
    case unknown = "UNKNOWN_VEHICLE_STATE"
    /// The vehicle accepts no trips.
    case offline = "OFFLINE"
    /// The vehicle accepts trips.
    case online = "ONLINE"
}

/// The state of the driver's navigation.
public enum NavigationStatus: String, Hashable, Sendable {
    /// The driver's app did not report a status.
    case unknown = "UNKNOWN_NAVIGATION_STATUS"
    /// Navigation runs without a destination.
    case noGuidance = "NO_GUIDANCE"
    /// The vehicle is guided along its route.
    case enrouteToDestination = "ENROUTE_TO_DESTINATION"
    /// The vehicle has left its route, and the new route is not known yet.
    case offRoute = "OFF_ROUTE"
    /// The vehicle is at its destination.
    case arrivedAtDestination = "ARRIVED_AT_DESTINATION"
}

/// Kind of vehicle.
public enum VehicleCategory: String, Hashable, Sendable {
    /// The provider did not set a category.
    case unknown = "UNKNOWN"
    /// A passenger car.
    case auto = "AUTO"
    /// A taxi.
    case taxi = "TAXI"
    /// A lorry.
    case truck = "TRUCK"
    /// A motorcycle, moped or other motorised two-wheeler.
    case twoWheeler = "TWO_WHEELER"
    /// A bicycle.
    case bicycle = "BICYCLE"
    /// A person on foot.
    case pedestrian = "PEDESTRIAN"
}
