public import FoundationEssentials
public import Geo

/// An UpdateDeliveryVehicle request. The server changes only the members in `fields`.
public struct DeliveryVehicleUpdate: Hashable, Sendable {
    /// The mask: the set of members that an update asks the server to change.
    public struct Fields: OptionSet, Hashable, Sendable {
        /// One bit for each field; the bits have no meaning on the wire.
        public let rawValue: UInt8
        /// Creates a mask with these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `last_location`.
        public static let location = Fields(rawValue: 1 << 0)
        /// `navigation_status`.
        public static let navigationStatus = Fields(rawValue: 1 << 1)
        /// `current_route_segment`.
        public static let route = Fields(rawValue: 1 << 2)
        /// `current_route_segment_end_point`.
        public static let routeEndPoint = Fields(rawValue: 1 << 3)
        /// `remaining_duration`.
        public static let remainingDuration = Fields(rawValue: 1 << 4)
        /// `remaining_distance_meters`.
        public static let remainingDistance = Fields(rawValue: 1 << 5)
        /// `remaining_vehicle_journey_segments`, which needs the token of a trusted driver.
        public static let stops = Fields(rawValue: 1 << 6)
    }

    /// The members that this update asks the server to change.
    public var fields: Fields
    /// The vehicle's position, with its speed, heading and accuracy.
    public var location: VehicleLocation?
    /// The state of the driver's navigation.
    public var navigationStatus: NavigationStatus
    /// The route from the vehicle to its next stop; an empty line means no route.
    public var route: Polyline
    /// The place at which the route ends.
    public var routeEndPoint: Coordinate?
    /// Seconds to the next stop, at least 0.
    public var remainingDurationSeconds: Double?
    /// Metres along the route to the next stop, at least 0.
    public var remainingDistanceMeters: Double?
    /// All stops that remain, in driving order. The server closes the tasks of stops that are missing from this list.
    public var stops: [VehicleStop]

    /// Creates an update. Without `fields`, it changes nothing.
    public init(
        fields: Fields = [], location: VehicleLocation? = nil, navigationStatus: NavigationStatus = .unknown,
        route: Polyline = Polyline([]), routeEndPoint: Coordinate? = nil, remainingDurationSeconds: Double? = nil,
        remainingDistanceMeters: Double? = nil, stops: [VehicleStop] = []
    ) {
        self.fields = fields
        self.location = location
        self.navigationStatus = navigationStatus
        self.route = route
        self.routeEndPoint = routeEndPoint
        self.remainingDurationSeconds = remainingDurationSeconds
        self.remainingDistanceMeters = remainingDistanceMeters
        self.stops = stops
    }
}

/// An UpdateTask request that sets a task's outcome.
public struct TaskOutcomeRequest: Hashable, Sendable {
    /// The task to change.
    public var name: TaskName
    /// The outcome. The server refuses to change an outcome that a task already has.
    public var outcome: DeliveryTaskOutcome
    /// The time of the outcome; nil for the time at which the server receives the request.
    public var time: Date?

    /// Creates a request for the outcome of a task.
    public init(name: TaskName, outcome: DeliveryTaskOutcome, time: Date? = nil) {
        self.name = name
        self.outcome = outcome
        self.time = time
    }
}

/// The calls that the driver of a delivery vehicle may make. Changing the stops, setting an outcome and creating a vehicle need a trusted
/// driver's token.
public protocol DeliveryDriverClient: Sendable {
    /// Returns the vehicle as the server shows it now, with its stops.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    func getDeliveryVehicle(_ name: DeliveryVehicleName) async throws(FleetEngineError) -> DeliveryVehicle
    /// Creates a vehicle. Only the vehicle's name, type, last location and attributes are sent.
    /// - Returns: the vehicle as it was created.
    /// - Throws: `FleetEngineError`, such as ALREADY_EXISTS.
    func createDeliveryVehicle(_ vehicle: DeliveryVehicle) async throws(FleetEngineError) -> DeliveryVehicle
    /// Changes the fields in the mask of `update`.
    /// - Returns: the vehicle after the change.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND, or PERMISSION_DENIED if the token of an untrusted driver is used to change the
    ///   stops.
    func updateDeliveryVehicle(
        _ name: DeliveryVehicleName, _ update: DeliveryVehicleUpdate
    ) async throws(FleetEngineError) -> DeliveryVehicle
    /// Sets the outcome of a task.
    /// - Returns: the task after the change. A task that is assigned to a vehicle stays open.
    /// - Throws: `FleetEngineError`, such as FAILED_PRECONDITION for a task with another outcome.
    func updateTask(_ request: TaskOutcomeRequest) async throws(FleetEngineError) -> DeliveryTask
}

/// The calls that a provider makes to plan deliveries. The calls that this protocol adds need a server's token.
public protocol DeliveryClient: DeliveryDriverClient {
    /// Creates up to 500 tasks of one provider.
    /// - Returns: the tasks as they were created.
    /// - Throws: `FleetEngineError`, such as ALREADY_EXISTS. If the server answers with an error, it has created no task. If the call ends
    ///   without a readable answer, such as after a timeout, the server may have created all of them.
    func batchCreateTasks(_ tasks: [DeliveryTask], of provider: String) async throws(FleetEngineError) -> [DeliveryTask]
}
