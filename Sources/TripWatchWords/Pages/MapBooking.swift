package import FleetEngine
package import Geo

/// A ride whose pickup and drop-off were chosen on the map.
package struct MapRide: Hashable, Sendable {
    package var pickup: Coordinate
    package var dropoff: Coordinate

    package init(pickup: Coordinate, dropoff: Coordinate) {
        self.pickup = pickup
        self.dropoff = dropoff
    }
}

/// The steps of a booking on the map, in order. After the last step, the screen follows the booked trip.
package enum MapBooking: Hashable, Sendable {
    case choosingPickup
    case choosingDropoff(pickup: Coordinate)
    /// The screen asks the user whether to book.
    /// - Parameter problem: the reason why the last attempt failed, as a sentence; nil before the first attempt.
    case confirming(MapRide, problem: String?)
    /// The booking has been sent, but the provider has not answered yet.
    case sending(MapRide)
}

/// The result of a booking.
package enum BookingResult: Hashable, Sendable {
    case booked(TripName)
    /// The provider did not book the ride. The text is the reason, as a sentence.
    case failed(String)
    /// The answer was lost, so it is unknown whether the ride was booked. The text is the reason, as a sentence.
    case unknown(String)
}
