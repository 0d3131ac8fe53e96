import FleetEngine
import FleetEngineAPI
import FleetEngineWire

/// An entry of a log: a call that changed or returned a trip, a vehicle, tasks or a delivery vehicle.
struct LogEntry: Sendable {
    /// The name of the resource that the call was about, and the entry's data about it.
    enum Content: Sendable {
        case trip(TripName, TripReport)
        case vehicle(VehicleName, VehicleReport)
        /// The vehicle's attributes from this entry on. They replace all earlier ones.
        case attributes(VehicleName, [WireVehicleAttribute])
        case tripDeleted(TripName)
        case vehicleDeleted(VehicleName)
        case tasks([TaskReport])
        case taskDeleted(TaskName)
        case deliveryVehicle(DeliveryVehicleName, DeliveryReport)
        case deliveryVehicleDeleted(DeliveryVehicleName)
    }

    /// Time at which the server wrote the entry.
    let time: LogInstant
    let call: Call
    let content: Content
    /// Whether the name in the entry itself includes the provider. If false, the Cloud project is used as the provider.
    let saysName: Bool
}

extension LogEntry {
    /// The outcome of reading one value of a log.
    enum Reading: Sendable {
        case entry(LogEntry)
        /// The server refused the call, which changed nothing.
        case refused
        /// A recording does not use this kind of entry.
        case unknown
        /// The entry is of a known kind, but lacks a time, a name or contents.
        case unusable
    }

    enum Call: CaseIterable {
        case createTrip, updateTrip, getTrip, deleteTrip, createVehicle, updateVehicle, getVehicle, updateVehicleAttributes, deleteVehicle
        case createTask, batchCreateTasks, updateTask, getTask, deleteTask
        case createDeliveryVehicle, updateDeliveryVehicle, getDeliveryVehicle, deleteDeliveryVehicle

        enum Subject {
            case trip, vehicle, task, deliveryVehicle
        }

        /// The call's name as it occurs in types (`CreateTripLog`), methods and keys, but in lower case and without underscores.
        var name: String {
            switch self {
            case .createTrip: "createtrip"
            case .updateTrip: "updatetrip"
            case .getTrip: "gettrip"
            case .deleteTrip: "deletetrip"
            case .createVehicle: "createvehicle"
            case .updateVehicle: "updatevehicle"
            case .getVehicle: "getvehicle"
            case .updateVehicleAttributes: "updatevehicleattributes"
            case .deleteVehicle: "deletevehicle"
            case .createTask: "createtask"
            case .batchCreateTasks: "batchcreatetasks"
            case .updateTask: "updatetask"
            case .getTask: "gettask"
            case .deleteTask: "deletetask"
            case .createDeliveryVehicle: "createdeliveryvehicle"
            case .updateDeliveryVehicle: "updatedeliveryvehicle"
            case .getDeliveryVehicle: "getdeliveryvehicle"
            case .deleteDeliveryVehicle: "deletedeliveryvehicle"
            }
        }

        /// The name of the method, such as `UpdateTrip`.
        var method: String {
            let word = "\(self)"
            return word.prefix(1).uppercased() + word.dropFirst()
        }

        var subject: Subject {
            switch self {
            case .createTrip, .updateTrip, .getTrip, .deleteTrip: .trip
            case .createVehicle, .updateVehicle, .getVehicle, .updateVehicleAttributes, .deleteVehicle: .vehicle
            case .createTask, .batchCreateTasks, .updateTask, .getTask, .deleteTask: .task
            case .createDeliveryVehicle, .updateDeliveryVehicle, .getDeliveryVehicle, .deleteDeliveryVehicle: .deliveryVehicle
            }
        }

        /// Finds the call with the name at the end of a text. The text may be a type such as
        /// `type.googleapis.com/maps.fleetengine.v1.UpdateTripLog`, a method name, the name of a log such as
        /// `projects/p/logs/fleetengine.googleapis.com%2Fupdate_trip`, or a key.
        init?(text: String) {
            let last = text.lowercased().filter { $0 != "_" }.split { "./%".contains($0) }.last ?? ""
            let word = last.hasPrefix("2f") ? last.dropFirst(2) : last
            let name = word.hasSuffix("log") ? word.dropLast(3) : word
            guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = found
        }
    }

