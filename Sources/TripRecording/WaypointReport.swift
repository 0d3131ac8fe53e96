import FleetEngine
import FoundationEssentials
import Geo

/// A stop as a log has it. Exports leave much of it out; who stops there and why is then told by the trip.
struct WaypointReport: Hashable, Sendable {
    var coordinate: Coordinate
    var tripID: String?
    var type: WaypointType?
    var path: RecordedPath?
    var distanceMeters: Double?
    var eta: Date?
    var durationSeconds: Double?
    var traffic: TrafficReport?

    init?(_ value: JSONValue) {
        guard let coordinate = value["location"]?.terminalCoordinate else { return nil }
        self.coordinate = coordinate
        tripID = value["tripid"]?.nonEmptyString
        type = value.first("waypointtype", "type")?.waypointType
        path = value["encodedpathtowaypoint"]?.path ?? value["pathtowaypoint"]?.path
        distanceMeters = value["distancemeters"]?.meters
        eta = value["eta"]?.date
        durationSeconds = value["duration"]?.durationSeconds
        traffic = TrafficReport(value["traffictowaypoint"])
    }

    /// The stops of a list; nil where there is no list.
    static func list(_ value: JSONValue?) -> [WaypointReport]? {
        value?.array?.prefix(JSONValue.maximumListCount).compactMap(WaypointReport.init)
    }
}
