import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo

/// The fields that `UpdateTask` can change.
enum TaskField: String, MaskField {
    case state
    case outcome = "task_outcome"
    case outcomeTime = "task_outcome_time"
    case outcomeLocation = "task_outcome_location"
    case viewConfig = "task_tracking_view_config"
    case window = "target_time_window"
    case attributes

    static let serverMaintained: [String] = []
}

/// The contents of one `UpdateTask` call.
struct TaskUpdate {
    let fields: Set<TaskField>
    let values: DeliveryTask
    let limits: EngineLimits
    let now: Date

    /// Returns the task with the changes of the call.
    ///
    /// - Parameter vehicle: the vehicle that the task is, or was, assigned to.
    /// - Throws: INVALID_ARGUMENT, FAILED_PRECONDITION.
    func applied(to record: TaskRecord, vehicle: DeliveryVehicleRecord?) throws(FleetEngineError) -> DeliveryTask {
        var task = record.task
        try applySettings(to: &task)
        if fields.contains(.state) { try applyState(to: &task, of: record) }
        if fields.contains(.outcomeLocation) {
            if let place = values.outcomeLocation { try Check.place(place, "task.task_outcome_location") }
            task.outcomeLocation = values.outcomeLocation
            task.outcomeLocationSource = values.outcomeLocation == nil ? nil : .provider
        }
        if fields.contains(.outcomeTime) { task.outcomeTime = values.outcomeTime }
        if fields.contains(.outcome) { try applyOutcome(to: &task, vehicle) }
        return task
    }

    private func applySettings(to task: inout DeliveryTask) throws(FleetEngineError) {
        guard !fields.isDisjoint(with: [.window, .viewConfig, .attributes]) else { return }
        guard task.state == .open else {
            throw .failedPrecondition(
                "TASK_STATE", subject: task.name.description,
                "the task is CLOSED: target_time_window, task_tracking_view_config and attributes cannot change")
        }
        if fields.contains(.window) {
            try Check.window(values.targetTimeWindow, "task.target_time_window")
            task.targetTimeWindow = values.targetTimeWindow
        }
        if fields.contains(.viewConfig) {
            try Check.viewConfig(values.trackingViewConfig, type: task.type, "task.task_tracking_view_config")
            task.trackingViewConfig = values.trackingViewConfig
        }
        if fields.contains(.attributes) {
            try Check.attributes(values.attributes, limits: limits)
            task.attributes = values.attributes
        }
    }

    private func applyState(to task: inout DeliveryTask, of record: TaskRecord) throws(FleetEngineError) {
        guard values.state != .unknown else { throw .invalid("task.state", "state must be OPEN or CLOSED") }
        guard values.state != task.state else { return }
        guard values.state == .closed else {
            throw .failedPrecondition("TASK_STATE", subject: task.name.description, "the task is CLOSED and cannot be opened again")
        }
        if let vehicle = record.assignedVehicle {
            throw .failedPrecondition(
                "TASK_ASSIGNED", subject: task.name.description,
                "the task is assigned to delivery vehicle \(vehicle.vehicle): to close the task, remove it from the vehicle's stops")
        }
        task.state = .closed
    }

    /// Applies the outcome, which is final. An outcome without a time gets the current time. A new outcome without a place gets the
    /// vehicle's last position, which is the raw position if the vehicle reported one.
    private func applyOutcome(to task: inout DeliveryTask, _ vehicle: DeliveryVehicleRecord?) throws(FleetEngineError) {
        if let present = task.outcome, present != values.outcome {
            throw .failedPrecondition(
                "TASK_OUTCOME", subject: task.name.description, "the outcome is \(present.rawValue) and cannot be changed")
        }
        guard let outcome = values.outcome else { throw .invalid("task.task_outcome", "task_outcome must be SUCCEEDED or FAILED") }
        let isFirst = task.outcome == nil
        task.outcome = outcome
        if task.outcomeTime == nil { task.outcomeTime = now }
        guard isFirst, task.outcomeLocation == nil, let location = vehicle?.location else { return }
        task.outcomeLocation = (location.hasRawLocation ? location.rawLocation : location.location).coordinate
        task.outcomeLocationSource = .lastVehicleLocation
    }
}
