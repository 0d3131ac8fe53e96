public import FleetEngine
public import FleetEngineAPI
import FoundationEssentials

/// A task at one moment, with the way of its vehicle to it.
public struct TaskAnswer: Equatable, Sendable {
    /// The vehicle's way to a task.
    public struct Journey: Equatable, Sendable {
        /// The stops up to and including the task's own.
        public let segments: [VehicleJourneySegment]
        /// The vehicle's last report, as received; nil before the first.
        public let lastLocation: WireVehicleLocation?
        /// Whether the report can be drawn on the driver's way.
        public let isLastLocationSnappable: Bool
    }

    /// The task without `journeySharing`, which `journey` replaces.
    public let task: DeliveryTask
    /// Nil for a free or closed task, and in lists.
    public let journey: Journey?

    /// A task in a list.
    init(listed record: TaskRecord) {
        task = record.task
        journey = nil
    }

    /// - Parameter vehicle: the vehicle that has the task; nil without one.
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
