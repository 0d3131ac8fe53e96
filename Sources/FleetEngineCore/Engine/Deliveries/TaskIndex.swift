import FleetEngine
import FoundationEssentials

/// The properties of a task that lists compare. They are separate from the task, so that a list can scan many tasks fast.
struct TaskRow: Equatable, Sendable {
    let name: TaskName
    let type: DeliveryTaskType
    let state: DeliveryTaskState
    let trackingID: String
    let vehicleID: String
    let outcome: DeliveryTaskOutcome?
    let outcomeTime: Date?
    let attributes: [DeliveryAttribute]

    init(_ task: DeliveryTask) {
        name = task.name
        type = task.type
        state = task.state
        trackingID = task.trackingID ?? ""
        vehicleID = task.vehicleID ?? ""
        outcome = task.outcome
        outcomeTime = task.outcomeTime
        attributes = task.attributes
    }
}

/// All tasks by the keys of a list: the provider, one of its vehicles, or a tracking id.
struct TaskIndex: Equatable, Sendable {
    enum Key: Hashable, Sendable {
        case provider(String)
        /// The tasks of a vehicle, including closed ones.
        case vehicle(provider: String, id: String)
        case tracking(provider: String, id: String)
    }

    private var lists: [Key: SerialList<TaskRow>] = [:]

    func rows(_ key: Key) -> SerialList<TaskRow> { lists[key] ?? SerialList() }

    /// - Parameter old: the task that is replaced; nil for a new one.
    mutating func put(_ record: TaskRecord, insteadOf old: TaskRecord?) {
        let keys = Self.keys(of: record)
        if let old, old.serial != record.serial || Self.keys(of: old) != keys { remove(old) }
        let row = TaskRow(record.task)
        for key in keys { lists[key, default: SerialList()].put(row, record.serial) }
    }

    mutating func remove(_ record: TaskRecord) {
        for key in Self.keys(of: record) {
            lists[key]?.remove(record.serial)
            if lists[key]?.count == 0 { lists[key] = nil }
        }
    }

    private static func keys(of record: TaskRecord) -> [Key] {
        let provider = record.name.provider
        var keys = [Key.provider(provider)]
        if let vehicle = record.task.vehicleID { keys.append(.vehicle(provider: provider, id: vehicle)) }
        if let tracking = record.task.trackingID { keys.append(.tracking(provider: provider, id: tracking)) }
        return keys
    }
}
