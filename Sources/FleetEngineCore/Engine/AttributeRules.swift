import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import SwiftProtobuf

/// The rules for attributes. The number of attributes is limited. Keys are unique, not empty, and have no colon. The combined length of key
/// and value is limited. Numeric values are finite.
///
/// Source: the v1 API's comments on `VehicleAttribute` and `UpdateVehicleAttributesRequest`.
enum AttributeRules {
    /// - Returns: the attributes. If an attribute has only one of `value` and `string_value`, the other is set to the same text.
    static func checked(
        _ attributes: [WireVehicleAttribute], limits: EngineLimits
    ) throws(FleetEngineError) -> [WireVehicleAttribute] {
        try Check.count(attributes.count, atMost: limits.attributes, "attributes")
        var keys: Set<String> = []
        var checked: [WireVehicleAttribute] = []
        for attribute in attributes {
            let complete = try completed(attribute)
            try check(key: complete.key, value: complete.text, seen: &keys, limits: limits)
            if case .numberValue(let number) = complete.vehicleAttributeValue { try check(number) }
            checked.append(complete)
        }
        return checked
    }

    static func check(_ attributes: [WireTripAttribute], limits: EngineLimits) throws(FleetEngineError) {
        try Check.count(attributes.count, atMost: limits.attributes, "attributes")
        var keys: Set<String> = []
        for attribute in attributes {
            try check(key: attribute.key, value: attribute.stringValue, seen: &keys, limits: limits)
            if case .numberValue(let number) = attribute.tripAttributeValue { try check(number) }
        }
    }

    /// Merges the attributes of `changes` into `present`. An attribute replaces the existing one with the same key. An attribute with a new
    /// key is appended.
    static func merged(
        _ changes: [WireVehicleAttribute], into present: [WireVehicleAttribute], limits: EngineLimits
    ) throws(FleetEngineError) -> [WireVehicleAttribute] {
        var merged = present
        for change in try checked(changes, limits: limits) {
            if let index = merged.firstIndex(where: { $0.key == change.key }) {
                merged[index] = change
            } else {
                merged.append(change)
            }
        }
        try Check.count(merged.count, atMost: limits.attributes, "attributes")
        return merged
    }

    private static func completed(_ attribute: WireVehicleAttribute) throws(FleetEngineError) -> WireVehicleAttribute {
        var complete = attribute
        switch attribute.vehicleAttributeValue {
        case .stringValue(let text):
            guard attribute.value.isEmpty || attribute.value == text else {
                throw .invalid("attributes", "value and string_value of attribute \(FleetEngineError.shown(attribute.key)) differ")
            }
            complete.value = text
        case .boolValue, .numberValue: break
        case nil: complete.stringValue = attribute.value
        }
        return complete
    }

    static func check(
        key: String, value: String, seen: inout Set<String>, limits: EngineLimits
    ) throws(FleetEngineError) {
        guard !key.isEmpty else { throw .invalid("attributes", "an attribute must have a key") }
        guard key.utf8.count + value.utf8.count <= 4 * limits.attributeCharacters,
            key.unicodeScalars.count + value.unicodeScalars.count + 1 <= limits.attributeCharacters
        else {
            throw .invalid("attributes", "the key:value text of an attribute has more than \(limits.attributeCharacters) characters")
        }
        guard !key.unicodeScalars.contains(":") else {
            throw .invalid("attributes", "the key \(FleetEngineError.shown(key)) must not contain a colon")
        }
        guard seen.insert(key).inserted else {
            throw .invalid("attributes", "the key \(FleetEngineError.shown(key)) occurs twice")
        }
    }

    static func check(_ number: Double) throws(FleetEngineError) {
        guard number.isFinite else { throw .invalid("attributes", "number_value must be a finite number") }
    }
}
