/// A value in a log entry.
///
/// The keys of objects are changed to lower case without underscores, so `currentRouteSegment`, `currentroutesegment` and
/// `current_route_segment` are the same key. Keys that a recording does not need are left out.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The member of an object with this key; nil if the member is missing or the value is not an object.
    package subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// Returns the first of these members that exists.
    package func first(_ keys: String...) -> JSONValue? {
        for key in keys {
            if let value = self[key] { return value }
        }
        return nil
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var isObject: Bool { if case .object = self { true } else { false } }

    /// The text, if it is not empty.
    package var nonEmptyString: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

    package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    /// The value as a finite number. The JSON of protocol buffers writes 64-bit integers as strings, so a string that holds a number is
    /// accepted too.
    package var number: Double? {
        switch self {
        case .number(let number): number.isFinite ? number : nil
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// The value as a whole number; fractions are cut off.
    package var integer: Int? { number.flatMap { Int(exactly: $0.rounded(.towardZero)) } }
}

extension JSONValue {
    /// The keys of an object, in lower case without underscores; empty for other values.
    package var keys: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }

    /// Returns this object, with its missing members taken from `other`.
    package func completed(by other: JSONValue) -> JSONValue {
        guard case .object(let own) = self, case .object(let others) = other else { return self }
        return .object(own.merging(others) { own, _ in own })
    }

    /// Returns the object without the members that have these keys.
    package func without(_ keys: String...) -> JSONValue {
        guard case .object(var members) = self else { return self }
        for key in keys { members[key] = nil }
        return .object(members)
    }
}

extension JSONValue: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Keys that a recording does not need. They are in every entry and cost time, or they hold personal data.
    private static let unusedKeys: Set<String> = [
        "header", "devicesettings", "insertid", "locsensor", "rawlocationsensor",
        "altitudeaccuracy", "bearingaccuracy", "speedaccuracy", "supplementallocationaccuracy", "isgpssensorenabled",
        "locationhandle", "pointhandle", "currentroutesegmenthandle",
    ]

    /// Decodes a value. It tries the most frequent types first, because failed attempts are slow.
    package init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if let text = try? single.decode(String.self) {
            self = .string(text)
        } else if let number = try? single.decode(Double.self) {
            self = .number(number)
        } else if let keyed = try? decoder.container(keyedBy: Key.self) {
            self = .object(try Self.members(of: keyed))
        } else if var list = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !list.isAtEnd { elements.append(try list.decode(JSONValue.self)) }
            self = .array(elements)
        } else if let flag = try? single.decode(Bool.self) {
            self = .bool(flag)
        } else {
            self = .null
        }
    }

    /// If a key occurs in several spellings, the last spelling in character order is used, so that the result is always the same.
    private static func members(of container: KeyedDecodingContainer<Key>) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            let name = normalised(key.stringValue)
            if !unusedKeys.contains(name) { members[name] = try container.decode(JSONValue.self, forKey: key) }
        }
        return members
    }

    private static func normalised(_ key: String) -> String {
        var bytes = Array(key.utf8)
        bytes.removeAll { $0 == UInt8(ascii: "_") }
        for index in bytes.indices where (0x41...0x5A).contains(bytes[index]) { bytes[index] += 0x20 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
