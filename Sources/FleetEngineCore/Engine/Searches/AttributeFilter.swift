import FleetEngine
import FleetEngineAPI
import FleetEngineWire

/// A filter on vehicle attributes, such as `attributes.on_shift = "true" AND NOT attributes.class = van`.
///
/// The language is the subset of AIP-160 that Fleet Engine supports: restrictions on attributes. The values of attributes are compared as
/// text. Restrictions are combined with AND, OR (which binds tighter than AND), NOT or `-`, and parentheses. A key with a space must be
/// quoted, and so must a value that is a number or a Boolean. A missing attribute satisfies no restriction.
struct AttributeFilter: Sendable {
    enum Comparator: String, Sendable, CaseIterable {
        case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">=", has = ":"
    }

    indirect enum Expression: Sendable {
        case all([Expression])
        case any([Expression])
        case not(Expression)
        case restriction(place: Int, Comparator, value: String)
    }

    static let maximumRestrictions = 50
    static let maximumBytes = 8_192
    static let maximumDepth = 20

    private let expression: Expression

    /// Creates a filter; nil if the text is empty, because an empty filter accepts every vehicle.
    /// - Parameter places: the indexes of the keys. The keys that the filter uses are added to `places`.
    /// - Throws: INVALID_ARGUMENT with the position of the error in the text.
    init?(_ text: String, places: inout AttributePlaces) throws(FleetEngineError) {
        guard text.utf8.count <= Self.maximumBytes else {
            throw .invalid("filter", "filter is longer than \(Self.maximumBytes) bytes")
        }
        var parser = FilterParser(tokens: try FilterToken.tokens(of: text), places: places)
        guard !parser.isAtEnd else { return nil }
        expression = try parser.expression(depth: 0)
        places = parser.places
        guard parser.isAtEnd else { throw parser.refusal("an operator or the end of the filter") }
    }

    func matches(_ values: AttributeValues) -> Bool { Self.matches(expression, values) }

    private static func matches(_ expression: Expression, _ values: AttributeValues) -> Bool {
        switch expression {
        case .all(let parts): return parts.allSatisfy { matches($0, values) }
        case .any(let parts): return parts.contains { matches($0, values) }
        case .not(let part): return !matches(part, values)
        case .restriction(let place, let comparator, let value):
            guard let found = values.text(at: place) else { return false }
            switch comparator {
            case .equal: return found == value
            case .notEqual: return found != value
            case .less: return found < value
            case .lessOrEqual: return found <= value
            case .greater: return found > value
            case .greaterOrEqual: return found >= value
            case .has: return value == "*" || found == value
            }
        }
    }
}

// MARK: - Reading

enum FilterToken: Equatable {
    case open, close, minus
    case comparator(AttributeFilter.Comparator)
    /// Unquoted text. AND, OR and NOT are words too.
    case word(String)
    case quoted(String)

    static func tokens(of text: String) throws(FleetEngineError) -> [FilterToken] {
        var tokens: [FilterToken] = []
        var rest = Array(text.unicodeScalars)[...]
        while let first = rest.first {
            switch first {
            case " ", "\t", "\r", "\n": rest.removeFirst()
            case "(", ")":
                tokens.append(first == "(" ? .open : .close)
                rest.removeFirst()
            case "-":
                tokens.append(.minus)
                rest.removeFirst()
            case "\"", "'": tokens.append(.quoted(try quoted(&rest, by: first)))
            case "=", "!", "<", ">", ":": tokens.append(.comparator(try comparator(&rest)))
            default: tokens.append(.word(word(&rest)))
            }
        }
        return tokens
    }

    /// Checks an unquoted value of an attribute.
    /// - Throws: INVALID_ARGUMENT for a number or a Boolean, which must be quoted because attributes are compared as text.
    static func checkUnquoted(_ text: String, of key: String) throws(FleetEngineError) {
        let startsLikeNumber = text.first.map { $0.isNumber || "-+.".contains($0) } ?? false
        guard !startsLikeNumber || Double(text) == nil, text != "true", text != "false" else {
            throw .invalid(
                "filter", "filter: the value \(FleetEngineError.shown(text)) of attributes.\(FleetEngineError.shown(key)) must be quoted")
        }
    }

