/// How much one engine holds and takes. Everything that comes over the wire is measured against these before it is stored.
public struct EngineLimits: Hashable, Sendable {
    /// Trips of all providers together; one more is RESOURCE_EXHAUSTED.
    public var trips = 100_000
    /// Vehicles of all providers together; one more is RESOURCE_EXHAUSTED.
    public var vehicles = 20_000
    /// Trips that one account has made and that are still held, finished ones included; one more is RESOURCE_EXHAUSTED. Nil sets no limit.
    public var tripsPerAccount: Int?
    /// Vehicles that one account has made and that are still held; one more is RESOURCE_EXHAUSTED. Nil sets no limit.
    public var vehiclesPerAccount: Int?
    /// Points of one uploaded route; a longer one is INVALID_ARGUMENT.
    public var pointsPerRoute = 200_000
    /// Points of all stored routes together; an upload that goes beyond is RESOURCE_EXHAUSTED.
    public var routePoints = 4_000_000
    /// Traffic stretches in one report.
    public var trafficStretches = 10_000
    /// Intermediate destinations of one trip.
    public var intermediateDestinations = 100
    /// Trips that one vehicle serves at the same time.
    public var tripsPerVehicle = 50
    /// Stops of one vehicle.
    public var waypointsPerVehicle = 500
    /// Attributes of one trip or vehicle. Source: the v1 API's comments on `UpdateVehicleAttributesRequest`.
    public var attributes = 100
    /// Characters of key, colon and value of one attribute together. Same source.
    public var attributeCharacters = 256
    /// Bytes on the wire of what is stored of one trip or vehicle, its routes aside.
    public var storedBytes = 65_536
    /// Paths in one update mask.
    public var maskPaths = 200
    /// The largest page of a list or search.
    public var pageSize = 1_000
    /// Calls a second of one caller, and twice as many at once after a rest; more are RESOURCE_EXHAUSTED. Nil for no limit.
    public var callsPerSecond: Int?
    /// Calls of one caller under way at the same time: of a token's account, trip and vehicle, or else of an address. Further calls wait.
    public var callsPerCaller = 16
    /// Calls of one caller that wait; one more is RESOURCE_EXHAUSTED.
    public var waitingCalls = 1_000

    /// The limits that stand above.
    public init() {}
}

/// How an engine behaves where Fleet Engine's behaviour is a choice.
public struct EngineOptions: Hashable, Sendable {
    /// Refuses a trip status out of the recommended order with FAILED_PRECONDITION. Off, any order is taken, except that a final
    /// status stays.
    public var strictStatus = false
    /// Takes every position, also one that the vehicle cannot have reached. Off, such a one is left out; see `FleetEngineState.discardedJumps`.
    public var keepsJumps = false
    /// How long a vehicle is expected to stand at a stop, seconds; the times of later stops count it. Fleet Engine counts no stop: in recorded
    /// traffic the drop-off is the pickup and the way between them.
    public var stopSeconds = 0.0
    /// Trips are removed when they were last changed this long ago, seconds. Fleet Engine's own figure is seven days.
    public var tripLifetimeSeconds = 7 * 86_400.0
    /// How much the engine holds and takes.
    public var limits = EngineLimits()

    /// Any order of statuses, and seven days.
    public init(limits: EngineLimits = EngineLimits()) { self.limits = limits }
}
