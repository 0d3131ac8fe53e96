/// The limits of one engine. Everything from the wire is checked against them before it is stored.
public struct EngineLimits: Hashable, Sendable {
    /// The most trips of all providers together; one more is RESOURCE_EXHAUSTED.
    public var trips = 100_000
    /// The most vehicles of all providers together; one more is RESOURCE_EXHAUSTED.
    public var vehicles = 20_000
    /// The most trips in the engine from one account, finished ones included; one more is RESOURCE_EXHAUSTED. Nil sets no limit.
    public var tripsPerAccount: Int?
    /// The most vehicles in the engine from one account; one more is RESOURCE_EXHAUSTED. Nil sets no limit.
    public var vehiclesPerAccount: Int?
    /// The most tasks of all providers together, closed ones included; one more is RESOURCE_EXHAUSTED.
    public var tasks = 200_000
    /// The most delivery vehicles of all providers together; one more is RESOURCE_EXHAUSTED.
    public var deliveryVehicles = 20_000
    /// The most tasks in one `BatchCreateTasks` call. Source: the delivery API's comments on `BatchCreateTasksRequest`.
    public var tasksPerBatch = 500
    /// The most tasks of one delivery vehicle.
    public var tasksPerVehicle = 500
    /// The most stops of one delivery vehicle.
    public var stopsPerVehicle = 300
    /// The most points of one uploaded route; a longer one is INVALID_ARGUMENT.
    public var pointsPerRoute = 200_000
    /// The most points of all stored routes together; an upload beyond that is RESOURCE_EXHAUSTED.
    public var routePoints = 4_000_000
    /// The most traffic stretches in one report.
    public var trafficStretches = 10_000
    /// The most intermediate destinations of one trip.
    public var intermediateDestinations = 100
    /// The most trips that one vehicle serves at the same time.
    public var tripsPerVehicle = 50
    /// The most stops of one vehicle.
    public var waypointsPerVehicle = 500
    /// The most attributes of one trip or vehicle. Source: the v1 API's comments on `UpdateVehicleAttributesRequest`.
    public var attributes = 100
    /// The most characters of one attribute's key, colon and value together. Same source.
    public var attributeCharacters = 256
    /// The most bytes on the wire of one stored trip or vehicle, without its routes.
    public var storedBytes = 65_536
    /// The most paths in one update mask.
    public var maskPaths = 200
    /// The largest page of a list or search.
    public var pageSize = 1_000
    /// The most calls a second of one caller, and twice as many at once after a rest; more are RESOURCE_EXHAUSTED. Nil sets no limit.
    public var callsPerSecond: Int?
    /// The most calls of one caller at the same time. A caller is a token's account, trip and vehicle, or else an address. Further calls
    /// wait.
    public var callsPerCaller = 16
    /// The most waiting calls of one caller; one more is RESOURCE_EXHAUSTED.
    public var waitingCalls = 1_000

    /// The default limits.
    public init() {}
}

/// The choices where Fleet Engine's behaviour is open.
public struct EngineOptions: Hashable, Sendable {
    /// Refuses a trip status out of the recommended order with FAILED_PRECONDITION. Otherwise any order is accepted, but a final status
    /// stays.
    public var strictStatus = false
    /// Accepts every position. Otherwise a position that the vehicle cannot have reached is left out; see
    /// `FleetEngineState.discardedJumps`.
    public var keepsJumps = false
    /// The expected time of a vehicle at a stop, seconds. It delays the later stops. Fleet Engine counts no time at stops: in recorded
    /// traffic the drop-off is the pickup plus the way between them.
    public var stopSeconds = 0.0
    /// The largest number of remaining stops at which a consumer sees the vehicle's way to a task without a rule of its own. 0 shows
    /// nothing.
    public var shareWithin = 5
    /// The time from a trip's last change to its removal, seconds. Fleet Engine's own figure is seven days.
    public var tripLifetimeSeconds = 7 * 86_400.0
    /// The limits of the engine.
    public var limits = EngineLimits()

    /// Options for any order of statuses and a lifetime of seven days.
    public init(limits: EngineLimits = EngineLimits()) { self.limits = limits }
}
