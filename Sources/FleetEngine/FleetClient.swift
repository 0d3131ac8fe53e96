public import Geo

/// A request for a provider's vehicles, as the web SDK's fleet location provider sends it (ListVehicles).
public struct FleetQuery: Hashable, Sendable {
    /// Bare id of the provider.
    public var provider: String
    /// A filter in Fleet Engine's filter language, such as `attributes.class = "van"`; empty for all vehicles.
    public var filter: String
    /// The area to list vehicles from; nil for all vehicles, including vehicles without a position.
    public var window: BoundingBox?
    /// The maximum number of vehicles to return, at least 1.
    public var limit: Int

    /// Creates a query for all vehicles, unless the arguments narrow it.
    public init(provider: String, filter: String = "", window: BoundingBox? = nil, limit: Int = 1_000) {
        self.provider = provider
        self.filter = filter
        self.window = window
        self.limit = limit
    }
}

/// A request for the vehicles that could pick up a rider at a place (SearchVehicles).
public struct NearbyQuery: Hashable, Sendable {
    /// The trip whose token is sent with the request.
    public var trip: TripName
    /// The place at which the rider waits.
    public var place: Coordinate
    /// The search radius in metres, 400 to 10,000.
    public var radiusMeters: Int
    /// The maximum number of vehicles to return, 1 to 50.
    public var limit: Int

    /// Creates a query for the vehicles within 3 km, unless `radiusMeters` says otherwise.
    public init(trip: TripName, place: Coordinate, radiusMeters: Int = 3_000, limit: Int = 20) {
        self.trip = trip
        self.place = place
        self.radiusMeters = radiusMeters
        self.limit = limit
    }
}

/// The calls that look for vehicles. ListVehicles needs a token for all vehicles; a rider's token may be enough for the other two calls.
public protocol FleetClient: Sendable {
    /// Returns the first vehicles that match the query, in the server's order.
    /// - Returns: the vehicles, and whether the list holds all vehicles that match.
    /// - Throws: `FleetEngineError`, such as PERMISSION_DENIED, or INVALID_ARGUMENT for a filter that the server cannot read.
    func listVehicles(_ query: FleetQuery) async throws(FleetEngineError) -> (vehicles: [Vehicle], isComplete: Bool)
    /// Returns the vehicles within the query's radius that have no trip, the nearest first.
    /// - Throws: `FleetEngineError`, such as PERMISSION_DENIED.
    func searchVehicles(_ query: NearbyQuery) async throws(FleetEngineError) -> [Vehicle]
    /// Returns the vehicle as the server shows it now.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle
}
