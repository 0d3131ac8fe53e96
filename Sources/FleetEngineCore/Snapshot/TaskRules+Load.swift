import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

extension TaskRules {
    /// Reads a task from a message, with its state and its outcome. An OPEN task is returned without a vehicle, because the vehicle's list
    /// of stops assigns it later.
    ///
    /// - Parameter isPartial: whether the task may lack its place, and whether invalid values are dropped instead of refused.
    /// - Throws: INVALID_ARGUMENT.
    static func loadedTask(
        _ told: WireTask, name: TaskName, isPartial: Bool, limits: EngineLimits, now: Date
    ) throws(FleetEngineError) -> DeliveryTask {
        var task = DeliveryTask(told, name: name)
        task.state = task.state == .closed ? .closed : .open
        task.journeySharing = nil
        if !isPartial { try checkReading(told, &task) }
        var asNew = DeliveryTask(
            name: name, type: task.type, state: .open, trackingID: task.trackingID, plannedLocation: task.plannedLocation,
            durationSeconds: task.durationSeconds, trackingViewConfig: task.trackingViewConfig,
            targetTimeWindow: task.targetTimeWindow, attributes: task.attributes)
        if isPartial, task.plannedLocation == nil { asNew.plannedLocation = Coordinate(latitude: 0, longitude: 0) }
        try check(asNew, field: "task", limits: limits)
        try setVehicle(of: &task)
        try setOutcome(told, of: &task, now: now)
        return task
    }

    /// Refuses invalid values, which `DeliveryTask` silently drops when it reads the message.
    private static func checkReading(_ told: WireTask, _ task: inout DeliveryTask) throws(FleetEngineError) {
        if told.plannedLocation.hasPoint {
            try Check.place(told.plannedLocation.point, "planned_location.point")
            task.plannedLocation = told.plannedLocation.point.coordinate
        }
        if told.hasTaskDuration { try Check.duration(told.taskDuration.lengthSeconds, "task_duration") }
        if told.hasTargetTimeWindow, task.targetTimeWindow == nil {
            throw .invalid("target_time_window", "target_time_window must have a start_time, and an end_time that is not before it")
        }
        guard task.attributes.count == told.attributes.count else {
            throw .invalid("attributes", "attributes must have distinct keys and finite numbers")
        }
    }

    /// Checks the vehicle of a closed task. Removes the vehicle of an open task, because the vehicle's list of stops assigns it later.
    private static func setVehicle(of task: inout DeliveryTask) throws(FleetEngineError) {
        guard task.state == .closed, let id = task.vehicleID else {
            task.vehicleID = nil
            return
        }
        do {
            _ = try DeliveryVehicleName(provider: task.name.provider, vehicle: id)
        } catch { throw .invalid("delivery_vehicle_id", error.description) }
    }

    private static func setOutcome(_ told: WireTask, of task: inout DeliveryTask, now: Date) throws(FleetEngineError) {
        guard task.outcome != nil else {
            task.outcomeTime = nil
            task.outcomeLocation = nil
            task.outcomeLocationSource = nil
            return
        }
        if told.hasTaskOutcomeTime { try Check.time(told.taskOutcomeTime, "task_outcome_time") }
        task.outcomeTime = task.outcomeTime ?? now
        if let place = task.outcomeLocation { try Check.place(place, "task_outcome_location.point") }
        task.outcomeLocationSource = task.outcomeLocation == nil ? nil : task.outcomeLocationSource ?? .provider
    }
}
