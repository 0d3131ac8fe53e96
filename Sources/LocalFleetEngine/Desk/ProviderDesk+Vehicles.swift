import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import SwiftProtobuf

/// Properties of a vehicle that apps may set; nil leaves a property unchanged.
struct VehicleSettings: Sendable {
    var tripTypes: [TripType]?
    var capacity: Int?
    var backToBack: Bool?
    var attributes: [(key: String, value: String)]?
    /// The texts that identify the vehicle. They become attributes, and replace attributes with the same keys.
    var identity = VehicleIdentity()
}

extension ProviderDesk {
    /// Maximum number of vehicles in the list.
    static let listedVehicles: Int32 = 100

    func vehicle(_ id: String) async throws(FleetEngineError) -> WireVehicle {
        try await engine.answer(WireGetVehicleRequest.with { $0.name = "providers/\(provider)/vehicles/\(id)" })
    }

    /// Creates a vehicle that is online and has no location. (Google's sample provider invents a location, which riders would
    /// see.) The vehicle gets no trips until its driver has reported a location.
    func createVehicle(_ id: String, _ settings: VehicleSettings) async throws(FleetEngineError) -> WireVehicle {
        let request = WireCreateVehicleRequest.with {
            $0.parent = "providers/\(provider)"
            $0.vehicleID = id
            $0.vehicle = Self.vehicle(settings)
            if settings.tripTypes == nil { $0.vehicle.supportedTripTypes = [.exclusive] }
            if settings.capacity == nil { $0.vehicle.maximumCapacity = 4 }
            $0.vehicle.vehicleState = .online
            $0.vehicle.vehicleType.category = .auto
        }
        return try await engine.answer(request) { request throws(FleetEngineError) in
            try await self.engine.createVehicle(request, account: EngineAccount.providerAPI)
        }
    }

    /// Changes the properties in `settings`.
    /// - Throws: INVALID_ARGUMENT if `settings` has no property.
    func updateVehicle(_ id: String, _ settings: VehicleSettings) async throws(FleetEngineError) -> WireVehicle {
        var paths: [String] = []
        if settings.tripTypes != nil { paths.append("supported_trip_types") }
        if settings.capacity != nil { paths.append("maximum_capacity") }
        if settings.backToBack != nil { paths.append("back_to_back_enabled") }
        var wire = Self.vehicle(settings)
        if settings.attributes == nil, !settings.identity.attributes.isEmpty {
            wire.attributes = Self.attributes(try await vehicle(id).attributes, settings.identity)
        }
        if settings.attributes != nil || !wire.attributes.isEmpty { paths.append("attributes") }
        let request = WireUpdateVehicleRequest.with {
            $0.name = "providers/\(provider)/vehicles/\(id)"
            $0.vehicle = wire
            $0.updateMask.paths = paths
        }
        return try await engine.answer(request)
    }

    /// Returns the vehicles that are online, oldest first, at most 100.
    /// - Parameter restaurantID: limits the list to vehicles with this value of the attribute `restaurantId`.
    func vehicles(restaurantID: String? = nil) async throws(FleetEngineError) -> [WireVehicle] {
        let request = WireListVehiclesRequest.with {
            $0.parent = "providers/\(provider)"
            $0.vehicleTypeCategories = [.auto, .taxi, .truck, .twoWheeler, .bicycle, .pedestrian]
            $0.vehicleState = .online
            $0.pageSize = Self.listedVehicles
            if let restaurantID { $0.requiredAttributes = ["restaurantId:\(restaurantID)"] }
        }
        return try await engine.answer(request).vehicles
    }

    private static func vehicle(_ settings: VehicleSettings) -> WireVehicle {
        .with {
            $0.supportedTripTypes = (settings.tripTypes ?? []).map { $0 == .shared ? .shared : .exclusive }
            $0.maximumCapacity = Int32(clamping: settings.capacity ?? 0)
            $0.backToBackEnabled = settings.backToBack ?? false
            $0.attributes = attributes((settings.attributes ?? []).map { attribute($0.key, $0.value) }, settings.identity)
        }
    }

    /// Merges the identity's attributes into `attributes`. They replace attributes with the same key.
    private static func attributes(_ attributes: [WireVehicleAttribute], _ identity: VehicleIdentity) -> [WireVehicleAttribute] {
        let own = identity.attributes
        return attributes.filter { own[$0.key] == nil } + own.sorted { $0.key < $1.key }.map { attribute($0.key, $0.value) }
    }

    private static func attribute(_ key: String, _ value: String) -> WireVehicleAttribute {
        .with {
            $0.key = key
            $0.value = value
        }
    }
}