    private static func quoted(_ rest: inout ArraySlice<Unicode.Scalar>, by mark: Unicode.Scalar) throws(FleetEngineError) -> String {
        rest.removeFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == mark { return String(text) }
            text.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
        throw .invalid("filter", "filter: a quotation mark is not closed")
    }

    private static func comparator(
        _ rest: inout ArraySlice<Unicode.Scalar>
    ) throws(FleetEngineError) -> AttributeFilter.Comparator {
        let two = String(String.UnicodeScalarView(rest.prefix(2)))
        for length in [2, 1] {
            let text = length == 2 ? two : String(String.UnicodeScalarView(rest.prefix(1)))
            if let found = AttributeFilter.Comparator(rawValue: text), text.unicodeScalars.count == length {
                rest.removeFirst(length)
                return found
            }
        }
        throw .invalid("filter", "filter: \(FleetEngineError.shown(two)) is not a comparison operator")
    }

    private static func word(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        let end = rest.firstIndex { " \t\r\n()\"'=!<>:".unicodeScalars.contains($0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return String(String.UnicodeScalarView(rest[..<end]))
    }
}

private struct FilterParser {
    var tokens: [FilterToken]
    var places: AttributePlaces
    var position = 0
    var restrictions = 0

    var isAtEnd: Bool { position >= tokens.count }

    private var next: FilterToken? { isAtEnd ? nil : tokens[position] }

    func refusal(_ expected: String) -> FleetEngineError {
        .invalid("filter", "filter, word \(position + 1): expected \(expected)")
    }

    private mutating func consume(_ word: String) -> Bool {
        guard next == .word(word) else { return false }
        position += 1
        return true
    }

    /// Reads factors joined by AND. The AND is optional.
    mutating func expression(depth: Int) throws(FleetEngineError) -> AttributeFilter.Expression {
        guard depth <= AttributeFilter.maximumDepth else { throw .invalid("filter", "filter is nested too deeply") }
        var parts = [try factor(depth: depth)]
        while !isAtEnd, next != .close {
            _ = consume("AND")
            parts.append(try factor(depth: depth))
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func factor(depth: Int) throws(FleetEngineError) -> AttributeFilter.Expression {
        var parts = [try term(depth: depth)]
        while consume("OR") { parts.append(try term(depth: depth)) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func term(depth: Int) throws(FleetEngineError) -> AttributeFilter.Expression {
        if consume("NOT") { return .not(try simple(depth: depth)) }
        if next == .minus {
            position += 1
            return .not(try simple(depth: depth))
        }
        return try simple(depth: depth)
    }

    private mutating func simple(depth: Int) throws(FleetEngineError) -> AttributeFilter.Expression {
        guard next == .open else { return try restriction() }
        position += 1
        let inner = try expression(depth: depth + 1)
        guard next == .close else { throw refusal("a closing parenthesis") }
        position += 1
        return inner
    }

    private mutating func restriction() throws(FleetEngineError) -> AttributeFilter.Expression {
        let key = try key()
        guard case .comparator(let comparator)? = next else { throw refusal("a comparison") }
        position += 1
        let value = try value(of: key)
        restrictions += 1
        guard restrictions <= AttributeFilter.maximumRestrictions else {
            throw .invalid("filter", "filter has more than \(AttributeFilter.maximumRestrictions) restrictions")
        }
        return .restriction(place: places.place(of: key), comparator, value: value)
    }

    private mutating func key() throws(FleetEngineError) -> String {
        let prefixes = ["attributes.", "attribute."]
        guard case .word(let member)? = next, let prefix = prefixes.first(where: member.hasPrefix) else {
            throw refusal("attributes.<key>")
        }
        var key = String(member.dropFirst(prefix.count))
        if key.isEmpty, tokens.indices.contains(position + 1), case .quoted(let text) = tokens[position + 1] {
            key = text
            position += 1
        }
        guard !key.isEmpty else { throw refusal("attributes.<key>") }
        position += 1
        return key
    }

    /// Reads an unquoted or quoted value. A minus sign before unquoted text belongs to the value.
    private mutating func value(of key: String) throws(FleetEngineError) -> String {
        let isNegative = next == .minus
        if isNegative { position += 1 }
        defer { position += 1 }
        switch next {
        case .word(let word)?:
            let text = isNegative ? "-" + word : word
            try FilterToken.checkUnquoted(text, of: key)
            return text
        case .quoted(let text)? where !isNegative: return text
        default: throw refusal("a value")
        }
    }
}
