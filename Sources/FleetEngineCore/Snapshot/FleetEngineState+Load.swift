public import FleetEngine
import FleetEngineAPI
public import FleetEngineSnapshot
import FleetEngineWire
public import FoundationEssentials
import SwiftProtobuf

extension FleetEngineState {
    /// Adds the members of a snapshot (its trips, vehicles, tasks and delivery vehicles), without derived values. A member replaces the
    /// member of the same name, but ended trips and tasks stay ended. A trip is assigned to the vehicle that it names. The vehicle's
    /// `current_trips` and `waypoints` only give the order of trips and stops. An OPEN task is assigned to the vehicle whose list contains
    /// it. Positions count as reported now, and trips as created now.
    /// - Parameters:
    ///   - isPartial: whether the snapshot may be incomplete, as in a log: trips may lack a pickup point, tasks and stops may lack a place,
    ///     and invalid fields of vehicles are left out.
    ///   - keepsDeliveries: whether tasks and delivery vehicles in the engine are kept unchanged.
    /// - Throws: INVALID_ARGUMENT with the first invalid member. The engine is then unchanged.
    public mutating func load(
        _ snapshot: FleetSnapshot, isPartial: Bool = false, keepsDeliveries: Bool = false, now: Date
    ) throws(FleetEngineError) -> [Change] {
        var loader = SnapshotLoader(state: self, isPartial: isPartial, keepsDeliveries: keepsDeliveries, now: now)
        try loader.load(snapshot)
        self = loader.state
        return loader.changes
    }

    /// Resets all trips, vehicles, bookings and deliveries to their state at the engine's start. A vehicle that had a phone at the
    /// start keeps the phone's current key.
    package mutating func restart(with start: EngineStart, now: Date) throws(FleetEngineError) -> [Change] {
        let phones = start.phones.compactMap { name in vehicles[name]?.phone.map { (name, $0) } }
        var copy = self
        var changes: [Change] = []
        for record in copy.trips.values { copy.remove(record, now, &changes) }
        for name in copy.vehicles.keys { copy.write(.vehicleRemoved(name), to: &changes) }
        for name in copy.deliveries.vehicles.keys { copy.write(.delivery(.vehicleRemoved(name)), to: &changes) }
        for name in copy.deliveries.tasks.keys { copy.write(.delivery(.taskRemoved(name)), to: &changes) }
        changes += try copy.load(start.snapshot, isPartial: true, now: now)
        for (name, phone) in phones {
            copy.writePhone(PhoneRecord(key: phone.key, isManual: phone.isManual, keyEnd: phone.keyEnd), in: name, to: &changes)
        }
        for name in start.waiting {
            guard let record = copy.trips[name], record.needsVehicle else { continue }
            copy.write(.bookingQueued(Booking(trip: name, type: record.trip.tripType, serial: record.serial)), to: &changes)
        }
        self = copy
        return changes
    }
}

/// Loads a snapshot into a copy of an engine. The order is vehicles, trips, drivers' reports, deliveries.
struct SnapshotLoader {
    private static let settings: Set<VehicleField> = [
        .vehicleState, .supportedTripTypes, .maximumCapacity, .attributes, .vehicleType, .licensePlate, .backToBackEnabled,
        .route,
    ]

    var state: FleetEngineState
    let isPartial: Bool
    let keepsDeliveries: Bool
    let now: Date
    var changes: [Change] = []
    /// The snapshot's tasks that are already closed in the engine. Loading the snapshot does not change them.
    var endedTasks: Set<TaskName> = []

    var limits: EngineLimits { state.options.limits }

    mutating func load(_ snapshot: FleetSnapshot) throws(FleetEngineError) {
        let vehicles = try names(of: snapshot.vehicles.map(\.name), "vehicles") { text throws(FleetEngineError) in
            try Check.vehicleName(text)
        }
        let trips = try names(of: snapshot.trips.map(\.name), "trips") { text throws(FleetEngineError) in try Check.tripName(text) }
        for (index, vehicle) in snapshot.vehicles.enumerated() {
            try member("vehicles", index, vehicle.name) { loader throws(FleetEngineError) in try loader.put(vehicle, vehicles[index]) }
        }
        for (index, trip) in snapshot.trips.enumerated() {
            try member("trips", index, trip.name) { loader throws(FleetEngineError) in try loader.put(trip, trips[index]) }
        }
        for (index, vehicle) in snapshot.vehicles.enumerated() {
            try member("vehicles", index, vehicle.name) { loader throws(FleetEngineError) in try loader.report(vehicle, vehicles[index]) }
        }
        try loadDeliveries(snapshot)
    }

