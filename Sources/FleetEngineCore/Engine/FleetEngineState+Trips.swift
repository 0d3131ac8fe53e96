public import FleetEngine
public import FleetEngineAPI
public import FoundationEssentials
import SwiftProtobuf

extension FleetEngineState {
    /// Creates a trip. Its status is NEW, and a status in the request is ignored. A trip with a `vehicle_id` is assigned at once.
    ///
    /// - Throws: INVALID_ARGUMENT, ALREADY_EXISTS, NOT_FOUND (the vehicle), FAILED_PRECONDITION (the vehicle cannot take it),
    ///   RESOURCE_EXHAUSTED.
    /// - Parameter account: the account that creates the trip; see `EngineAccount`.
    public mutating func createTrip(
        _ request: WireCreateTripRequest, account: String = EngineAccount.anonymous, now: Date
    ) throws(FleetEngineError) -> (answer: WireTrip, changes: [Change]) {
        let name = try Check.tripName(parent: request.parent, id: request.tripID)
        guard request.hasTrip else { throw .invalid("trip", "trip is required") }
        let trip = try TripRules.newTrip(request.trip, name: name, limits: options.limits)
        let expired = trips[name]
        if let expired, !isExpired(changedAt: expired.updatedAt, now) { throw .alreadyExists("trip", name) }
        guard trips.count - (expired == nil ? 0 : 1) < options.limits.trips else {
            throw .exhausted("trips", "this Fleet Engine holds at most \(options.limits.trips) trips: delete some first")
        }
        try options.limits.checkTrips(of: account, count: tripHoldings[account] - (expired?.account == account ? 1 : 0))
        let old = TripRecord(
            name: name, serial: nextSerial, stamp: nextStamp(now), updatedAt: now, trip: trip.withoutVehicle, account: account)
        var draft = old
        draft.trip = trip
        let order = request.trip.vehicleWaypoints.isEmpty ? nil : request.trip.vehicleWaypoints
        let assignment = try checkedAssignment(from: old, to: draft, order: order)
        var changes: [Change] = []
        if let expired { remove(expired, now, &changes) }
        let context = context(now)
        if !trip.intermediateDestinations.isEmpty {
            draft.trip.intermediateDestinationsVersion = Google_Protobuf_Timestamp(stamp: context.stamp)
        }
        let record = commit(draft, from: old, assignment, context, &changes)
        return (answer(record, now).fullAnswer(), changes)
    }

    /// Creates a trip. Unless the request names a vehicle, the trip then waits in the queue for a vehicle of its provider.
    ///
    /// - Parameter waitingLimit: the maximum number of a provider's waiting trips.
    /// - Throws: the errors of `createTrip`; RESOURCE_EXHAUSTED if too many trips are waiting.
    package mutating func bookTrip(
        _ request: WireCreateTripRequest, waitingLimit: Int, account: String = EngineAccount.anonymous, now: Date
    ) throws(FleetEngineError) -> (answer: WireTrip, changes: [Change]) {
        guard bookings.count(of: try Check.provider(request.parent).provider) < waitingLimit else {
            throw FleetEngineError(
                code: .resourceExhausted, message: "\(waitingLimit) trips are already waiting for a vehicle: cancel some, or add vehicles")
        }
        var (answer, changes) = try createTrip(request, account: account, now: now)
        if let record = trips[try Check.tripName(answer.name)], record.needsVehicle {
            write(.bookingQueued(Booking(trip: record.name, type: record.trip.tripType, serial: record.serial)), to: &changes)
        }
        return (answer, changes)
    }

    /// Removes a trip from its vehicle because the driver declined the trip. The vehicle does not get the trip again, and the trip returns
    /// to its old position in the queue.
    ///
    /// - Throws: NOT_FOUND; FAILED_PRECONDITION if the trip is not NEW.
    package mutating func releaseTrip(_ name: TripName, now: Date) throws(FleetEngineError) -> (answer: WireTrip, changes: [Change]) {
        let offered = try tripRecord(name, now)
        let status = offered.status
        guard status == .new else {
            throw .failedPrecondition(
                "TRIP_STATUS", subject: name.description, "trip \(name.trip) is \(status.name): only a NEW trip can be declined")
        }
        let request = WireUpdateTripRequest.with {
            $0.name = name.description
            $0.updateMask.paths = ["vehicle_id"]
            $0.trip = WireTrip()
        }
        var (answer, changes) = try updateTrip(request, now: now)
        if let vehicle = offered.servingVehicle?.vehicle, var record = trips[name], !record.declinedBy.contains(vehicle) {
            record.declinedBy.append(vehicle)
            write(.tripPut(record), to: &changes)
        }
        if let record = trips[name], record.needsVehicle, !bookings.contains(name) {
            write(.bookingQueued(Booking(trip: name, type: record.trip.tripType, serial: record.serial)), to: &changes)
        }
        return (answer, changes)
    }

