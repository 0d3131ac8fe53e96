import FleetEngineAPI
import FleetEngineAccess
import SwiftProtobuf

/// Messages as Fleet Engine's logs spell them: JSON as everywhere, but some fields and nearly all values of enums go by other names, and
/// versions are left out.
enum LoggedMessage {
    private typealias Value = Google_Protobuf_Value

    /// Fields that go by another name.
    private static let names = [
        "tripStatus": "status", "vehicleState": "state", "navigationStatus": "navStatus", "locationSensor": "locSensor",
        "supportedTripTypes": "supportedTrips", "waypointType": "type", "category": "vehicleCategory",
    ]
    /// Put before the value of an enum, by its field.
    private static let prefixes = [
        "tripStatus": "TRIP_STATUS_", "vehicleState": "VEHICLE_STATE_", "navigationStatus": "NAVIGATION_STATUS_",
        "locationSensor": "LOCATION_SENSOR_", "rawLocationSensor": "LOCATION_SENSOR_", "supplementalLocationSensor": "LOCATION_SENSOR_",
        "waypointType": "WAYPOINT_TYPE_", "style": "STYLE_", "platform": "PLATFORM_LOG_", "sdkType": "SDK_TYPE_LOG_",
        "batteryStatus": "BATTERY_STATUS_LOG_", "powerSource": "POWER_SOURCE_LOG_",
        "locationPowerSaveMode": "LOCATION_POWER_SAVE_MODE_LOG_",
    ]
    /// Put after the value of an enum, by its field.
    private static let suffixes = ["tripType": "_TRIP", "supportedTripTypes": "_TRIP"]
    /// What the API's own names of values have too much, by the field.
    private static let surplus = [
        "waypointType": ["_WAYPOINT_TYPE"], "batteryStatus": ["BATTERY_STATUS_"], "powerSource": ["POWER_SOURCE_"],
        "locationPowerSaveMode": ["LOCATION_MODE_"],
    ]
    private static let versions: Set<String> = [
        "currentRouteSegmentVersion", "currentRouteSegmentTrafficVersion", "remainingWaypointsVersion", "remainingWaypointsRouteVersion",
        "intermediateDestinationsVersion", "waypointsVersion",
    ]

    /// An answer, or what stands inside of a request.
    static func fields(of message: any Message) -> Google_Protobuf_Struct {
        guard let json = try? message.jsonUTF8Bytes() as [UInt8], let tree = try? Google_Protobuf_Struct(jsonUTF8Bytes: json) else {
            return Google_Protobuf_Struct()
        }
        return spelled(tree)
    }

    /// A request: bare ids in the place of names, the mask as one text, and the trip or vehicle with its full name.
    static func request(_ request: any EngineRequest) -> Google_Protobuf_Struct {
        var message = request
        let mask = removeMask(from: &message)
        var fields = fields(of: message)
        (fields.fields["name"], fields.fields["parent"]) = (nil, nil)
        if let mask { fields.fields["updateMask"] = Value(stringValue: mask) }
        let parts = request.subject.split(separator: "/")
        if parts.count == 4 {
            let (id, content) = type(of: request).rpc.service == .trips ? ("tripId", "trip") : ("vehicleId", "vehicle")
            fields.fields[id] = Value(stringValue: String(parts[3]))
            if var inside = fields.fields[content]?.structValue, request is WireCreateTripRequest || content == "vehicle" {
                inside.fields["name"] = Value(stringValue: request.subject)
                fields.fields[content] = Value(structValue: inside)
            }
        }
        return fields
    }

    /// `tripStatus,vehicleId`; nil for a request without one. Masks from outside may have paths that JSON does not take.
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
        } else {
            return nil
        }
        return paths.map { RESTQuery.camelCase($0[...]) }.joined(separator: ",")
    }

    /// A value as text: keys in order, whole numbers without a fraction.
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

    private static func spelled(_ object: Google_Protobuf_Struct) -> Google_Protobuf_Struct {
        var result = Google_Protobuf_Struct()
        for (name, value) in object.fields where !versions.contains(name) {
            result.fields[names[name] ?? name] = spelled(value, of: name)
        }
        return result
    }

    private static func spelled(_ value: Value, of field: String) -> Value {
        switch value.kind {
        case .structValue(let object)?: Value(structValue: spelled(object))
        case .listValue(let list)?: Value(listValue: .init(values: list.values.map { spelled($0, of: field) }))
        case .stringValue(let word)?: Value(stringValue: spelled(word, of: field))
        default: value
        }
    }

    private static func spelled(_ word: String, of field: String) -> String {
        let bare = surplus[field, default: []].reduce(word) { $0.replacing($1, with: "") }
        return prefixes[field, default: ""] + bare + suffixes[field, default: ""]
    }
}
