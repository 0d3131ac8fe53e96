public import Geo

/// Language and region that are sent with a request (`tripRequestHeader` of the SDK's trip model options).
public struct TripRequestHeader: Hashable, Sendable {
    /// BCP 47 language code, such as `de`; nil for the client's own language.
    public var languageCode: String?
    /// CLDR region code, such as `AT`; nil for the client's own region.
    public var regionCode: String?

    /// Creates a header. A code that is nil means the client's own code.
    public init(languageCode: String? = nil, regionCode: String? = nil) {
        self.languageCode = languageCode
        self.regionCode = regionCode
    }
}

/// A GetTrip request. The server leaves out the routes and the traffic that have not changed since the versions in the request.
public struct GetTripRequest: Hashable, Sendable {
    /// The trip to read.
    public var name: TripName
    /// `activeRouteVersion` of the previous answer, to get the active route only if it is newer; nil to get it always.
    public var activeRouteVersion: DataVersion?
    /// `activeRouteTrafficVersion` of the previous answer, to get the traffic only if it is newer; nil to get it always.
    public var activeRouteTrafficVersion: DataVersion?
    /// `remainingWaypointsRouteVersion` of the previous answer, to get the paths between the remaining stops only if they are newer;
    /// nil to get them always.
    public var remainingWaypointsRouteVersion: DataVersion?
    /// The path of the route with `activeRouteVersion`. If an answer has traffic but no route, the traffic applies to this path.
    public var knownRoute: Polyline?
    /// The language and region of the answer; nil for the client's own language and region.
    public var header: TripRequestHeader?

    /// Creates a request for `name`. Without versions, the answer is complete.
    public init(
        name: TripName, activeRouteVersion: DataVersion? = nil, activeRouteTrafficVersion: DataVersion? = nil,
        remainingWaypointsRouteVersion: DataVersion? = nil, knownRoute: Polyline? = nil, header: TripRequestHeader? = nil
    ) {
        self.knownRoute = knownRoute
        self.header = header
        self.name = name
        self.activeRouteVersion = activeRouteVersion
        self.activeRouteTrafficVersion = activeRouteTrafficVersion
        self.remainingWaypointsRouteVersion = remainingWaypointsRouteVersion
    }
}

/// A trip to create. The server gives it the status NEW.
public struct NewTrip: Hashable, Sendable {
    /// The name of the new trip; a second trip with this name is refused with ALREADY_EXISTS.
    public var name: TripName
    /// Whether the vehicle may be shared with other riders.
    public var type: TripType
    /// The number of passengers.
    public var numberOfPassengers: Int
    /// The place at which the rider gets in.
    public var pickupPoint: Coordinate
    /// The place at which the rider gets out; nil if the rider has not chosen it yet.
    public var dropoffPoint: Coordinate?
    /// The stops between pickup and drop-off, in the order of travel.
    public var intermediateDestinations: [Coordinate]
    /// Bare id of the vehicle to assign at once; nil to create the trip without a vehicle.
    public var vehicleID: String?

    /// Creates a trip for one passenger in an exclusive vehicle, unless the arguments say otherwise.
    public init(
        name: TripName, type: TripType = .exclusive, numberOfPassengers: Int = 1, pickupPoint: Coordinate, dropoffPoint: Coordinate?,
        intermediateDestinations: [Coordinate] = [], vehicleID: String? = nil
    ) {
        self.name = name
        self.type = type
        self.numberOfPassengers = numberOfPassengers
        self.pickupPoint = pickupPoint
        self.dropoffPoint = dropoffPoint
        self.intermediateDestinations = intermediateDestinations
        self.vehicleID = vehicleID
    }
}

/// An UpdateTrip request. The server changes only the members that are not nil.
public struct TripUpdateRequest: Hashable, Sendable {
    /// The trip to change.
    public var name: TripName
    /// The new status.
    public var status: TripStatus?
    /// The bare id of the vehicle to assign; an empty id removes the assignment.
    public var vehicleID: String?
    /// The new index, counted from 0, of the intermediate destination that the vehicle is driving to or waiting at.
    public var intermediateDestinationIndex: Int?
    /// The version of the intermediate destinations, as the server last sent it. It belongs in a request with a new index: the server
    /// refuses the index if the destinations have changed since.
    public var intermediateDestinationsVersion: DataVersion?

    /// Creates a request that changes only the given members.
    public init(
        name: TripName, status: TripStatus? = nil, vehicleID: String? = nil, intermediateDestinationIndex: Int? = nil,
        intermediateDestinationsVersion: DataVersion? = nil
    ) {
        self.name = name
        self.status = status
        self.vehicleID = vehicleID
        self.intermediateDestinationIndex = intermediateDestinationIndex
        self.intermediateDestinationsVersion = intermediateDestinationsVersion
    }
}

/// The calls that a rider's token may make.
public protocol ConsumerClient: Sendable {
    /// Returns the trip as it is now. Routes and traffic that have not changed since the request's versions are left out.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip
    /// Returns the vehicle as the server shows it now.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle
    /// Forgets the access token for this trip, so that the next call fetches another token.
    /// - Returns: whether the token source can give another token.
    func renewToken(for name: TripName) async -> Bool
    /// Forgets everything about the access token for this trip. Called after the last follower of the trip has gone.
    func releaseToken(for name: TripName) async
    /// Yields an element for each new usable connection to the server. Calls that failed for lack of a connection can then be tried again.
    func connectionsMade() -> AsyncStream<Void>
}

extension ConsumerClient {
    /// Does nothing, for clients without tokens.
    public func releaseToken(for name: TripName) async {}
    /// Returns a stream without elements, for clients without connections.
    public func connectionsMade() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// The calls that a driver's token may make.
public protocol DriverClient: Sendable {
    /// Returns the vehicle as the server shows it now, with its stops.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle
    /// Changes the fields in the mask of `update`.
    /// - Returns: the vehicle after the change.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND, or INVALID_ARGUMENT for an empty mask.
    func updateVehicle(_ name: VehicleName, _ update: VehicleUpdate) async throws(FleetEngineError) -> Vehicle
    /// Returns the trip as it is now. Routes and traffic that have not changed since the request's versions are left out.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip
    /// Changes the members of the trip that are set in `request`.
    /// - Returns: the trip after the change.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND, or FAILED_PRECONDITION for a step that the trip's status or version does not allow.
    func updateTrip(_ request: TripUpdateRequest) async throws(FleetEngineError) -> Trip
}

/// All calls of the trips API. The calls that this protocol adds need a server's token.
public protocol FleetEngineClient: ConsumerClient, DriverClient {
    /// Creates a trip, with the status NEW.
    /// - Returns: the trip as it was created.
    /// - Throws: `FleetEngineError`, such as ALREADY_EXISTS.
    func createTrip(_ trip: NewTrip) async throws(FleetEngineError) -> Trip
    /// Deletes a trip.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND, or FAILED_PRECONDITION while a vehicle serves the trip.
    func deleteTrip(_ name: TripName) async throws(FleetEngineError)
    /// Creates a vehicle.
    /// - Returns: the vehicle as it was created.
    /// - Throws: `FleetEngineError`, such as ALREADY_EXISTS.
    func createVehicle(_ vehicle: Vehicle) async throws(FleetEngineError) -> Vehicle
}
