import BoundedJSON
package import FleetEngine
import FleetEngineAPI
package import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// A plan of deliveries for a day, in the form of Google's last-mile sample. It is one manifest, a list of manifests, or
/// `{"manifests":[…]}`. A manifest has a vehicle, its tasks, and its stops in driving order. The members that record the progress of
/// deliveries are not read.
package struct DeliveryManifest: Sendable {
    /// The tasks and delivery vehicles of the plan.
    package let snapshot: FleetSnapshot
    /// The manifests, one for each vehicle of the snapshot, with the texts for drivers and consumers.
    package let bodies: [ManifestBody]
    /// The path in the file for each path in the snapshot.
    private let places: [String: String]

    /// Reads a plan from JSON. The ids of vehicles and tasks must be valid and unique, but this is checked only when the snapshot is loaded
    /// into an engine.
    ///
    /// - Parameters:
    ///   - provider: the provider id for the tasks and vehicles. A provider in the file is ignored.
    ///   - suffix: a text that is appended to every vehicle, task and tracking id in the file.
    /// - Throws: INVALID_ARGUMENT with the path of the first invalid value in the file.
    package init(json: [UInt8], provider: String, suffix: String = "") throws(FleetEngineError) {
        var reader = ManifestReader(provider: provider, suffix: suffix)
        try reader.readFile(try ManifestText.value(of: json))
        snapshot = reader.snapshot
        bodies = reader.bodies
        places = reader.places
    }

    /// Returns an error's message, with the path in the file instead of the path in the snapshot.
    package func words(_ error: FleetEngineError) -> String {
        guard let end = error.message.firstIndex(of: "]"), let place = places[String(error.message[...end])] else { return error.message }
        return place + error.message[error.message.index(after: end)...]
    }
}

/// Reads the JSON of a plan.
private enum ManifestText {
    private enum Failure: JSONScannerFailure {
        case truncated(line: Int)
        case notJSON(line: Int)
        case tooDeep(line: Int)
    }

    private static let maximumDepth = 20
    /// Maximum number of JSON values. A task has about 25 values.
    private static let maximumValueCount = 2_000_000

    static func value(of json: [UInt8]) throws(FleetEngineError) -> JSONValue {
        guard json.count <= FleetSnapshot.maximumBytes else {
            throw .invalid("manifest", "it has \(json.count) bytes; the limit is \(FleetSnapshot.maximumBytes)")
        }
        var scanner = JSONScanner<Failure>(json, maximumDepth: maximumDepth)
        do throws(Failure) { _ = try scanner.value() } catch { throw .invalid("manifest", words(error)) }
        guard scanner.next() == nil else {
            throw .invalid("manifest", "line \(scanner.line): there is more text after the end of the JSON")
        }
        guard scanner.valueCount <= maximumValueCount else {
            throw .invalid("manifest", "it has more than \(maximumValueCount) JSON values")
        }
        guard let value = try? JSONDecoder().decodeBounded(JSONValue.self, from: Data(json)) else {
            throw .invalid("manifest", "it is not JSON: a number, a literal or a string is malformed")
        }
        return value
    }

    private static func words(_ failure: Failure) -> String {
        switch failure {
        case .truncated(let line): "the text ends inside a value that begins on line \(line)"
        case .notJSON(let line): "line \(line) is not JSON"
        case .tooDeep(let line): "line \(line) is nested more than \(maximumDepth) levels deep"
        }
    }
}

/// Creates tasks and delivery vehicles from manifests. Each error shows the path in the file.
private struct ManifestReader {
    private static let types: [String: WireTask.TypeEnum] = [
        "PICKUP": .pickup, "DELIVERY": .delivery, "SCHEDULED_STOP": .scheduledStop, "UNAVAILABLE": .unavailable,
        "UNAVAILABLE_TASK": .unavailable,
    ]
    private static let longestSeconds = 315_360_000.0
    private static let longestWords = 1_000

    let provider: String
    let suffix: String
    private(set) var snapshot = FleetSnapshot()
    private(set) var bodies: [ManifestBody] = []
    private(set) var places: [String: String] = [:]

    init(provider: String, suffix: String) {
        self.provider = provider
        self.suffix = suffix
    }

