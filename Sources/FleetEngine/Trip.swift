public import FoundationEssentials
public import Geo

/// A version stamp of a part of a trip. It is opaque: kept to the nanosecond and sent back as it came.
public struct DataVersion: Hashable, Sendable, Comparable {
    /// Since 1970.
    public let seconds: Int64
    /// Nanoseconds after `seconds`, 0 to 999,999,999 as a server sends it.
    public let nanoseconds: Int32

    /// The version of a `google.protobuf.Timestamp` with these two numbers, unchecked.
    public init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    public static func < (left: Self, right: Self) -> Bool { (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds) }
}

/// A position report as the server passes it on. What is unknown is nil.
public struct VehicleLocation: Hashable, Sendable {
    /// Best known position, snapped to the road where possible; else the raw or the supplemental one.
    public var coordinate: Coordinate
    /// Degrees clockwise from north, 0 ..< 360.
    public var headingDegrees: Double?
    /// Speed over ground, metres a second, 0 to 150.
    public var speedMetersPerSecond: Double?
    /// Radius of 68 % certainty, metres.
    public var accuracyMeters: Double?
    /// Height above the WGS84 ellipsoid, metres, -12,000 to 20,000.
    public var altitudeMeters: Double?
    /// The sensor's clock.
    public var updateTime: Date?
    /// The sensor's position before snapping, and its time.
    public var rawCoordinate: Coordinate?
    /// When the sensor measured `rawCoordinate`.
    public var rawLocationTime: Date?
    /// When the server received the report.
    public var serverTime: Date?
    /// Whether `coordinate` was snapped to a road.
    public var isRoadSnapped: Bool?
    /// A position from elsewhere than the vehicle's own sensor.
    public var supplemental: SupplementalLocation?

    /// A report of which only the position is known, unless more is given.
    public init(
        coordinate: Coordinate, headingDegrees: Double? = nil, speedMetersPerSecond: Double? = nil, accuracyMeters: Double? = nil,
        altitudeMeters: Double? = nil, updateTime: Date? = nil, rawCoordinate: Coordinate? = nil, rawLocationTime: Date? = nil,
        serverTime: Date? = nil, isRoadSnapped: Bool? = nil, supplemental: SupplementalLocation? = nil
    ) {
        self.coordinate = coordinate
        self.headingDegrees = headingDegrees
        self.speedMetersPerSecond = speedMetersPerSecond
        self.accuracyMeters = accuracyMeters
        self.altitudeMeters = altitudeMeters
        self.updateTime = updateTime
        self.rawCoordinate = rawCoordinate
        self.rawLocationTime = rawLocationTime
        self.serverTime = serverTime
        self.isRoadSnapped = isRoadSnapped
        self.supplemental = supplemental
    }

    /// When the fix was made: `update_time`, else `raw_location_time`, else `server_time`.
    public var fixTime: Date? { updateTime ?? rawLocationTime ?? serverTime }
}

/// A position that an app has from elsewhere than the vehicle's own sensor, such as a terminal at a gate.
public struct SupplementalLocation: Hashable, Sendable {
    /// Where the vehicle is.
    public var coordinate: Coordinate
    /// When that was so.
    public var time: Date?
    /// Radius of 68 % certainty, metres.
    public var accuracyMeters: Double?

    /// A position with what is known of it.
    public init(coordinate: Coordinate, time: Date? = nil, accuracyMeters: Double? = nil) {
        self.coordinate = coordinate
        self.time = time
        self.accuracyMeters = accuracyMeters
    }
}

/// A stop on the vehicle's way, with the path that leads to it from the stop before.
public struct TripWaypoint: Hashable, Sendable {
    /// Where the stop is.
    public var coordinate: Coordinate
    /// Bare id of the trip that stops here; empty when the server did not say, which means the trip that was asked for.
    public var tripID: String
    /// What happens at the stop.
    public var type: WaypointType
    /// From the stop before, with its traffic.
    public var path: RouteLine
    /// Metres from the stop before.
    public var distanceMeters: Double?
    /// When the vehicle reaches the stop, by the server's estimate.
    public var eta: Date?
    /// Seconds from the stop before.
    public var durationSeconds: Double?

    /// A stop of trip `tripID`, of which nothing else is known unless it is given.
    public init(
        coordinate: Coordinate, tripID: String, type: WaypointType, path: RouteLine = RouteLine(), distanceMeters: Double? = nil,
        eta: Date? = nil, durationSeconds: Double? = nil
    ) {
        self.coordinate = coordinate
        self.tripID = tripID
        self.type = type
        self.path = path
        self.distanceMeters = distanceMeters
        self.eta = eta
        self.durationSeconds = durationSeconds
    }
}

/// Where and when a stop really took place.
public struct StopLocation: Hashable, Sendable {
    /// Where the vehicle stood.
    public var coordinate: Coordinate
    /// When it stood there; nil when the server did not say.
    public var time: Date?

    /// A stop at `coordinate` and `time`.
    public init(coordinate: Coordinate, time: Date?) {
        self.coordinate = coordinate
        self.time = time
    }
}

