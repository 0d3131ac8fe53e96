public import FoundationEssentials
public import Geo

/// The version of a route or another part of a trip. A client does not interpret the value, and sends it back unchanged.
public struct DataVersion: Hashable, Sendable, Comparable {
    /// Whole seconds since 1970.
    public let seconds: Int64
    /// Nanoseconds after `seconds`; a server sends 0 to 999,999,999.
    public let nanoseconds: Int32

    /// Creates a version from the two numbers of a `google.protobuf.Timestamp`, unchecked.
    public init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    public static func < (left: Self, right: Self) -> Bool { (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds) }
}

/// A vehicle's position report as the server passes it on. An unknown member is nil.
public struct VehicleLocation: Hashable, Sendable {
    /// The best position in the report: snapped to the road if possible, otherwise the raw or the supplemental position.
    public var coordinate: Coordinate
    /// The vehicle's heading, degrees clockwise from north, 0 ..< 360.
    public var headingDegrees: Double?
    /// Speed over the ground, metres per second, 0 to 150.
    public var speedMetersPerSecond: Double?
    /// Radius around `coordinate` that contains the vehicle with a probability of 68 %, in metres.
    public var accuracyMeters: Double?
    /// Height above the WGS84 ellipsoid, metres, -12,000 to 20,000.
    public var altitudeMeters: Double?
    /// The time of the position, by the sensor's clock.
    public var updateTime: Date?
    /// The position that the sensor measured, before snapping.
    public var rawCoordinate: Coordinate?
    /// The time at which the sensor measured `rawCoordinate`.
    public var rawLocationTime: Date?
    /// The time at which the server received the report.
    public var serverTime: Date?
    /// Whether `coordinate` was snapped to a road.
    public var isRoadSnapped: Bool?
    /// A position from a source other than the vehicle's own sensor.
    public var supplemental: SupplementalLocation?
    /// Step to which the times are rounded, in seconds; 0 for exact times. Only shared links round the times.
    package var timeStepSeconds = 0.0

    /// Creates a report; only the position is required.
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

    /// The time of the position: `update_time`; if that is missing, `raw_location_time`; if both are missing, `server_time`.
    public var fixTime: Date? { updateTime ?? rawLocationTime ?? serverTime }
}

/// A position from a source other than the vehicle's own sensor, such as a terminal at a gate.
public struct SupplementalLocation: Hashable, Sendable {
    /// The vehicle's position.
    public var coordinate: Coordinate
    /// The time of the position.
    public var time: Date?
    /// Radius around `coordinate` that contains the vehicle with a probability of 68 %, in metres.
    public var accuracyMeters: Double?

    /// Creates a position; its details are optional.
    public init(coordinate: Coordinate, time: Date? = nil, accuracyMeters: Double? = nil) {
        self.coordinate = coordinate
        self.time = time
        self.accuracyMeters = accuracyMeters
    }
}

/// A stop on the vehicle's route, with the path that leads to it from the previous stop.
public struct TripWaypoint: Hashable, Sendable {
    /// The place of the stop.
    public var coordinate: Coordinate
    /// Bare id of the stop's trip; empty if the server did not report it. The stop then belongs to the requested trip.
    public var tripID: String
    /// The purpose of the stop.
    public var type: WaypointType
    /// The path from the previous stop to this one, with its traffic.
    public var path: RouteLine
    /// Metres of driving from the previous stop.
    public var distanceMeters: Double?
    /// The time at which the server expects the vehicle to reach the stop.
    public var eta: Date?
    /// Seconds of driving from the previous stop.
    public var durationSeconds: Double?

    /// Creates a stop of trip `tripID`; all other details are optional.
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

/// The place and time at which a vehicle actually stopped.
public struct StopLocation: Hashable, Sendable {
    /// The place at which the vehicle stopped.
    public var coordinate: Coordinate
    /// The time of the stop; nil when the server did not report it.
    public var time: Date?

    /// Creates a stop at `coordinate` and `time`.
    public init(coordinate: Coordinate, time: Date?) {
        self.coordinate = coordinate
        self.time = time
    }
}

/// A trip as one answer of the server shows it.
public struct Trip: Hashable, Sendable {
    /// The trip's full name, as in the request.
    public var name: TripName
    /// Bare id of the vehicle; nil while no vehicle is assigned.
    public var vehicleID: String?
    /// The status of the trip.
    public var status: TripStatus
    /// Whether the vehicle may be shared with other riders.
    public var type: TripType
    /// The number of passengers; never negative.
    public var numberOfPassengers: Int
    /// The booked pickup place. The place at which the rider got in is `actualPickup`.
    public var pickupPoint: Coordinate?
    /// The booked drop-off place. The place at which the rider got out is `actualDropoff`.
    public var dropoffPoint: Coordinate?
    /// Stops between pickup and drop-off, in the order of travel.
    public var intermediateDestinations: [Coordinate]
    /// The index, counted from 0, of the intermediate destination that the vehicle is driving to or waiting at. The provider sets it, and
    /// it can be beyond the end of the list.
    public var intermediateDestinationIndex: Int
    /// The time at which the intermediate destinations last changed; a request that changes the index sends this version back.
    public var intermediateDestinationsVersion: DataVersion?
    /// The time of the pickup: a forecast until the rider is on board, then the actual time.
    public var pickupTime: Date?
    /// The time of the drop-off: a forecast until the trip ends, then the actual time.
    public var dropoffTime: Date?
    /// The vehicle's last position report; nil before the first report, and after the server has withdrawn it.
    public var lastLocation: VehicleLocation?
    /// Path to the next stop, with its traffic. If an answer contains only the changes, an empty path or missing traffic may mean no
    /// change: compare the versions.
    public var activeRoute: RouteLine
    /// The time at which the active route last changed.
    public var activeRouteVersion: DataVersion?
    /// The time at which the traffic on the active route last changed.
    public var activeRouteTrafficVersion: DataVersion?
    /// Metres along the route to the vehicle's next stop, which may belong to another trip.
    public var remainingDistanceMeters: Double?
    /// The expected arrival at the vehicle's next stop, which may belong to another trip.
    public var etaToNextWaypoint: Date?
    /// Seconds until `etaToNextWaypoint`, counted from the time at which the server built the answer.
    public var remainingTimeToNextWaypointSeconds: Double?
    /// The stops up to this trip's drop-off, in the vehicle's order; some may belong to other trips.
    public var remainingWaypoints: [TripWaypoint]
    /// The version of the paths and the traffic inside `remainingWaypoints`.
    public var remainingWaypointsRouteVersion: DataVersion?
    /// The place and time at which the rider got in.
    public var actualPickup: StopLocation?
    /// The place and time at which the rider got out.
    public var actualDropoff: StopLocation?
    /// The provider's own values, by key; numbers and Boolean values are written as text.
    public var attributes: [String: String]

    /// Creates a trip; only the name is required.
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

    /// Whether `waypoint` is a stop of this trip.
    public func owns(_ waypoint: TripWaypoint) -> Bool { waypoint.tripID.isEmpty || waypoint.tripID == name.trip }

    /// This trip's own stops that are still ahead, in order.
    public var ownRemainingWaypoints: [TripWaypoint] { remainingWaypoints.filter(owns) }

    /// The number of stops of other trips before this trip's next stop.
    public var stopsBefore: Int { remainingWaypoints.prefix { !owns($0) }.count }
}
