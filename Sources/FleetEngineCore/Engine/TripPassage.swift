import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf

/// Sets the values that follow from a change of status, such as the time and place of the pickup.
///
/// Source: the answers in recorded traffic of a real trip.
struct TripPassage {
    let now: Date
    /// The vehicle's position, if known.
    let location: WireVehicleLocation?

    func record(from old: TripStatus, leaving: Range<Int>, in trip: inout WireTrip) {
        let new = TripStatus(trip.tripStatus)
        if new.isBeforePickup, !old.isBeforePickup {
            trip.clearPickupTime()
            trip.clearActualPickupPoint()
        }
        if old.isBeforePickup, !new.isBeforePickup, !new.isFinal {
            trip.pickupTime = Google_Protobuf_Timestamp(moment: now)
            if !trip.hasActualPickupPoint, let stop { trip.actualPickupPoint = stop }
        }
        let isAmongIntermediates = old == .enrouteToIntermediateDestination || old == .arrivedAtIntermediateDestination
        if isAmongIntermediates, !leaving.isEmpty, !new.isFinal, let stop,
            trip.actualIntermediateDestinations.count < trip.intermediateDestinations.count
        {
            trip.actualIntermediateDestinations.append(stop)
        }
        if new == .complete, old != .complete { complete(&trip) }
    }

    /// Sets the values of a COMPLETE trip: the time and place of the drop-off, and the vehicle's position without its time.
    private func complete(_ trip: inout WireTrip) {
        trip.dropoffTime = Google_Protobuf_Timestamp(moment: now)
        guard let location, location.hasLocation else { return }
        if !trip.hasActualDropoffPoint, let stop { trip.actualDropoffPoint = stop }
        var place = WireVehicleLocation()
        place.location = location.location
        trip.lastLocation = place
    }

    /// The vehicle's current position, with the time of its fix; nil if the position is unknown.
    private var stop: WireStopLocation? {
        guard let location, location.hasLocation else { return nil }
        var stop = WireStopLocation()
        stop.point = location.location
        stop.timestamp = location.fixTime
        return stop
    }
}
