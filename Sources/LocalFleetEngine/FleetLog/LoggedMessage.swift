import FleetEngineAPI
import FleetEngineAccess
import SwiftProtobuf

/// Converts messages to the JSON of Fleet Engine's logs. There, some fields and nearly all enum values have other names than in
/// the API, and version fields are left out. Fields of deliveries keep their names.
enum LoggedMessage {
    private typealias Value = Google_Protobuf_Value

    /// Fields that have another name in the logs: the API's name, then the name in the logs.
    private static let names = [
        "tripStatus": "status", "vehicleState": "state", "navigationStatus": "navStatus", "locationSensor": "locSensor",
        "supportedTripTypes": "supportedTrips", "waypointType": "type", "category": "vehicleCategory",
    ]
    /// Prefixes that the logs add to enum values. The key is the name of the field.
    private static let prefixes = [
        "tripStatus": "TRIP_STATUS_", "vehicleState": "VEHICLE_STATE_", "navigationStatus": "NAVIGATION_STATUS_",
        "locationSensor": "LOCATION_SENSOR_", "rawLocationSensor": "LOCATION_SENSOR_", "supplementalLocationSensor": "LOCATION_SENSOR_",
        "waypointType": "WAYPOINT_TYPE_", "style": "STYLE_", "platform": "PLATFORM_LOG_", "sdkType": "SDK_TYPE_LOG_",
        "batteryStatus": "BATTERY_STATUS_LOG_", "powerSource": "POWER_SOURCE_LOG_",
        "locationPowerSaveMode": "LOCATION_POWER_SAVE_MODE_LOG_", "taskOutcome": "TASK_OUTCOME_LOG_",
        "taskOutcomeLocationSource": "TASK_OUTCOME_LOCATION_SOURCE_LOG_",
    ]
    /// Prefixes that the logs add to the values of `state` and `type` in deliveries. Several enums use these field names, and
    /// only the value shows which enum it belongs to.
    private static let deliveryPrefixes = [
        "state": [
            "OPEN": "TASK_STATE_LOG_", "CLOSED": "TASK_STATE_LOG_", "NEW": "VEHICLE_STOP_STATE_LOG_",
            "ENROUTE": "VEHICLE_STOP_STATE_LOG_", "ARRIVED": "VEHICLE_STOP_STATE_LOG_",
        ],
        "type": [
            "PICKUP": "TASK_TYPE_LOG_", "DELIVERY": "TASK_TYPE_LOG_", "SCHEDULED_STOP": "TASK_TYPE_LOG_", "UNAVAILABLE": "TASK_TYPE_LOG_",
            "AUTO": "DELIVERY_VEHICLE_TYPE_LOG_", "TWO_WHEELER": "DELIVERY_VEHICLE_TYPE_LOG_", "BICYCLE": "DELIVERY_VEHICLE_TYPE_LOG_",
            "PEDESTRIAN": "DELIVERY_VEHICLE_TYPE_LOG_",
        ],
    ]
    /// Suffixes that the logs add to enum values. The key is the name of the field.
    private static let suffixes = ["tripType": "_TRIP", "supportedTripTypes": "_TRIP"]
    /// Text in the API's enum values that the logs leave out. The key is the name of the field.
    private static let surplus = [
        "waypointType": ["_WAYPOINT_TYPE"], "batteryStatus": ["BATTERY_STATUS_"], "powerSource": ["POWER_SOURCE_"],
        "locationPowerSaveMode": ["LOCATION_MODE_"],
    ]
    private static let versions: Set<String> = [
        "currentRouteSegmentVersion", "currentRouteSegmentTrafficVersion", "remainingWaypointsVersion", "remainingWaypointsRouteVersion",
        "intermediateDestinationsVersion", "waypointsVersion",
    ]

    /// Returns the fields of an answer, or of a message inside a request, in the form that the logs use.
    static func fields(of message: any Message, in service: EngineRPC.Service) -> Google_Protobuf_Struct {
        guard let json = try? message.jsonUTF8Bytes() as [UInt8], let tree = try? Google_Protobuf_Struct(jsonUTF8Bytes: json) else {
            return Google_Protobuf_Struct()
        }
        return spelled(tree, service)
    }

