package import FleetEngineAPI
import SwiftProtobuf

/// Converts the values of an enum to the API's names, and back. The names are derived from the generated cases: `pickupWaypointType`
/// becomes `PICKUP_WAYPOINT_TYPE`. A prefix that all values of an enum share in the `.proto` file, such as `SPEED_`, is left out.
struct WireNames<Value: SwiftProtobuf.Enum & CaseIterable>: Sendable where Value.RawValue == Int {
    private let names: [Int: String]
    private let values: [String: Value]

    init(_: Value.Type = Value.self) {
        var (names, values): ([Int: String], [String: Value]) = ([:], [:])
        for value in Value.allCases {
            let name = "\(value)".map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
            names[value.rawValue] = name
            values[Self.core(of: name)] = value
        }
        (self.names, self.values) = (names, values)
    }

    /// Returns the name of a value. A value from a later API version gets the name of the value 0.
    func name(_ value: Value) -> String { names[value.rawValue] ?? names[0] ?? "" }

    /// Returns the value for a name; nil for an unknown name, or for one of more than 100 bytes. Upper and lower case, underscores and the
    /// words in `words` are ignored. For example, `TRIP_STATUS_NEW`, `EXCLUSIVE_TRIP` and `VEHICLE_STATE_LOG_ONLINE` are known names.
    func value(_ name: String) -> Value? { name.utf8.count <= 100 ? values[Self.core(of: name)] : nil }

    private static var words: Set<Substring> {
        [
            "LOG", "TRIP", "STATUS", "TYPE", "WAYPOINT", "VEHICLE", "STATE", "NAVIGATION", "CATEGORY", "SPEED", "STYLE", "DESTINATION",
            "TASK", "OUTCOME", "LOCATION", "SOURCE", "STOP",
        ]
    }

    /// Returns a name as it is compared with others: in capitals, without underscores, and without the words in `words`.
    private static func core(of name: String) -> String {
        let words = words
        let core = name.uppercased().split(separator: "_").filter { !words.contains($0) }.joined()
        return core == "CANCELLED" ? "CANCELED" : core
    }
}

/// The names of all enums that are written or read as text.
enum WireName {
    static let tripStatus = WireNames<WireTripStatus>()
    static let tripType = WireNames<WireTripType>()
    static let waypointType = WireNames<WireWaypointType>()
    static let vehicleState = WireNames<WireVehicleState>()
    static let navigationStatus = WireNames<WireNavigationStatus>()
    static let category = WireNames<WireVehicle.VehicleType.Category>()
    static let speed = WireNames<WireSpeedReadingInterval.Speed>()
    static let stretchStyle = WireNames<WireVisualTrafficReportPolylineRendering.RoadStretch.Style>()
    static let taskType = WireNames<WireTask.TypeEnum>()
    static let taskState = WireNames<WireTask.State>()
    static let taskOutcome = WireNames<WireTask.TaskOutcome>()
    static let taskOutcomeLocationSource = WireNames<WireTask.TaskOutcomeLocationSource>()
    static let stopState = WireNames<WireVehicleStop.State>()
    static let deliveryVehicleType = WireNames<WireDeliveryVehicle.DeliveryVehicleType>()
}

extension WireTripStatus { package var name: String { WireName.tripStatus.name(self) } }

extension WireWaypointType { package var name: String { WireName.waypointType.name(self) } }

extension WireVehicleState { package var name: String { WireName.vehicleState.name(self) } }

extension WireTripType { package var name: String { WireName.tripType.name(self) } }
