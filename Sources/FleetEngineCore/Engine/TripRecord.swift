public import FleetEngine
public import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf

/// A trip as the engine keeps it: what callers set and what is frozen, without anything that follows from the vehicle.
public struct TripRecord: Equatable, Sendable {
    /// The trip's full name.
    public let name: TripName
    /// Rises from trip to trip: the order of lists.
    package let serial: UInt64
    /// When it was last written.
    var stamp: ChangeStamp
    /// When a call last changed it.
    var updatedAt: Date
    /// What was set and what is frozen. `pickup_time` and `dropoff_time` are in here only once they are facts.
    public internal(set) var trip: WireTrip
    /// When the trip last got or lost a vehicle, or stops of its own on its way.
    var assignmentStamp: ChangeStamp?
    /// Bare ids of vehicles whose drivers have declined it: it is not offered to them again.
    var declinedBy: [String] = []
    /// Who has made it; see `EngineAccount`.
    var account = EngineAccount.anonymous

    package var status: TripStatus { TripStatus(trip.tripStatus) }

    /// The vehicle that serves the trip now.
    package var servingVehicle: VehicleName? {
        guard !status.isFinal, !trip.vehicleID.isEmpty else { return nil }
        return try? VehicleName(provider: name.provider, vehicle: trip.vehicleID)
    }

    /// Whether it could still be given to a vehicle, and has none.
    var needsVehicle: Bool { status == .new && trip.vehicleID.isEmpty }

    /// The stops still ahead, in the trip's own order. They follow from the status alone, so that a status out of order leaves
    /// nothing behind.
    var ownStops: [Stop] {
        var stops: [Stop] = []
        let isExclusive = trip.tripType != .shared
        if status.isBeforePickup, trip.hasPickupPoint {
            stops.append(Stop(tripID: name.trip, kind: .pickup, location: trip.pickupPoint, isExclusive: isExclusive))
        }
        for index in intermediatesAhead {
            let location = trip.intermediateDestinations[index]
            stops.append(Stop(tripID: name.trip, kind: .intermediate(index), location: location, isExclusive: isExclusive))
        }
        if !status.isFinal, trip.hasDropoffPoint {
            stops.append(Stop(tripID: name.trip, kind: .dropoff, location: trip.dropoffPoint, isExclusive: isExclusive))
        }
        return stops
    }

    /// The intermediate destinations not left behind yet.
    var intermediatesAhead: Range<Int> {
        let count = trip.intermediateDestinations.count
        switch status {
        case .new, .enrouteToPickup, .arrivedAtPickup, .unknown: return 0..<count
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination:
            return min(max(0, Int(trip.intermediateDestinationIndex)), count)..<count
        case .enrouteToDropoff, .complete, .canceled: return count..<count
        }
    }
}
