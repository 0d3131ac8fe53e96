import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

@Suite("Assigning a vehicle")
struct AssignmentTests {
    @Test("the answer carries route, ETA, times, distance and waypoints at once; the status stays NEW")
    func computedAtOnce() throws {
        var world = World()
        try world.createVehicle("car")
        try world.createTrip("t1")
        world.wait(5)
        let trip = try world.assign("t1", to: "car")
        #expect(trip.tripStatus == .new && trip.vehicleID == "car")
        #expect(trip.route.map(\.coordinate) == [World.centre, World.pickup])
        #expect(try S2Polyline.decode(trip.currentRouteSegment).count == 2)
        #expect(abs(Double(trip.remainingDistanceMeters.value) - 1_000) <= 1)
        #expect(abs(trip.etaToFirstWaypoint.moment.timeIntervalSince(world.now) - 100) < 0.1)
        #expect(abs(trip.remainingTimeToFirstWaypoint.lengthSeconds - 100) < 0.1)
        #expect(trip.pickupTime == trip.etaToFirstWaypoint)
        #expect(abs(trip.dropoffTime.moment.timeIntervalSince(world.now) - 400) < 0.2)
        #expect(trip.remainingWaypoints.map(\.waypointType) == [.pickupWaypointType, .dropOffWaypointType])
        #expect(trip.remainingWaypoints.map(\.tripID) == ["t1", "t1"])
        #expect(trip.vehicleWaypoints == trip.remainingWaypoints)
        #expect(trip.currentRouteSegmentEndPoint.tripID == "t1")
        #expect(trip.currentRouteSegmentEndPoint.waypointType == .pickupWaypointType)
        #expect(trip.currentRouteSegmentEndPoint.location.point.coordinate == World.pickup)
        #expect(trip.currentRouteSegmentTraffic.speedReadingInterval.map(\.speed) == [.normal])
        #expect(trip.lastLocation.location.coordinate == World.centre && trip.lastLocationSnappable)
        #expect(try world.getVehicle("car").currentTrips == ["t1"])
        #expect(try world.getVehicle("car").waypoints.map(\.tripID) == ["t1", "t1"])
    }

    @Test("a trip can be created with its vehicle")
    func atCreation() throws {
        var world = World()
        try world.createVehicle("car")
        let trip = try world.createTrip("t1") { $0.trip.vehicleID = "car" }
        #expect(trip.vehicleID == "car" && trip.remainingWaypoints.count == 2 && trip.vehicleWaypoints.count == 2)
        #expect(try world.getVehicle("car").currentTrips == ["t1"])
    }

    @Test("GetTrip does not show the vehicle's list of stops")
    func privateWaypoints() throws {
        let world = try World.assigned()
        #expect(try world.getTrip("t1").vehicleWaypoints.isEmpty)
    }

    @Test("an unknown vehicle is NOT_FOUND and nothing changes")
    func unknownVehicle() throws {
        var world = try World.assigned()
        refusal(.notFound) { try world.assign("t1", to: "nobody") }
        refusal(.invalidArgument, field: "trip.vehicle_id") { try world.assign("t1", to: "a/b") }
        #expect(try world.getTrip("t1").vehicleID == "car")
        refusal(.notFound) { try world.createTrip("t2") { $0.trip.vehicleID = "nobody" } }
        refusal(.notFound) { _ = try world.getTrip("t2") }
    }

    @Test("an empty id removes the vehicle: all live values are cleared, with new versions")
    func unassign() throws {
        var world = try World.assigned()
        let before = try world.getTrip("t1")
        world.wait(1)
        let trip = try world.assign("t1", to: "")
        #expect(trip.vehicleID.isEmpty && trip.route.isEmpty && trip.remainingWaypoints.isEmpty && !trip.hasLastLocation)
        #expect(!trip.hasEtaToFirstWaypoint && !trip.hasPickupTime && !trip.hasDropoffTime && !trip.hasRemainingDistanceMeters)
        #expect(trip.currentRouteSegmentVersion.moment > before.currentRouteSegmentVersion.moment)
        #expect(trip.remainingWaypointsRouteVersion.moment > before.remainingWaypointsRouteVersion.moment)
        let vehicle = try world.getVehicle("car")
        #expect(vehicle.currentTrips.isEmpty && vehicle.waypoints.isEmpty && vehicle.currentRouteSegment.isEmpty)
    }

    @Test("another vehicle takes over; a version of the first vehicle's route does not hide the second one's route")
    func reassign() throws {
        var world = World()
        try world.createVehicle("late") { $0.vehicle.lastLocation = .at(World.place(east: 0, north: 500)) }
        try world.createTrip("old") { $0.trip.vehicleID = "late" }
        world.wait(60)
        try world.createVehicle("car")
        let first = try world.createTrip("t1") { $0.trip.vehicleID = "car" }
        world.wait(1)
        try world.assign("t1", to: "late")
        let trip = try world.getTrip("t1") { $0.currentRouteSegmentVersion = first.currentRouteSegmentVersion }
        #expect(trip.route.first?.coordinate == World.place(east: 0, north: 500))
        #expect(try world.getVehicle("car").currentTrips.isEmpty)
        #expect(try world.getVehicle("late").currentTrips == ["old", "t1"])
    }

