import FleetEngine
import FoundationEssentials
import Geo
import TripTesting

/// The server for tests of the trip driver. It has one vehicle, some trips, and a script of failures. It records every request
/// and its time. It refuses statuses in the wrong order, so that a test fails if the driver breaks the order.
actor ScriptedFleet: DriverClient {
    enum Call: Hashable, Sendable {
        case getVehicle
        case updateVehicle(VehicleUpdate)
        case getTrip(TripName)
        case updateTrip(TripUpdateRequest)
    }

    struct Request: Sendable {
        var at: Date
        var call: Call
        var failure: FleetEngineError?
    }

    private let clock: ManualTimeSource
    private(set) var requests: [Request] = []
    private(set) var vehicle: Vehicle
    private(set) var trips: [TripName: Trip] = [:]
    private var failures: [@Sendable (Call, Date) -> FleetEngineError?] = []
    private var changes: [(at: Date, change: @Sendable (inout Trip) -> Void)] = []
    private var lateChanges: [TripStatus: @Sendable (inout Trip) -> Void] = [:]
    private var lostAnswers: Set<TripStatus> = []
    private var assignments: [(at: Date, trip: Trip)] = []
    /// The order of the vehicle's stops. Stops that the vehicle has already visited are left out of answers.
    private var order: [(trip: String, type: WaypointType)] = []
    private var withdrawals: [(at: Date, name: TripName)] = []
    private var orders: [(at: Date, order: [(trip: String, type: WaypointType)])] = []
    private var isHeld = false
    private var held: [CheckedContinuation<Void, Never>] = []

    init(clock: ManualTimeSource, vehicle: VehicleName, at place: Coordinate? = nil) {
        self.clock = clock
        self.vehicle = Vehicle(name: vehicle, state: .offline, lastLocation: place.map { VehicleLocation(coordinate: $0) })
    }

    // MARK: The script

    /// Adds a rule that is checked on each request. If it returns an error, the request fails with that error.
    func fail(_ when: @escaping @Sendable (Call, Date) -> FleetEngineError?) { failures.append(when) }

    func recover() { failures = [] }

    /// Assigns a trip to the vehicle.
    func assign(_ trip: Trip) {
        trips[trip.name] = trip
        vehicle.currentTrips.append(trip.name.trip)
    }

    /// Assigns a trip to the vehicle when the first request after `date` arrives.
    func assign(_ trip: Trip, at date: Date) { assignments.append((date, trip)) }

    /// Sets the order of the vehicle's stops, as in `a+ b+ a- b-`, when the first request after `date` arrives.
    func arrange(_ words: String, at date: Date = .distantPast) {
        let stops = words.split(separator: " ").map { word -> (trip: String, type: WaypointType) in
            (String(word.dropLast()), word.hasSuffix("+") ? .pickup : .dropoff)
        }
        orders.append((date, stops))
    }

    /// Removes a trip from the vehicle when the first request after `date` arrives.
    func withdraw(_ name: TripName, at date: Date) { withdrawals.append((date, name)) }

    /// When the driver next sets this status, the server changes the trip, but the driver gets an error.
    func loseAnswer(to status: TripStatus) { lostAnswers.insert(status) }

    /// Adds a change to all trips. It is made when the first request after `date` arrives.
    func change(at date: Date, _ change: @escaping @Sendable (inout Trip) -> Void) { changes.append((date, change)) }

    /// Changes a trip just before the driver's request for this status arrives. The driver does not know of the change.
    func change(before status: TripStatus, _ change: @escaping @Sendable (inout Trip) -> Void) { lateChanges[status] = change }

    /// Holds back vehicle updates: from now on, the server processes them only after `release()` is called.
    func hold() { isHeld = true }

    func release() {
        isHeld = false
        for one in held { one.resume() }
        held = []
    }

    // MARK: Requests

    var vehicleUpdates: [VehicleUpdate] { requests.compactMap { if case .updateVehicle(let update) = $0.call { update } else { nil } } }

    var updateTimes: [Date] { requests.compactMap { if case .updateVehicle = $0.call { $0.at } else { nil } } }

    /// The statuses that the server has accepted. The status of an intermediate stop is followed by the stop's index.
    var statuses: [String] {
        requests.compactMap {
            guard case .updateTrip(let request) = $0.call, $0.failure == nil, let status = request.status else { return nil }
            return status.name + (request.intermediateDestinationIndex.map { " \($0)" } ?? "")
        }
    }

    /// The statuses that the server has accepted, each with its trip, such as `t1 COMPLETE`.
    var tripStatuses: [String] {
        requests.compactMap {
            guard case .updateTrip(let request) = $0.call, $0.failure == nil, let status = request.status else { return nil }
            return "\(request.name.trip) \(status.name)"
        }
    }

    // MARK: DriverClient

    private func note(_ call: Call) throws(FleetEngineError) {
        let now = clock.now()
        for (date, change) in changes where date <= now {
            for name in trips.keys {
                guard var trip = trips[name] else { continue }
                change(&trip)
                trips[name] = trip
                if trip.status.isFinal { vehicle.currentTrips.removeAll { $0 == name.trip } }
            }
        }
        changes.removeAll { $0.at <= now }
        for (date, trip) in assignments where date <= now { assign(trip) }
        assignments.removeAll { $0.at <= now }
        if let last = orders.last(where: { $0.at <= now }) { order = last.order }
        orders.removeAll { $0.at <= now }
        for (date, name) in withdrawals where date <= now {
            trips[name] = nil
            vehicle.currentTrips.removeAll { $0 == name.trip }
        }
        withdrawals.removeAll { $0.at <= now }
        var failure: FleetEngineError?
        for when in failures where failure == nil { failure = when(call, now) }
        requests.append(Request(at: now, call: call, failure: failure))
        if let failure { throw failure }
    }

    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle {
        try note(.getVehicle)
        var shown = vehicle
        shown.waypoints = order.compactMap { stop in
            guard let trip = trips.values.first(where: { $0.name.trip == stop.trip }), !trip.status.isFinal,
                stop.type == .dropoff || trip.status.isBeforePickup, let place = stop.type == .pickup ? trip.pickupPoint : trip.dropoffPoint
            else { return nil }
            return TripWaypoint(coordinate: place, tripID: stop.trip, type: stop.type)
        }
        return shown
    }

    func updateVehicle(_ name: VehicleName, _ update: VehicleUpdate) async throws(FleetEngineError) -> Vehicle {
        if isHeld { await withCheckedContinuation { held.append($0) } }
        try note(.updateVehicle(update))
        if update.fields.contains(.state) { vehicle.state = update.state }
        if update.fields.contains(.location) { vehicle.lastLocation = update.location }
        return vehicle
    }

    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip {
        try note(.getTrip(request.name))
        guard let trip = trips[request.name] else { throw FleetEngineError(code: .notFound, message: "no trip") }
        return trip
    }

    func updateTrip(_ request: TripUpdateRequest) async throws(FleetEngineError) -> Trip {
        try note(.updateTrip(request))
        guard var trip = trips[request.name] else { throw FleetEngineError(code: .notFound, message: "no trip") }
        if let status = request.status, let change = lateChanges.removeValue(forKey: status) { change(&trip) }
        trips[trip.name] = trip
        if let refusal = Self.refusal(request, trip) {
            requests[requests.count - 1].failure = refusal
            throw refusal
        }
        if let status = request.status { trip.status = status }
        if let index = request.intermediateDestinationIndex { trip.intermediateDestinationIndex = index }
        trips[trip.name] = trip
        if trip.status.isFinal { vehicle.currentTrips.removeAll { $0 == trip.name.trip } }
        if lostAnswers.remove(trip.status) != nil { throw FleetEngineError(code: .deadlineExceeded, message: "too slow") }
        return trip
    }

    /// Returns the error if the request has no status or one that is out of order, if an intermediate stop does not exist, or if the
    /// version of the stops is outdated. Returns nil if the change is accepted.
    private static func refusal(_ request: TripUpdateRequest, _ trip: Trip) -> FleetEngineError? {
        let next: [TripStatus] =
            switch trip.status {
            case .new: [.enrouteToPickup]
            case .enrouteToPickup: [.arrivedAtPickup]
            case .arrivedAtPickup, .arrivedAtIntermediateDestination: [.enrouteToDropoff, .enrouteToIntermediateDestination]
            case .enrouteToIntermediateDestination: [.arrivedAtIntermediateDestination]
            case .enrouteToDropoff: [.complete]
            default: []
            }
        func refused(_ message: String) -> FleetEngineError { FleetEngineError(code: .failedPrecondition, message: message) }
        guard let status = request.status, next.contains(status) else { return refused("not in order") }
        guard status == .enrouteToIntermediateDestination else { return nil }
        guard let index = request.intermediateDestinationIndex, trip.intermediateDestinations.indices.contains(index) else {
            return refused("no such stop")
        }
        return request.intermediateDestinationsVersion == trip.intermediateDestinationsVersion ? nil : refused("other version")
    }
}
