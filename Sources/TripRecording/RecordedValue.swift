import BoundedJSON
import FleetEngine
import FoundationEssentials

/// A JSON value in a recorded answer, with the names of all members as recorded.
package enum RecordedValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([RecordedValue])
    case object([String: RecordedValue])

    /// Returns nil for text that is not JSON.
    init?(_ json: ArraySlice<UInt8>) {
        guard let value = try? JSONDecoder().decodeBounded(RecordedValue.self, from: Data(json)) else { return nil }
        self = value
    }

    /// The member of an object with this key; nil if the member is missing or the value is not an object.
    package subscript(key: String) -> RecordedValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var array: [RecordedValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var isObject: Bool { if case .object = self { true } else { false } }
}

extension RecordedValue: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Decodes a value. It tries the most frequent types first, because failed attempts are slow.
    package init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if let number = try? single.decode(Double.self) {
            self = .number(number)
        } else if let text = try? single.decode(String.self) {
            self = .string(text)
        } else if let keyed = try? decoder.container(keyedBy: Key.self) {
            var members: [String: RecordedValue] = [:]
            for key in keyed.allKeys { members[key.stringValue] = try keyed.decode(RecordedValue.self, forKey: key) }
            self = .object(members)
        } else if var list = try? decoder.unkeyedContainer() {
            var elements: [RecordedValue] = []
            while !list.isAtEnd { elements.append(try list.decode(RecordedValue.self)) }
            self = .array(elements)
        } else if let flag = try? single.decode(Bool.self) {
            self = .bool(flag)
        } else {
            self = .null
        }
    }
}

// MARK: - Parts that an answer leaves out

extension RecordedValue {
    /// The parts of a trip that an answer leaves out if they have not changed, each with its version.
    private static let versionedParts = [
        ("route", "currentRouteSegmentVersion"), ("currentRouteSegment", "currentRouteSegmentVersion"),
        ("currentRouteSegmentEndPoint", "currentRouteSegmentVersion"),
        ("currentRouteSegmentTraffic", "currentRouteSegmentTrafficVersion"),
    ]
    private static let stopsVersion = "remainingWaypointsRouteVersion"
    private static let versions = ["currentRouteSegmentVersion", "currentRouteSegmentTrafficVersion", stopsVersion]
    private static let pathsOfStop = ["pathToWaypoint", "encodedPathToWaypoint", "trafficToWaypoint"]

    /// Returns an answer about a trip, completed with the unchanged parts of `last`. These are the parts that a `TripModel` keeps. An
    /// answer with another vehicle or a final status is returned unchanged.
    func withUnchangedParts(of last: RecordedValue) -> RecordedValue {
        guard case .object(var members) = self, members["vehicleId"] == last["vehicleId"],
            members["tripStatus"]?.string.flatMap({ TripStatus(rawValue: $0) })?.isFinal != true
        else { return self }
        for (part, version) in Self.versionedParts where members[part] == nil && isUnchanged(version, since: last) {
            members[part] = last[part]
        }
        if let stops = members["remainingWaypoints"]?.array, isUnchanged(Self.stopsVersion, since: last) {
            members["remainingWaypoints"] = .array(Self.stops(stops, withPathsOf: last["remainingWaypoints"]?.array ?? []))
        }
        for version in Self.versions { members[version] = members[version] ?? last[version] }
        return .object(members)
    }

    private func isUnchanged(_ version: String, since last: RecordedValue) -> Bool {
        self[version].map { $0 == last[version] } ?? true
    }

    /// Adds missing paths to stops. Stops are matched from the end, because stops leave the list at its front.
    private static func stops(_ stops: [RecordedValue], withPathsOf last: [RecordedValue]) -> [RecordedValue] {
        let gone = last.count - stops.count
        return stops.enumerated().map { index, stop in
            guard last.indices.contains(index + gone), case .object(var members) = stop else { return stop }
            let known = last[index + gone]
            guard members["tripId"] == known["tripId"], members["location"] == known["location"] else { return stop }
            for path in pathsOfStop { members[path] = members[path] ?? known[path] }
            return .object(members)
        }
    }

    /// Returns the object. Its missing members are taken from `last`, except the members in `emptied`.
    func completed(by last: RecordedValue, without emptied: [String]) -> RecordedValue {
        guard case .object(let own) = self, case .object(let known) = last else { return self }
        return .object(known.filter { !emptied.contains($0.key) }.merging(own) { _, new in new })
    }
}
