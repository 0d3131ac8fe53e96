/// Where a trip stands.
///
/// The wire and the iOS SDK number the same states differently, so a status has two explicit maps and no raw value.
public enum TripStatus: String, CaseIterable, Hashable, Sendable {
    case unknown = "UNKNOWN_TRIP_STATUS"
    case new = "NEW"
    case enrouteToPickup = "ENROUTE_TO_PICKUP"
    case arrivedAtPickup = "ARRIVED_AT_PICKUP"
    case arrivedAtIntermediateDestination = "ARRIVED_AT_INTERMEDIATE_DESTINATION"
    case enrouteToIntermediateDestination = "ENROUTE_TO_INTERMEDIATE_DESTINATION"
    case enrouteToDropoff = "ENROUTE_TO_DROPOFF"
    case complete = "COMPLETE"
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

    /// After these nothing changes any more.
    public var isFinal: Bool { self == .complete || self == .canceled }

    /// The rider is not in the vehicle yet.
    public var isBeforePickup: Bool {
        switch self {
        case .new, .enrouteToPickup, .arrivedAtPickup: true
        default: false
        }
    }

    /// The vehicle stands at one of this trip's stops.
    public var isAtStop: Bool { self == .arrivedAtPickup || self == .arrivedAtIntermediateDestination }
}

/// Whether the vehicle is shared with other riders.
public enum TripType: String, Hashable, Sendable {
    case unknown = "UNKNOWN_TRIP_TYPE"
    case shared = "SHARED"
    case exclusive = "EXCLUSIVE"
}

/// What happens at a stop.
public enum WaypointType: String, Hashable, Sendable {
    case unknown = "UNKNOWN"
    case pickup = "PICKUP"
    case intermediate = "INTERMEDIATE"
    case dropoff = "DROPOFF"

    /// The word in lower-case output.
    public var word: String { rawValue.lowercased() }
}

/// Whether a vehicle takes new trips.
public enum VehicleState: String, Hashable, Sendable {
    case unknown = "UNKNOWN_VEHICLE_STATE"
    case offline = "OFFLINE"
    case online = "ONLINE"
}

/// What the driver's navigation is doing.
public enum NavigationStatus: String, Hashable, Sendable {
    case unknown = "UNKNOWN_NAVIGATION_STATUS"
    case noGuidance = "NO_GUIDANCE"
    case enrouteToDestination = "ENROUTE_TO_DESTINATION"
    case offRoute = "OFF_ROUTE"
    case arrivedAtDestination = "ARRIVED_AT_DESTINATION"
}

/// Kind of vehicle.
public enum VehicleCategory: String, Hashable, Sendable {
    case unknown = "UNKNOWN"
    case auto = "AUTO"
    case taxi = "TAXI"
    case truck = "TRUCK"
    case twoWheeler = "TWO_WHEELER"
    case bicycle = "BICYCLE"
    case pedestrian = "PEDESTRIAN"
}
