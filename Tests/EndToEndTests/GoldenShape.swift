import Foundation

@testable import ProgramHarness

/// Output of earlier versions of the program, and the comparison of new JSON with it.
enum Golden {
    /// The folders of all versions, from the oldest to the newest.
    static let versions = ["v0.1.0"]

    static func path(_ version: String, _ name: String) -> String {
        Program.package.appending(path: "Tests/Golden/\(version)/\(name)").path
    }

    static func lines(_ version: String, _ name: String) throws -> [String] {
        try String(contentsOfFile: path(version, name), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Returns the types of all values in a JSON object or array, by their paths, such as `event=eta remaining[].type` and `[].key`.
    static func shape(_ line: String) throws -> [String: String] {
        let value = try JSONDecoder().decode(Value.self, from: Data(line.utf8))
        var types: [String: String] = [:]
        switch value {
        case .object(let members):
            var event = ""
            if case .text(let name)? = members["event"] { event = "event=\(name) " }
            for (key, part) in members { collect(part, event + key, &types) }
        case .list: collect(value, "", &types)
        default: throw DecodingFailure(line: line)
        }
        return types
    }

    private static func collect(_ value: Value, _ path: String, _ types: inout [String: String]) {
        switch value {
        case .null: types[path] = types[path] ?? "null"
        case .truth: types[path] = "truth"
        case .number: types[path] = "number"
        case .text: types[path] = "text"
        case .list(let parts):
            types[path] = "list"
            for part in parts { collect(part, path + "[]", &types) }
        case .object(let members): for (key, part) in members { collect(part, "\(path).\(key)", &types) }
        }
    }

    private struct DecodingFailure: Error { let line: String }

    private enum Value: Decodable {
        case null
        case truth
        case number
        case text(String)
        case list([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if (try? container.decode(Bool.self)) != nil {
                self = .truth
            } else if (try? container.decode(Double.self)) != nil {
                self = .number
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let parts = try? container.decode([Value].self) {
                self = .list(parts)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }
    }

    /// Returns the types of all values in all lines, by their paths.
    static func shapes(_ lines: [String]) throws -> [String: String] {
        try lines.reduce(into: [:]) { all, line in
            all.merge(try shape(line)) { known, new in known == "null" ? new : known }
        }
    }

    /// Returns a description of each key of the golden lines that is missing from the new lines, or has another type there. Null is
    /// accepted in place of any type.
    static func missing(from made: [String], in golden: [String]) throws -> [String] {
        let made = try shapes(made)
        return try shapes(golden).compactMap { path, type in
            guard let found = made[path] else { return "\(path) is missing" }
            return found == type || found == "null" || type == "null" ? nil : "\(path) is \(found), not \(type)"
        }.sorted()
    }
}
