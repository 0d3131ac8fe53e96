import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing

@testable import ConsumerMap

/// A route with one right angle, in the middle of an ocean: 1,000 m east, then 1,000 m north.
enum Corner {
    static let start = Coordinate(latitude: 10, longitude: -30)
    static func place(_ east: Double, _ north: Double) -> Coordinate { start.offset(eastMeters: east, northMeters: north) }
    static let line = Polyline([start, place(1_000, 0), place(1_000, 1_000)])
    static let later = Polyline([place(1_000, 1_000), place(3_000, 1_000)])

    static func name(_ id: String = "made-up") -> TripName? { try? TripName(provider: "nobody", trip: id) }

    static func trip(_ name: TripName, status: TripStatus = .enrouteToPickup) -> Trip {
        var trip = Trip(
            name: name, vehicleID: "cart-1", status: status, pickupPoint: place(1_000, 1_000), dropoffPoint: place(3_000, 1_000))
        trip.activeRoute = RouteLine(line)
        trip.remainingWaypoints = [
            TripWaypoint(coordinate: place(1_000, 1_000), tripID: name.trip, type: .pickup, path: RouteLine(line)),
            TripWaypoint(coordinate: place(3_000, 1_000), tripID: name.trip, type: .dropoff, path: RouteLine(later)),
        ]
        return trip
    }

    static let now = Date(timeIntervalSince1970: 1_900_000_000)

    /// Returns a journey whose vehicle has driven `meters` along the line.
    static func journey(along meters: Double, _ change: (inout Trip) -> Void = { _ in }) -> JourneyTracker? {
        guard let name = name() else { return nil }
        var trip = trip(name)
        change(&trip)
        var journey = JourneyTracker(tripName: name)
        journey.observe(trip, along: meters, at: now)
        return journey
    }
}

extension JourneyTracker {
    /// Processes a server's answer in which the vehicle has driven `meters` along the line. If `meters` is nil, the answer has no position.
    mutating func observe(_ answer: Trip, along meters: Double? = nil, at now: Date = Corner.now) {
        var trip = answer
        trip.lastLocation = meters.flatMap(Corner.line.coordinate).map {
            VehicleLocation(coordinate: $0, speedMetersPerSecond: 0, serverTime: now)
        }
        observe(TripUpdate(name: tripName, time: now, kind: .trip(trip, changed: TripPropertyFields(from: self.trip, to: trip))))
        advance(to: now)
    }
}
