import FleetEngineAPI
import Foundation
import SwiftProtobuf
import TripTesting

/// An invented ride on a scripted server. Its state advances with each request.
enum MadeUpRide {
    static let name = "providers/demo/trips/made-up-ride"

    /// Creates the trip as a server would return it at the current time.
    static func trip(_ status: WireTripStatus, arrivesIn seconds: Int64 = 600) -> WireTrip {
        let now = Int64(Date().timeIntervalSince1970)
        return .with {
            $0.name = name
            $0.tripStatus = status
            guard status != .new else { return }
            $0.vehicleID = "car-1"
            $0.pickupTime.seconds = now + seconds
            $0.remainingDistanceMeters.value = 900
            $0.lastLocation = .with {
                $0.location.latitude = -36
                $0.location.longitude = -20
                $0.serverTime.seconds = now
            }
        }
    }

    /// Creates a server that returns these statuses one after another, and then COMPLETE.
    static func engine(
        _ course: [WireTripStatus] = [.new, .enrouteToPickup, .enrouteToPickup, .arrivedAtPickup], arrivesIn seconds: Int64 = 600
    ) -> ScriptedFleetEngine {
        ScriptedFleetEngine { _, call, _ in trip(course.dropFirst(call - 1).first ?? .complete, arrivesIn: seconds) }
    }
}
