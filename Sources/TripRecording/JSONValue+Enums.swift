import FleetEngine
import Geo

/// Names of enum values in logs: as in the API (`NEW`), with the enum's name before or behind (`TRIP_STATUS_NEW`, `EXCLUSIVE_TRIP`),
/// with `LOG` in it (`VEHICLE_STATE_LOG_ONLINE`), or as numbers of the wire.
extension JSONValue {
    /// The name in capitals, without the given prefix and `LOG_`.
    private func enumName(prefix: String) -> String? {
        guard var name = nonEmptyString?.uppercased() else { return nil }
        for part in [prefix, "LOG_"] where name.hasPrefix(part) { name.removeFirst(part.count) }
        return name
    }

    var tripStatus: TripStatus? {
        if let number = wireNumber { return TripStatus(wireNumber: number) }
        guard let name = enumName(prefix: "TRIP_STATUS_") else { return nil }
        return name == "CANCELLED" ? .canceled : TripStatus(rawValue: name) ?? .unknown
    }

    var tripType: TripType? {
        if let number = wireNumber { return number == 1 ? .shared : number == 2 ? .exclusive : .unknown }
        guard let name = nonEmptyString?.uppercased() else { return nil }
        return name.contains("EXCLUSIVE") ? .exclusive : name.contains("SHARED") ? .shared : .unknown
    }

    var waypointType: WaypointType? {
        switch wireNumber {
        case 1: return .pickup
        case 2: return .dropoff
        case 3: return .intermediate
        case .some: return .unknown
        case nil: break
        }
        guard let name = nonEmptyString?.uppercased() else { return nil }
        if name.contains("PICKUP") { return .pickup }
        if name.contains("INTERMEDIATE") { return .intermediate }
        return name.contains("DROP") ? .dropoff : .unknown
    }

    var vehicleState: VehicleState? {
        if let number = wireNumber { return number == 1 ? .offline : number == 2 ? .online : .unknown }
        return enumName(prefix: "VEHICLE_STATE_").map { VehicleState(rawValue: $0) ?? .unknown }
    }

    var navigationStatus: NavigationStatus? {
        let wire: [NavigationStatus] = [.unknown, .noGuidance, .enrouteToDestination, .offRoute, .arrivedAtDestination]
        if let number = wireNumber { return wire.indices.contains(number) ? wire[number] : .unknown }
        return enumName(prefix: "NAVIGATION_STATUS_").map { NavigationStatus(rawValue: $0) ?? .unknown }
    }

    var vehicleCategory: VehicleCategory? {
        let wire: [VehicleCategory] = [.unknown, .auto, .taxi, .truck, .twoWheeler, .bicycle, .pedestrian]
        if let number = wireNumber { return wire.indices.contains(number) ? wire[number] : .unknown }
        return enumName(prefix: "CATEGORY_").map { VehicleCategory(rawValue: $0) ?? .unknown }
    }

    var trafficSpeed: TrafficSpeed? {
        if let number = wireNumber { return number == 1 ? .normal : number == 2 ? .slow : number == 3 ? .trafficJam : .noData }
        guard let name = nonEmptyString?.uppercased() else { return nil }
        if name.contains("JAM") { return .trafficJam }
        return name.contains("SLOW") ? .slow : name.contains("NORMAL") ? .normal : .noData
    }

    var stretchSpeed: TrafficSpeed? {
        if let number = wireNumber { return number == 1 ? .slow : number == 2 ? .trafficJam : nil }
        guard let name = nonEmptyString?.uppercased() else { return nil }
        return name.contains("JAM") ? .trafficJam : name.contains("SLOW") ? .slow : nil
    }

    private var wireNumber: Int? { if case .number = self { integer } else { nil } }
}