    /// Returns the fields of a request in the form that the logs use. A bare id replaces the request's name, and the mask is a single
    /// string. If the request contains a vehicle, a task or a new trip, that object gets its full name.
    static func request(_ request: any EngineRequest) -> Google_Protobuf_Struct {
        var message = request
        let mask = removeMask(from: &message)
        let service = type(of: request).rpc.service
        var fields = fields(of: message, in: service)
        (fields.fields["name"], fields.fields["parent"]) = (nil, nil)
        if let mask { fields.fields["updateMask"] = Value(stringValue: mask) }
        let parts = request.subject.split(separator: "/")
        if parts.count == 4 {
            let (id, content) = members(of: service, collection: parts[2])
            fields.fields[id] = Value(stringValue: String(parts[3]))
            if var inside = fields.fields[content]?.structValue, request is WireCreateTripRequest || content != "trip" {
                inside.fields["name"] = Value(stringValue: request.subject)
                fields.fields[content] = Value(structValue: inside)
            }
        }
        return fields
    }

    /// Returns the names of two fields of a logged request: the field with the bare id, and the field with the trip, vehicle or
    /// task.
    private static func members(of service: EngineRPC.Service, collection: Substring) -> (id: String, content: String) {
        switch (service, collection) {
        case (.trips, _): ("tripId", "trip")
        case (.vehicles, _): ("vehicleId", "vehicle")
        case (.deliveries, "deliveryVehicles"): ("deliveryVehicleId", "deliveryVehicle")
        case (.deliveries, "taskTrackingInfo"): ("trackingId", "taskTrackingInfo")
        case (.deliveries, _): ("taskId", "task")
        }
    }

    /// Removes the mask and returns it as text, such as `tripStatus,vehicleId`; nil for a request without a mask. It is removed because a
    /// caller's mask may contain paths that cannot be written as JSON.
    private static func removeMask(from message: inout any EngineRequest) -> String? {
        let paths: [String]
        if var update = message as? WireUpdateTripRequest {
            paths = update.updateMask.paths
            update.clearUpdateMask()
            message = update
        } else if var update = message as? WireUpdateVehicleRequest {
            paths = update.updateMask.paths
            update.clearUpdateMask()
            message = update
        } else if var update = message as? WireUpdateTaskRequest {
            paths = update.updateMask.paths
            update.clearUpdateMask()
            message = update
        } else if var update = message as? WireUpdateDeliveryVehicleRequest {
            paths = update.updateMask.paths
            update.clearUpdateMask()
            message = update
        } else {
            return nil
        }
        return paths.map { RESTQuery.camelCase($0[...]) }.joined(separator: ",")
    }

    /// Returns a value as JSON text. Keys are sorted, and whole numbers have no fraction.
    static func json(_ value: Google_Protobuf_Value) -> String {
        switch value.kind {
        case .structValue(let object)?:
            "{"
                + object.fields.sorted { $0.key < $1.key }.map { json(Value(stringValue: $0.key)) + ":" + json($0.value) }
                .joined(separator: ",") + "}"
        case .listValue(let list)?: "[" + list.values.map(json).joined(separator: ",") + "]"
        case .numberValue(let number)?: Int(exactly: number).map { "\($0)" } ?? "\(number)"
        default: (try? value.jsonString()) ?? "null"
        }
    }

    private static func spelled(_ object: Google_Protobuf_Struct, _ service: EngineRPC.Service) -> Google_Protobuf_Struct {
        var result = Google_Protobuf_Struct()
        for (name, value) in object.fields where !versions.contains(name) {
            let newName = service == .deliveries ? name : names[name] ?? name
            result.fields[newName] = spelled(value, of: name, service)
        }
        return result
    }

    private static func spelled(_ value: Value, of field: String, _ service: EngineRPC.Service) -> Value {
        switch value.kind {
        case .structValue(let object)?: Value(structValue: spelled(object, service))
        case .listValue(let list)?: Value(listValue: .init(values: list.values.map { spelled($0, of: field, service) }))
        case .stringValue(let word)?: Value(stringValue: spelled(word, of: field, service))
        default: value
        }
    }

    private static func spelled(_ word: String, of field: String, _ service: EngineRPC.Service) -> String {
        if service == .deliveries, let prefix = deliveryPrefixes[field]?[word] { return prefix + word }
        let bare = surplus[field, default: []].reduce(word) { $0.replacing($1, with: "") }
        return prefixes[field, default: ""] + bare + suffixes[field, default: ""]
    }
}
