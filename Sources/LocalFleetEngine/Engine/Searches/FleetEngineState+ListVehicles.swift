public import FleetEngine
public import FleetEngineAPI
import FleetEngineWire
public import FoundationEssentials
import Geo
import SwiftProtobuf

extension FleetEngineState {
    /// All vehicles of a provider that pass the filters, oldest first. `total_size` counts them over all pages.
    ///
    /// - Throws: INVALID_ARGUMENT.
    public func listVehicles(_ request: WireListVehiclesRequest, now: Date) throws(FleetEngineError) -> WireListVehiclesResponse {
        let provider = try Check.provider(request.parent).provider
        let paging = try Paging(size: request.pageSize, token: request.pageToken, limits: options.limits)
        try check(request)
        let demand = try AttributeDemand(request)
        let found = vehicles.values.filter { record in
            record.name.provider == provider && passes(record, request, now) && demand.isMet(by: record.vehicle.attributes)
        }
        let page = paging.page(of: found) { $0.serial }
        var response = WireListVehiclesResponse()
        response.vehicles = page.elements.map { $0.answer(now: now) }
        response.nextPageToken = page.nextToken
        response.totalSize = Int64(found.count)
        return response
    }

    private func check(_ request: WireListVehiclesRequest) throws(FleetEngineError) {
        guard !request.vehicleTypeCategories.isEmpty, !request.vehicleTypeCategories.contains(.unknown) else {
            throw .invalid("vehicle_type_categories", "vehicle_type_categories is required and cannot hold UNKNOWN")
        }
        if request.hasMinimumCapacity { try Check.notNegative(request.minimumCapacity.value, "minimum_capacity") }
        guard request.maximumStaleness.lengthSeconds >= 0 else {
            throw .invalid("maximum_staleness", "maximum_staleness must not be negative")
        }
        guard request.hasViewport else { return }
        try Check.place(request.viewport.low, "viewport.low")
        try Check.place(request.viewport.high, "viewport.high")
        guard request.viewport.low.latitude <= request.viewport.high.latitude else {
            throw .invalid("viewport", "viewport.low must not lie north of viewport.high")
        }
    }

    private func passes(_ record: VehicleRecord, _ request: WireListVehiclesRequest, _ now: Date) -> Bool {
        let vehicle = record.vehicle
        guard request.vehicleTypeCategories.contains(vehicle.vehicleType.category) else { return false }
        guard vehicle.maximumCapacity >= request.minimumCapacity.value else { return false }
        guard request.tripTypes.isEmpty || request.tripTypes.contains(where: vehicle.supportedTripTypes.contains) else { return false }
        guard request.vehicleState == .unknownVehicleState || request.vehicleState == vehicle.vehicleState else { return false }
        guard !request.onTripOnly || !record.currentTrips.isEmpty else { return false }
        if request.hasMaximumStaleness, !record.isFresh(within: request.maximumStaleness.lengthSeconds, now) { return false }
        guard request.hasViewport else { return true }
        return record.position.map(request.viewport.contains) ?? false
    }
}

extension VehicleRecord {
    /// Whether a position came within the last `seconds`.
    func isFresh(within seconds: Double, _ now: Date) -> Bool {
        vehicle.hasLastLocation && now.timeIntervalSince(vehicle.lastLocation.serverTime.moment) <= seconds
    }
}

extension WireViewport {
    /// A window whose low corner lies east of its high one crosses the antimeridian.
    fileprivate func contains(_ place: Coordinate) -> Bool {
        guard (low.latitude...max(low.latitude, high.latitude)).contains(place.latitude) else { return false }
        return low.longitude <= high.longitude
            ? place.longitude >= low.longitude && place.longitude <= high.longitude
            : place.longitude >= low.longitude || place.longitude <= high.longitude
    }
}
