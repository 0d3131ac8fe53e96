import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import SwiftProtobuf

/// The tasks and delivery vehicles of a log, as they are after the entries applied so far.
struct LoggedDeliveries {
    /// The tasks, except deleted ones.
    private(set) var tasks: [TaskName: WireTask] = [:]
    /// The delivery vehicles, except deleted ones.
    private(set) var vehicles: [DeliveryVehicleName: WireDeliveryVehicle] = [:]
    private var taskOrder: [TaskName] = []
    private var vehicleOrder: [DeliveryVehicleName] = []
    private var seenTasks: Set<TaskName> = []
    private var seenVehicles: Set<DeliveryVehicleName> = []

    /// Merges the data of an entry about a task. An outcome without a time gets the time of the first entry with this outcome.
    mutating func apply(_ report: TaskReport, at time: LogInstant) {
        if seenTasks.insert(report.name).inserted { taskOrder.append(report.name) }
        let before = tasks[report.name] ?? WireTask()
        var task = report.isWhole ? report.wire : before
        if !report.isWhole { task.merge(report.wire) }
        task.name = report.name.description
        if task.taskOutcome != .unspecified, !report.wire.hasTaskOutcomeTime {
            task.taskOutcomeTime = task.taskOutcome == before.taskOutcome ? before.taskOutcomeTime : time.timestamp
        }
        tasks[report.name] = task
    }

    /// Merges the data of an entry about a vehicle. Closes tasks that are no longer in the vehicle's list of stops, because the log has no
    /// separate call that closes them.
    mutating func apply(_ report: DeliveryReport, of name: DeliveryVehicleName) {
        if seenVehicles.insert(name).inserted { vehicleOrder.append(name) }
        let before = vehicles[name]?.taskIDs ?? []
        if report.isWhole { vehicles[name] = report.wire } else { vehicles[name, default: WireDeliveryVehicle()].merge(report) }
        vehicles[name]?.name = name.description
        let after = Set(vehicles[name]?.taskIDs ?? [])
        for id in before where !after.contains(id) {
            guard let task = try? TaskName(provider: name.provider, task: id), tasks[task]?.state == .open else { continue }
            tasks[task]?.state = .closed
            tasks[task]?.deliveryVehicleID = name.vehicle
        }
    }

    mutating func remove(_ name: TaskName) { tasks[name] = nil }

    mutating func remove(_ name: DeliveryVehicleName) { vehicles[name] = nil }

    /// The tasks and the delivery vehicles, each in the order of their first entries.
    var members: (tasks: [WireTask], vehicles: [WireDeliveryVehicle]) {
        (taskOrder.compactMap { tasks[$0]?.completed }, vehicleOrder.compactMap { vehicles[$0] })
    }
}

extension WireTask {
    /// Merges the data of an entry. A field that is not in the entry keeps its value.
    fileprivate mutating func merge(_ said: WireTask) {
        if said.type != .unspecified { type = said.type }
        if said.state != .unspecified { state = said.state }
        if !said.trackingID.isEmpty { trackingID = said.trackingID }
        if !said.deliveryVehicleID.isEmpty { deliveryVehicleID = said.deliveryVehicleID }
        if said.hasPlannedLocation { plannedLocation = said.plannedLocation }
        if said.hasTaskDuration { taskDuration = said.taskDuration }
        if said.taskOutcome != .unspecified { taskOutcome = said.taskOutcome }
        if said.hasTaskOutcomeTime { taskOutcomeTime = said.taskOutcomeTime }
        if said.hasTaskOutcomeLocation { taskOutcomeLocation = said.taskOutcomeLocation }
        if said.taskOutcomeLocationSource != .unspecified { taskOutcomeLocationSource = said.taskOutcomeLocationSource }
        if said.hasTaskTrackingViewConfig { taskTrackingViewConfig = said.taskTrackingViewConfig }
        if said.hasTargetTimeWindow { targetTimeWindow = said.targetTimeWindow }
        if !said.attributes.isEmpty { attributes = said.attributes }
    }

    /// The task with the fields that a Fleet Engine requires, and without the fields that it refuses.
    fileprivate var completed: WireTask {
        var task = self
        if task.type == .unspecified { task.type = .delivery }
        let isShipment = task.type == .pickup || task.type == .delivery
        if isShipment, task.trackingID.isEmpty { task.type = .scheduledStop }
        if task.type == .scheduledStop || task.type == .unavailable {
            task.trackingID = ""
            task.clearTaskTrackingViewConfig()
        }
        if !task.hasTaskDuration { task.taskDuration = Google_Protobuf_Duration() }
        return task
    }
}

extension WireDeliveryVehicle {
    fileprivate var taskIDs: [String] { remainingVehicleJourneySegments.flatMap { $0.stop.tasks.map(\.taskID) } }

    /// Merges the data of an entry. A field that is not in the entry keeps its value.
    fileprivate mutating func merge(_ report: DeliveryReport) {
        let said = report.wire
        if said.type != .unspecified { type = said.type }
        if said.hasLastLocation { lastLocation = said.lastLocation }
        if said.navigationStatus != .unknownNavigationStatus { navigationStatus = said.navigationStatus }
        if !said.currentRouteSegment.isEmpty { currentRouteSegment = said.currentRouteSegment }
        if said.hasCurrentRouteSegmentEndPoint { currentRouteSegmentEndPoint = said.currentRouteSegmentEndPoint }
        if said.hasRemainingDistanceMeters { remainingDistanceMeters = said.remainingDistanceMeters }
        if said.hasRemainingDuration { remainingDuration = said.remainingDuration }
        if report.saysStops { remainingVehicleJourneySegments = said.remainingVehicleJourneySegments }
        if !said.attributes.isEmpty { attributes = said.attributes }
    }
}
