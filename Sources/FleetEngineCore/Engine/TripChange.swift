import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import Geo
import SwiftProtobuf

/// The part of an `UpdateTrip` call that changes only the trip. It checks the named fields and applies them.
struct TripChange {
    let fields: Set<TripField>
    let values: WireTrip
    let options: EngineOptions

    /// Returns the trip with the new values.
    /// - Throws: INVALID_ARGUMENT for an invalid value; FAILED_PRECONDITION for a change that the trip's state does not allow.
    func applied(to old: TripRecord) throws(FleetEngineError) -> TripRecord {
        try checkNotOver(old)
        var draft = old
        try applyPoints(into: &draft.trip)
        try applyType(into: &draft.trip)
        try applyIntermediates(into: &draft.trip)
        try applyStatus(old: old, into: &draft.trip)
        try applyActualPoints(into: &draft.trip)
        if fields.contains(.numberOfPassengers), values.numberOfPassengers != old.trip.numberOfPassengers {
            throw .invalid("trip.number_of_passengers", "number_of_passengers cannot change after the trip is created")
        }
        if fields.contains(.attributes) {
            try AttributeRules.check(values.attributes, limits: options.limits)
            draft.trip.attributes = values.attributes
        }
        if fields.contains(.vehicleID) { draft.trip.vehicleID = values.vehicleID }
        try Check.size(draft.trip, "trip", limits: options.limits)
        return draft
    }

    /// Checks that the call does not change fixed values of a finished trip. A repeated call with the current values is allowed.
    private func checkNotOver(_ old: TripRecord) throws(FleetEngineError) {
        guard old.status.isFinal else { return }
        let trip = old.trip
        let live: [(field: TripField, isOther: Bool)] = [
            (.vehicleID, values.vehicleID != trip.vehicleID), (.tripType, values.tripType != trip.tripType),
            (.pickupPoint, values.pickupPoint != trip.pickupPoint), (.dropoffPoint, values.dropoffPoint != trip.dropoffPoint),
            (.intermediateDestinations, values.intermediateDestinations != trip.intermediateDestinations),
            (.intermediateDestinationIndex, hasOtherIndex(than: trip)),
        ]
        guard let field = live.first(where: { $0.isOther && fields.contains($0.field) })?.field else { return }
        throw .failedPrecondition(
            "TRIP_STATUS", subject: old.name.description, "the trip is \(old.status.name), so \(field.rawValue) can no longer change")
    }

    /// Returns whether the call changes the index of the next intermediate destination. A trip without intermediate destinations ignores
    /// the index.
    private func hasOtherIndex(than trip: WireTrip) -> Bool {
        fields.contains(.intermediateDestinationIndex) && !trip.intermediateDestinations.isEmpty
            && values.intermediateDestinationIndex != trip.intermediateDestinationIndex
    }

    private func applyPoints(into trip: inout WireTrip) throws(FleetEngineError) {
        if fields.contains(.pickupPoint) {
            guard values.hasPickupPoint else { throw .invalid("trip.pickup_point", "pickup_point is required and cannot be cleared") }
            try Check.terminal(values.pickupPoint, "trip.pickup_point")
            trip.pickupPoint = values.pickupPoint
        }
        guard fields.contains(.dropoffPoint) else { return }
        if values.hasDropoffPoint {
            try Check.terminal(values.dropoffPoint, "trip.dropoff_point")
            trip.dropoffPoint = values.dropoffPoint
        } else {
            trip.clearDropoffPoint()
        }
    }

    private func applyType(into trip: inout WireTrip) throws(FleetEngineError) {
        guard fields.contains(.tripType), values.tripType != trip.tripType else { return }
        try TripRules.checkType(values.tripType)
        guard trip.vehicleID.isEmpty else {
            throw .failedPrecondition(
                "TRIP_TYPE", subject: trip.name, "trip_type cannot change while vehicle \(trip.vehicleID) is assigned")
        }
        trip.tripType = values.tripType
    }

