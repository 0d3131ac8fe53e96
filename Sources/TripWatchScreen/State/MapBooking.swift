package import FleetEngine
package import Geo

/// A ride whose ends were chosen on the map.
package struct MapRide: Hashable, Sendable {
    /// Where the rider gets in.
    package var pickup: Coordinate
    /// Where the rider gets out.
    package var dropoff: Coordinate
}

/// The steps of a booking on the map, in their order. The trip that is followed comes after the last one.
package enum MapBooking: Hashable, Sendable {
    case choosingPickup
    case choosingDropoff(pickup: Coordinate)
    /// The user is asked whether to book.
    /// - Parameter problem: why the last try has failed, in a sentence; nil before the first one.
    case confirming(MapRide, problem: String?)
    /// The provider's answer is waited for.
    case sending(MapRide)
}

/// The provider's answer to a booking.
package enum BookingResult: Hashable, Sendable {
    case booked(TripName)
    /// Why not, in a sentence.
    case failed(String)
    /// The answer was lost: why, in a sentence.
    case unknown(String)
}
