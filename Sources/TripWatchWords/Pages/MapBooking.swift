package import FleetEngine
package import Geo

/// A ride whose pickup and drop-off were chosen on the map.
package struct MapRide: Hashable, Sendable {
    package var pickup: Coordinate
    package var dropoff: Coordinate
    /// The names of the two places, for the provider; nil for a place that was not found by its name.
    package var pickupName, dropoffName: String?

    package init(pickup: Coordinate, dropoff: Coordinate, pickupName: String? = nil, dropoffName: String? = nil) {
        self.pickup = pickup
        self.dropoff = dropoff
        self.pickupName = pickupName
        self.dropoffName = dropoffName
    }
}

/// The steps of a booking on the map, in order. When the ride is booked, the screen follows the trip.
package enum MapBooking: Hashable, Sendable {
    case choosingPickup
    case choosingDropoff(pickup: Coordinate)
    /// The screen asks the user whether to book.
    /// - Parameter problem: the reason why the last attempt failed, as a sentence; nil before the first attempt.
    case confirming(MapRide, problem: String?)
    /// The booking has been sent, but the provider has not answered yet.
    case sending(MapRide)
    /// The answer was lost, so the ride may have been booked.
    /// - Parameter isAsking: whether the screen asks the user whether to book again.
    case uncertain(MapRide, reason: String, isAsking: Bool)
}

/// The result of a booking.
package enum BookingResult: Hashable, Sendable {
    case booked(TripName)
    /// The provider did not book the ride. The text is the reason, as a sentence.
    case failed(String)
    /// The answer was lost, so it is unknown whether the ride was booked. The text is the reason, as a sentence.
    case unknown(String)
}
