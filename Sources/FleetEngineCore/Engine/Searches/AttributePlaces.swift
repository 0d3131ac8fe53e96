import FleetEngineAPI
import FleetEngineWire

/// The keys of a search, each with an index. A vehicle's attributes are then read once, however often a key is used.
struct AttributePlaces: Sendable {
    /// The number of keys up to which comparing is faster than hashing a vehicle's keys.
    private static let comparedKeys = 4
    private var keys: [String] = []
    private var places: [String: Int] = [:]

    /// The index of a key.
    mutating func place(of key: String) -> Int {
        if let place = places[key] { return place }
        places[key] = keys.count
        keys.append(key)
        return keys.count - 1
    }

    /// The vehicle's value at each index.
    func values(of attributes: [WireVehicleAttribute]) -> AttributeValues {
        if keys.count <= Self.comparedKeys {
            return AttributeValues(texts: keys.map { key in attributes.first { $0.key == key }?.text })
        }
        var texts = [String?](repeating: nil, count: keys.count)
        for attribute in attributes {
            if let place = places[attribute.key], texts[place] == nil { texts[place] = attribute.text }
        }
        return AttributeValues(texts: texts)
    }
}

/// The values of a vehicle's attributes by index.
struct AttributeValues {
    fileprivate let texts: [String?]

    /// Nil if the vehicle lacks the attribute.
    func text(at place: Int) -> String? { texts.indices.contains(place) ? texts[place] : nil }
}
