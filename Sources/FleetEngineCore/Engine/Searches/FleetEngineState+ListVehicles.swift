public import FleetEngine
public import FleetEngineAPI
import FleetEngineWire
public import FoundationEssentials
import Geo
import SwiftProtobuf

extension FleetEngineState {
    /// Returns a page of a provider's vehicles, oldest first. Only vehicles that pass the filters are listed. `total_size` counts the
    /// vehicles of all pages.
    ///
    /// - Throws: INVALID_ARGUMENT.
    public func listVehicles(_ request: WireListVehiclesRequest, now: Date) throws(FleetEngineError) -> WireListVehiclesResponse {
        let listing = try VehicleListing(request, limits: options.limits, now: now)
        return listing.list(of: vehicleIndex.fleet(of: listing.provider).all) { names in names.compactMap { vehicles[$0] } }.response
    }
}

/// A checked request for a list of vehicles.
package struct VehicleListing: Sendable {
    package let provider: String
    private let paging: Paging
    private let filter: VehicleFilter
    private let now: Date

    /// - Throws: INVALID_ARGUMENT.
    package init(_ request: WireListVehiclesRequest, limits: EngineLimits, now: Date) throws(FleetEngineError) {
        provider = try Check.provider(request.parent).provider
        paging = try Paging(size: request.pageSize, token: request.pageToken, limits: limits)
        try Self.check(request)
        filter = VehicleFilter(request, try AttributeDemand(request), now)
        self.now = now
    }

    /// Returns one page of the list.
    ///
    /// - Parameters:
    ///   - all: the rows of the provider's vehicles.
    ///   - records: returns the records of the named vehicles, and omits vehicles that were removed.
    package func list(of all: SerialList<VehicleRow>, records: ([VehicleName]) -> [VehicleRecord]) -> VehicleList {
        let page = paging.page(of: all) { filter.passes(all, $0) }
        return VehicleList(
            vehicles: records(page.rows.map(\.name)), nextPageToken: page.nextToken,
            count: all.places().reduce(0) { filter.passes(all, $1) ? $0 + 1 : $0 }, now: now)
    }

    private static func check(_ request: WireListVehiclesRequest) throws(FleetEngineError) {
        guard !request.vehicleTypeCategories.isEmpty, !request.vehicleTypeCategories.contains(.unknown) else {
            throw .invalid("vehicle_type_categories", "vehicle_type_categories is required and cannot contain UNKNOWN")
        }
        if request.hasMinimumCapacity { try Check.notNegative(request.minimumCapacity.value, "minimum_capacity") }
        guard !request.hasMaximumStaleness || request.maximumStaleness.lengthSeconds > 0 else {
            throw .invalid("maximum_staleness", "maximum_staleness must be positive")
        }
        guard request.hasViewport else { return }
        guard request.viewport.hasLow else { throw .invalid("viewport.low", "viewport.low is missing") }
        try Check.place(request.viewport.low, "viewport.low")
        guard request.viewport.hasHigh else { throw .invalid("viewport.high", "viewport.high is missing") }
        try Check.place(request.viewport.high, "viewport.high")
        guard request.viewport.low.latitude <= request.viewport.high.latitude else {
            throw .invalid("viewport", "viewport.low must not lie north of viewport.high")
        }
    }
}

/// A page of vehicles. It can be converted to an answer outside the engine, so that other calls do not have to wait.
package struct VehicleList: Sendable {
    let vehicles: [VehicleRecord]
    let nextPageToken: String
    /// The number of vehicles on all pages.
    let count: Int64
    let now: Date

    package var response: WireListVehiclesResponse {
        .with {
            $0.vehicles = vehicles.map { $0.answer(now: now) }
            $0.nextPageToken = nextPageToken
            $0.totalSize = count
        }
    }
}

/// The conditions of a list request, parsed once for all vehicles.
private struct VehicleFilter: Sendable {
    private let now: Date
    private let categories: [Int]
    private let minimumCapacity: Int32
    private let onTripOnly: Bool
    private let demand: AttributeDemand
    // These conditions are nil if the request does not set them.
    private let tripTypes: TripTypes?
    private let state: Int?
    private let stalenessSeconds: Double?
    private let window: Window?

    init(_ request: WireListVehiclesRequest, _ demand: AttributeDemand, _ now: Date) {
        (self.demand, self.now) = (demand, now)
        categories = request.vehicleTypeCategories.map(\.rawValue)
        minimumCapacity = request.minimumCapacity.value
        onTripOnly = request.onTripOnly
        tripTypes = request.tripTypes.isEmpty ? nil : TripTypes(request.tripTypes)
        state = request.vehicleState == .unknownVehicleState ? nil : request.vehicleState.rawValue
        stalenessSeconds = request.hasMaximumStaleness ? request.maximumStaleness.lengthSeconds : nil
        window = request.hasViewport ? Window(low: request.viewport.low.coordinate, high: request.viewport.high.coordinate) : nil
    }

    func passes(_ rows: SerialList<VehicleRow>, _ place: Int) -> Bool {
        let facts = rows[place].facts
        guard categories.contains(facts.category), facts.maximumCapacity >= minimumCapacity, facts.isOnTrip || !onTripOnly else {
            return false
        }
        if let state, facts.state != state { return false }
        if let tripTypes, facts.tripTypes.isDisjoint(with: tripTypes) { return false }
        if let stalenessSeconds, !facts.isFresh(within: stalenessSeconds, now) { return false }
        if let window, facts.position.map(window.contains) != true { return false }
        return demand.isEmpty || demand.isMet(by: rows[place].attributes)
    }
}

/// A rectangle on a map. It crosses the antimeridian if `low` has a greater longitude than `high`.
private struct Window: Sendable {
    let low: Coordinate
    let high: Coordinate

    func contains(_ place: Coordinate) -> Bool {
        guard place.latitude >= low.latitude, place.latitude <= high.latitude else { return false }
        return low.longitude <= high.longitude
            ? place.longitude >= low.longitude && place.longitude <= high.longitude
            : place.longitude >= low.longitude || place.longitude <= high.longitude
    }
}
