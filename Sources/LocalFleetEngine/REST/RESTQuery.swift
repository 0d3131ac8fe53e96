import FleetEngine
import FleetEngineCore
import FleetEngineSnapshot
import SwiftProtobuf

/// The query of a request: fields of the request message, and parameters that every call may have.
struct RESTQuery: Sendable {
    /// Maximum number of values in a query.
    private static let largestCount = 1_000
    /// Maximum depth of nested messages.
    private static let largestDepth = 5
    /// Names of the request fields that take several values.
    private static let repeated: Set<String> = [
        "tripTypes", "vehicleTypeCategories", "requiredAttributes", "requiredOneOfAttributes", "requiredOneOfAttributeSets",
    ]
    private static let truths: Set<String> = ["onTripOnly"]
    /// Names of the request fields whose values are enum names or enum numbers.
    private static let enums: Set<String> = [
        "platform", "routeFormatType", "sdkType", "tripTypes", "vehicleState", "vehicleTypeCategories", "view",
    ]
    /// Google's system parameters that are accepted but have no effect. They may begin with a dollar sign.
    private static let ignored: Set<String> = [
        "access_token", "callback", "fields", "key", "oauth_token", "prettyPrint", "quotaUser", "uploadType", "upload_protocol",
        "userProject",
        "xgafv", ".xgafv",
    ]

    /// The paths of the update mask, in snake case or camel case.
    private(set) var updateMask: [String] = []
    /// Whether the answer has numbers instead of names for enum values (`$alt=json;enum-encoding=int`).
    private(set) var hasEnumsAsNumbers = false
    private var fields = Google_Protobuf_Struct()

    /// Reads a query.
    /// - Parameter text: the query string without its question mark, as sent.
    /// - Throws: INVALID_ARGUMENT for an invalid query.
    init(_ text: String?) throws(FleetEngineError) {
        let pairs = (text ?? "").split(separator: "&")
        guard pairs.count <= Self.largestCount else { throw .invalid("query", "the query has more than \(Self.largestCount) values") }
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.compactMap { PercentEncoding.text(String($0).replacing("+", with: "%20")) }
            guard decoded.count == parts.count, let name = decoded.first, !name.isEmpty else {
                throw .invalid("query", "\(FleetEngineError.shown(String(pair))) cannot be read as part of a query")
            }
            try add(name, decoded.count > 1 ? decoded[1] : "")
        }
    }

    private mutating func add(_ name: String, _ value: String) throws(FleetEngineError) {
        switch name {
        case "alt", "$alt": try addLayout(value)
        case "updateMask", "update_mask":
            updateMask += value.split(separator: ",").map { String($0.filter { $0 != " " }) }
        case _ where Self.ignored.contains(name.hasPrefix("$") ? String(name.dropFirst()) : name): break
        default:
            let path = name.split(separator: ".", omittingEmptySubsequences: false).map { Self.camelCase($0) }
            guard path.count <= Self.largestDepth, !path.contains("") else { throw Self.unknown(name) }
            fields = Self.adding(value, at: path[...], to: fields)
        }
    }

    /// Reads the value of the parameter `alt`: `json` or `json;enum-encoding=int`.
    private mutating func addLayout(_ value: String) throws(FleetEngineError) {
        let parts = value.split(separator: ";")
        guard parts.first == "json", parts.dropFirst().allSatisfy({ $0 == "enum-encoding=int" }) else {
            throw .invalid("$alt", "answers are JSON: $alt must be 'json' or 'json;enum-encoding=int'")
        }
        hasEnumsAsNumbers = parts.count > 1
    }

    private static func adding(_ value: String, at path: ArraySlice<String>, to old: Google_Protobuf_Struct) -> Google_Protobuf_Struct {
        guard let name = path.first else { return old }
        var fields = old
        let rest = path.dropFirst()
        if !rest.isEmpty {
            fields.fields[name] = Google_Protobuf_Value(structValue: adding(value, at: rest, to: old.fields[name]?.structValue ?? .init()))
        } else if repeated.contains(name) {
            var list = old.fields[name]?.listValue ?? Google_Protobuf_ListValue()
            list.values.append(single(value, name))
            fields.fields[name] = Google_Protobuf_Value(listValue: list)
        } else if truths.contains(name), value == "true" || value == "false" {
            fields.fields[name] = Google_Protobuf_Value(boolValue: value == "true")
        } else {
            fields.fields[name] = single(value, name)
        }
        return fields
    }

    private static func single(_ value: String, _ name: String) -> Google_Protobuf_Value {
        guard enums.contains(name), let number = Int32(value) else { return Google_Protobuf_Value(stringValue: value) }
        return Google_Protobuf_Value(numberValue: Double(number))
    }

    /// Converts a name from snake case to camel case, such as `page_size` to `pageSize`.
    static func camelCase(_ name: Substring) -> String {
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        guard words.count > 1, !words.dropFirst().contains("") else { return String(name) }
        return words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    /// Creates the message with the query's fields.
    ///
    /// - Throws: INVALID_ARGUMENT that names the field that cannot be read.
    func message<Request: Message>(_ type: Request.Type = Request.self) throws(FleetEngineError) -> Request {
        fields.fields.isEmpty ? Request() : try RESTMessage.read(Google_Protobuf_Value(structValue: fields), isQuery: true)
    }

    /// Checks that the query has no fields and no update mask, because the body has all fields.
    ///
    /// - Throws: INVALID_ARGUMENT that names a field, or the update mask.
    func requireNoFields() throws(FleetEngineError) {
        if let name = fields.fields.keys.min() { throw Self.unknown(name) }
        try requireNoMask()
    }

    /// Checks that the query has no update mask, for a call that does not use one.
    func requireNoMask() throws(FleetEngineError) { if !updateMask.isEmpty { throw Self.unknown("updateMask") } }

    private static func unknown(_ name: String) -> FleetEngineError { RESTMessage.unknown(name, isQuery: true) }
}