    @Test("an offline vehicle gets no new trip but keeps the trips it has")
    func offline() throws {
        var world = try World.assigned()
        try world.updateVehicle("car", ["vehicle_state"]) { $0.vehicleState = .offline }
        try world.createTrip("t2")
        refusal(.failedPrecondition) { try world.assign("t2", to: "car") }
        #expect(try world.setStatus("t1", .enrouteToPickup).remainingWaypoints.count == 2)
        #expect(try world.assign("t1", to: "car").vehicleID == "car")
    }

    @Test("a vehicle takes only the trip types that it supports")
    func tripTypes() throws {
        var world = World()
        try world.createVehicle("car") { $0.vehicle.supportedTripTypes = [.exclusive] }
        try world.createTrip("t1") { $0.trip.tripType = .shared }
        refusal(.failedPrecondition) { try world.assign("t1", to: "car") }
        try world.updateTrip("t1", ["trip_type"]) { $0.tripType = .exclusive }
        try world.assign("t1", to: "car")
        refusal(.failedPrecondition) { try world.updateTrip("t1", ["trip_type"]) { $0.tripType = .shared } }
    }

    @Test("a vehicle of another provider is unknown")
    func otherProvider() throws {
        var world = World()
        try world.createVehicle("car") { $0.parent = "providers/other" }
        try world.createTrip("t1")
        refusal(.notFound) { try world.assign("t1", to: "car") }
    }

    @Test("a vehicle without a position gets its route with the first one")
    func withoutPosition() throws {
        var world = World()
        try world.createVehicle("car") { $0.vehicle.clearLastLocation() }
        let trip = try world.createTrip("t1") { $0.trip.vehicleID = "car" }
        #expect(trip.remainingWaypoints.count == 2 && trip.route.isEmpty && !trip.hasEtaToFirstWaypoint && !trip.hasPickupTime)
        world.wait(5)
        try world.move("car", to: World.centre)
        let moved = try world.getTrip("t1")
        #expect(moved.route.count == 2 && moved.hasEtaToFirstWaypoint && moved.hasDropoffTime)
    }
}

@Suite("Back-to-back and shared trips")
struct ManyTripsTests {
    /// Returns a world with two trips. The pickups are at 1 and 2 km, the drop-offs at 3 and 4 km.
    private static func two(_ type: WireTripType) throws -> World {
        var world = World()
        try world.createVehicle("car")
        for (id, pickup, dropoff) in [("a", 1_000.0, 3_000.0), ("b", 2_000, 4_000)] {
            try world.createTrip(id) {
                $0.trip.tripType = type
                $0.trip.pickupPoint = .at(World.place(east: pickup))
                $0.trip.dropoffPoint = .at(World.place(east: dropoff))
                $0.trip.vehicleID = "car"
            }
        }
        return world
    }

    private func brief(_ waypoints: [WireTripWaypoint]) -> [String] {
        waypoints.map { "\($0.tripID)\($0.waypointType == .pickupWaypointType ? "+" : "-")" }
    }

    @Test("exclusive trips follow each other, and the rider of the later trip sees the stops of the earlier one")
    func backToBack() throws {
        var world = try Self.two(.exclusive)
        #expect(brief(try world.getTrip("a").remainingWaypoints) == ["a+", "a-"])
        let second = try world.getTrip("b")
        #expect(brief(second.remainingWaypoints) == ["a+", "a-", "b+", "b-"])
        // The vehicle drives 1 km to a's pickup, 2 km to a's drop-off, 1 km back to b's pickup, and 2 km to b's drop-off.
        #expect(abs(second.pickupTime.moment.timeIntervalSince(world.now) - 400) < 0.5)
        #expect(abs(second.dropoffTime.moment.timeIntervalSince(world.now) - 600) < 0.5)
        #expect(abs(second.etaToFirstWaypoint.moment.timeIntervalSince(world.now) - 100) < 0.5)
        #expect(abs(Double(second.remainingDistanceMeters.value) - 1_000) <= 1)
        try world.setStatus("a", .enrouteToDropoff)
        #expect(brief(try world.getTrip("b").remainingWaypoints) == ["a-", "b+", "b-"])
        try world.setStatus("a", .complete)
        let alone = try world.getTrip("b")
        #expect(brief(alone.remainingWaypoints) == ["b+", "b-"])
        #expect(alone.currentRouteSegmentEndPoint.tripID == "b")
        #expect(try world.getVehicle("car").currentTrips == ["b"])
    }