    mutating func member(
        _ list: String, _ index: Int, _ name: String, _ work: (inout SnapshotLoader) throws(FleetEngineError) -> Void
    ) throws(FleetEngineError) {
        do throws(FleetEngineError) { try work(&self) } catch { throw error.at("\(list)[\(index)]", name: name) }
    }

    mutating func names<Name: Hashable>(
        of texts: [String], _ list: String, _ read: (String) throws(FleetEngineError) -> Name
    ) throws(FleetEngineError) -> [Name] {
        var names: [Name] = []
        var seen: Set<Name> = []
        for (index, text) in texts.enumerated() {
            try member(list, index, text) { _ throws(FleetEngineError) in
                let name = try read(text)
                guard seen.insert(name).inserted else { throw .invalid("name", "the name occurs twice") }
                names.append(name)
            }
        }
        return names
    }

    // MARK: Vehicles

    private mutating func put(_ vehicle: WireVehicle, _ name: VehicleName) throws(FleetEngineError) {
        guard state.vehicles[name] != nil || state.vehicles.count < limits.vehicles else {
            throw .exhausted("vehicles", "this Fleet Engine holds at most \(limits.vehicles) vehicles")
        }
        var blank = WireVehicle()
        blank.name = name.description
        let context = state.context(now)
        var record =
            state.vehicles[name] ?? VehicleRecord(name: name, serial: state.nextSerial, stamp: context.stamp, vehicle: blank, now: now)
        let change = try self.change(Self.settings, vehicle, of: record)
        record.vehicle = blank
        record.stamp = context.stamp
        _ = record.apply(change, judgesJumps: false, context)
        state.write(.vehiclePut(record), to: &changes)
    }

    /// Applies the driver's report. The vehicle must already have its stops, because the report's distance and time apply to them.
    private mutating func report(_ vehicle: WireVehicle, _ name: VehicleName) throws(FleetEngineError) {
        guard var record = state.vehicles[name] else { return }
        let context = state.context(now)
        if Set(vehicle.currentTrips) == Set(record.currentTrips), vehicle.currentTrips.count == record.currentTrips.count {
            record.currentTrips = vehicle.currentTrips
        }
        if let stops = try? StopOrder.arranged(vehicle.waypoints, of: record.stops, ownTrip: "", field: "waypoints") {
            record.setStops(stops, context)
        }
        let change = try self.change(Set(VehicleField.allCases).subtracting(Self.settings), vehicle, of: record)
        guard state.routePoints - record.approachPoints + (change.route?.count ?? 0) <= limits.routePoints else {
            throw .exhausted("routes", "this Fleet Engine holds at most \(limits.routePoints) route points")
        }
        record.stamp = context.stamp
        _ = record.apply(change, judgesJumps: false, context)
        // The navigation status is set last, because `apply` ignores distance and time without guidance.
        record.vehicle.navigationStatus = vehicle.navigationStatus
        state.write(.vehiclePut(record), to: &changes)
    }

    /// Returns the change that sets the given fields, except the fields without a value. If `isPartial`, invalid fields are omitted.
    private func change(_ fields: Set<VehicleField>, _ vehicle: WireVehicle, of record: VehicleRecord) throws(FleetEngineError)
        -> VehicleChange
    {
        var said = vehicle.said.intersection(fields)
        if isPartial { said = said.filter { (try? VehicleChange([$0], vehicle, of: record, limits: limits, now: now)) != nil } }
        return try VehicleChange(said, vehicle, of: record, limits: limits, now: now)
    }

    // MARK: Trips

    private mutating func put(_ trip: WireTrip, _ name: TripName) throws(FleetEngineError) {
        let known = state.trips[name]
        guard known != nil || state.trips.count < limits.trips else {
            throw .exhausted("trips", "this Fleet Engine holds at most \(limits.trips) trips")
        }
        let context = state.context(now)
        let old =
            known
            ?? TripRecord(
                name: name, serial: state.nextSerial, stamp: context.stamp, updatedAt: now, trip: WireTrip())
        var draft = TripRecord(
            name: name, serial: old.serial, stamp: context.stamp, updatedAt: now,
            trip: try TripRules.loadedTrip(trip, name: name, isPartial: isPartial, limits: limits))
        draft.declinedBy = old.declinedBy
        draft.account = old.account
        if !trip.intermediateDestinations.isEmpty {
            draft.trip.intermediateDestinationsVersion = Google_Protobuf_Timestamp(stamp: context.stamp)
        }
        // An ended trip keeps its final status.
        if let known, known.status.isFinal, !draft.status.isFinal { return }
        let assignment = FleetEngineState.Assignment(
            before: known?.servingVehicle, after: draft.servingVehicle, stops: try stops(of: draft))
        _ = state.commit(draft, from: old, assignment, context, &changes)
    }

