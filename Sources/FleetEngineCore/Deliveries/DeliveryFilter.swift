import FleetEngine
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf

/// A filter on tasks or delivery vehicles, such as `state = OPEN AND attributes.zone = "north"`.
///
/// The language is the subset of AIP-160 that Fleet Engine supports for deliveries: restrictions joined by AND. Attributes are compared as
/// text. A missing attribute or time satisfies no restriction. A missing outcome counts as TASK_OUTCOME_UNSPECIFIED, and any other missing
/// property as empty text.
struct DeliveryFilter: Sendable {
    enum Property: String, Sendable, CaseIterable {
        case state, type
        case trackingID = "tracking_id"
        case vehicleID = "delivery_vehicle_id"
        case outcome = "task_outcome"
        case outcomeTime = "task_outcome_time"
    }

    enum Restriction: Sendable {
        case property(Property, isEqual: Bool, value: String)
        case outcomeTime(AttributeFilter.Comparator, Date)
        case attribute(key: String, AttributeFilter.Comparator, value: String)
    }

    private(set) var restrictions: [Restriction] = []

    var isEmpty: Bool { restrictions.isEmpty }

    /// - Parameter takesTaskProperties: whether the filter may restrict properties of a task, such as its state, as well as
    ///   attributes.
    /// - Throws: INVALID_ARGUMENT if the filter is invalid or exceeds a limit. A message that says what was expected gives the number of
    ///   the wrong word. Other messages give no position.
    init(_ text: String, takesTaskProperties: Bool) throws(FleetEngineError) {
        guard text.utf8.count <= AttributeFilter.maximumBytes else {
            throw .invalid("filter", "filter is longer than \(AttributeFilter.maximumBytes) bytes")
        }
        var reader = DeliveryFilterReader(tokens: try FilterToken.tokens(of: text), takesTaskProperties: takesTaskProperties)
        guard !reader.isAtEnd else { return }
        repeat {
            restrictions.append(try reader.restriction())
            guard restrictions.count <= AttributeFilter.maximumRestrictions else {
                throw .invalid("filter", "filter has more than \(AttributeFilter.maximumRestrictions) restrictions")
            }
        } while try reader.continues()
    }

    /// The value that a property must have; nil if the filter requires no value, or an empty one.
    func required(_ property: Property) -> String? {
        for case .property(property, isEqual: true, let value) in restrictions where !value.isEmpty { return value }
        return nil
    }

    /// Returns the filter without the restriction to `value`, for rows that all have this value.
    func without(_ property: Property, _ value: String) -> DeliveryFilter {
        var filter = self
        filter.restrictions.removeAll { restriction in
            guard case .property(property, isEqual: true, value: value) = restriction else { return false }
            return true
        }
        return filter
    }

    func passes(_ row: TaskRow) -> Bool {
        restrictions.allSatisfy { restriction in
            switch restriction {
            case .property(let property, let isEqual, let value): (row.text(property) == value) == isEqual
            case .outcomeTime(let comparator, let time): row.outcomeTime.map { comparator.holds($0, time) } ?? false
            case .attribute(let key, let comparator, let value): row.attributes.satisfy(key, comparator, value)
            }
        }
    }

    func passes(_ attributes: [DeliveryAttribute]) -> Bool {
        restrictions.allSatisfy { restriction in
            guard case .attribute(let key, let comparator, let value) = restriction else { return false }
            return attributes.satisfy(key, comparator, value)
        }
    }
}

extension TaskRow {
    fileprivate func text(_ property: DeliveryFilter.Property) -> String {
        switch property {
        case .state: state.rawValue
        case .type: type.rawValue
        case .trackingID: trackingID
        case .vehicleID: vehicleID
        case .outcome: outcome?.rawValue ?? DeliveryFilterReader.noOutcome
        case .outcomeTime: ""
        }
    }
}

extension [DeliveryAttribute] {
    fileprivate func satisfy(_ key: String, _ comparator: AttributeFilter.Comparator, _ value: String) -> Bool {
        guard let found = first(where: { $0.key == key })?.text else { return false }
        return comparator == .has && value == "*" || comparator.holds(found, value)
    }
}

extension AttributeFilter.Comparator {
    fileprivate func holds<Value: Comparable>(_ found: Value, _ value: Value) -> Bool {
        switch self {
        case .equal, .has: found == value
        case .notEqual: found != value
        case .less: found < value
        case .lessOrEqual: found <= value
        case .greater: found > value
        case .greaterOrEqual: found >= value
        }
    }
}

