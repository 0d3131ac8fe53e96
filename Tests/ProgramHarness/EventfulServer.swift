import FleetEngineAPI
import Foundation
import GRPCCore
import SwiftProtobuf
import TripTesting

/// A scripted server with a ride and a shipment that produce every hook and link event. Their states advance with each request.
enum EventfulServer {
    static let shipmentName = "providers/demo/taskTrackingInfo/P-1"
    private static let pickup = -35.99
    private static let dropoff = -35.95

    /// Returns the arguments for the ride, for its trip treated as an order, or for the shipment.
    static func subject(_ kind: String) -> [String] {
        switch kind {
        case "shipment": [shipmentName]
        case "order": [MadeUpRide.name, "--order"]
        default: [MadeUpRide.name]
        }
    }

    /// Creates the server.
    /// - Parameter skipped: the number of states to leave out at the beginning.
    static func make(skipping skipped: Int = 0) -> ScriptedFleetEngine {
        var script = FleetEngineScript()
        script.getTrip = { _, call in try trip(call.number + skipped) }
        script.getTaskTrackingInfo = { _, call in try shipment(call.number + skipped) }
        return ScriptedFleetEngine(script)
    }

    private static func trip(_ step: Int) throws -> WireTrip {
        guard step != 8 else { throw RPCError(code: .unavailable, message: "restarting") }
        return .with {
            $0.name = MadeUpRide.name
            $0.tripType = .exclusive
            $0.pickupPoint.point = place(pickup)
            $0.dropoffPoint.point = place(dropoff)
            $0.tripStatus = step == 1 ? .new : step < 9 ? .enrouteToPickup : step == 9 ? .arrivedAtPickup : .complete
            guard step > 1 else { return }
            $0.vehicleID = "car-1"
            if step < 10 { addJourney(to: &$0, step) }
        }
    }

    private static func addJourney(to trip: inout WireTrip, _ step: Int) {
        let (seconds, meters): (Double, Int32) = step == 2 ? (600, 2_000) : (200, 400)
        trip.lastLocation = location(secondsAgo: (4...6).contains(step) ? 300 : 0)
        (trip.pickupTime, trip.dropoffTime) = (time(in: seconds), time(in: seconds + 300))
        trip.etaToFirstWaypoint = time(in: seconds)
        trip.remainingDistanceMeters = .init(meters)
        trip.route = [place(-36), place(-35.995), place(pickup)]
        trip.currentRouteSegmentTraffic.speedReadingInterval = [
            .with {
                $0.endPolylinePointIndex = 1
                $0.speed = .slow
            }
        ]
        trip.remainingWaypoints = [
            stop(.pickupWaypointType, pickup, meters: meters, in: seconds),
            stop(.dropOffWaypointType, dropoff, meters: 4_400, in: seconds + 300),
        ]
    }

    private static func stop(_ type: WireWaypointType, _ latitude: Double, meters: Int32, in seconds: Double) -> WireTripWaypoint {
        .with {
            $0.tripID = "made-up-ride"
            $0.waypointType = type
            $0.location.point = place(latitude)
            $0.distanceMeters = .init(meters)
            $0.eta = time(in: seconds)
        }
    }

    private static func shipment(_ step: Int) throws -> WireTaskTrackingInfo {
        guard step != 4 else { throw RPCError(code: .unavailable, message: "restarting") }
        return .with {
            $0.name = shipmentName
            $0.trackingID = "P-1"
            // From the sixth state on, the tracking id belongs to a task at another address.
            $0.plannedLocation.point = place(step < 6 ? -35.98 : -35.97)
            $0.targetTimeWindow = .with {
                $0.startTime = time(in: 600)
                $0.endTime = time(in: 4_200)
            }
            $0.state = step < 7 ? .open : .closed
            guard step < 7 else {
                ($0.taskOutcome, $0.taskOutcomeTime) = (.succeeded, time(in: 0))
                return
            }
            let (seconds, meters, stops): (Double, Int32, Int32) = step == 1 ? (1_200, 5_000, 5) : (100, 900, 2)
            $0.vehicleLocation = location(secondsAgo: 0)
            ($0.remainingStopCount, $0.remainingDrivingDistanceMeters) = (.init(stops), .init(meters))
            ($0.estimatedArrivalTime, $0.estimatedTaskCompletionTime) = (time(in: seconds), time(in: seconds + 120))
            $0.routePolylinePoints = [place(-36), place(-35.98)]
        }
    }

    private static func place(_ latitude: Double) -> WireLatLng {
        .with {
            $0.latitude = latitude
            $0.longitude = -20
        }
    }

    private static func time(in seconds: Double) -> Google_Protobuf_Timestamp { .init(date: Date(timeIntervalSinceNow: seconds)) }

    private static func location(secondsAgo: Double) -> WireVehicleLocation {
        .with {
            $0.location = place(-36)
            ($0.updateTime, $0.serverTime) = (time(in: -secondsAgo), time(in: -secondsAgo))
            ($0.speed, $0.heading) = (.init(8), .init(0))
        }
    }
}
