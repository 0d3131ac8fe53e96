public import FoundationEssentials
public import Geo

/// A vehicle as the server shows it.
public struct Vehicle: Hashable, Sendable {
    public var name: VehicleName
    public var state: VehicleState
    public var supportedTripTypes: [TripType]
    public var maximumCapacity: Int
    public var category: VehicleCategory
    /// Bare ids of the trips it serves now.
    public var currentTrips: [String]
    public var lastLocation: VehicleLocation?
    public var attributes: [String: String]
    public var waypoints: [TripWaypoint]
    public var backToBackEnabled: Bool
    public var navigationStatus: NavigationStatus
    public var remainingDistanceMeters: Double?
    public var etaToFirstWaypoint: Date?
    /// The last character of the licence plate, as far as the server shows one.
    public var licensePlateLastCharacter: String?

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

/// What one `UpdateVehicle` call changes: the members that `fields` names, nothing else.
///
/// Empty `fields` make an empty mask, which Fleet Engine refuses with `update_mask cannot be empty`; a reporter's first call may be such a one.
public struct VehicleUpdate: Hashable, Sendable {
    /// The mask.
    public struct Fields: OptionSet, Hashable, Sendable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        public static let state = Fields(rawValue: 1 << 0)
        public static let location = Fields(rawValue: 1 << 1)
        public static let remainingTime = Fields(rawValue: 1 << 2)
        public static let remainingDistance = Fields(rawValue: 1 << 3)
        public static let deviceSettings = Fields(rawValue: 1 << 4)
        public static let route = Fields(rawValue: 1 << 5)
        public static let routeEndPoint = Fields(rawValue: 1 << 6)
        public static let routeTraffic = Fields(rawValue: 1 << 7)
        public static let navigationStatus = Fields(rawValue: 1 << 8)
    }

    public var fields: Fields
    public var state: VehicleState
    public var location: VehicleLocation?
    public var remainingTimeSeconds: Double?
    public var remainingDistanceMeters: Double?
    /// The path being driven, from the vehicle to its next stop, with what is slow on it. `route` and `routeTraffic` are fields of the mask
    /// of their own.
    public var route: RouteLine
    public var routeEndPoint: TripWaypoint?
    public var navigationStatus: NavigationStatus

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
