import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing

@testable import ConsumerMap

/// A square corner in the middle of an ocean: 1,000 m east, then 1,000 m north.
enum Corner {
    static let start = Coordinate(latitude: 10, longitude: -30)
    static func place(_ east: Double, _ north: Double) -> Coordinate { start.offset(eastMeters: east, northMeters: north) }
    static let line = Polyline([start, place(1_000, 0), place(1_000, 1_000)])
    static let later = Polyline([place(1_000, 1_000), place(3_000, 1_000)])

    static func name(_ id: String = "made-up") -> TripName? { try? TripName(provider: "nobody", trip: id) }

    static func trip(_ name: TripName, status: TripStatus = .enrouteToPickup) -> Trip {
        var trip = Trip(
            name: name, vehicleID: "cart-1", status: status, pickupPoint: place(1_000, 1_000), dropoffPoint: place(3_000, 1_000))
        trip.activeRoute = line.coordinates
        trip.remainingWaypoints = [
            TripWaypoint(coordinate: place(1_000, 1_000), tripID: name.trip, type: .pickup, path: line.coordinates),
            TripWaypoint(coordinate: place(3_000, 1_000), tripID: name.trip, type: .dropoff, path: later.coordinates),
        ]
        return trip
    }

    /// A vehicle that stands so many metres along the line.
    static func drawn(along meters: Double) -> VehicleMotion.Drawn? {
        var motion = VehicleMotion()
        guard let name = name(), let place = line.coordinate(atMeters: meters) else { return nil }
        var trip = trip(name)
        trip.lastLocation = VehicleLocation(coordinate: place, speedMetersPerSecond: 0)
        let now = Date(timeIntervalSince1970: 1_900_000_000)
        motion.observe(trip, ageSeconds: 0, isNewFix: true, now: now)
        return motion.frame(at: now)
    }

    static func journey(along meters: Double, _ change: (inout Trip) -> Void = { _ in }) -> Journey? {
        guard let name = name() else { return nil }
        var trip = trip(name)
        change(&trip)
        var journey = Journey(tripName: name)
        journey.observe(trip: trip, vehicle: drawn(along: meters), freshness: .live, ageSeconds: 2)
        return journey
    }
}