    @Test("a shared vehicle's order of stops is set by the caller; each rider sees it up to their own drop-off")
    func pool() throws {
        var world = try Self.two(.shared)
        let pickup = WireWaypointType.pickupWaypointType
        let dropoff = WireWaypointType.dropOffWaypointType
        let trip = try world.updateTrip("b", ["vehicle_id", "vehicle_waypoints"]) {
            $0.vehicleID = "car"
            $0.vehicleWaypoints = [.of("a", pickup), .of("b", pickup), .of("a", dropoff), .of("b", dropoff)]
        }
        #expect(brief(trip.vehicleWaypoints) == ["a+", "b+", "a-", "b-"])
        #expect(brief(try world.getTrip("a").remainingWaypoints) == ["a+", "b+", "a-"])
        #expect(brief(try world.getTrip("b").remainingWaypoints) == ["a+", "b+", "a-", "b-"])
        #expect(trip.remainingWaypoints.dropFirst().map(\.distanceMeters.value) == [1_000, 1_000, 1_000])
        try world.setStatus("a", .enrouteToDropoff)
        #expect(brief(try world.getTrip("a").remainingWaypoints) == ["b+", "a-"])
        #expect(brief(try world.getVehicle("car").waypoints) == ["b+", "a-", "b-"])
    }

    @Test("the driver can reorder the stops, but cannot add or remove any")
    func reorder() throws {
        var world = try Self.two(.shared)
        let pickup = WireWaypointType.pickupWaypointType
        let dropoff = WireWaypointType.dropOffWaypointType
        #expect(brief(try world.getVehicle("car").waypoints) == ["a+", "a-", "b+", "b-"])
        try world.updateVehicle("car", ["waypoints"]) {
            $0.waypoints = [.of("b", pickup), .of("a", pickup), .of("b", dropoff), .of("a", dropoff)]
        }
        #expect(brief(try world.getTrip("a").remainingWaypoints) == ["b+", "a+", "b-", "a-"])
        #expect(try world.getTrip("a").route.last?.coordinate == World.place(east: 2_000))
        let wrong: [[WireTripWaypoint]] = [
            [], [.of("a", pickup), .of("a", dropoff), .of("b", pickup)],
            [.of("a", dropoff), .of("a", pickup), .of("b", pickup), .of("b", dropoff)],
            [.of("a", pickup), .of("a", pickup), .of("b", pickup), .of("b", dropoff)],
            [.of("a", pickup), .of("c", dropoff), .of("b", pickup), .of("b", dropoff)],
            [.of("a", pickup), .of("a", dropoff), .of("b", pickup), .of("b", dropoff), .of("b", dropoff)],
        ]
        let before = try world.getVehicle("car")
        for waypoints in wrong {
            refusal(.invalidArgument) { try world.updateVehicle("car", ["waypoints"]) { $0.waypoints = waypoints } }
            refusal(.invalidArgument) { try world.updateTrip("a", ["vehicle_waypoints"]) { $0.vehicleWaypoints = waypoints } }
        }
        #expect(try world.getVehicle("car") == before)
    }

    @Test("no other stop may come between those of an exclusive trip")
    func exclusiveNotInterleaved() throws {
        var world = try Self.two(.exclusive)
        let pickup = WireWaypointType.pickupWaypointType
        let dropoff = WireWaypointType.dropOffWaypointType
        refusal(.invalidArgument, field: "vehicle.waypoints") {
            try world.updateVehicle("car", ["waypoints"]) {
                $0.waypoints = [.of("a", pickup), .of("b", pickup), .of("a", dropoff), .of("b", dropoff)]
            }
        }
        try world.updateVehicle("car", ["waypoints"]) {
            $0.waypoints = [.of("b", pickup), .of("b", dropoff), .of("a", pickup), .of("a", dropoff)]
        }
        #expect(brief(try world.getTrip("b").remainingWaypoints) == ["b+", "b-"])
    }

    @Test("vehicle_waypoints are ignored if there is no vehicle")
    func orderWithoutVehicle() throws {
        var world = World()
        let alone = try world.createTrip("t0") {
            $0.trip.tripType = .shared
            $0.trip.vehicleWaypoints = [.of("t9", .pickupWaypointType)]
        }
        #expect(alone.vehicleWaypoints.isEmpty && alone.tripStatus == .new)
        #expect(try world.updateTrip("t0", ["vehicle_waypoints"]) { $0.vehicleWaypoints = [.of("t9", .pickupWaypointType)] } == alone)
        try world.createVehicle("car")
        let trip = try world.createTrip("t1") {
            $0.trip.vehicleID = "car"
            $0.trip.vehicleWaypoints = [.of("", .pickupWaypointType), .of("t1", .dropOffWaypointType)]
        }
        #expect(brief(trip.remainingWaypoints) == ["t1+", "t1-"])
    }
}
