import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// Reads the task of a request. Invalid fields are refused. (In answers, they are ignored.)
struct TaskReader {
    let wire: WireTask
    /// The path of the task's field in the request, for error messages.
    let field: String

    /// Reads the task.
    /// - Throws: INVALID_ARGUMENT for values that no task can have. The engine checks all other rules.
    func task(_ name: TaskName) throws(FleetEngineError) -> DeliveryTask {
        DeliveryTask(
            name: name, type: DeliveryTaskType(wire.type), state: DeliveryTaskState(wire.state),
            trackingID: wire.trackingID.isEmpty ? nil : wire.trackingID,
            vehicleID: wire.deliveryVehicleID.isEmpty ? nil : wire.deliveryVehicleID,
            plannedLocation: try place(wire.hasPlannedLocation ? wire.plannedLocation : nil, "planned_location"),
            durationSeconds: wire.hasTaskDuration ? wire.taskDuration.lengthSeconds : nil,
            journeySharing: wire.hasJourneySharingInfo ? TaskJourneySharing() : nil, outcome: DeliveryTaskOutcome(wire.taskOutcome),
            outcomeTime: try time(wire.hasTaskOutcomeTime ? wire.taskOutcomeTime : nil, "\(field).task_outcome_time"),
            outcomeLocation: try place(wire.hasTaskOutcomeLocation ? wire.taskOutcomeLocation : nil, "task_outcome_location"),
            outcomeLocationSource: TaskOutcomeLocationSource(wire.taskOutcomeLocationSource),
            trackingViewConfig: try viewConfig(), targetTimeWindow: try window(), attributes: attributes)
    }

    private func place(_ place: WireLocationInfo?, _ name: String) throws(FleetEngineError) -> Coordinate? {
        guard let place else { return nil }
        guard place.hasPoint else { throw .invalid("\(field).\(name).point", "\(field).\(name).point is required") }
        return place.point.coordinate
    }

    private func time(_ time: Google_Protobuf_Timestamp?, _ field: String) throws(FleetEngineError) -> Date? {
        guard let time else { return nil }
        try Check.time(time, field)
        return time.moment
    }

    private func window() throws(FleetEngineError) -> TimeWindow? {
        guard wire.hasTargetTimeWindow else { return nil }
        let (window, field) = (wire.targetTimeWindow, "\(field).target_time_window")
        guard let start = try time(window.hasStartTime ? window.startTime : nil, "\(field).start_time") else {
            throw .invalid("\(field).start_time", "\(field).start_time is required")
        }
        guard let end = try time(window.hasEndTime ? window.endTime : nil, "\(field).end_time") else {
            throw .invalid("\(field).end_time", "\(field).end_time is required")
        }
        return TimeWindow(start: start, end: end)
    }

    private func viewConfig() throws(FleetEngineError) -> TaskTrackingViewConfig? {
        guard wire.hasTaskTrackingViewConfig else { return nil }
        let config = wire.taskTrackingViewConfig
        return TaskTrackingViewConfig(
            route: try visibility(config.routePolylinePointsVisibility, "route_polyline_points_visibility"),
            arrivalTime: try visibility(config.estimatedArrivalTimeVisibility, "estimated_arrival_time_visibility"),
            completionTime: try visibility(config.estimatedTaskCompletionTimeVisibility, "estimated_task_completion_time_visibility"),
            remainingDistance: try visibility(config.remainingDrivingDistanceVisibility, "remaining_driving_distance_visibility"),
            remainingStopCount: try visibility(config.remainingStopCountVisibility, "remaining_stop_count_visibility"),
            vehicleLocation: try visibility(config.vehicleLocationVisibility, "vehicle_location_visibility"))
    }

    private func visibility(
        _ option: WireTaskTrackingViewConfig.VisibilityOption, _ name: String
    ) throws(FleetEngineError) -> TrackingVisibility? {
        let field = "\(field).task_tracking_view_config.\(name)"
        switch option.visibilityOption {
        case .always(false): throw .invalid("\(field).always", "\(field).always must be true or left out")
        case .never(false): throw .invalid("\(field).never", "\(field).never must be true or left out")
        case .always(true): return .always
        case .never(true): return .never
        case .remainingStopCountThreshold(let count): return .remainingStops(atMost: Int(count))
        case .durationUntilEstimatedArrivalTimeThreshold(let duration): return .secondsToArrival(atMost: duration.lengthSeconds)
        case .remainingDrivingDistanceMetersThreshold(let meters): return .remainingMeters(atMost: Int(meters))
        case nil: return nil
        }
    }

    private var attributes: [DeliveryAttribute] {
        wire.attributes.map { attribute in
            switch attribute.taskAttributeValue {
            case .stringValue(let text): DeliveryAttribute(key: attribute.key, text: text)
            case .boolValue(let flag): DeliveryAttribute(key: attribute.key, value: .truth(flag))
            case .numberValue(let number): DeliveryAttribute(key: attribute.key, value: .number(number))
            case nil: DeliveryAttribute(key: attribute.key, text: "")
            }
        }
    }
}

extension WireTask {
    /// Returns a copy that has only the fields in the mask, so that the other fields are neither read nor checked.
    func only(_ mask: Google_Protobuf_FieldMask) -> WireTask {
        var kept = WireTask()
        for path in mask.paths {
            switch UpdateMask.snakeCase(path) {
            case "state": kept.state = state
            case "task_outcome": kept.taskOutcome = taskOutcome
            case "task_outcome_time" where hasTaskOutcomeTime: kept.taskOutcomeTime = taskOutcomeTime
            case "task_outcome_location" where hasTaskOutcomeLocation: kept.taskOutcomeLocation = taskOutcomeLocation
            case "task_tracking_view_config" where hasTaskTrackingViewConfig: kept.taskTrackingViewConfig = taskTrackingViewConfig
            case "target_time_window" where hasTargetTimeWindow: kept.targetTimeWindow = targetTimeWindow
            case "attributes": kept.attributes = attributes
            default: break
            }
        }
        return kept
    }
}
