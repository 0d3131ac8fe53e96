import FleetEngineAPI
import FleetEngineWire

/// The keys of a search, each with an index. The search looks up a vehicle's value for each key only once, even if it uses the key several
/// times.
struct AttributePlaces: Sendable {
    /// Up to this number of keys, comparing strings is faster than hashing the keys of a vehicle.
    private static let comparedKeys = 4
    private var keys: [String] = []
    private var places: [String: Int] = [:]

    /// Returns the index of a key, and adds the key if it is new.
    mutating func place(of key: String) -> Int {
        if let place = places[key] { return place }
        places[key] = keys.count
        keys.append(key)
        return keys.count - 1
    }

    /// Returns the vehicle's value at each index.
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

    /// Returns the value at an index; nil if the vehicle lacks the attribute.
    func text(at place: Int) -> String? { texts.indices.contains(place) ? texts[place] : nil }
}
