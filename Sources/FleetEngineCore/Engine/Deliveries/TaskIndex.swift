import FleetEngine
import FoundationEssentials

/// The task's properties that are compared when tasks are listed. They are separate from the task, so that a list can scan many
/// tasks quickly.
package struct TaskRow: Equatable, Sendable {
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

/// An index of all tasks, for list calls and for tracking. Its keys are a provider, the open tasks of a provider, a vehicle, and a tracking
/// id.
package struct TaskIndex: Equatable, Sendable {
    package enum Key: Hashable, Sendable {
        case provider(String)
        /// The open tasks of a provider. The list stays short, because a closed task is never reopened.
        case open(provider: String)
        /// The tasks of a vehicle, including closed ones.
        case vehicle(provider: String, id: String)
        case tracking(provider: String, id: String)
    }

    private var lists: [Key: SerialList<TaskRow>] = [:]

    package func rows(_ key: Key) -> SerialList<TaskRow> { lists[key] ?? SerialList() }

    /// - Parameter old: the task that is replaced; nil for a new one.
    mutating func put(_ record: TaskRecord, insteadOf old: TaskRecord?) {
        let keys = Self.keys(of: record)
        if let old {
            for key in Self.keys(of: old) where old.serial != record.serial || !keys.contains(key) { remove(old.serial, from: key) }
        }
        let row = TaskRow(record.task)
        for key in keys { lists[key, default: SerialList()].put(row, record.serial) }
    }

    mutating func remove(_ record: TaskRecord) {
        for key in Self.keys(of: record) { remove(record.serial, from: key) }
    }

    private mutating func remove(_ serial: UInt64, from key: Key) {
        lists[key]?.remove(serial)
        if lists[key]?.count == 0 { lists[key] = nil }
    }

    private static func keys(of record: TaskRecord) -> [Key] {
        let provider = record.name.provider
        var keys = [Key.provider(provider)]
        if record.task.state == .open { keys.append(.open(provider: provider)) }
        if let vehicle = record.task.vehicleID { keys.append(.vehicle(provider: provider, id: vehicle)) }
        if let tracking = record.task.trackingID { keys.append(.tracking(provider: provider, id: tracking)) }
        return keys
    }
}