    private func applyIntermediates(into trip: inout WireTrip) throws(FleetEngineError) {
        if fields.contains(.intermediateDestinations) { trip.intermediateDestinations = values.intermediateDestinations }
        try TripRules.checkIntermediates(trip, limits: options.limits)
        guard fields.contains(.intermediateDestinationIndex), !trip.intermediateDestinations.isEmpty else { return }
        try TripRules.checkIndex(values.intermediateDestinationIndex, of: trip)
        trip.intermediateDestinationIndex = values.intermediateDestinationIndex
    }

    private func applyStatus(old: TripRecord, into trip: inout WireTrip) throws(FleetEngineError) {
        try checkIntermediatesVersion(old)
        guard fields.contains(.tripStatus) else { return }
        let status = TripStatus(values.tripStatus)
        guard status != .unknown else {
            throw .invalid("trip.trip_status", "trip_status must be one of the states from NEW to CANCELED")
        }
        try StatusOrder(isStrict: options.strictStatus).check(
            from: old, to: status, index: Int(trip.intermediateDestinationIndex), namesIndex: fields.contains(.intermediateDestinationIndex)
        )
        if status != old.status { try TripRules.checkIntermediate(status, of: trip) }
        trip.tripStatus = values.tripStatus
    }

    /// Refuses a call that changes the status or the index but has an old version of the intermediate destinations.
    private func checkIntermediatesVersion(_ old: TripRecord) throws(FleetEngineError) {
        let isBound = hasOtherIndex(than: old.trip) || fields.contains(.tripStatus) && values.tripStatus != old.trip.tripStatus
        guard isBound, values.hasIntermediateDestinationsVersion, !old.trip.intermediateDestinations.isEmpty else { return }
        guard values.intermediateDestinationsVersion == old.trip.intermediateDestinationsVersion else {
            throw .failedPrecondition(
                "INTERMEDIATE_DESTINATIONS_VERSION", subject: old.name.description,
                "intermediate_destinations_version is out of date: the intermediate destinations have changed")
        }
    }

    func applyActualPoints(into trip: inout WireTrip) throws(FleetEngineError) {
        if fields.contains(.actualPickupPoint) {
            if values.hasActualPickupPoint { try Check.stop(values.actualPickupPoint, "trip.actual_pickup_point") }
            trip.setActualPickup(values.hasActualPickupPoint ? values.actualPickupPoint : nil)
        }
        if fields.contains(.actualDropoffPoint) {
            if values.hasActualDropoffPoint { try Check.stop(values.actualDropoffPoint, "trip.actual_dropoff_point") }
            trip.setActualDropoff(values.hasActualDropoffPoint ? values.actualDropoffPoint : nil)
        }
        if fields.contains(.actualPickupArrivalPoint) {
            if values.hasActualPickupArrivalPoint { try Check.stop(values.actualPickupArrivalPoint, "trip.actual_pickup_arrival_point") }
            trip.setActualPickupArrival(values.hasActualPickupArrivalPoint ? values.actualPickupArrivalPoint : nil)
        }
        if fields.contains(.actualIntermediateDestinationArrivalPoints) {
            let list = values.actualIntermediateDestinationArrivalPoints
            try Check.stops(list, "trip.actual_intermediate_destination_arrival_points", limits: options.limits)
            trip.actualIntermediateDestinationArrivalPoints = list
        }
        if fields.contains(.actualIntermediateDestinations) {
            let list = values.actualIntermediateDestinations
            try Check.stops(list, "trip.actual_intermediate_destinations", limits: options.limits)
            trip.actualIntermediateDestinations = list
        }
    }
}

extension WireTrip {
    mutating func setActualPickup(_ stop: WireStopLocation?) {
        if let stop { actualPickupPoint = stop } else { clearActualPickupPoint() }
    }

    mutating func setActualDropoff(_ stop: WireStopLocation?) {
        if let stop { actualDropoffPoint = stop } else { clearActualDropoffPoint() }
    }

    mutating func setActualPickupArrival(_ stop: WireStopLocation?) {
        if let stop { actualPickupArrivalPoint = stop } else { clearActualPickupArrivalPoint() }
    }
}
