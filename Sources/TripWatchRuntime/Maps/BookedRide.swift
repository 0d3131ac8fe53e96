package import FoundationEssentials
package import Geo
package import ProviderBackend

/// A ride that was booked on the map.
package struct BookedRide: Sendable {
    package let booking: ProviderBooking
    /// The drop-off that the rider chose.
    package let dropoff: Coordinate
    package let bookedAt: Date
}
