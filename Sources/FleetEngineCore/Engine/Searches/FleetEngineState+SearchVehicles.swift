public import FleetEngine
public import FleetEngineAPI
import FleetEngineWire
public import FoundationEssentials
import Geo
import HeapModule
package import Routing
import SwiftProtobuf

extension FleetEngineState {
    /// Returns the online vehicles that can take the requested trip and are within the requested radius of its pickup, in the requested
    /// order.
    ///
    /// The candidates are the vehicles that are nearest in a straight line, up to the requested number. At equal distances, the vehicle
    /// that was created earlier is preferred.
    ///
    /// This method uses straight lines as routes. `LocalFleetEngine` uses its router.
    ///
    /// - Throws: INVALID_ARGUMENT.
    public func searchVehicles(
        _ request: WireSearchVehiclesRequest, now: Date
    ) throws(FleetEngineError) -> WireSearchVehiclesResponse {
        try shortlist(request, now: now).response(ways: [:])
    }

    /// Finds the candidates, which is the first half of a search.
    func shortlist(_ request: WireSearchVehiclesRequest, now: Date) throws(FleetEngineError) -> VehicleSearch {
        var search = try VehicleSearch(request, straightLine: straightLine, now: now)
        search.find(in: vehicleIndex.fleet(of: search.provider).cells, look: vehicleWithTrips)
        return search
    }

    /// Returns a vehicle and its current trips; nil if the vehicle was removed.
    package func vehicleWithTrips(_ name: VehicleName) -> (vehicle: VehicleRecord, trips: [TripRecord])? {
        vehicles[name].map { record in
            (record, record.currentTrips.compactMap { id in (try? TripName(provider: name.provider, trip: id)).flatMap { trips[$0] } })
        }
    }
}

