public import FleetEngine
public import FleetEngineAPI
public import FoundationEssentials
import Geo

/// The data of a shipment at one moment, with only the values that its consumer is allowed to see.
public struct TaskTrackingAnswer: Equatable, Sendable {
    /// The shipment. Its own `vehicleLocation` is unset, because the answer's `vehicleLocation` replaces it.
    public var info: TaskTrackingInfo
    /// The vehicle's last position report, without the fields that consumers do not get; nil if the position is not shared.
    public var vehicleLocation: WireVehicleLocation?
}

extension FleetEngineState {
    /// Returns the shipment that has this tracking id. The answer contains only the values that its consumer is allowed to see now.
    ///
    /// - Throws: NOT_FOUND.
    public func getTaskTrackingInfo(_ name: TaskTrackingName, now: Date) throws(FleetEngineError) -> TaskTrackingAnswer {
        guard let record = trackedTask(name) else { throw .notFound("shipment", name) }
        let task = record.task
        var answer = TaskTrackingAnswer(
            info: TaskTrackingInfo(
                name: name, state: task.state, outcome: task.outcome, outcomeTime: task.outcomeTime,
                plannedLocation: task.plannedLocation, targetTimeWindow: task.targetTimeWindow, attributes: task.attributes))
        if let vehicle = record.assignedVehicle.flatMap({ deliveries.vehicles[$0] }) { share(vehicle, of: record, in: &answer, now) }
        return answer
    }

    /// Returns the task to show for a tracking id. The first choice is the assigned open task with the fewest stops before it.
    /// Next is any other open task, then the closed task with the latest outcome. Among equals, the newest task is shown.
    private func trackedTask(_ name: TaskTrackingName) -> TaskRecord? {
        let rows = deliveries.taskIndex.rows(.tracking(provider: name.provider, id: name.trackingID))
        let records = rows.places().compactMap { deliveries.tasks[rows[$0].name] }
        return records.max { precedence($0) < precedence($1) }
    }

    private func precedence(_ record: TaskRecord) -> (Int, Double, UInt64) {
        guard record.task.state == .open else {
            return (0, (record.task.outcomeTime ?? .distantPast).timeIntervalSince1970, record.serial)
        }
        guard let index = record.assignedVehicle.flatMap({ deliveries.vehicles[$0]?.run.places[record.name.task] }) else {
            return (1, 0, record.serial)
        }
        return (2, -Double(index), record.serial)
    }

    private func share(
        _ vehicle: DeliveryVehicleRecord, of record: TaskRecord, in answer: inout TaskTrackingAnswer, _ now: Date
    ) {
        guard let outlook = vehicle.outlook(of: record.name.task, now: now) else { return }
        let rules = record.task.trackingViewConfig ?? TaskTrackingViewConfig()
        func shows(_ rule: TrackingVisibility?) -> Bool {
            (rule ?? .remainingStops(atMost: options.shareWithin)).shows(outlook, now: now)
        }
        if shows(rules.remainingStopCount) { answer.info.remainingStopCount = outlook.stopCount }
        if shows(rules.remainingDistance) { answer.info.remainingDistanceMeters = outlook.meters }
        if shows(rules.arrivalTime) { answer.info.estimatedArrivalTime = outlook.arrival }
        if shows(rules.completionTime) { answer.info.estimatedCompletionTime = outlook.completion }
        // The start of the route reveals the position, so the route is shared only together with the position.
        guard vehicle.run.stops.first?.isUnavailable != true, shows(rules.vehicleLocation), let location = vehicle.location else { return }
        answer.vehicleLocation = location.forTripAnswer
        guard shows(rules.route) else { return }
        let way = vehicle.wayAhead(through: outlook.stopCount - 1)
        if !way.isEmpty { answer.info.route = way }
    }
}

extension TrackingVisibility {
    /// Returns whether the rule allows its field to be shown. If the rule depends on an unknown quantity, such as the distance, the
    /// field is hidden.
    fileprivate func shows(_ outlook: TaskOutlook, now: Date) -> Bool {
        switch self {
        case .remainingStops(let limit): outlook.stopCount <= limit
        case .secondsToArrival(let limit): outlook.arrival.map { $0.timeIntervalSince(now) <= limit } ?? false
        case .remainingMeters(let limit): outlook.meters.map { $0 <= Double(limit) } ?? false
        case .always: true
        case .never: false
        }
    }
}