    /// Returns the trip as it is at `now`. Fields that have not changed since the versions in the request are left unset.
    ///
    /// - Throws: INVALID_ARGUMENT, NOT_FOUND.
    public func getTrip(_ request: WireGetTripRequest, now: Date) throws(FleetEngineError) -> WireTrip {
        try tripAnswer(try Check.tripName(request.name), now: now).answer(to: request)
    }

    /// Returns the data from which an answer to `getTrip` is made.
    package func tripAnswer(_ name: TripName, now: Date) throws(FleetEngineError) -> TripAnswer {
        answer(try tripRecord(name, now), now)
    }

    /// Changes the fields in the mask. A call that only repeats the current values changes nothing, so a caller can safely send
    /// it twice.
    ///
    /// - Throws: INVALID_ARGUMENT, NOT_FOUND (trip or vehicle), FAILED_PRECONDITION (status, version, vehicle), RESOURCE_EXHAUSTED.
    public mutating func updateTrip(
        _ request: WireUpdateTripRequest, now: Date
    ) throws(FleetEngineError) -> (answer: WireTrip, changes: [Change]) {
        let name = try Check.tripName(request.name)
        let fields = try UpdateMask.fields(request.updateMask, of: TripField.self, limits: options.limits)
        guard request.hasTrip else { throw .invalid("trip", "trip is required") }
        let old = try tripRecord(name, now)
        var draft = try TripChange(fields: fields, values: request.trip, options: options).applied(to: old)
        let order = fields.contains(.vehicleWaypoints) ? request.trip.vehicleWaypoints : nil
        let assignment = try checkedAssignment(from: old, to: draft, order: order)
        guard draft != old || !isInOrder(assignment) else { return (answer(old, now).fullAnswer(), []) }
        let context = context(now)
        recordPassage(from: old, to: &draft, now)
        if draft.trip.intermediateDestinations != old.trip.intermediateDestinations {
            draft.trip.intermediateDestinationsVersion = Google_Protobuf_Timestamp(stamp: context.stamp)
        }
        draft.updatedAt = now
        var changes: [Change] = []
        let record = commit(draft, from: old, assignment, context, &changes)
        return (answer(record, now).fullAnswer(), changes)
    }

    /// Removes a trip.
    ///
    /// - Throws: INVALID_ARGUMENT, NOT_FOUND, or FAILED_PRECONDITION if the trip is unfinished and has a vehicle.
    public mutating func deleteTrip(_ request: WireDeleteTripRequest, now: Date) throws(FleetEngineError) -> [Change] {
        let name = try Check.tripName(request.name)
        let record = try tripRecord(name, now)
        if let vehicle = record.servingVehicle {
            throw .failedPrecondition(
                "TRIP_ACTIVE", subject: name.description,
                "the trip is \(record.status.name) and assigned to vehicle \(vehicle.vehicle): complete or cancel it first")
        }
        var changes: [Change] = []
        remove(record, now, &changes)
        return changes
    }

    /// Checks the report of a billable trip. The report is not stored, because this engine does not bill.
    ///
    /// - Throws: INVALID_ARGUMENT.
    public func reportBillableTrip(_ request: WireReportBillableTripRequest) throws(FleetEngineError) {
        let parts = request.name.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0] == "providers", parts[2] == "billableTrips" else {
            throw .invalid("name", "not a billable trip's name; the form is providers/{provider}/billableTrips/{id}")
        }
        do {
            try ResourceID.check(parts[1], kind: "provider id")
            try ResourceID.check(parts[3], kind: "billable trip id")
        } catch { throw .invalid("name", error.description) }
        guard request.countryCode.utf8.count == 2, request.countryCode.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
            throw .invalid("country_code", "country_code must be a two-letter country code")
        }
        try Check.count(request.relatedIds.count, atMost: 50, "related_ids")
    }

    /// Returns whether the vehicle already has the stops of the assignment, in the same order.
    private func isInOrder(_ assignment: Assignment) -> Bool {
        assignment.after.map { vehicles[$0]?.stops == assignment.stops } ?? true
    }

    private func recordPassage(from old: TripRecord, to draft: inout TripRecord, _ now: Date) {
        guard draft.status != old.status || draft.intermediatesAhead != old.intermediatesAhead else { return }
        let vehicle = draft.trip.vehicleID.isEmpty ? nil : try? VehicleName(provider: draft.name.provider, vehicle: draft.trip.vehicleID)
        let location = vehicle.flatMap { vehicles[$0] }.flatMap { $0.vehicle.hasLastLocation ? $0.vehicle.lastLocation : nil }
        let (before, after) = (old.intermediatesAhead.lowerBound, draft.intermediatesAhead.lowerBound)
        TripPassage(now: now, location: location)
            .record(from: old.status, leaving: before..<max(before, after), in: &draft.trip)
    }
}

extension WireTrip {
    fileprivate var withoutVehicle: WireTrip {
        var trip = self
        trip.vehicleID = ""
        return trip
    }
}
