import FleetEngineAPI
import FleetEngineWire

/// The keys that a search asks for, each with a place of its own: a vehicle's attributes are looked through once, however often a key is asked
/// for.
struct AttributePlaces: Sendable {
    /// For fewer keys it takes less time to compare them than to make hashes of a vehicle's own.
    private static let comparedKeys = 4
    private var keys: [String] = []
    private var places: [String: Int] = [:]

    /// The place of a key.
    mutating func place(of key: String) -> Int {
        if let place = places[key] { return place }
        places[key] = keys.count
        keys.append(key)
        return keys.count - 1
    }

    /// What a vehicle has at each place.
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

/// The values of a vehicle's attributes, by their places.
struct AttributeValues {
    fileprivate let texts: [String?]

    /// Nil where the vehicle has no such attribute.
    func text(at place: Int) -> String? { texts.indices.contains(place) ? texts[place] : nil }
}