    mutating func readFile(_ file: JSONValue) throws(FleetEngineError) {
        if let list = file.array {
            for (index, manifest) in list.enumerated() { try read(manifest, "[\(index)]") }
        } else if let list = file["manifests"] {
            for (index, manifest) in try Self.list(list, "manifests").enumerated() { try read(manifest, "manifests[\(index)]") }
        } else {
            try read(file, "")
        }
    }

    private mutating func read(_ manifest: JSONValue, _ place: String) throws(FleetEngineError) {
        let prefix = place.isEmpty ? "" : place + "."
        guard let vehicle = manifest["vehicle"], vehicle.isObject else { throw Self.wrong("\(prefix)vehicle", "must be an object") }
        let id = try Self.text(vehicle["vehicleid"], "\(prefix)vehicle.vehicle_id") + suffix
        var tasks: [ManifestBody.Task] = []
        for (index, task) in try Self.list(manifest["tasks"], "\(prefix)tasks").enumerated() {
            tasks.append(try readTask(task, "\(prefix)tasks[\(index)]"))
        }
        let stops = try stops(manifest["stops"], of: Set(tasks.map(\.taskId)), "\(prefix)stops")
        var start: ManifestBody.Waypoint?
        if let told = vehicle["startlocation"], told.isObject {
            start = try Self.waypoint(told, "\(prefix)vehicle.start_location")
        }
        var wire = WireDeliveryVehicle()
        wire.name = "providers/\(provider)/deliveryVehicles/\(id)"
        if let start { wire.lastLocation.location = WireLatLng(start.place) }
        wire.remainingVehicleJourneySegments = stops.map { stop in .with { $0.stop = Self.wire(stop) } }
        places["deliveryVehicles[\(snapshot.deliveryVehicles.count)]"] = "\(prefix)vehicle"
        snapshot.deliveryVehicles.append(wire)
        let body = ManifestBody.Vehicle(vehicleId: id, providerId: provider, startLocation: start)
        bodies.append(ManifestBody(vehicle: body, tasks: tasks, stops: stops))
    }

    private mutating func readTask(_ task: JSONValue, _ place: String) throws(FleetEngineError) -> ManifestBody.Task {
        let id = try Self.text(task["taskid"], "\(place).task_id") + suffix
        let word = try Self.text(task["tasktype"], "\(place).task_type")
        guard let type = Self.types[word] else {
            throw Self.wrong("\(place).task_type", "must be PICKUP, DELIVERY, SCHEDULED_STOP or UNAVAILABLE")
        }
        let seconds = try Self.seconds(task["durationseconds"], "\(place).duration_seconds")
        var body = ManifestBody.Task(taskId: id, taskType: word, durationSeconds: seconds)
        var wire = WireTask()
        wire.name = "providers/\(provider)/tasks/\(id)"
        wire.type = type
        wire.state = .open
        wire.taskDuration = .init(lengthSeconds: seconds)
        // Every task in the file has a tracking id, but only shipments use it.
        if type == .pickup || type == .delivery {
            wire.trackingID = try Self.text(task["trackingid"], "\(place).tracking_id") + suffix
            body.trackingId = wire.trackingID
        }
        if type != .unavailable || task["plannedwaypoint"]?.isObject == true {
            let waypoint = try Self.waypoint(task["plannedwaypoint"], "\(place).planned_waypoint")
            wire.plannedLocation.point = WireLatLng(waypoint.place)
            body.plannedWaypoint = waypoint
        }
        if let window = try Self.window(task, place) {
            wire.targetTimeWindow = window.wire
            body.plannedCompletionTime = task["plannedcompletiontime"]?.string
            body.plannedCompletionTimeRangeSeconds = window.end.timeIntervalSince(window.start)
        }
        body.contactName = try Self.words(task["contactname"], "\(place).contact_name")
        body.description = try Self.words(task["description"], "\(place).description")
        places["tasks[\(snapshot.tasks.count)]"] = place
        snapshot.tasks.append(wire)
        return body
    }

