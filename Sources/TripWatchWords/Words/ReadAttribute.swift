import FleetEngine

/// What is read of a trip's or a vehicle's attributes, each with its keys. docs/attributes.md has the same table.
package enum ReadAttribute: CaseIterable, Sendable {
    case plate, color, make, model, driver
    case title, pickup, stops, dropoff, kind

    /// The keys, the one that tripwatch itself writes first.
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

    /// The value as it was sent; nil where no key has one.
    func text(in attributes: [String: String]) -> String? { keys.lazy.compactMap { attributes[$0] }.first { !$0.isEmpty } }
}
