public import FleetEngine

/// One change of a task or a delivery vehicle.
public enum DeliveryChange: Equatable, Sendable {
    /// A new task, or the new version of a task.
    case taskPut(TaskRecord)
    /// The task was deleted.
    case taskRemoved(TaskName)
    /// A new delivery vehicle, or the new version of one.
    case vehiclePut(DeliveryVehicleRecord)
    /// The delivery vehicle was deleted.
    case vehicleRemoved(DeliveryVehicleName)

    /// The id of the provider of the task or delivery vehicle.
    package var provider: String {
        switch self {
        case .taskPut(let record): record.name.provider
        case .taskRemoved(let name): name.provider
        case .vehiclePut(let record): record.name.provider
        case .vehicleRemoved(let name): name.provider
        }
    }

    /// The serial and the stamp of a new version; nil for a removal.
    var numbers: (serial: UInt64, stamp: ChangeStamp)? {
        switch self {
        case .taskPut(let record): (record.serial, record.stamp)
        case .vehiclePut(let record): (record.serial, record.stamp)
        case .taskRemoved, .vehicleRemoved: nil
        }
    }
}

/// The tasks and the delivery vehicles of all providers.
package struct DeliveryState: Equatable, Sendable {
    package private(set) var tasks: [TaskName: TaskRecord] = [:]
    package private(set) var vehicles: [DeliveryVehicleName: DeliveryVehicleRecord] = [:]
    /// An index of `tasks` by the properties that lists use.
    package private(set) var taskIndex = TaskIndex()
    /// The rows of `vehicles`, as one list for each provider. A row has the properties by which a list is filtered.
    private var fleets: [String: SerialList<DeliveryVehicleRow>] = [:]
    /// The total number of points in the routes of `vehicles`.
    private(set) var routePoints = 0

    /// The rows of a provider's delivery vehicles, in the order of their serials.
    package func fleet(of provider: String) -> SerialList<DeliveryVehicleRow> { fleets[provider] ?? SerialList() }

    mutating func apply(_ change: DeliveryChange) {
        switch change {
        case .taskPut(let record):
            taskIndex.put(record, insteadOf: tasks.updateValue(record, forKey: record.name))
        case .taskRemoved(let name):
            guard let old = tasks.removeValue(forKey: name) else { return }
            taskIndex.remove(old)
        case .vehiclePut(let record):
            let old = vehicles.updateValue(record, forKey: record.name)
            routePoints += record.routePoints - (old?.routePoints ?? 0)
            if let old, old.serial != record.serial { forget(old) }
            fleets[record.name.provider, default: SerialList()].put(DeliveryVehicleRow(record), record.serial)
        case .vehicleRemoved(let name):
            guard let old = vehicles.removeValue(forKey: name) else { return }
            routePoints -= old.routePoints
            forget(old)
        }
    }

    private mutating func forget(_ old: DeliveryVehicleRecord) {
        fleets[old.name.provider]?.remove(old.serial)
        if fleets[old.name.provider]?.count == 0 { fleets[old.name.provider] = nil }
    }

    /// Records a change, together with the state of the object before the change.
    func note(_ change: DeliveryChange, in changed: inout ChangeSet) {
        switch change {
        case .taskPut(let record): changed.note(record.name, tasks[record.name], record)
        case .taskRemoved(let name): changed.note(name, tasks[name], nil)
        case .vehiclePut(let record): changed.note(record.name, vehicles[record.name], record)
        case .vehicleRemoved(let name): changed.note(name, vehicles[name], nil)
        }
    }
}
