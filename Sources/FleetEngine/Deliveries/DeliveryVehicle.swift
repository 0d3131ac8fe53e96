public import Geo

/// A task as listed at its stop.
public struct StopTask: Hashable, Sendable {
    /// The bare task id.
    public var taskID: String
    /// Seconds that the task takes at the stop, at least 0.
    public var durationSeconds: Double?
    /// The time for which the task is planned.
    public var targetTimeWindow: TimeWindow?

    /// A task with its id only, unless more is given.
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
    /// The vehicle's progress with the stop.
    public var state: VehicleStopState

    /// A stop that the vehicle has not begun, unless `state` says otherwise.
    public init(plannedLocation: Coordinate, tasks: [StopTask] = [], state: VehicleStopState = .new) {
        self.plannedLocation = plannedLocation
        self.tasks = tasks
        self.state = state
    }
}

/// A stop, with the route that leads to it from the stop before.
///
/// The route of the first stop begins at the vehicle's position when the stop was added.
public struct VehicleJourneySegment: Hashable, Sendable {
    /// The stop at the end of the route.
    public var stop: VehicleStop
    /// Length of the route in metres, at least 0; nil when the server did not report it, such as once the vehicle has arrived.
    public var drivingDistanceMeters: Double?
    /// Seconds of driving, at least 0; once the vehicle has arrived, the seconds that it really took.
    public var drivingDurationSeconds: Double?
    /// The line of the route; empty when the server did not report it.
    public var path: Polyline

    /// A stop without a known route, unless one is given.
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
    /// The vehicle's full name, as it was asked for.
    public var name: DeliveryVehicleName
    /// The kind of vehicle.
    public var type: DeliveryVehicleType
    /// The last report of its position; nil before the first.
    public var lastLocation: VehicleLocation?
    /// The state of the driver's navigation.
    public var navigationStatus: NavigationStatus
    /// The route to the next stop that the driver's app uploaded; empty without one.
    public var currentRoute: Polyline
    /// The end of `currentRoute`.
    public var currentRouteEndPoint: Coordinate?
    /// Metres along `currentRoute` from the vehicle, as the driver's app last sent them.
    public var remainingDistanceMeters: Double?
    /// Seconds along `currentRoute` from the vehicle. A server counts them down to 0.
    public var remainingDurationSeconds: Double?
    /// The stops that remain, in driving order; empty in a list of vehicles.
    public var remainingSegments: [VehicleJourneySegment]
    /// The provider's own values, in its order.
    public var attributes: [DeliveryAttribute]

    /// A vehicle with its name only, unless more is given.
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
