import FleetEngine
import FleetEngineAPI
import FleetEngineWire

/// The data of a task in a log entry.
struct TaskReport: Sendable {
    var name: TaskName
    let wire: WireTask
    /// Whether the data describes the whole task, as in an answer or in the request that creates the task. If false, a field that is not
    /// set has not changed.
    let isWhole: Bool
}

/// The data of a delivery vehicle in a log entry.
struct DeliveryReport: Sendable {
    let wire: WireDeliveryVehicle
    /// Whether the data describes the whole vehicle, as in an answer. If false, a field that is not set has not changed.
    let isWhole: Bool
    /// Whether the entry has a list of the stops ahead. The list may be empty.
    let saysStops: Bool
}

extension LogEntry {
    static func task(_ call: Call, _ payload: JSONValue, _ value: JSONValue) -> (content: Content, saysName: Bool)? {
        let request = payload["request"]
        if call == .batchCreateTasks {
            let reports = (payload["response"]?["tasks"]?.array ?? []).compactMap { task -> TaskReport? in
                guard let name = task["name"]?.string.flatMap({ try? TaskName($0) }) else { return nil }
                return TaskReport(name: name, wire: WireTask(log: task), isWhole: true)
            }
            return reports.isEmpty ? nil : (.tasks(reports), true)
        }
        let answer = payload["response"]
        let shown = answer ?? (call == .getTask ? nil : request?["task"])
        let texts = [shown?["name"], request?["task"]?["name"], request?["name"]]
        let named = texts.lazy.compactMap { $0?.string }.compactMap { try? TaskName($0) }.first
        let bareID = request?["taskid"]?.string ?? value["labels"]?["taskid"]?.string
        guard let name = named ?? provider(of: value).flatMap({ try? TaskName(provider: $0, task: bareID ?? "") }) else { return nil }
        if call == .deleteTask { return (.taskDeleted(name), named != nil) }
        guard let shown, shown.isObject else { return nil }
        let report = TaskReport(name: name, wire: WireTask(log: shown), isWhole: answer != nil || call == .createTask)
        return (.tasks([report]), named != nil)
    }

    static func deliveryVehicle(_ call: Call, _ payload: JSONValue, _ value: JSONValue) -> (content: Content, saysName: Bool)? {
        let request = payload["request"]
        let answer = payload["response"]
        let shown = answer ?? (call == .getDeliveryVehicle ? nil : request?["deliveryvehicle"])
        let texts = [shown?["name"], request?["deliveryvehicle"]?["name"], request?["name"]]
        let named = texts.lazy.compactMap { $0?.string }.compactMap { try? DeliveryVehicleName($0) }.first
        let bareID = request?["deliveryvehicleid"]?.string ?? value["labels"]?["deliveryvehicleid"]?.string
        guard let name = named ?? provider(of: value).flatMap({ try? DeliveryVehicleName(provider: $0, vehicle: bareID ?? "") })
        else { return nil }
        if call == .deleteDeliveryVehicle { return (.deliveryVehicleDeleted(name), named != nil) }
        guard let shown, shown.isObject else { return nil }
        let wire = WireDeliveryVehicle(log: shown)
        let isMasked = FieldMask(request?["updatemask"])?.contains("remainingvehiclejourneysegments") == true
        let saysStops = answer != nil || isMasked || !wire.remainingVehicleJourneySegments.isEmpty
        return (.deliveryVehicle(name, DeliveryReport(wire: wire, isWhole: answer != nil, saysStops: saysStops)), named != nil)
    }
}
