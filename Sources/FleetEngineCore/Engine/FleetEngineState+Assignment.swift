import FleetEngine
import FleetEngineAPI
import FoundationEssentials

extension FleetEngineState {
    /// A trip's vehicle before and after a change. `stops` are all stops that the vehicle `after` then has.
    struct Assignment {
        var before: VehicleName?
        var after: VehicleName?
        var stops: [Stop]
    }

    /// Computes and checks the effect of a trip's change on its vehicle, without applying it.
    ///
    /// - Parameter order: the order that the caller requests for all stops of the vehicle; nil if it requests none.
    func checkedAssignment(
        from old: TripRecord, to draft: TripRecord, order: [WireTripWaypoint]?
    ) throws(FleetEngineError) -> Assignment {
        if !draft.status.isFinal, !draft.trip.vehicleID.isEmpty, draft.trip.vehicleID != old.trip.vehicleID {
            // An invalid id cannot name a vehicle.
            _ = try Check.vehicleName(provider: draft.name.provider, id: draft.trip.vehicleID, field: "trip.vehicle_id")
        }
        var assignment = Assignment(before: old.servingVehicle, after: draft.servingVehicle, stops: [])
        // Without a vehicle, a requested order of the stops is ignored, as the v1 API's comment on `Trip.vehicle_waypoints` says.
        guard let name = assignment.after else { return assignment }
        let vehicle = try vehicleRecord(name)
        if assignment.before != name { try checkTakes(vehicle, draft) }
        // The vehicle may still have stops of an expired trip that has this trip's name. Such stops are left out.
        let ahead = assignment.before == name ? vehicle.stops : vehicle.stops.filter { $0.tripID != draft.name.trip }
        let present = StopOrder.updated(ahead, tripID: draft.name.trip, own: draft.ownStops)
        assignment.stops = present
        if let order {
            assignment.stops = try StopOrder.arranged(
                order, of: present, ownTrip: draft.name.trip, field: "trip.vehicle_waypoints")
        }
        guard assignment.stops.count <= options.limits.waypointsPerVehicle else {
            throw .exhausted(
                name.description,
                "the vehicle would have more than \(options.limits.waypointsPerVehicle) stops ahead: complete some of its trips first")
        }
        return assignment
    }

    /// Checks whether a vehicle can take a new trip. Unset settings of the vehicle do not exclude the trip.
    private func checkTakes(_ record: VehicleRecord, _ trip: TripRecord) throws(FleetEngineError) {
        guard record.vehicle.vehicleState != .offline else {
            throw .failedPrecondition(
                "VEHICLE_STATE", subject: record.name.description, "vehicle \(record.name.vehicle) is OFFLINE and accepts no new trips")
        }
        let supported = record.vehicle.supportedTripTypes
        guard supported.isEmpty || supported.contains(trip.trip.tripType) else {
            throw .failedPrecondition(
                "TRIP_TYPE", subject: record.name.description,
                "vehicle \(record.name.vehicle) does not support \(trip.trip.tripType == .shared ? "SHARED" : "EXCLUSIVE") trips")
        }
        guard record.currentTrips.count < options.limits.tripsPerVehicle else {
            throw .exhausted(
                record.name.description, "the vehicle would serve more than \(options.limits.tripsPerVehicle) trips at the same time")
        }
    }

    /// Stores a trip, and updates the vehicles that served it before and after the change.
    /// - Returns: the stored trip.
    mutating func commit(
        _ draft: TripRecord, from old: TripRecord, _ assignment: Assignment, _ context: RouteContext, _ changes: inout [Change]
    ) -> TripRecord {
        var record = draft
        record.stamp = context.stamp
        if assignment.before != assignment.after {
            record.assignmentStamp = context.stamp
            if let before = assignment.before { release(record.name, from: before, context, &changes) }
        } else if old.ownStops.isEmpty != draft.ownStops.isEmpty {
            // A trip without stops shows no route, so adding the first stop or removing the last one also changes the route.
            record.assignmentStamp = context.stamp
        }
        if let after = assignment.after {
            changeVehicle(after, context, &changes) { vehicle in
                if !vehicle.currentTrips.contains(record.name.trip) { vehicle.currentTrips.append(record.name.trip) }
                vehicle.setStops(assignment.stops, context)
            }
        }
        write(.tripPut(record), to: &changes)
        if !record.needsVehicle, bookings.contains(record.name) { write(.bookingTaken(record.name), to: &changes) }
        return record
    }

    mutating func release(_ trip: TripName, from vehicle: VehicleName, _ context: RouteContext, _ changes: inout [Change]) {
        changeVehicle(vehicle, context, &changes) { vehicle in
            vehicle.currentTrips.removeAll { $0 == trip.trip }
            vehicle.setStops(vehicle.stops.filter { $0.tripID != trip.trip }, context)
            if vehicle.currentTrips.isEmpty { vehicle.forgetReport() }
        }
    }
}