/// A checked search request and its matches.
package struct VehicleSearch: Sendable {
    struct Candidate: Sendable {
        var record: VehicleRecord
        var position: Coordinate
        var type: WireVehicleMatch.VehicleMatchType
        var straightMeters: Double

        /// The start of the route to the pickup. If the vehicle finishes another trip first, the route starts at that trip's end.
        var start: Coordinate { (type == .backToBack ? record.stops.last?.coordinate : nil) ?? position }
    }

    /// A vehicle within the radius. Whether it matches is checked later.
    struct Near: Comparable, Sendable {
        let meters: Double
        let serial: UInt64
        let name: VehicleName

        static func < (one: Self, other: Self) -> Bool { (one.meters, one.serial) < (other.meters, other.serial) }
    }

    /// A match, with the values that decide its rank.
    struct Ranked {
        var match: WireVehicleMatch
        var rank: Double
        var serial: UInt64
    }

    /// Default maximum age of a position, in seconds. Source: the comments of `SearchVehiclesRequest.maximum_staleness`.
    static let defaultStalenessSeconds = 300.0

    let request: WireSearchVehiclesRequest
    package let provider: String
    let now: Date
    /// The nearest matching vehicles.
    private(set) var candidates: [Candidate] = []
    private let straightLine: StraightLineRouter
    private let demand: AttributeDemand
    private let tripType: WireTripType
    private let pickup: Coordinate
    private let radiusMeters: Double
    private let minimumCapacity: Int32
    private let tripTypes: TripTypes
    private let categories: [Int]
    private let stalenessSeconds: Double
    /// Whether a vehicle with trips may match.
    private let takesBusy: Bool

    package init(_ request: WireSearchVehiclesRequest, straightLine: StraightLineRouter, now: Date) throws(FleetEngineError) {
        provider = try Check.provider(request.parent).provider
        self.request = request
        self.straightLine = straightLine
        self.now = now
        pickup = request.pickupPoint.point.coordinate
        tripType = request.tripTypes.first ?? .unknownTripType
        radiusMeters = Double(request.pickupRadiusMeters)
        minimumCapacity = request.minimumCapacity
        tripTypes = TripTypes([tripType])
        categories = request.vehicleTypes.map(\.category.rawValue)
        stalenessSeconds = request.hasMaximumStaleness ? request.maximumStaleness.lengthSeconds : Self.defaultStalenessSeconds
        takesBusy = request.currentTripsPresent == .any || request.currentTripsPresent == .unspecified && request.includeBackToBack
        demand = try AttributeDemand(request)
        guard request.hasPickupPoint else { throw .invalid("pickup_point", "pickup_point is required") }
        try Check.terminal(request.pickupPoint, "pickup_point")
        if request.hasDropoffPoint { try Check.terminal(request.dropoffPoint, "dropoff_point") }
        try checkRanges()
        try checkCombination()
    }

    private func checkRanges() throws(FleetEngineError) {
        guard (400...10_000).contains(request.pickupRadiusMeters) else {
            throw .invalid("pickup_radius_meters", "pickup_radius_meters must be from 400 to 10000")
        }
        guard (1...50).contains(request.count) else { throw .invalid("count", "count must be from 1 to 50") }
        guard request.minimumCapacity >= 1 else { throw .invalid("minimum_capacity", "minimum_capacity must be at least 1") }
        guard request.tripTypes.count == 1, tripType == .shared || tripType == .exclusive else {
            throw .invalid("trip_types", "trip_types must contain exactly one of SHARED and EXCLUSIVE")
        }
        guard !request.vehicleTypes.isEmpty, !request.vehicleTypes.contains(where: { $0.category == .unknown }) else {
            throw .invalid("vehicle_types", "vehicle_types is required and cannot contain UNKNOWN")
        }
        guard request.orderBy != .unknownVehicleMatchOrder else { throw .invalid("order_by", "order_by is required") }
        if case .UNRECOGNIZED(let number) = request.orderBy { throw .invalid("order_by", "order_by \(number) is not a known match order") }
        guard request.maximumStaleness.lengthSeconds >= 0 else {
            throw .invalid("maximum_staleness", "maximum_staleness must not be negative")
        }
    }

    private func checkCombination() throws(FleetEngineError) {
        if request.orderBy == .dropoffPointEta, !request.hasDropoffPoint {
            throw .invalid("dropoff_point", "order_by DROPOFF_POINT_ETA needs a dropoff_point")
        }
        guard !request.includeBackToBack || request.currentTripsPresent == .unspecified else {
            throw .invalid("include_back_to_back", "include_back_to_back cannot be true if current_trips_present is set")
        }
        guard tripType == .shared else { return }
        guard request.hasDropoffPoint else { throw .invalid("dropoff_point", "a SHARED search needs a dropoff_point") }
        guard request.currentTripsPresent != .unspecified else {
            throw .invalid("current_trips_present", "a SHARED search needs current_trips_present")
        }
    }

    // MARK: Matching

    /// Finds the requested number of nearest matching vehicles. It reads only the cells and vehicles that it needs.
    ///
    /// - Parameters:
    ///   - rows: the rows of the provider's vehicles, by map cell.
    ///   - look: returns a vehicle; nil if it was removed.
    package mutating func find(
        in rows: [PlaceCell: SerialList<VehicleRow>], look: (VehicleName) -> (vehicle: VehicleRecord, trips: [TripRecord])?
    ) {
        var waiting = Heap<Near>()
        for (cell, meters) in cells {
            settle(&waiting, within: meters, look)
            guard candidates.count < request.count else { return }
            guard let rows = rows[cell] else { continue }
            for place in rows.places() {
                guard let meters = self.meters(to: rows, place) else { continue }
                waiting.insert(Near(meters: meters, serial: rows.serial(at: place), name: rows[place].name))
            }
        }
        settle(&waiting, within: .infinity, look)
    }

    private mutating func settle(
        _ waiting: inout Heap<Near>, within meters: Double, _ look: (VehicleName) -> (vehicle: VehicleRecord, trips: [TripRecord])?
    ) {
        while candidates.count < request.count, let near = waiting.min, near.meters < meters {
            waiting.removeMin()
            guard let (record, trips) = look(near.name), let candidate = candidate(record, trips: trips, near.meters) else { continue }
            candidates.append(candidate)
        }
    }

    /// The cells that can contain matches, nearest first.
    var cells: [(cell: PlaceCell, meters: Double)] { PlaceCell.around(pickup, meters: radiusMeters) }

    /// Returns the distance from a vehicle to the pickup, in metres; nil if the row already shows that the vehicle does not match.
    func meters(to rows: SerialList<VehicleRow>, _ place: Int) -> Double? {
        let facts = rows[place].facts
        guard facts.state == WireVehicleState.online.rawValue, facts.maximumCapacity >= minimumCapacity, !facts.isOnTrip || takesBusy,
            !facts.tripTypes.isDisjoint(with: tripTypes), categories.contains(facts.category),
            facts.isFresh(within: stalenessSeconds, now), let meters = facts.position?.distanceMeters(to: pickup), meters <= radiusMeters,
            demand.isEmpty || demand.isMet(by: rows[place].attributes)
        else { return nil }
        return meters
    }

    /// Returns the candidate for a vehicle within the radius; nil if the vehicle does not match.
    func candidate(_ record: VehicleRecord, trips: [TripRecord], _ meters: Double) -> Candidate? {
        guard let position = record.position, let type = matchType(record, trips) else { return nil }
        let taken = type == .carpool ? trips.reduce(0) { $0 + Int($1.trip.numberOfPassengers) } : 0
        guard Int(record.vehicle.maximumCapacity) - taken >= Int(request.minimumCapacity) else { return nil }
        return Candidate(record: record, position: position, type: type, straightMeters: meters)
    }

    private func matchType(_ record: VehicleRecord, _ trips: [TripRecord]) -> WireVehicleMatch.VehicleMatchType? {
        if trips.isEmpty { return .exclusive }
        switch request.currentTripsPresent {
        case .any:
            guard trips.count <= 5, record.stops.count <= 10 else { return nil }
            let isPool = tripType == .shared && trips.allSatisfy { $0.trip.tripType == .shared }
            return isPool ? .carpool : record.vehicle.backToBackEnabled ? .backToBack : nil
        case .unspecified:
            let isLeaving = trips.count == 1 && trips.allSatisfy { $0.status == .enrouteToDropoff }
            return request.includeBackToBack && record.vehicle.backToBackEnabled && isLeaving ? .backToBack : nil
        case .none, .UNRECOGNIZED: return nil
        }
    }

    // MARK: Ordering

    private var ride: Way? {
        request.hasDropoffPoint ? Way(start: pickup, end: request.dropoffPoint.point.coordinate) : nil
    }

    /// The route requests whose answers are needed to order the matches.
    package var ways: [Way] { candidates.map { Way(start: $0.start, end: pickup) } + (ride.map { [$0] } ?? []) }

    /// The second half of a search: orders the candidates and makes the answer.
    /// - Parameter ways: the router's answers. A straight line replaces a missing answer.
    package func response(ways: [Way: RouterLeg]) -> WireSearchVehiclesResponse {
        let matches = candidates.map { match($0, ways) }.sorted { ($0.rank, $0.serial) < ($1.rank, $1.serial) }
        return .with { $0.matches = matches.map(\.match) }
    }

    private func leg(_ way: Way, _ ways: [Way: RouterLeg]) -> RouterLeg {
        ways[way] ?? straightLine.leg(from: way.start, to: NavigationWaypoint(coordinate: way.end))
    }

    private func match(_ candidate: Candidate, _ ways: [Way: RouterLeg]) -> Ranked {
        let record = candidate.record
        var match = WireVehicleMatch()
        match.vehicle = record.answer(now: now)
        match.tripType = tripType
        match.vehicleMatchType = candidate.type
        match.requestedOrderedBy = request.orderBy
        match.vehiclePickupStraightLineDistanceMeters = Google_Protobuf_Int32Value(rounding: candidate.straightMeters)
        let figures = record.figures(now: now)
        let isBusy = candidate.type == .backToBack
        let metersAhead = isBusy ? figures.reduce(0) { $0 + ($1.legMeters ?? 0) } : 0
        let setOff = max(now, (isBusy ? figures.last?.arrival : nil) ?? now)
        let toPickup = leg(Way(start: candidate.start, end: pickup), ways)
        let meters = toPickup.lengthMeters + metersAhead
        let pickupTime = setOff.addingTimeInterval(toPickup.durationSeconds)
        match.vehiclePickupDistanceMeters = Google_Protobuf_Int32Value(rounding: meters)
        match.vehiclePickupEta = Google_Protobuf_Timestamp(moment: pickupTime)
        match.vehicleTripsWaypoints =
            [WireWaypoint(candidate.position, at: now)] + zip(record.stops, figures).map { WireWaypoint($0.coordinate, at: $1.arrival) }
        // For a carpool, the pickup time assumes a direct drive. The pickup is therefore inserted before the stops with later times.
        let laterStop = candidate.type == .carpool ? figures.firstIndex { ($0.arrival ?? .distantPast) > pickupTime } : nil
        match.vehicleTripsWaypoints.insert(WireWaypoint(pickup, at: pickupTime), at: 1 + (laterStop ?? figures.count))
        let dropoffTime = ride.map { addDropoff(to: &match, leg($0, ways), from: pickupTime) }
        let rank = rank(candidate, meters: meters, pickupTime: pickupTime, dropoffTime: dropoffTime, &match)
        return Ranked(match: match, rank: rank, serial: record.serial)
    }

    private func addDropoff(to match: inout WireVehicleMatch, _ ride: RouterLeg, from pickupTime: Date) -> Date {
        let time = pickupTime.addingTimeInterval(ride.durationSeconds)
        match.vehicleDropoffEta = Google_Protobuf_Timestamp(moment: time)
        match.vehiclePickupToDropoffDistanceMeters = Google_Protobuf_Int32Value(rounding: ride.lengthMeters)
        return time
    }

    private func rank(
        _ candidate: Candidate, meters: Double, pickupTime: Date, dropoffTime: Date?, _ match: inout WireVehicleMatch
    ) -> Double {
        match.orderedBy = request.orderBy
        switch request.orderBy {
        case .pickupPointEta: return pickupTime.timeIntervalSince(now)
        case .dropoffPointEta: return dropoffTime?.timeIntervalSince(now) ?? .infinity
        case .pickupPointStraightDistance: return candidate.straightMeters
        case .pickupPointDistance: return meters
        // Google sets the weights for each customer. Here, the time to the pickup and the time for the straight line at town speed have the
        // same weight.
        case .cost: return pickupTime.timeIntervalSince(now) + candidate.straightMeters / StraightLineRouter.townSpeedMetersPerSecond
        case .unknownVehicleMatchOrder, .UNRECOGNIZED:
            match.orderedBy = .pickupPointDistance
            return meters
        }
    }
}

extension WireWaypoint {
    fileprivate init(_ place: Coordinate, at time: Date?) {
        self.init()
        latLng = WireLatLng(place)
        if let time { eta = Google_Protobuf_Timestamp(moment: time) }
    }
}
