public import FoundationEssentials
public import Geo

/// A vehicle as the server shows it.
public struct Vehicle: Hashable, Sendable {
    /// The vehicle's full name, as in the request.
    public var name: VehicleName
    /// Whether the vehicle accepts new trips.
    public var state: VehicleState
    /// The kinds of trips that the vehicle accepts; empty when the provider did not set them.
    public var supportedTripTypes: [TripType]
    /// The number of passengers that the vehicle can carry, not counting the driver; never negative.
    public var maximumCapacity: Int
    /// The kind of vehicle.
    public var category: VehicleCategory
    /// Bare ids of the trips that the vehicle is serving.
    public var currentTrips: [String]
    /// The vehicle's last position report; nil before the first.
    public var lastLocation: VehicleLocation?
    /// The provider's own values, by key; numbers and Boolean values are written as text.
    public var attributes: [String: String]
    /// All stops ahead of the vehicle, of all its trips, in driving order.
    public var waypoints: [TripWaypoint]
    /// Whether the vehicle may be assigned its next trip before the current one ends.
    public var backToBackEnabled: Bool
    /// The state of the driver's navigation.
    public var navigationStatus: NavigationStatus
    /// Metres along the route to the vehicle's next stop.
    public var remainingDistanceMeters: Double?
    /// The expected arrival at the vehicle's next stop.
    public var etaToFirstWaypoint: Date?
    /// The last character of the licence plate; nil if the server does not show it.
    public var licensePlateLastCharacter: String?

    /// Creates a vehicle; only the name is required.
    public init(
        name: VehicleName, state: VehicleState = .unknown, supportedTripTypes: [TripType] = [], maximumCapacity: Int = 0,
        category: VehicleCategory = .unknown, currentTrips: [String] = [], lastLocation: VehicleLocation? = nil,
        attributes: [String: String] = [:], waypoints: [TripWaypoint] = [], backToBackEnabled: Bool = false,
        navigationStatus: NavigationStatus = .unknown, remainingDistanceMeters: Double? = nil, etaToFirstWaypoint: Date? = nil,
        licensePlateLastCharacter: String? = nil
    ) {
        self.name = name
        self.state = state
        self.supportedTripTypes = supportedTripTypes
        self.maximumCapacity = maximumCapacity
        self.category = category
        self.currentTrips = currentTrips
        self.lastLocation = lastLocation
        self.attributes = attributes
        self.waypoints = waypoints
        self.backToBackEnabled = backToBackEnabled
        self.navigationStatus = navigationStatus
        self.remainingDistanceMeters = remainingDistanceMeters
        self.etaToFirstWaypoint = etaToFirstWaypoint
        self.licensePlateLastCharacter = licensePlateLastCharacter
    }
}

/// An UpdateVehicle request. The server changes only the members in `fields`.
///
/// Empty `fields` make an empty mask, which Fleet Engine refuses with `update_mask cannot be empty`. For a vehicle reporter, this refusal
/// is normal at the start.
public struct VehicleUpdate: Hashable, Sendable {
    /// The mask: the set of members that an update asks the server to change.
    public struct Fields: OptionSet, Hashable, Sendable {
        /// One bit for each field; the bits have no meaning on the wire.
        public let rawValue: UInt16
        /// Creates a mask with these bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// `vehicle_state`.
        public static let state = Fields(rawValue: 1 << 0)
        /// `last_location`.
        public static let location = Fields(rawValue: 1 << 1)
        /// `remaining_time_seconds`.
        public static let remainingTime = Fields(rawValue: 1 << 2)
        /// `remaining_distance_meters`.
        public static let remainingDistance = Fields(rawValue: 1 << 3)
        /// `device_settings`, which the SDKs include in every mask. Its value is not sent.
        public static let deviceSettings = Fields(rawValue: 1 << 4)
        /// `current_route_segment`.
        public static let route = Fields(rawValue: 1 << 5)
        /// `current_route_segment_end_point`.
        public static let routeEndPoint = Fields(rawValue: 1 << 6)
        /// `current_route_segment_traffic`.
        public static let routeTraffic = Fields(rawValue: 1 << 7)
        /// `navigation_status`.
        public static let navigationStatus = Fields(rawValue: 1 << 8)
    }

    /// The members that this update asks the server to change.
    public var fields: Fields
    /// Whether the vehicle accepts new trips.
    public var state: VehicleState
    /// The vehicle's position, with its speed, heading and accuracy.
    public var location: VehicleLocation?
    /// Seconds to the next stop.
    public var remainingTimeSeconds: Double?
    /// Metres along the route to the next stop.
    public var remainingDistanceMeters: Double?
    /// The path being driven, from the vehicle to its next stop, with the stretches where traffic is slower than normal. `route` and
    /// `routeTraffic` are separate fields of the mask.
    public var route: RouteLine
    /// The stop at which the route ends.
    public var routeEndPoint: TripWaypoint?
    /// The state of the driver's navigation.
    public var navigationStatus: NavigationStatus

    /// Creates an update. Without `fields`, it changes nothing.
    public init(
        fields: Fields = [], state: VehicleState = .unknown, location: VehicleLocation? = nil, remainingTimeSeconds: Double? = nil,
        remainingDistanceMeters: Double? = nil, route: RouteLine = RouteLine(),
        routeEndPoint: TripWaypoint? = nil, navigationStatus: NavigationStatus = .unknown
    ) {
        self.fields = fields
        self.state = state
        self.location = location
        self.remainingTimeSeconds = remainingTimeSeconds
        self.remainingDistanceMeters = remainingDistanceMeters
        self.route = route
        self.routeEndPoint = routeEndPoint
        self.navigationStatus = navigationStatus
    }
}
