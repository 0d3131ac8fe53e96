import FleetEngine
import Geo

/// The rules for a new task.
enum TaskRules {
    /// - Parameter field: the path of the task in its request.
    /// - Throws: INVALID_ARGUMENT.
    static func check(_ task: DeliveryTask, field: String, limits: EngineLimits) throws(FleetEngineError) {
        guard task.type != .unknown else { throw .invalid("\(field).type", "type is required") }
        guard task.state == .open else { throw .invalid("\(field).state", "state must be OPEN") }
        try checkTrackingID(task, "\(field).tracking_id")
        try Check.duration(task.durationSeconds, "\(field).task_duration")
        if let place = task.plannedLocation {
            try Check.place(place, "\(field).planned_location")
        } else if task.type != .unavailable {
            throw .invalid("\(field).planned_location", "planned_location is required for a \(task.type.rawValue) task")
        }
        try Check.window(task.targetTimeWindow, "\(field).target_time_window")
        try Check.viewConfig(task.trackingViewConfig, type: task.type, "\(field).task_tracking_view_config")
        try Check.attributes(task.attributes, limits: limits)
        try checkServersOwn(task, field)
    }

    private static func checkTrackingID(_ task: DeliveryTask, _ field: String) throws(FleetEngineError) {
        guard task.type.isShipment else {
            guard task.trackingID == nil else { throw .invalid(field, "only a PICKUP or DELIVERY task can have a tracking_id") }
            return
        }
        guard let id = task.trackingID else { throw .invalid(field, "tracking_id is required for a \(task.type.rawValue) task") }
        do { try ResourceID.check(id, kind: "tracking id") } catch { throw .invalid(field, error.description) }
    }

    private static func checkServersOwn(_ task: DeliveryTask, _ field: String) throws(FleetEngineError) {
        guard task.vehicleID == nil else {
            throw .invalid(
                "\(field).delivery_vehicle_id",
                "delivery_vehicle_id cannot be set: a task is assigned through a vehicle's list of stops")
        }
        let members = [
            (task.journeySharing != nil, "journey_sharing_info"), (task.outcome != nil, "task_outcome"),
            (task.outcomeTime != nil, "task_outcome_time"), (task.outcomeLocation != nil, "task_outcome_location"),
            (task.outcomeLocationSource != nil, "task_outcome_location_source"),
        ]
        for (isSet, name) in members where isSet { throw .invalid("\(field).\(name)", "\(name) cannot be set on a new task") }
    }
}
