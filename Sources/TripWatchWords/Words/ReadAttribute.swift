import FleetEngine

/// The attributes of trips and vehicles that the program reads. Each attribute has one or more keys. docs/attributes.md has the same table.
package enum ReadAttribute: CaseIterable, Sendable {
    case plate, color, make, model, driver
    case title, pickup, stops, dropoff, kind

    /// The keys of the attribute. The first is the key that tripwatch itself writes.
    package var keys: [String] {
        switch self {
        case .plate: ["plate", "license_plate", "licence_plate", "licensePlate"]
        case .color: ["color", "colour"]
        case .make: ["make"]
        case .model: ["model", "vehicle_model"]
        case .driver: ["driver", "driver_name"]
        case .title: ["title"]
        case .pickup: ["pickup_name"]
        case .stops: ["stop_names"]
        case .dropoff: ["dropoff_name"]
        case .kind: [TripKind.attributeKey]
        }
    }

    /// Returns the value as the server sent it; nil if no key has a value.
    func text(in attributes: [String: String]) -> String? { keys.lazy.compactMap { attributes[$0] }.first { !$0.isEmpty } }
}