/// A trip as one answer of the server shows it.
public struct Trip: Hashable, Sendable {
    /// The trip's full name, as it was asked for.
    public var name: TripName
    /// Bare id; nil while no vehicle is assigned.
    public var vehicleID: String?
    /// Where the trip stands.
    public var status: TripStatus
    /// Whether the vehicle may be shared with other riders.
    public var type: TripType
    /// How many people ride along; never negative.
    public var numberOfPassengers: Int
    /// Where the rider gets in, as booked; where the rider really got in is `actualPickup`.
    public var pickupPoint: Coordinate?
    /// Where the rider gets out, as booked; where the rider really got out is `actualDropoff`.
    public var dropoffPoint: Coordinate?
    /// Stops between pick-up and drop-off, in the order of travel.
    public var intermediateDestinations: [Coordinate]
    /// The intermediate destination that is driven to or stood at, counted from 0; the provider keeps it, and it can lie beyond the list.
    public var intermediateDestinationIndex: Int
    /// When the intermediate destinations last changed; an update of the index sends it back.
    public var intermediateDestinationsVersion: DataVersion?
    /// Forecast until the rider is in, then the moment itself.
    public var pickupTime: Date?
    /// Forecast until the end, then the moment itself.
    public var dropoffTime: Date?
    /// The vehicle's last report; nil before the first, and after the server has withdrawn it.
    public var lastLocation: VehicleLocation?
    /// Path to the next stop, and the traffic on it. In an incremental answer an empty line and no traffic also mean unchanged: see the
    /// versions, of which each has its own.
    public var activeRoute: RouteLine
    /// When the active route last changed.
    public var activeRouteVersion: DataVersion?
    /// When the traffic on the active route last changed.
    public var activeRouteTrafficVersion: DataVersion?
    /// Metres along the route to the vehicle's next stop, which may be another trip's.
    public var remainingDistanceMeters: Double?
    /// When the vehicle reaches its next stop, which may be another trip's.
    public var etaToNextWaypoint: Date?
    /// The same as seconds from the moment the server built the answer.
    public var remainingTimeToNextWaypointSeconds: Double?
    /// Stops from here through this trip's drop-off in the vehicle's order; some may belong to other trips.
    public var remainingWaypoints: [TripWaypoint]
    /// Version of the paths and the traffic inside `remainingWaypoints`.
    public var remainingWaypointsRouteVersion: DataVersion?
    /// Where and when the rider got in.
    public var actualPickup: StopLocation?
    /// Where and when the rider got out.
    public var actualDropoff: StopLocation?
    /// The provider's own values by their key; numbers and truth values are written as text.
    public var attributes: [String: String]

    /// A trip of which only the name is known, unless more is given.
    public init(
        name: TripName, vehicleID: String? = nil, status: TripStatus = .unknown, type: TripType = .unknown, numberOfPassengers: Int = 0,
        pickupPoint: Coordinate? = nil, dropoffPoint: Coordinate? = nil, intermediateDestinations: [Coordinate] = [],
        intermediateDestinationIndex: Int = 0, intermediateDestinationsVersion: DataVersion? = nil, pickupTime: Date? = nil,
        dropoffTime: Date? = nil, lastLocation: VehicleLocation? = nil, activeRoute: RouteLine = RouteLine(),
        activeRouteVersion: DataVersion? = nil, activeRouteTrafficVersion: DataVersion? = nil,
        remainingDistanceMeters: Double? = nil, etaToNextWaypoint: Date? = nil, remainingTimeToNextWaypointSeconds: Double? = nil,
        remainingWaypoints: [TripWaypoint] = [], remainingWaypointsRouteVersion: DataVersion? = nil, actualPickup: StopLocation? = nil,
        actualDropoff: StopLocation? = nil, attributes: [String: String] = [:]
    ) {
        self.name = name
        self.vehicleID = vehicleID
        self.status = status
        self.type = type
        self.numberOfPassengers = numberOfPassengers
        self.pickupPoint = pickupPoint
        self.dropoffPoint = dropoffPoint
        self.intermediateDestinations = intermediateDestinations
        self.intermediateDestinationIndex = intermediateDestinationIndex
        self.intermediateDestinationsVersion = intermediateDestinationsVersion
        self.pickupTime = pickupTime
        self.dropoffTime = dropoffTime
        self.lastLocation = lastLocation
        self.activeRoute = activeRoute
        self.activeRouteVersion = activeRouteVersion
        self.activeRouteTrafficVersion = activeRouteTrafficVersion
        self.remainingDistanceMeters = remainingDistanceMeters
        self.etaToNextWaypoint = etaToNextWaypoint
        self.remainingTimeToNextWaypointSeconds = remainingTimeToNextWaypointSeconds
        self.remainingWaypoints = remainingWaypoints
        self.remainingWaypointsRouteVersion = remainingWaypointsRouteVersion
        self.actualPickup = actualPickup
        self.actualDropoff = actualDropoff
        self.attributes = attributes
    }

    /// Whether `waypoint` is a stop of this trip and not of another rider's.
    public func owns(_ waypoint: TripWaypoint) -> Bool { waypoint.tripID.isEmpty || waypoint.tripID == name.trip }

    /// This trip's own stops that are still ahead, in order.
    public var ownRemainingWaypoints: [TripWaypoint] { remainingWaypoints.filter(owns) }

    /// How many stops of other trips come before this trip's next one.
    public var stopsBefore: Int { remainingWaypoints.prefix { !owns($0) }.count }
}
