import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf

/// Logs each call to an engine with its answer or refusal: one JSON `LogEntry` per line. Fleet Engine uses this format for Cloud Logging.
/// The program can replay and import such a log, and Google's fleet-debugger can read it.
///
/// Source: the recorded logs in fleet-debugger, and Google's documentation of Fleet Engine's log structure.
public struct FleetLog: CallObserver {
    private static let service = "fleetengine.googleapis.com"

    private let provider: String
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - provider: the provider in the log entry of a call that was refused before its request was read.
    ///   - write: receives each line, without its line break.
    public init(provider: String, write: @escaping @Sendable (String) -> Void) {
        self.provider = provider
        self.write = write
    }

    /// Writes one line.
    public func note(_ call: AnsweredCall) { write(LoggedMessage.json(Google_Protobuf_Value(structValue: entry(call)))) }

    private func entry(_ call: AnsweredCall) -> Google_Protobuf_Struct {
        let time = Google_Protobuf_Value(stringValue: Google_Protobuf_Timestamp(moment: call.moment).logText)
        let project = "projects/\(call.provider ?? provider)"
        let log = "\(project)/logs/\(Self.service)%2F\(call.rpc.logName)"
        var entry = Google_Protobuf_Struct()
        entry.fields = [
            "insertId": Google_Protobuf_Value(stringValue: UUID().uuidString.lowercased().replacing("-", with: "")),
            "jsonPayload": Google_Protobuf_Value(structValue: payload(call)),
            "labels": .texts(call.labels.merging(call.callerLabels) { own, _ in own }),
            "logName": Google_Protobuf_Value(stringValue: log),
            "receiveTimestamp": time, "timestamp": time,
            "resource": Google_Protobuf_Value(
                structValue: .init(fields: [
                    "type": .init(stringValue: Self.service + (call.rpc.service == .deliveries ? "/DeliveryFleet" : "/Fleet")),
                    "labels": .texts(["location": "global", "resource_container": project]),
                ])),
        ]
        if let address = call.source.remoteIP { entry.fields["httpRequest"] = .texts(["remoteIp": address]) }
        if call.code != .ok { entry.fields["severity"] = .init(stringValue: "ERROR") }
        return entry
    }

    private func payload(_ call: AnsweredCall) -> Google_Protobuf_Struct {
        var payload = Google_Protobuf_Struct()
        let package = call.rpc.service == .deliveries ? "delivery.log.v1" : "v1"
        payload.fields["@type"] = .init(stringValue: "type.googleapis.com/maps.fleetengine.\(package).\(call.rpc.name)Log")
        if let request = call.request { payload.fields["request"] = .init(structValue: LoggedMessage.request(request)) }
        switch call.result {
        case .success(let answer): payload.fields["response"] = .init(structValue: LoggedMessage.fields(of: answer, in: call.rpc.service))
        case .failure(let error):
            payload.fields["errorResponse"] = .init(
                structValue: .init(fields: [
                    "code": .init(stringValue: call.code.name), "httpStatusCode": .init(numberValue: Double(call.code.httpStatus)),
                    "message": .init(stringValue: (error as? FleetEngineError ?? (error as? RESTRefusal)?.error)?.message ?? ""),
                ]))
        }
        return payload
    }
}

extension AnsweredCall {
    /// The provider in the call's name; nil if the call was refused before its name was read.
    fileprivate var provider: String? {
        guard let parts = subject?.split(separator: "/"), parts.count >= 2, parts[0] == "providers" else { return nil }
        return String(parts[1])
    }

    /// Labels with the bare ids of the call's trip, task and vehicle.
    fileprivate var labels: [String: String] {
        var labels: [String: String] = [:]
        if case .success(let answer) = result {
            if let trip = answer as? WireTrip { labels["vehicle_id"] = trip.vehicleID }
            if let vehicle = answer as? WireVehicle { labels["trip_id"] = vehicle.currentTrips.first }
            if let task = answer as? WireTask { labels["delivery_vehicle_id"] = task.deliveryVehicleID }
        }
        let parts = subject?.split(separator: "/") ?? []
        if parts.count > 3, let name = idLabel(ofCollection: parts[2]) { labels[name] = String(parts[3]) }
        return labels.filter { !$0.value.isEmpty }
    }

    private func idLabel(ofCollection collection: Substring) -> String? {
        switch (rpc.service, collection) {
        case (.trips, _): "trip_id"
        case (.vehicles, _): "vehicle_id"
        case (.deliveries, "tasks"): "task_id"
        case (.deliveries, "deliveryVehicles"): "delivery_vehicle_id"
        case (.deliveries, _): nil
        }
    }

    /// The labels that name the caller's account and the id of its key.
    fileprivate var callerLabels: [String: String] {
        guard let name = source.name else { return [:] }
        return ["account": name.account, "key_id": name.keyID]
    }
}

extension EngineRPC {
    /// The RPC as written in the log's name, such as `update_trip`.
    fileprivate var logName: String {
        name.reduce(into: "") { $0 += $1.isUppercase ? ($0.isEmpty ? "" : "_") + $1.lowercased() : String($1) }
    }
}

extension Google_Protobuf_Value {
    fileprivate static func texts(_ texts: [String: String]) -> Self {
        Self(structValue: Google_Protobuf_Struct(fields: texts.mapValues { Google_Protobuf_Value(stringValue: $0) }))
    }
}

extension Google_Protobuf_Timestamp {
    /// The time in the format of the log, such as `2026-01-31T12:00:00.123456Z`.
    fileprivate var logText: String { ((try? jsonString()) ?? "").filter { $0 != "\"" } }
}
