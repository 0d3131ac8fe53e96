import FleetEngine
import FoundationEssentials
import Geo

/// The round of a van in the invented town, whose last parcel is yours.
struct DemoParcel: Sendable {
    private static let provider = "demo"
    /// Time at each stop, seconds.
    static let stopSeconds = 40.0
    /// Number of remaining stops from which on everything is shared. Before that, only the number is.
    private static let sharedStops = 5
    /// Lengths of the planned window and of the steps at which it starts, seconds.
    private static let windowSeconds = 3_600.0
    private static let windowStepSeconds = 1_800.0

    let vehicle: DeliveryVehicleName
    /// First place of the van.
    let start: Coordinate
    /// Tracking name of your parcel.
    let tracking: TaskTrackingName
    /// Name of the place to which your parcel comes.
    let placeName: String
    /// The tasks of the stops, in driving order.
    let tasks: [DeliveryTask]

    /// - Parameter now: a moment in the planned window.
    init(_ ride: DemoRide, in rides: [DemoRide], now: Date) throws(ResourceNameError) {
        let round = ride.round(in: rides)
        vehicle = try DeliveryVehicleName(provider: Self.provider, vehicle: "demo-van")
        start = ride.pickup.coordinate
        placeName = ride.dropoff.name
        tracking = try TaskTrackingName(provider: Self.provider, trackingID: Self.id(round.count))
        let window = Self.window(around: now)
        var tasks: [DeliveryTask] = []
        for (index, place) in round.enumerated() {
            let id = Self.id(index + 1)
            tasks.append(
                DeliveryTask(
                    name: try TaskName(provider: Self.provider, task: id), type: .delivery, state: .open, trackingID: id,
                    plannedLocation: place.coordinate, durationSeconds: Self.stopSeconds, trackingViewConfig: Self.view,
                    targetTimeWindow: window))
        }
        self.tasks = tasks
    }

    /// The stops of the tasks, in driving order.
    var stops: [VehicleStop] {
        tasks.compactMap { task in
            task.plannedLocation.map { VehicleStop(plannedLocation: $0, tasks: [StopTask(taskID: task.name.task)]) }
        }
    }

    private static func id(_ number: Int) -> String { "parcel-\(number)" }

    private static var view: TaskTrackingViewConfig {
        let near = TrackingVisibility.remainingStops(atMost: sharedStops)
        return TaskTrackingViewConfig(
            route: near, arrivalTime: near, completionTime: near, remainingDistance: near, remainingStopCount: .always,
            vehicleLocation: near)
    }

    /// A window that began at most half an hour before a moment.
    private static func window(around moment: Date) -> TimeWindow {
        let start = Date(timeIntervalSince1970: (moment.timeIntervalSince1970 / windowStepSeconds).rounded(.down) * windowStepSeconds)
        return TimeWindow(start: start, end: start.addingTimeInterval(windowSeconds))
    }
}
