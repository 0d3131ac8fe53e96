import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("A whole trip")
struct WholeTripTests {
    /// Returns a line of text with the trip's state as a rider would see it.
    private func line(_ world: World, _ step: String) throws -> String {
        let trip = try world.getTrip("t1")
        func clock(_ isSet: Bool, _ time: Google_Protobuf_Timestamp) -> String {
            isSet ? "\(Int(time.moment.timeIntervalSince(World.start).rounded()))" : "-"
        }
        let stops = trip.remainingWaypoints.map { waypoint -> String in
            switch waypoint.waypointType {
            case .pickupWaypointType: "P"
            case .dropOffWaypointType: "D"
            default: "I"
            }
        }
        return [
            step, "\(trip.tripStatus)", "car=\(trip.vehicleID.isEmpty ? "-" : trip.vehicleID)",
            "m=\(trip.hasRemainingDistanceMeters ? "\(trip.remainingDistanceMeters.value)" : "-")",
            "s=\(trip.hasRemainingTimeToFirstWaypoint ? "\(Int(trip.remainingTimeToFirstWaypoint.lengthSeconds.rounded()))" : "-")",
            "eta=\(clock(trip.hasEtaToFirstWaypoint, trip.etaToFirstWaypoint))", "pickup=\(clock(trip.hasPickupTime, trip.pickupTime))",
            "dropoff=\(clock(trip.hasDropoffTime, trip.dropoffTime))", "stops=\(stops.isEmpty ? "-" : stops.joined())",
            "route=\(trip.route.count)", "at=\(trip.hasLastLocation ? "yes" : "no")",
            "facts=\(trip.hasActualPickupPoint ? "p" : "")\(trip.hasActualDropoffPoint ? "d" : "")",
        ].joined(separator: " ")
    }

    @Test("from NEW to COMPLETE, step by step")
    func snapshot() throws {
        var world = World()
        var lines: [String] = []
        try world.createVehicle("car")
        try world.createTrip("t1")
        lines.append(try line(world, "booked"))
        world.wait(10)
        try world.assign("t1", to: "car")
        lines.append(try line(world, "assigned"))
        try world.setStatus("t1", .enrouteToPickup)
        world.wait(50)
        try world.move("car", to: World.place(east: 500))
        lines.append(try line(world, "half way"))
        world.wait(10)
        lines.append(try line(world, "no news"))
        try world.updateVehicle(
            "car", ["last_location", "current_route_segment", "remaining_distance_meters", "remaining_time_seconds", "navigation_status"]
        ) {
            $0.lastLocation = .at(World.place(east: 600))
            $0.currentRouteSegment = S2Polyline.encode([
                World.place(east: 600), World.place(east: 800, north: 50), World.pickup,
            ])
            $0.remainingDistanceMeters = Google_Protobuf_Int32Value(450)
            $0.remainingTimeSeconds = Google_Protobuf_Int32Value(60)
            $0.navigationStatus = .enrouteToDestination
        }
        lines.append(try line(world, "driver's route"))
        world.wait(60)
        try world.move("car", to: World.pickup)
        try world.setStatus("t1", .arrivedAtPickup)
        lines.append(try line(world, "at the door"))
        world.wait(30)
        try world.setStatus("t1", .enrouteToDropoff)
        lines.append(try line(world, "riding"))
        world.wait(100)
        try world.move("car", to: World.place(east: 2_000))
        lines.append(try line(world, "on the way"))
        world.wait(200)
        try world.move("car", to: World.dropoff)
        try world.setStatus("t1", .complete)
        lines.append(try line(world, "there"))
        #expect(
            lines.joined(separator: "\n") == """
                booked new car=- m=- s=- eta=- pickup=- dropoff=- stops=- route=0 at=no facts=
                assigned new car=car m=1000 s=100 eta=110 pickup=110 dropoff=410 stops=PD route=2 at=yes facts=
                half way enrouteToPickup car=car m=500 s=50 eta=110 pickup=110 dropoff=410 stops=PD route=2 at=yes facts=
                no news enrouteToPickup car=car m=500 s=40 eta=110 pickup=110 dropoff=410 stops=PD route=2 at=yes facts=
                driver's route enrouteToPickup car=car m=450 s=60 eta=130 pickup=130 dropoff=430 stops=PD route=3 at=yes facts=
                at the door arrivedAtPickup car=car m=1 s=0 eta=130 pickup=130 dropoff=430 stops=PD route=3 at=yes facts=
                riding enrouteToDropoff car=car m=3000 s=300 eta=460 pickup=160 dropoff=460 stops=D route=2 at=yes facts=p
                on the way enrouteToDropoff car=car m=2000 s=200 eta=460 pickup=160 dropoff=460 stops=D route=2 at=yes facts=p
                there complete car=car m=- s=- eta=- pickup=160 dropoff=460 stops=- route=0 at=yes facts=pd
                """)
    }

    @Test("the same requests at the same times get the same answers, down to the last byte")
    func deterministic() throws {
        func run() throws -> Data {
            var world = World()
            var bytes = Data()
            try world.createVehicle("car")
            for index in 0..<10 {
                world.wait(1)
                bytes += try world.createTrip("t\(index)") { $0.trip.vehicleID = "car" }.serializedBytes() as Data
            }
            var request = WireSearchTripsRequest()
            request.parent = World.provider
            request.vehicleID = "car"
            bytes += try world.engine.searchTrips(request, now: world.now).serializedBytes() as Data
            return bytes + (try world.getVehicle("car").serializedBytes() as Data)
        }
        #expect(try run() == run())
    }
}
