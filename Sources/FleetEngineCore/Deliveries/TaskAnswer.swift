public import FleetEngine
public import FleetEngineAPI
import FoundationEssentials

/// The data of a task at one moment, with its vehicle's route to it.
public struct TaskAnswer: Equatable, Sendable {
    /// The vehicle's route to a task.
    public struct Journey: Equatable, Sendable {
        /// The route segments to the vehicle's stops, up to and including the stop of the task.
        public let segments: [VehicleJourneySegment]
        /// The vehicle's last report, as received; nil before the first.
        public let lastLocation: WireVehicleLocation?
        /// Whether the report is close enough to the driver's route to be drawn on it.
        public let isLastLocationSnappable: Bool
    }

    /// The task. Its `journeySharing` is unset, because `journey` replaces it.
    public let task: DeliveryTask
    /// The vehicle's route; nil for an unassigned or closed task, and in lists.
    public let journey: Journey?

    /// Creates the answer for a list, which omits the vehicle's route.
    init(listed record: TaskRecord) {
        task = record.task
        journey = nil
    }

    /// - Parameter vehicle: the vehicle that the task is assigned to; nil for an unassigned task.
    init(_ record: TaskRecord, on vehicle: DeliveryVehicleRecord?, now: Date) {
        task = record.task
        journey = vehicle.flatMap { vehicle in
            vehicle.run.places[record.name.task].map { index in
                Journey(
                    segments: vehicle.segments(count: index + 1, isForTask: true, now: now), lastLocation: vehicle.location,
                    isLastLocationSnappable: vehicle.isSnappable)
            }
        }
    }
}
