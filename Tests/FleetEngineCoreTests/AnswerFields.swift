import FleetEngineWire
import FoundationEssentials

/// Compares an engine's answers with recorded answers and counts the equal fields.
///
/// The engine cannot compute values that depend on Google's roads and traffic, or on the time before the recording. Some of these values
/// are times or distances. If one of them occurs again in the recording, the engine must give the same value that it gave the first time.
struct AnswerFields {
    private(set) var compared = 0
    private(set) var equal = 0
    private(set) var unknowable = 0
    private var others: [String: Int] = [:]
    /// The encoded routes that the driver has uploaded up to now.
    private var uploads: Set<String> = []
    /// For each value in Google's answers that the engine cannot compute, the value that the engine gave instead.
    private var learnt: [JSONValue: JSONValue] = [:]

    var share: Double { compared > 0 ? Double(equal) / Double(compared) : 0 }

    var summary: String {
        let list = others.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "\(equal) of \(compared) equal, \(unknowable) cannot be known; differing: \(list)"
    }

    /// - Parameters:
    ///   - answer: the engine's answer, in JSON.
    ///   - hasDriversFigures: whether the driver reported the time and distance to the next stop.
    mutating func compare(_ answer: String?, _ row: RecordedTraffic.Row, hasDriversFigures: Bool) {
        let own = answer.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }.map(Self.leaves) ?? [:]
        if let line = row.request["vehicle"]?["currentroutesegment"]?.string { uploads.insert(line) }
        for (path, value) in Self.leaves(row.response).sorted(by: { $0.key < $1.key }) {
            let found = own[path]
            let isSame = found.map { Self.isSame(value, $0, path) } ?? false
            if !isSame, isOfGooglesRouter(path, value, row, hasDriversFigures) {
                unknowable += 1
                if !path.hasPrefix(".currentroutesegmenttraffic") { learnt[value] = found }
            } else {
                compared += 1
                let isRepeated = found != nil && found.map { learnt[value] == $0 } == true
                if isSame || isRepeated { equal += 1 } else { others["\(row.timestamp) \(path)", default: 0] += 1 }
            }
        }
    }

    /// Returns whether only Google's server can compute a value; false for a time or distance that already appeared earlier in the
    /// recording.
    private func isOfGooglesRouter(_ path: String, _ value: JSONValue, _ row: RecordedTraffic.Row, _ hasDriversFigures: Bool) -> Bool {
        if path.hasSuffix("encodedpathtowaypoint") || path == ".currentroutesegment" { return !uploads.contains(value.string ?? "") }
        guard row.kind == "UpdateTripLog" else { return false }
        if path.hasPrefix(".currentroutesegmenttraffic") { return true }
        guard learnt[value] == nil else { return false }
        switch path {
        case ".dropofftime": return row.response["status"]?.string != "TRIP_STATUS_COMPLETE"
        case ".pickuptime", ".etatofirstwaypoint", ".remainingdistancemeters", ".remainingtimetofirstwaypoint": return !hasDriversFigures
        case ".lastlocation.servertime": return uploads.isEmpty
        default: return false
        }
    }

    /// Returns the values, keyed by their paths. Fields have the names that they have on the wire.
    private static func leaves(_ value: JSONValue) -> [String: JSONValue] {
        var leaves: [String: JSONValue] = [:]
        func add(_ value: JSONValue, _ path: String) {
            switch value {
            case .object(let members): for (key, member) in members { add(member, path + "." + (names[key] ?? key)) }
            case .array(let elements): for (index, element) in elements.enumerated() { add(element, "\(path)[\(index)]") }
            default: leaves[path] = value
            }
        }
        add(value, "")
        return leaves
    }

    private static let names = [
        "status": "tripstatus", "state": "vehiclestate", "navstatus": "navigationstatus", "supportedtrips": "supportedtriptypes",
        "vehiclecategory": "category", "type": "waypointtype",
    ]

    private static func isSame(_ recorded: JSONValue, _ own: JSONValue, _ path: String) -> Bool {
        if let one = recorded.timestamp, let other = own.timestamp { return abs(one.moment.timeIntervalSince(other.moment)) < 0.05 }
        if path.hasSuffix("remainingtimetofirstwaypoint"), let one = recorded.duration, let other = own.duration {
            return abs(one.lengthSeconds - other.lengthSeconds) < 0.5
        }
        if let one = recorded.number, let other = own.number {
            // The coordinates of stops are rounded to seven decimal places in answers.
            return abs(one - other) <= (path.hasSuffix("itude") ? 1e-7 : 1e-9 * max(1, abs(one)))
        }
        if let one = recorded.string, let other = own.string { return one == other || bare(one) == bare(other) }
        return recorded == own
    }

    /// Returns an enum value's name without the prefix and suffix that the log adds.
    private static func bare(_ name: String) -> String {
        var name = name
        for prefix in ["TRIP_STATUS_", "VEHICLE_STATE_", "NAVIGATION_STATUS_", "WAYPOINT_TYPE_"] where name.hasPrefix(prefix) {
            name.removeFirst(prefix.count)
        }
        for suffix in ["_TRIP", "_WAYPOINT_TYPE"] where name.hasSuffix(suffix) { name.removeLast(suffix.count) }
        return name
    }
}