    /// Returns the stops of the trip's vehicle, including those of the trip. The vehicle may be offline, or unsuitable for a new trip.
    private func stops(of trip: TripRecord) throws(FleetEngineError) -> [Stop] {
        guard !trip.status.isFinal, !trip.trip.vehicleID.isEmpty else { return [] }
        let vehicle = try state.vehicleRecord(
            try Check.vehicleName(provider: trip.name.provider, id: trip.trip.vehicleID, field: "vehicle_id"))
        let stops = StopOrder.updated(vehicle.stops, tripID: trip.name.trip, own: trip.ownStops)
        guard stops.count <= limits.waypointsPerVehicle else {
            throw .exhausted("stops", "the vehicle would have more than \(limits.waypointsPerVehicle) stops ahead")
        }
        guard vehicle.currentTrips.count < limits.tripsPerVehicle || vehicle.currentTrips.contains(trip.name.trip) else {
            throw .exhausted("trips", "the vehicle would serve more than \(limits.tripsPerVehicle) trips at the same time")
        }
        return stops
    }
}

extension WireVehicle {
    /// The fields that have a value in the message. Only fields that drivers or providers may set are included.
    fileprivate var said: Set<VehicleField> {
        let fields: [(VehicleField, Bool)] = [
            (.vehicleState, vehicleState != .unknownVehicleState), (.supportedTripTypes, !supportedTripTypes.isEmpty),
            (.maximumCapacity, maximumCapacity != 0), (.attributes, !attributes.isEmpty), (.vehicleType, hasVehicleType),
            (.licensePlate, hasLicensePlate), (.backToBackEnabled, backToBackEnabled),
            (.route, !route.isEmpty), (.lastLocation, hasLastLocation),
            (.remainingDistanceMeters, hasRemainingDistanceMeters), (.etaToFirstWaypoint, hasEtaToFirstWaypoint),
            (.remainingTimeSeconds, hasRemainingTimeSeconds), (.currentRouteSegment, !currentRouteSegment.isEmpty),
            (.currentRouteSegmentEndPoint, hasCurrentRouteSegmentEndPoint),
            (.currentRouteSegmentTraffic, hasCurrentRouteSegmentTraffic),
        ]
        return Set(fields.filter(\.1).map(\.0))
    }
}

extension TripRules {
    /// Returns a trip from a message, with its status and past events, but without estimates and data about the vehicle.
    fileprivate static func loadedTrip(
        _ told: WireTrip, name: TripName, isPartial: Bool, limits: EngineLimits
    ) throws(FleetEngineError) -> WireTrip {
        var asNew = told
        if isPartial, !told.hasPickupPoint { asNew.pickupPoint.point = WireLatLng() }
        var trip = try newTrip(asNew, name: name, limits: limits)
        if !told.hasPickupPoint { trip.clearPickupPoint() }
        let status = TripStatus(told.tripStatus)
        guard status != .unknown || told.tripStatus == .unknownTripStatus else {
            throw .invalid("trip_status", "trip_status must be one of the states from NEW to CANCELED")
        }
        if status != .unknown { trip.tripStatus = told.tripStatus }
        // The index may lie beyond the end of the list, because destinations may have been removed.
        guard (0...Int32(clamping: limits.intermediateDestinations)).contains(told.intermediateDestinationIndex) else {
            throw .invalid("intermediate_destination_index", "intermediate_destination_index does not name an intermediate destination")
        }
        trip.intermediateDestinationIndex = told.intermediateDestinationIndex
        try setFacts(told, status, limits, in: &trip)
        return trip
    }

    /// Sets the past events of a trip: the actual places and times at its stops, and the last position of a COMPLETE trip.
    private static func setFacts(
        _ told: WireTrip, _ status: TripStatus, _ limits: EngineLimits, in trip: inout WireTrip
    ) throws(FleetEngineError) {
        let points = TripChange(
            fields: [
                .actualPickupPoint, .actualDropoffPoint, .actualPickupArrivalPoint, .actualIntermediateDestinations,
                .actualIntermediateDestinationArrivalPoints,
            ], values: told, options: EngineOptions(limits: limits))
        try points.applyActualPoints(into: &trip)
        if told.hasPickupTime, !status.isBeforePickup, status != .unknown {
            try Check.time(told.pickupTime, "pickup_time")
            trip.pickupTime = told.pickupTime
        }
        guard status == .complete else { return }
        if told.hasDropoffTime {
            try Check.time(told.dropoffTime, "dropoff_time")
            trip.dropoffTime = told.dropoffTime
        }
        guard told.hasLastLocation, told.lastLocation.hasLocation else { return }
        try Check.place(told.lastLocation.location, "last_location.location")
        trip.lastLocation.location = told.lastLocation.location
    }
}
