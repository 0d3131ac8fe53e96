import FleetEngine
import FoundationEssentials
import Geo

/// The delivery round of a van in the invented town. The last parcel of the round is the user's.
struct DemoParcel: Sendable {
    private static let provider = "demo"
    /// Time that the van stays at each stop, in seconds.
    static let stopSeconds = 40.0
    /// While at most this many stops remain, all details of the parcel are shared; before that, only the number of stops.
    private static let sharedStops = 5
    /// Length of the planned time window, in seconds. The window starts at a multiple of `windowStepSeconds`.
    private static let windowSeconds = 3_600.0
    private static let windowStepSeconds = 1_800.0

    let vehicle: DeliveryVehicleName
    /// The position at which the van starts.
    let start: Coordinate
    /// Tracking name of the user's parcel.
    let tracking: TaskTrackingName
    /// Name of the place to which the user's parcel is delivered.
    let placeName: String
    /// The tasks of the stops, in driving order.
    let tasks: [DeliveryTask]

    /// Creates the round.
    /// - Parameter now: a time in the planned window.
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

    /// Returns a time window that began at most half an hour before `moment`.
    private static func window(around moment: Date) -> TimeWindow {
        let start = Date(timeIntervalSince1970: (moment.timeIntervalSince1970 / windowStepSeconds).rounded(.down) * windowStepSeconds)
        return TimeWindow(start: start, end: start.addingTimeInterval(windowSeconds))
    }
}
