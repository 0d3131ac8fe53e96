import FleetEngineAPI
import FoundationEssentials
import Geo
package import SwiftProtobuf

// Reads the values of message fields from the JSON of any logger.

extension JSONValue {
    /// The value as a timestamp: RFC 3339, or an object of `seconds` and `nanos`.
    package var timestamp: Google_Protobuf_Timestamp? {
        switch self {
        case .string(let text): return Google_Protobuf_Timestamp(rfc3339: text)
        case .object:
            guard let seconds = self["seconds"]?.integer, let nanos = Int32(exactly: self["nanos"]?.integer ?? 0) else { return nil }
            return Google_Protobuf_Timestamp(seconds: Int64(seconds), nanos: nanos)
        default: return nil
        }
    }

    /// The value as a duration: `"53.07s"`, a number of seconds, or an object of `seconds` and `nanos`.
    package var duration: Google_Protobuf_Duration? {
        let seconds: Double?
        switch self {
        case .string(let text): seconds = text.last == "s" ? Double(text.dropLast()) : Double(text)
        case .number(let number): seconds = number
        case .object: seconds = self["seconds"]?.number.map { $0 + (self["nanos"]?.number ?? 0) * 1e-9 }
        default: seconds = nil
        }
        return seconds.flatMap { $0.plausible(in: -1e9...1e9) }.map { Google_Protobuf_Duration(lengthSeconds: $0) }
    }

    /// The value as a whole number in the range of Int32; fractions are rounded.
    var int32: Int32? { number.flatMap { $0.plausible(in: -2_147_483_648...2_147_483_647) }.map { Int32(rounding: $0) } }

    var int32Value: Google_Protobuf_Int32Value? { int32.map { .init($0) } }

    var doubleValue: Google_Protobuf_DoubleValue? { number.map { .init($0) } }

    /// Returns the value of an enum. It is given by its number on the wire, or by a name that `WireNames` contains.
    func value<Value>(_ names: WireNames<Value>) -> Value? {
        if case .number = self { return integer.flatMap { Value(rawValue: $0) } }
        return nonEmptyString.flatMap { names.value($0) }
    }

    /// The value as a coordinate `{latitude, longitude}`. A missing number is 0, as in all JSON of protocol buffers, but at least one
    /// number must be present.
    var latLng: WireLatLng? {
        let latitude = self["latitude"], longitude = self["longitude"]
        guard latitude != nil || longitude != nil else { return nil }
        guard let north = latitude.map({ $0.number }) ?? 0, let east = longitude.map({ $0.number }) ?? 0 else { return nil }
        return WireLatLng(Coordinate(latitude: north, longitude: east))
    }

    /// The value as a terminal location: `{point}`, or the point itself.
    var terminal: WireTerminalLocation? {
        (self["point"]?.latLng ?? latLng).map { point in .with { $0.point = point } }
    }

    /// The value as a stop location: `{point, timestamp}`.
    var stop: WireStopLocation? {
        terminal.map { terminal in
            .with {
                $0.point = terminal.point
                if let time = self["timestamp"]?.timestamp { $0.timestamp = time }
            }
        }
    }

    /// The maximum number of elements that are read from a list, such as stops. Lists from real vehicles have at most a tenth as
    /// many elements.
    package static let maximumListCount = 200

    func list<Element>(atMost count: Int = maximumListCount, _ element: (JSONValue) -> Element?) -> [Element]? {
        array?.prefix(count).compactMap(element)
    }

    /// The points of a path that is written as a list.
    var points: [WireLatLng]? { array?.compactMap(\.latLng) }
}