    /// Reads a value of a log. Cloud Logging wraps the call in `jsonPayload` (or `protoPayload`). Archives use the call's name as a key.
    static func read(_ value: JSONValue) -> Reading {
        guard value.isObject else { return .unusable }
        guard let (call, payload) = callAndPayload(of: value) else { return .unknown }
        if payload["errorresponse"]?.isObject == true || value["errorresponse"]?.isObject == true { return .refused }
        if let code = payload["status"]?["code"]?.integer, code != 0 { return .refused }
        guard let time = value.first("timestamp", "servertime", "receivetimestamp")?.timestamp.flatMap({ LogInstant($0) }) else {
            return .unusable
        }
        let found =
            switch call.subject {
            case .trip: trip(call, payload, value)
            case .vehicle: vehicle(call, payload, value, time)
            case .task: task(call, payload, value)
            case .deliveryVehicle: deliveryVehicle(call, payload, value)
            }
        return found.map { .entry(LogEntry(time: time, call: call, content: $0.content, saysName: $0.saysName)) } ?? .unusable
    }

    private static func callAndPayload(of value: JSONValue) -> (Call, JSONValue)? {
        if let payload = value.first("jsonpayload", "protopayload", "payload") {
            let names = [payload["@type"], payload["methodname"], value["logname"]]
            let call = names.lazy.compactMap { $0?.string }.compactMap { Call(text: $0) }.first
            return call.map { ($0, payload) }
        }
        for call in Call.allCases {
            for key in [call.name, call.name + "log"] {
                if let payload = value[key], payload.isObject { return (call, payload) }
            }
        }
        return nil
    }

    private static func trip(_ call: Call, _ payload: JSONValue, _ value: JSONValue) -> (content: Content, saysName: Bool)? {
        let request = payload["request"]
        let mask = FieldMask(request?["updatemask"])
        let (answer, sent) = (payload["response"], call == .getTrip ? nil : request?["trip"])
        // An answer can leave out fields that the request set.
        let shown = answer.map { $0.completed(by: sent?.only(mask) ?? .object([:])) } ?? sent
        let texts = [shown?["name"], request?["trip"]?["name"], request?["name"]]
        let named = texts.lazy.compactMap { $0?.string }.compactMap { try? TripName($0) }.first
        let bareID = request?["tripid"]?.string ?? value["labels"]?["tripid"]?.string
        guard let name = named ?? provider(of: value).flatMap({ try? TripName(provider: $0, trip: bareID ?? "") }) else { return nil }
        if call == .deleteTrip { return (.tripDeleted(name), named != nil) }
        guard let shown, shown.isObject else { return nil }
        return (.trip(name, TripReport(shown, answer: answer, mask: mask)), named != nil)
    }

    private static func vehicle(
        _ call: Call, _ payload: JSONValue, _ value: JSONValue, _ time: LogInstant
    ) -> (content: Content, saysName: Bool)? {
        let request = payload["request"], answer = payload["response"]
        let sent = call == .getVehicle ? nil : request?["vehicle"]
        let texts = [answer?["name"], sent?["name"], request?["name"]]
        let named = texts.lazy.compactMap { $0?.string }.compactMap { try? VehicleName($0) }.first
        let bareID = request?["vehicleid"]?.string ?? value["labels"]?["vehicleid"]?.string
        guard let name = named ?? provider(of: value).flatMap({ try? VehicleName(provider: $0, vehicle: bareID ?? "") })
        else { return nil }
        if call == .deleteVehicle { return (.vehicleDeleted(name), named != nil) }
        guard answer?.isObject == true || sent?.isObject == true else { return nil }
        let mask = FieldMask(request?["updatemask"])
        if call == .updateVehicleAttributes {
            let report = VehicleReport(answer: answer, sent: nil, mask: mask, time: time)
            return (.attributes(name, report.wire.attributes), named != nil)
        }
        return (.vehicle(name, VehicleReport(answer: answer, sent: sent, mask: mask, time: time)), named != nil)
    }

    /// Returns the provider for an entry that has only bare ids: the Cloud project that logged the entry.
    static func provider(of value: JSONValue) -> String? {
        let texts = [value["resource"]?["labels"]?["resourcecontainer"], value["logname"]]
        for text in texts.lazy.compactMap({ $0?.string }) {
            let parts = text.split(separator: "/")
            if parts.count >= 2, parts[0] == "projects" || parts[0] == "providers" { return String(parts[1]) }
        }
        return nil
    }
}
