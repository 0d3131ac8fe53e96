public import Geo

/// A task in the list of a stop.
public struct StopTask: Hashable, Sendable {
    /// The bare task id.
    public var taskID: String
    /// Seconds that the task takes at the stop, at least 0.
    public var durationSeconds: Double?
    /// The planned time window of the task.
    public var targetTimeWindow: TimeWindow?

    /// Creates a task; only the id is required.
    public init(taskID: String, durationSeconds: Double? = nil, targetTimeWindow: TimeWindow? = nil) {
        self.taskID = taskID
        self.durationSeconds = durationSeconds
        self.targetTimeWindow = targetTimeWindow
    }
}

/// A place at which a delivery vehicle stops to do tasks.
public struct VehicleStop: Hashable, Sendable {
    /// The place at which the vehicle stops; a task's own planned location may differ.
    public var plannedLocation: Coordinate
    /// The tasks at the stop, in the order in which they are done.
    public var tasks: [StopTask]
    /// The vehicle's progress towards the stop.
    public var state: VehicleStopState

    /// Creates a stop. By default, the vehicle has not set off for it.
    public init(plannedLocation: Coordinate, tasks: [StopTask] = [], state: VehicleStopState = .new) {
        self.plannedLocation = plannedLocation
        self.tasks = tasks
        self.state = state
    }
}

/// A stop, with the route that leads to it from the previous stop.
///
/// The route of the first stop begins where the vehicle was when the stop was added.
public struct VehicleJourneySegment: Hashable, Sendable {
    /// The stop at the end of the route.
    public var stop: VehicleStop
    /// Length of the route in metres, at least 0; nil if the server did not report it, for example after the arrival.
    public var drivingDistanceMeters: Double?
    /// Seconds of driving, at least 0; once the vehicle has arrived, the seconds that the drive actually took.
    public var drivingDurationSeconds: Double?
    /// The line of the route; empty when the server did not report it.
    public var path: Polyline

    /// Creates a segment of a journey; the details of its route are optional.
    public init(
        stop: VehicleStop, drivingDistanceMeters: Double? = nil, drivingDurationSeconds: Double? = nil, path: Polyline = Polyline([])
    ) {
        self.stop = stop
        self.drivingDistanceMeters = drivingDistanceMeters
        self.drivingDurationSeconds = drivingDurationSeconds
        self.path = path
    }
}

/// A delivery vehicle as the server shows it.
public struct DeliveryVehicle: Hashable, Sendable {
    /// The vehicle's full name, as in the request.
    public var name: DeliveryVehicleName
    /// The kind of vehicle.
    public var type: DeliveryVehicleType
    /// The vehicle's last position report; nil before the first.
    public var lastLocation: VehicleLocation?
    /// The state of the driver's navigation.
    public var navigationStatus: NavigationStatus
    /// The route to the next stop, as the driver's app uploaded it; empty if the app has uploaded none.
    public var currentRoute: Polyline
    /// The place at which `currentRoute` ends.
    public var currentRouteEndPoint: Coordinate?
    /// Metres that remain along `currentRoute`, as the driver's app last sent them.
    public var remainingDistanceMeters: Double?
    /// Seconds that remain along `currentRoute`. A server counts them down to 0.
    public var remainingDurationSeconds: Double?
    /// The stops that remain, in driving order; empty in a list of vehicles.
    public var remainingSegments: [VehicleJourneySegment]
    /// The provider's own values, in the provider's order.
    public var attributes: [DeliveryAttribute]

    /// Creates a vehicle; only the name is required.
    public init(
        name: DeliveryVehicleName, type: DeliveryVehicleType = .unknown, lastLocation: VehicleLocation? = nil,
        navigationStatus: NavigationStatus = .unknown, currentRoute: Polyline = Polyline([]), currentRouteEndPoint: Coordinate? = nil,
        remainingDistanceMeters: Double? = nil, remainingDurationSeconds: Double? = nil,
        remainingSegments: [VehicleJourneySegment] = [], attributes: [DeliveryAttribute] = []
    ) {
        self.name = name
        self.type = type
        self.lastLocation = lastLocation
        self.navigationStatus = navigationStatus
        self.currentRoute = currentRoute
        self.currentRouteEndPoint = currentRouteEndPoint
        self.remainingDistanceMeters = remainingDistanceMeters
        self.remainingDurationSeconds = remainingDurationSeconds
        self.remainingSegments = remainingSegments
        self.attributes = attributes
    }
}
