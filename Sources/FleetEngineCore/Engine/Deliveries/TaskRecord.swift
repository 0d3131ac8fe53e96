public import FleetEngine

/// A task in the engine.
public struct TaskRecord: Equatable, Sendable {
    /// A number that increases with each new task, and defines the order of tasks in lists.
    package let serial: UInt64
    /// The stamp of the last write.
    var stamp: ChangeStamp
    /// The task. The vehicle's route to it is computed for each answer.
    public internal(set) var task: DeliveryTask
    /// The account that created the task; see `EngineAccount`.
    let account: String

    /// The task's full name.
    public var name: TaskName { task.name }

    /// The vehicle whose list of stops includes the task; nil for an unassigned or closed task.
    var assignedVehicle: DeliveryVehicleName? { task.state == .open ? lastVehicle : nil }

    /// The vehicle that the task is, or was, assigned to.
    var lastVehicle: DeliveryVehicleName? {
        task.vehicleID.flatMap { try? DeliveryVehicleName(provider: name.provider, vehicle: $0) }
    }
}