    /// Returns the time window of a task; nil if the task has no planned completion time. The window begins at that time. It lasts for the
    /// planned range, or 0 s without a range.
    private static func window(_ task: JSONValue, _ place: String) throws(FleetEngineError) -> TimeWindow? {
        guard let time = task["plannedcompletiontime"]?.nonEmptyString else { return nil }
        guard let start = task["plannedcompletiontime"]?.timestamp?.plausibleDate else {
            throw wrong(
                "\(place).planned_completion_time", "is \(FleetEngineError.shown(time)), but must be a time such as 2026-01-31T12:00:00Z")
        }
        let range = task["plannedcompletiontimerangeseconds"]
        let length = range?.number == nil ? 0 : try seconds(range, "\(place).planned_completion_time_range_seconds")
        return TimeWindow(start: start, end: start.addingTimeInterval(length))
    }

    private func stops(_ told: JSONValue?, of taskIDs: Set<String>, _ place: String) throws(FleetEngineError) -> [ManifestBody.Stop] {
        var stops: [ManifestBody.Stop] = []
        var ids: Set<String> = []
        for (index, told) in try Self.list(told, place).enumerated() {
            let place = "\(place)[\(index)]"
            let stop = try stop(told, id: told["stopid"]?.nonEmptyString ?? "\(index + 1)", of: taskIDs, place)
            guard ids.insert(stop.stopId).inserted else { throw Self.wrong("\(place).stop_id", "must differ from the ids of other stops") }
            stops.append(stop)
        }
        return stops
    }

    private func stop(
        _ stop: JSONValue, id: String, of taskIDs: Set<String>, _ place: String
    ) throws(FleetEngineError) -> ManifestBody.Stop {
        guard id.utf8.count <= Self.longestWords else { throw Self.wrong("\(place).stop_id", Self.tooLong) }
        var body = ManifestBody.Stop(
            stopId: id, plannedWaypoint: try Self.waypoint(stop["plannedwaypoint"], "\(place).planned_waypoint"), tasks: [])
        for (index, task) in try Self.list(stop.first("tasks", "taskidlist"), "\(place).tasks").enumerated() {
            let told = try Self.text(task, "\(place).tasks[\(index)]")
            guard taskIDs.contains(told + suffix) else {
                throw Self.wrong(
                    "\(place).tasks[\(index)]", "is \(FleetEngineError.shown(told)), but no task of the manifest has this task_id")
            }
            body.tasks.append(told + suffix)
        }
        guard !body.tasks.isEmpty else { throw Self.wrong("\(place).tasks", "must have at least one task") }
        return body
    }

    private static func wire(_ stop: ManifestBody.Stop) -> WireVehicleStop {
        .with { wire in
            wire.plannedLocation.point = WireLatLng(stop.plannedWaypoint.place)
            wire.state = .new
            wire.tasks = stop.tasks.map { id in .with { $0.taskID = id } }
        }
    }

    // MARK: Values

    private static func wrong(_ place: String, _ words: String) -> FleetEngineError { .invalid(place, "\(place) \(words)") }

    private static func list(_ value: JSONValue?, _ place: String) throws(FleetEngineError) -> [JSONValue] {
        guard let list = value?.array else { throw wrong(place, "must be a list") }
        return list
    }

    private static func text(_ value: JSONValue?, _ place: String) throws(FleetEngineError) -> String {
        guard let text = value?.string, !text.isEmpty else { throw wrong(place, "must be a string") }
        return text
    }

    private static let tooLong = "must have at most \(longestWords) bytes"

    /// Returns a text for drivers or consumers; nil if it is missing or empty.
    private static func words(_ value: JSONValue?, _ place: String) throws(FleetEngineError) -> String? {
        guard let words = value?.nonEmptyString else { return nil }
        guard words.utf8.count <= longestWords else { throw wrong(place, tooLong) }
        return words
    }

    private static func seconds(_ value: JSONValue?, _ place: String) throws(FleetEngineError) -> Double {
        guard let seconds = value?.number, (0...longestSeconds).contains(seconds) else {
            throw wrong(place, "must be a number of seconds from 0 to 315360000 (ten years)")
        }
        return seconds
    }

    private static func waypoint(_ value: JSONValue?, _ place: String) throws(FleetEngineError) -> ManifestBody.Waypoint {
        guard let latitude = value?["lat"]?.number, let longitude = value?["lng"]?.number else {
            throw wrong(place, "must have lat and lng, in degrees")
        }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        guard coordinate.isValid else { throw wrong(place, "must have a lat from -90 to 90 and a lng from -180 to 180") }
        return ManifestBody.Waypoint(description: try words(value?["description"], "\(place).description"), place: coordinate)
    }
}
