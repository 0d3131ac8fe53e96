package import FleetEngine
package import SwiftProtobuf

/// Reads messages from proto3 JSON. The error names the invalid member, unless the message is large.
package enum RESTMessage {
    /// Maximum size of a message that is searched for its invalid member, in bytes.
    private static let searchedBytes = 64 << 10
    /// Maximum amount of text that a search for the invalid member decodes, in bytes.
    private static let largestSearch = 512 << 10

    /// - Parameter field: the name of the message's field in the request; nil if the message is the request itself.
    /// - Throws: INVALID_ARGUMENT. It names the first member that cannot be read, unless the message is too large to be searched.
    package static func read<Body: Message>(_ body: [UInt8], as type: Body.Type = Body.self, field: String? = nil) throws(FleetEngineError)
        -> Body
    {
        if body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return Body() }
        do {
            return try Body(jsonUTF8Bytes: body)
        } catch {
            guard body.count <= searchedBytes else { throw shortComplaint(error, of: field) }
            guard let tree = try? Google_Protobuf_Value(jsonUTF8Bytes: body), case .structValue? = tree.kind else {
                throw .invalid(field ?? "body", "Invalid JSON payload received. It is not a JSON object")
            }
            throw complaint(error, about: tree, in: type, under: field.map { [$0] } ?? [], isQuery: false)
        }
    }

    /// - Throws: INVALID_ARGUMENT with the first member that cannot be read.
    package static func read<Body: Message>(_ tree: Google_Protobuf_Value, isQuery: Bool) throws(FleetEngineError) -> Body {
        do {
            return try Body(jsonUTF8Bytes: try tree.jsonUTF8Bytes() as [UInt8])
        } catch {
            throw complaint(error, about: tree, in: Body.self, under: [], isQuery: isQuery)
        }
    }

    package static func unknown(_ name: String, isQuery: Bool) -> FleetEngineError {
        let place = isQuery ? "query parameter" : "name"
        return .invalid(name, "Invalid JSON payload received. Unknown \(place) \"\(FleetEngineError.shown(name))\": Cannot find field.")
    }

    private static func complaint<Body: Message>(
        _ error: any Error, about tree: Google_Protobuf_Value, in type: Body.Type, under prefix: [String], isQuery: Bool
    ) -> FleetEngineError {
        var search = Search<Body>(left: largestSearch)
        guard let (path, cause) = search.first(in: tree, within: { $0 }) else {
            return complaint(error, of: prefix.first)
        }
        let name = FleetEngineError.shown((prefix + path).joined(separator: "."))
        if case JSONDecodingError.unknownField = cause { return unknown(name, isQuery: isQuery) }
        return .invalid(name, "Invalid value at '\(name)': \(words(cause))")
    }

    /// Returns the error for a message in which the search found no invalid member.
    private static func complaint(_ error: any Error, of field: String?) -> FleetEngineError {
        .invalid(field ?? "body", "Invalid JSON payload received. \(FleetEngineError.shown("\(error)"))")
    }

    /// Returns the error for a large message, in which the search for the invalid member would take too long.
    private static func shortComplaint(_ error: any Error, of field: String?) -> FleetEngineError {
        if case JSONDecodingError.unknownField(let name) = error { return unknown(name, isQuery: false) }
        return .invalid(field ?? "body", "Invalid JSON payload received. A member is invalid: \(words(error))")
    }

    private static func words(_ error: any Error) -> String {
        switch error as? JSONDecodingError {
        case .unrecognizedEnumValue: "it is not a value of this enum"
        case .malformedNumber, .numberRange, .leadingZero: "it is not a number that this field allows"
        case .malformedBool: "it is neither true nor false"
        case .malformedDuration: "it is not a duration such as \"3.5s\""
        case .malformedTimestamp: "it is not a time such as \"2026-01-31T12:00:00Z\""
        case .conflictingOneOf: "it has members that exclude each other"
        case .illegalNull: "null is not allowed here"
        case .messageDepthLimit: "it is nested too deeply"
        default: "it has the wrong type for this field"
        }
    }

    /// Finds the invalid member of a message. It decodes each member on its own, and then the members inside the invalid one.
    private struct Search<Body: Message> {
        /// The minimum cost of decoding a text, in bytes.
        private static var leastBytes: Int { 256 }

        /// The amount of text that may still be decoded, in bytes. A limit on the number of attempts would not limit the time, because a
        /// large invalid value is decoded again at each level.
        var left: Int

        /// - Parameter wrap: puts its argument into an otherwise empty message, at the place where the whole message has `value`.
        mutating func first(
            in value: Google_Protobuf_Value, within wrap: @escaping (Google_Protobuf_Value) -> Google_Protobuf_Value
        ) -> (path: [String], cause: any Error)? {
            switch value.kind {
            case .structValue(let members)?:
                for (name, member) in members.fields.sorted(by: { $0.key < $1.key }) {
                    let alone: (Google_Protobuf_Value) -> Google_Protobuf_Value = {
                        wrap(Google_Protobuf_Value(structValue: Google_Protobuf_Struct(fields: [name: $0])))
                    }
                    if let found = failure(of: member, named: name, within: alone) { return found }
                }
            case .listValue(let list)?:
                for (index, element) in list.values.enumerated() {
                    let alone: (Google_Protobuf_Value) -> Google_Protobuf_Value = {
                        wrap(Google_Protobuf_Value(listValue: Google_Protobuf_ListValue(values: [$0])))
                    }
                    if let found = failure(of: element, named: "\(index)", within: alone) { return found }
                }
            default: break
            }
            return nil
        }

        private mutating func failure(
            of value: Google_Protobuf_Value, named name: String, within alone: @escaping (Google_Protobuf_Value) -> Google_Protobuf_Value
        ) -> (path: [String], cause: any Error)? {
            guard left > 0, let error = failure(alone(value)) else { return nil }
            // An unknown member is invalid with any value.
            if case JSONDecodingError.unknownField(let unknown) = error, unknown == name { return ([name], error) }
            guard let inner = first(in: value, within: alone) else { return ([name], error) }
            return ([name] + inner.path, inner.cause)
        }

        private mutating func failure(_ tree: Google_Protobuf_Value) -> (any Error)? {
            do {
                let text: [UInt8] = try tree.jsonUTF8Bytes()
                left -= max(text.count, Self.leastBytes)
                _ = try Body(jsonUTF8Bytes: text)
                return nil
            } catch {
                return error
            }
        }
    }
}
