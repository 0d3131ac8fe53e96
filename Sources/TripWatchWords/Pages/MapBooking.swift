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

/// Steps of a booking on the map, in order. After the last step the screen follows the booked trip.
package enum MapBooking: Hashable, Sendable {
    case choosingPickup
    case choosingDropoff(pickup: Coordinate)
    /// The user is asked whether to book.
    /// - Parameter problem: the reason why the last attempt failed, as a sentence; nil before the first attempt.
    case confirming(MapRide, problem: String?)
    /// The provider's answer is pending.
    case sending(MapRide)
}

/// The provider's answer to a booking.
package enum BookingResult: Hashable, Sendable {
    case booked(TripName)
    /// The reason, as a sentence.
    case failed(String)
    /// The answer was lost; the reason, as a sentence.
    case unknown(String)
}
