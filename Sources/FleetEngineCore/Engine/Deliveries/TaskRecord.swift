public import FleetEngine

/// A task in the engine.
public struct TaskRecord: Equatable, Sendable {
    /// A number that rises from task to task. Lists use this order.
    package let serial: UInt64
    /// The stamp of the last write.
    var stamp: ChangeStamp
    /// The task without the vehicle's way to it, which is computed when asked.
    public internal(set) var task: DeliveryTask
    /// The account that made the task; see `EngineAccount`.
    let account: String

    /// The task's full name.
    public var name: TaskName { task.name }

    /// The vehicle that has the task in its list of stops; nil for a free or closed task.
    var assignedVehicle: DeliveryVehicleName? { task.state == .open ? lastVehicle : nil }

    /// The vehicle that has, or had, the task.
    var lastVehicle: DeliveryVehicleName? {
        task.vehicleID.flatMap { try? DeliveryVehicleName(provider: name.provider, vehicle: $0) }
    }
}
