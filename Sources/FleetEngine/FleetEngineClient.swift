public import Geo

/// Language and region that go with a request (`tripRequestHeader` of the SDK's trip model options).
public struct TripRequestHeader: Hashable, Sendable {
    /// BCP 47, such as `de`; nil takes the client's own.
    public var languageCode: String?
    /// CLDR, such as `AT`; nil takes the client's own.
    public var regionCode: String?

    public init(languageCode: String? = nil, regionCode: String? = nil) {
        self.languageCode = languageCode
        self.regionCode = regionCode
    }
}

/// What a GetTrip call asks for. Versions that the caller already has keep unchanged parts out of the answer.
public struct GetTripRequest: Hashable, Sendable {
    public var name: TripName
    public var activeRouteVersion: DataVersion?
    public var activeRouteTrafficVersion: DataVersion?
    public var remainingWaypointsRouteVersion: DataVersion?
    /// The line of `activeRouteVersion`: new traffic that comes without a line of its own lies on it.
    public var knownRoute: Polyline?
    /// In which language and for which region the answer is wanted; nil takes the client's own.
    public var header: TripRequestHeader?

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
    public var name: TripName
    public var type: TripType
    public var numberOfPassengers: Int
    public var pickupPoint: Coordinate
    public var dropoffPoint: Coordinate?
    public var intermediateDestinations: [Coordinate]
    public var vehicleID: String?

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

/// What one UpdateTrip call changes: the members that are not nil.
public struct TripUpdateRequest: Hashable, Sendable {
    public var name: TripName
    public var status: TripStatus?
    /// Empty un-assigns.
    public var vehicleID: String?
    public var intermediateDestinationIndex: Int?
    /// Sent back with the index, as the server gave it.
    public var intermediateDestinationsVersion: DataVersion?

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
    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip
    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle
    /// Forgets the access token for this trip, so that the next call fetches another one.
    /// - Returns: whether the token source can give another one.
    func renewToken(for name: TripName) async -> Bool
    /// Forgets everything about the access token for this trip: nobody follows it any more.
    func releaseToken(for name: TripName) async
    /// An element for each connection to the server from now on that can be used: what failed for want of one may be tried again.
    func connectionsMade() -> AsyncStream<Void>
}

extension ConsumerClient {
    /// Nothing, for clients without tokens.
    public func releaseToken(for name: TripName) async {}
    /// Nothing, for clients without connections.
    public func connectionsMade() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// The calls that a driver's token may make.
public protocol DriverClient: Sendable {
    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle
    func updateVehicle(_ name: VehicleName, _ update: VehicleUpdate) async throws(FleetEngineError) -> Vehicle
    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip
    func updateTrip(_ request: TripUpdateRequest) async throws(FleetEngineError) -> Trip
}

/// All calls; the rest needs a server's token.
public protocol FleetEngineClient: ConsumerClient, DriverClient {
    func createTrip(_ trip: NewTrip) async throws(FleetEngineError) -> Trip
    func deleteTrip(_ name: TripName) async throws(FleetEngineError)
    func createVehicle(_ vehicle: Vehicle) async throws(FleetEngineError) -> Vehicle
}
