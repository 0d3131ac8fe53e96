import FleetEngine
import FleetEngineAPI
import SwiftProtobuf

/// Rules for trips, which several calls apply.
enum TripRules {
    static func checkType(_ type: WireTripType) throws(FleetEngineError) {
        guard type == .shared || type == .exclusive else { throw .invalid("trip.trip_type", "trip_type must be SHARED or EXCLUSIVE") }
    }

    static func checkIntermediates(_ trip: WireTrip, limits: EngineLimits) throws(FleetEngineError) {
        guard !trip.intermediateDestinations.isEmpty else { return }
        let field = "trip.intermediate_destinations"
        guard trip.tripType == .exclusive else {
            throw .invalid(field, "only an EXCLUSIVE trip can have intermediate_destinations")
        }
        try Check.count(trip.intermediateDestinations.count, atMost: limits.intermediateDestinations, field)
        for (index, place) in trip.intermediateDestinations.enumerated() { try Check.terminal(place, "\(field)[\(index)]") }
    }

    static func checkIndex(_ index: Int32, of trip: WireTrip) throws(FleetEngineError) {
        guard trip.intermediateDestinations.indices.contains(Int(index)) else {
            throw .invalid(
                "trip.intermediate_destination_index",
                "intermediate_destination_index must be from 0 to \(trip.intermediateDestinations.count - 1)")
        }
    }

    /// Checks that the trip has the intermediate destination that the status refers to. Other statuses need no check.
    static func checkIntermediate(_ status: TripStatus, of trip: WireTrip) throws(FleetEngineError) {
        guard status == .enrouteToIntermediateDestination || status == .arrivedAtIntermediateDestination else { return }
        guard !trip.intermediateDestinations.isEmpty else {
            throw .failedPrecondition(
                "TRIP_STATUS", subject: trip.name, "the trip cannot be \(status.name): it has no intermediate destinations")
        }
        try checkIndex(trip.intermediateDestinationIndex, of: trip)
    }

    /// Returns the NEW trip for a `CreateTrip` request, with the fields that a caller may set, and the unknown fields.
    static func newTrip(
        _ request: WireTrip, name: TripName, limits: EngineLimits
    ) throws(FleetEngineError) -> WireTrip {
        try checkType(request.tripType)
        guard request.hasPickupPoint else { throw .invalid("trip.pickup_point", "pickup_point is required") }
        try Check.terminal(request.pickupPoint, "trip.pickup_point")
        if request.hasDropoffPoint { try Check.terminal(request.dropoffPoint, "trip.dropoff_point") }
        try Check.notNegative(request.numberOfPassengers, "trip.number_of_passengers")
        try AttributeRules.check(request.attributes, limits: limits)
        var trip = WireTrip()
        trip.name = name.description
        trip.tripStatus = .new
        trip.tripType = request.tripType
        trip.vehicleID = request.vehicleID
        trip.pickupPoint = request.pickupPoint
        if request.hasDropoffPoint { trip.dropoffPoint = request.dropoffPoint }
        trip.intermediateDestinations = request.intermediateDestinations
        trip.numberOfPassengers = request.numberOfPassengers
        trip.attributes = request.attributes
        trip.unknownFields = request.unknownFields
        try checkIntermediates(trip, limits: limits)
        try Check.size(trip, "trip", limits: limits)
        return trip
    }
}

/// The order of statuses.
///
/// Fleet Engine's documentation does not say that a status out of order is refused, and its samples skip statuses. Therefore only the
/// strict mode enforces the recommended order. A final status cannot change in either mode.
struct StatusOrder {
    let isStrict: Bool

    func check(from old: TripRecord, to next: TripStatus, index: Int, namesIndex: Bool) throws(FleetEngineError) {
        guard old.status != next || next == .enrouteToIntermediateDestination else { return }
        guard !old.status.isFinal else { throw refusal(old, next, "a final status cannot change") }
        guard isStrict else { return }
        let allowed = Self.successors(of: old, next: next, index: index)
        guard allowed.contains(next) else {
            let names = allowed.map(\.name).joined(separator: ", ")
            throw refusal(old, next, "the next status can be \(names)")
        }
        guard next != .enrouteToIntermediateDestination || namesIndex else {
            throw .invalid(
                "trip.intermediate_destination_index",
                "ENROUTE_TO_INTERMEDIATE_DESTINATION needs intermediate_destination_index in the same update")
        }
    }

    private func refusal(_ old: TripRecord, _ next: TripStatus, _ why: String) -> FleetEngineError {
        .failedPrecondition(
            "TRIP_STATUS", subject: old.name.description, "\(next.name) cannot follow \(old.status.name): \(why)")
    }

    /// Returns the next statuses in the recommended order. A trip can be cancelled until it is complete.
    private static func successors(of old: TripRecord, next: TripStatus, index: Int) -> [TripStatus] {
        let count = old.trip.intermediateDestinations.count
        let current = Int(old.trip.intermediateDestinationIndex)
        switch old.status {
        case .unknown, .new: return [.enrouteToPickup, .canceled]
        case .enrouteToPickup: return [.arrivedAtPickup, .canceled]
        case .arrivedAtPickup: return [count == 0 ? .enrouteToDropoff : .enrouteToIntermediateDestination, .canceled]
        case .enrouteToIntermediateDestination:
            return (index == current ? [.arrivedAtIntermediateDestination, .enrouteToIntermediateDestination] : []) + [.canceled]
        case .arrivedAtIntermediateDestination:
            let goesOn = index == current + 1 && index < count
            return (goesOn ? [.enrouteToIntermediateDestination] : []) + [.enrouteToDropoff, .canceled]
        case .enrouteToDropoff: return [.complete, .canceled]
        case .complete, .canceled: return []
        }
    }
}
