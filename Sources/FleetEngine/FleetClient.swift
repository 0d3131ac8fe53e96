public import Geo

/// Which vehicles of a provider are asked for, as the web SDK's fleet location provider asks (ListVehicles).
public struct FleetQuery: Hashable, Sendable {
    /// Bare id of the provider whose vehicles they are.
    public var provider: String
    /// In Fleet Engine's language of filters, such as `attributes.class = "van"`; empty for all vehicles.
    public var filter: String
    /// Only vehicles in here; nil for anywhere, those without a position included.
    public var window: BoundingBox?
    /// The most that are given, at least 1.
    public var limit: Int

    /// All vehicles, unless the arguments say otherwise.
    public init(provider: String, filter: String = "", window: BoundingBox? = nil, limit: Int = 1_000) {
        self.provider = provider
        self.filter = filter
        self.window = window
        self.limit = limit
    }
}

/// Which vehicles could take a rider from a place (SearchVehicles).
public struct NearbyQuery: Hashable, Sendable {
    /// The trip whose token asks.
    public var trip: TripName
    /// Where the rider waits.
    public var place: Coordinate
    /// No vehicle is further away, metres; 400 to 10,000.
    public var radiusMeters: Int
    /// The most that are given, 1 to 50.
    public var limit: Int

    /// The vehicles within 3 km, unless the arguments say otherwise.
    public init(trip: TripName, place: Coordinate, radiusMeters: Int = 3_000, limit: Int = 20) {
        self.trip = trip
        self.place = place
        self.radiusMeters = radiusMeters
        self.limit = limit
    }
}

/// The calls that look for vehicles. A list takes a token for every vehicle; a search and one vehicle may be a rider's.
public protocol FleetClient: Sendable {
    /// The first vehicles that fit, in the server's order.
    /// - Returns: the vehicles, and whether they are all that fit.
    /// - Throws: `FleetEngineError`, such as PERMISSION_DENIED, or INVALID_ARGUMENT for a filter that the server cannot read.
    func listVehicles(_ query: FleetQuery) async throws(FleetEngineError) -> (vehicles: [Vehicle], isComplete: Bool)
    /// Vehicles without a trip near a place, the nearest first.
    /// - Throws: `FleetEngineError`, such as PERMISSION_DENIED.
    func searchVehicles(_ query: NearbyQuery) async throws(FleetEngineError) -> [Vehicle]
    /// The vehicle as the server shows it now.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle
}
