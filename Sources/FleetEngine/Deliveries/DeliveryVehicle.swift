public import Geo

/// A task as its stop lists it.
public struct StopTask: Hashable, Sendable {
    /// The bare task id.
    public var taskID: String
    /// Seconds that the task takes at the stop, at least 0.
    public var durationSeconds: Double?
    /// When the task is planned to be done.
    public var targetTimeWindow: TimeWindow?

    /// A task of which only the id is known, unless more is given.
    public init(taskID: String, durationSeconds: Double? = nil, targetTimeWindow: TimeWindow? = nil) {
        self.taskID = taskID
        self.durationSeconds = durationSeconds
        self.targetTimeWindow = targetTimeWindow
    }
}

/// A place at which a delivery vehicle stops to do tasks.
public struct VehicleStop: Hashable, Sendable {
    /// Where the vehicle is to stop; a task's own planned location may be another.
    public var plannedLocation: Coordinate
    /// What is done there, in this order.
    public var tasks: [StopTask]
    /// How far the vehicle has come with it.
    public var state: VehicleStopState

    /// A stop that the vehicle has not begun, unless `state` says otherwise.
    public init(plannedLocation: Coordinate, tasks: [StopTask] = [], state: VehicleStopState = .new) {
        self.plannedLocation = plannedLocation
        self.tasks = tasks
        self.state = state
    }
}

/// A stop, with the way that leads to it from the stop before.
///
/// The way of the first stop begins where the vehicle was when the stop was added.
public struct VehicleJourneySegment: Hashable, Sendable {
    /// Where the way ends.
    public var stop: VehicleStop
    /// Metres of the way, at least 0; nil when the server did not say, such as once the vehicle has arrived.
    public var drivingDistanceMeters: Double?
    /// Seconds of driving, at least 0; once the vehicle has arrived, those that it really took.
    public var drivingDurationSeconds: Double?
    /// The way itself; empty when the server did not say.
    public var path: Polyline

    /// A stop to which the way is not known, unless it is given.
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
    /// What kind of vehicle it is.
    public var type: DeliveryVehicleType
    /// The last report of its position; nil before the first.
    public var lastLocation: VehicleLocation?
    /// What its driver's navigation is doing.
    public var navigationStatus: NavigationStatus
    /// The way to the next stop that the driver's app uploaded; empty without one.
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

    /// A vehicle of which only the name is known, unless more is given.
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
