import FleetEngine
import FoundationEssentials
import Geo

/// A new list of stops for one delivery vehicle, checked against the engine's tasks.
struct DeliveryStopList {
    private static let field = "delivery_vehicle.remaining_vehicle_journey_segments"

    private(set) var stops: [DeliveryStop] = []
    /// The tasks that the vehicle gets, in driving order.
    private(set) var assigned: [TaskRecord] = []
    /// The open tasks that the vehicle loses. They become CLOSED.
    private(set) var closed: [TaskRecord] = []

    /// - Parameter find: returns the task with a bare id; nil if the vehicle's provider has no such task.
    /// - Throws: INVALID_ARGUMENT, including for an unknown task; FAILED_PRECONDITION for a CLOSED task or a task of another vehicle.
    ///   With `strictStatus`, also for a stop that goes back from ARRIVED or skips ENROUTE.
    init(
        _ list: [DeliveryVehicleValues.Stop], of vehicle: DeliveryVehicleRecord, options: EngineOptions, find: (String) -> TaskRecord?
    ) throws(FleetEngineError) {
        try Check.count(list.count, atMost: options.limits.stopsPerVehicle, Self.field)
        try Check.count(list.reduce(0) { $0 + $1.taskIDs.count }, atMost: options.limits.tasksPerVehicle, "\(Self.field).stop.tasks")
        var seen: Set<String> = []
        for (index, entry) in list.enumerated() {
            stops.append(try stop(entry, index, of: vehicle, &seen, find))
        }
        if options.strictStatus { try checkOrder(of: vehicle) }
        let old = vehicle.run.stops.flatMap { $0.tasks.map(\.id) }
        closed = old.filter { !seen.contains($0) }.compactMap { find($0) }.filter { $0.task.state == .open }
    }

    private mutating func stop(
        _ entry: DeliveryVehicleValues.Stop, _ index: Int, of vehicle: DeliveryVehicleRecord, _ seen: inout Set<String>,
        _ find: (String) -> TaskRecord?
    ) throws(FleetEngineError) -> DeliveryStop {
        let field = "\(Self.field)[\(index)].stop"
        guard let place = entry.place else { throw .invalid("\(field).planned_location", "\(field).planned_location is required") }
        try Check.place(place, "\(field).planned_location")
        guard entry.state != .unknown else { throw .invalid("\(field).state", "\(field).state is required") }
        guard index == 0 || entry.state == .new else {
            throw .invalid("\(field).state", "\(field).state must be NEW: only the first stop can be \(entry.state.rawValue)")
        }
        guard !entry.taskIDs.isEmpty else { throw .invalid("\(field).tasks", "\(field) must have at least one task") }
        var tasks: [DeliveryStop.Task] = []
        for id in entry.taskIDs {
            guard seen.insert(id).inserted else {
                throw .invalid("\(field).tasks", "\(field).tasks: \(FleetEngineError.shown(id)) occurs twice")
            }
            let record = try task(id, field, for: vehicle, find)
            tasks.append(
                DeliveryStop.Task(
                    id: id, durationSeconds: record.task.durationSeconds ?? 0, isUnavailable: record.task.type == .unavailable))
        }
        return DeliveryStop(place: place, state: entry.state, tasks: tasks)
    }

    private mutating func task(
        _ id: String, _ field: String, for vehicle: DeliveryVehicleRecord, _ find: (String) -> TaskRecord?
    ) throws(FleetEngineError) -> TaskRecord {
        guard let record = find(id) else {
            throw .invalid("\(field).tasks", "\(field).tasks: there is no task \(FleetEngineError.shown(id))")
        }
        guard record.task.state == .open else {
            throw .failedPrecondition(
                "TASK_STATE", subject: record.name.description, "task \(record.name.task) is CLOSED: create a new one instead")
        }
        if let other = record.assignedVehicle {
            guard other == vehicle.name else {
                throw .failedPrecondition(
                    "TASK_ASSIGNED", subject: record.name.description,
                    "task \(record.name.task) is already assigned to delivery vehicle \(other.vehicle): "
                        + "remove it from that vehicle's stops, and create a new task")
            }
        } else {
            assigned.append(record)
        }
        return record
    }

    private func checkOrder(of vehicle: DeliveryVehicleRecord) throws(FleetEngineError) {
        guard let new = stops.first, let old = vehicle.run.stops.first, new.isSameStop(as: old), new.state != old.state,
            old.state == .arrived || new.state == .arrived && old.state == .new
        else { return }
        throw .failedPrecondition(
            "STOP_STATE", subject: vehicle.name.description,
            "the first stop is \(old.state.rawValue) and cannot become \(new.state.rawValue): a stop goes from NEW to ENROUTE to ARRIVED")
    }
}
