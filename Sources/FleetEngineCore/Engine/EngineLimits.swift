/// The limits of one engine. All data from the wire is checked against them before it is stored.
public struct EngineLimits: Hashable, Sendable {
    /// Maximum number of trips of all providers together. A call that would exceed it fails with RESOURCE_EXHAUSTED.
    public var trips = 100_000
    /// Maximum number of vehicles of all providers together. A call that would exceed it fails with RESOURCE_EXHAUSTED.
    public var vehicles = 20_000
    /// Maximum number of trips of one account, including finished ones. A call that would exceed it fails with RESOURCE_EXHAUSTED. Nil sets
    /// no limit.
    public var tripsPerAccount: Int?
    /// Maximum number of vehicles of one account. A call that would exceed it fails with RESOURCE_EXHAUSTED. Nil sets no limit.
    public var vehiclesPerAccount: Int?
    /// Maximum number of tasks of all providers together, including closed ones. A call that would exceed it fails with RESOURCE_EXHAUSTED.
    public var tasks = 200_000
    /// Maximum number of delivery vehicles of all providers together. A call that would exceed it fails with RESOURCE_EXHAUSTED.
    public var deliveryVehicles = 20_000
    /// Maximum number of tasks in one `BatchCreateTasks` call. Source: the delivery API's comments on `BatchCreateTasksRequest`.
    public var tasksPerBatch = 500
    /// Maximum number of tasks of one delivery vehicle.
    public var tasksPerVehicle = 500
    /// Maximum number of stops of one delivery vehicle.
    public var stopsPerVehicle = 300
    /// Maximum number of points in one uploaded route. A longer route is refused with INVALID_ARGUMENT.
    public var pointsPerRoute = 200_000
    /// Maximum number of points in all stored routes together. An upload that would exceed it fails with RESOURCE_EXHAUSTED.
    public var routePoints = 4_000_000
    /// Maximum number of traffic stretches in one report.
    public var trafficStretches = 10_000
    /// Maximum number of intermediate destinations of one trip.
    public var intermediateDestinations = 100
    /// Maximum number of trips that one vehicle serves at the same time.
    public var tripsPerVehicle = 50
    /// Maximum number of stops of one vehicle.
    public var waypointsPerVehicle = 500
    /// Maximum number of attributes of one trip, vehicle, task or delivery vehicle. Source: the v1 API's comments on
    /// `UpdateVehicleAttributesRequest`.
    public var attributes = 100
    /// Maximum number of characters of one attribute's key, colon and value together. The source is the same as for `attributes`.
    public var attributeCharacters = 256
    /// Maximum encoded size of one stored trip or vehicle, in bytes, without its routes.
    public var storedBytes = 65_536
    /// Maximum number of paths in one update mask.
    public var maskPaths = 200
    /// Maximum number of results on one page of a list or search.
    public var pageSize = 1_000
    /// Maximum number of calls from one caller per second. Further calls fail with RESOURCE_EXHAUSTED. After a pause, a burst may
    /// have twice as many calls. Nil sets no limit.
    public var callsPerSecond: Int?
    /// Maximum number of simultaneous calls of one caller. Further calls wait. A caller with a token is identified by the token's account,
    /// trip, vehicle, task and shipment. The task ids of a batch do not count. Other callers are identified by their address. Calls without
    /// a token are not limited if they come from this machine or from a socket without an IP address.
    public var callsPerCaller = 16
    /// Maximum number of waiting calls of one caller. Further calls fail with RESOURCE_EXHAUSTED.
    public var waitingCalls = 1_000

    /// Creates the default limits.
    public init() {}
}

/// The choices for behaviour that Fleet Engine's documentation leaves open.
public struct EngineOptions: Hashable, Sendable {
    /// Whether a trip status that breaks the recommended order is refused with FAILED_PRECONDITION. A final status never changes.
    public var strictStatus = false
    /// Whether positions that the vehicle cannot have reached are accepted. If false, they are dropped; see
    /// `FleetEngineState.discardedJumps`.
    public var keepsJumps = false
    /// Expected duration of a vehicle's stay at a stop, in seconds. It delays the arrivals at later stops. Fleet Engine adds no time at
    /// stops: in recorded traffic, the drop-off time is the pickup time plus the driving time between them.
    public var stopSeconds = 0.0
    /// A consumer sees the vehicle's progress only while at most this many stops remain. This applies to tasks without their own rule.
    /// 0 hides the progress.
    public var shareWithin = 5
    /// Time from a trip's last change to its removal, in seconds. Fleet Engine uses seven days.
    public var tripLifetimeSeconds = 7 * 86_400.0
    /// The limits of the engine.
    public var limits = EngineLimits()

    /// Creates options that accept any order of statuses and keep trips for seven days.
    public init(limits: EngineLimits = EngineLimits()) { self.limits = limits }
}