/// Reads the restrictions of a filter one by one.
private struct DeliveryFilterReader {
    static let noOutcome = "TASK_OUTCOME_UNSPECIFIED"

    let tokens: [FilterToken]
    let takesTaskProperties: Bool
    private var position = 0

    init(tokens: [FilterToken], takesTaskProperties: Bool) {
        self.tokens = tokens
        self.takesTaskProperties = takesTaskProperties
    }

    var isAtEnd: Bool { next == nil }

    private var next: FilterToken? { tokens.element(position) }

    private func refusal(_ expected: String) -> FleetEngineError {
        switch next {
        case .word("OR")?, .word("NOT")?, .open?, .close?: .invalid("filter", "filter: OR, NOT and brackets are not supported")
        default: .invalid("filter", "filter, word \(position + 1): expected \(expected)")
        }
    }

    /// Returns the error for a word that is not a property.
    private func refusal(ofProperty name: String, _ known: String) -> FleetEngineError {
        guard takesTaskProperties, name != "OR", name != "NOT" else { return refusal(known) }
        let properties = DeliveryFilter.Property.allCases.map(\.rawValue).joined(separator: ", ")
        return .invalid(
            "filter",
            "filter: \(FleetEngineError.shown(name)) is not supported; the supported names are \(properties) and attributes.<key>")
    }

    /// Reads AND. Returns false at the end of the text.
    mutating func continues() throws(FleetEngineError) -> Bool {
        guard !isAtEnd else { return false }
        guard next == .word("AND") else { throw refusal("AND or the end of the filter") }
        position += 1
        return true
    }

    mutating func restriction() throws(FleetEngineError) -> DeliveryFilter.Restriction {
        let known = takesTaskProperties ? "a task property or attributes.<key>" : "attributes.<key>"
        guard case .word(let name)? = next else { throw refusal(known) }
        if name.hasPrefix("attributes.") { return try attribute(String(name.dropFirst(11))) }
        guard takesTaskProperties, let property = DeliveryFilter.Property(rawValue: name) else { throw refusal(ofProperty: name, known) }
        position += 1
        return try restriction(on: property)
    }

    /// Reads a restriction on an attribute. A key with a space must be quoted, and so must a value that is a number or a Boolean.
    private mutating func attribute(_ start: String) throws(FleetEngineError) -> DeliveryFilter.Restriction {
        position += 1
        var key = start
        if key.isEmpty, case .quoted(let text)? = next {
            key = text
            position += 1
        }
        guard !key.isEmpty else { throw refusal("attributes.<key>") }
        let comparator = try comparator()
        if case .word(let text)? = next { try FilterToken.checkUnquoted(text, of: key) }
        return .attribute(key: key, comparator, value: try value())
    }

    private mutating func restriction(on property: DeliveryFilter.Property) throws(FleetEngineError) -> DeliveryFilter.Restriction {
        let comparator = try comparator()
        let place = position
        let text = try value()
        if property == .outcomeTime {
            guard comparator != .has, let time = Google_Protobuf_Timestamp(rfc3339: text) else {
                throw .invalid("filter", "filter: \(property.rawValue) needs a comparison with a quoted RFC 3339 time")
            }
            return .outcomeTime(comparator, time.moment)
        }
        guard comparator == .equal || comparator == .notEqual else {
            throw .invalid("filter", "filter: \(property.rawValue) can be compared only with = and !=")
        }
        guard Self.isValue(text, of: property) else {
            position = place
            throw refusal("a value of \(property.rawValue)")
        }
        return .property(property, isEqual: comparator == .equal, value: text)
    }

    private static func isValue(_ text: String, of property: DeliveryFilter.Property) -> Bool {
        switch property {
        case .state: DeliveryTaskState(rawValue: text) != nil
        case .type: DeliveryTaskType(rawValue: text) != nil
        case .outcome: text == noOutcome || DeliveryTaskOutcome(rawValue: text) != nil
        case .trackingID, .vehicleID, .outcomeTime: true
        }
    }

    private mutating func comparator() throws(FleetEngineError) -> AttributeFilter.Comparator {
        guard case .comparator(let comparator)? = next else { throw refusal("a comparison") }
        position += 1
        return comparator
    }

    private mutating func value() throws(FleetEngineError) -> String {
        defer { position += 1 }
        switch next {
        case .word(let text)?, .quoted(let text)?: return text
        default: throw refusal("a value")
        }
    }
}
