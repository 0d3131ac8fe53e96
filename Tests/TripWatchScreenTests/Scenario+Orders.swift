import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing

/// The course of an order. The shop is at the pickup of the ride. On the way to the user, the courier stops at another customer's address.
extension Scenario {
    /// Plays the order up to a step.
    /// - Parameter word: the last step to play.
    mutating func playOrder(_ word: String) {
        answer("14:01:55", { name, _ in Self.order(MadeUpTrip.new(name)) })
        guard word != "order-looking" else { return tick("14:03:18") }
        answer("14:02:10") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 4_300, arrival: "14:13:00", speed: 0, at: time)
            trip.status = .new
            return Self.order(trip)
        }
        drive(from: "14:02:20", to: "14:07:12", meters: 1_804...4_300) {
            Self.order(MadeUpTrip.approaching($0, metersToGo: $1, arrival: "14:13:00", at: $2))
        }
        guard word != "order-to-shop" else { return tick("14:07:15") }
        drive(from: "14:07:22", to: "14:13:00", meters: 20...1_740) {
            Self.order(MadeUpTrip.approaching($0, metersToGo: $1, arrival: "14:13:00", at: $2))
        }
        drive(from: "14:13:08", to: "14:13:48", meters: 0...0) { name, _, time in Self.order(MadeUpTrip.waiting(name, at: time)) }
        guard word != "order-at-shop" else { return tick("14:13:50") }
        drive(from: "14:13:58", to: "14:16:00", meters: 1_100...1_780) {
            var trip = MadeUpTrip.ridingToStop($0, metersToGo: $1, at: $2)
            trip.status = .enrouteToDropoff
            return Self.order(trip)
        }
        guard word != "order-on-way" else { return tick("14:16:04") }
        answer("14:31:06", { name, _ in Self.order(MadeUpTrip.complete(name)) })
    }

    /// Returns the trip as an order, with a stop at another customer's address.
    static func order(_ ride: Trip) -> Trip {
        var trip = ride
        trip.attributes = ["kind": "order", "pickup_name": "Noodle House", "license_plate": "KVX 204", "color": "teal", "model": "Scooter"]
        trip.intermediateDestinations = []
        trip.intermediateDestinationIndex = 0
        trip.remainingWaypoints = ride.remainingWaypoints.map { waypoint in
            guard waypoint.type == .intermediate else { return waypoint }
            var others = waypoint
            others.type = .dropoff
            others.tripID = "somebody-else"
            return others
        }
        return trip
    }
}
