public import FleetEngine
public import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf

/// A trip in the engine. It has the values that callers have set, and past events such as the pickup, but no values that are computed from
/// the vehicle.
public struct TripRecord: Equatable, Sendable {
    /// The trip's full name.
    public let name: TripName
    /// A number that increases with each new trip, and defines the order of lists.
    package let serial: UInt64
    /// The stamp of the last write.
    var stamp: ChangeStamp
    /// The time of the last change by a call.
    var updatedAt: Date
    /// The values that callers have set, and past events. `pickup_time` and `dropoff_time` are actual times, never estimates.
    public internal(set) var trip: WireTrip
    /// The stamp of the last change in which the trip changed its vehicle, got its first stop or lost its last stop; nil before such a
    /// change.
    var assignmentStamp: ChangeStamp?
    /// The bare ids of vehicles whose drivers have declined the trip. These vehicles do not get it again.
    var declinedBy: [String] = []
    /// The account that created the trip; see `EngineAccount`.
    var account = EngineAccount.anonymous

    package var status: TripStatus { TripStatus(trip.tripStatus) }

    /// The vehicle that serves the trip now; nil if the trip has no vehicle or is over.
    package var servingVehicle: VehicleName? {
        guard !status.isFinal, !trip.vehicleID.isEmpty else { return nil }
        return try? VehicleName(provider: name.provider, vehicle: trip.vehicleID)
    }

    /// Whether the trip has no vehicle and can still get one.
    var needsVehicle: Bool { status == .new && trip.vehicleID.isEmpty }

    /// The remaining stops, in the trip's own order. They depend only on the current status and index, not on earlier statuses.
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

    /// The indices of the remaining intermediate destinations.
    var intermediatesAhead: Range<Int> {
        status.intermediatesAhead(of: trip.intermediateDestinations.count, index: Int(trip.intermediateDestinationIndex))
    }
}
