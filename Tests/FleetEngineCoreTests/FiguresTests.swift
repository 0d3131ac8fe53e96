import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import FleetEngineCore

/// Two riders, a and b, share a car. Rider a gets in at 1 km and out at 1.6 km. Rider b gets in at 9 km and out at 10 km. The stops in
/// the car's list are: pickup of a, pickup of b, drop-off of a, drop-off of b.
@Suite("The stops to which a driver's figures apply")
struct FiguresTests {
    private static let (aIn, aOut) = (World.place(east: 1_000), World.place(east: 1_600))
    private static let (bIn, bOut) = (World.place(east: 9_000), World.place(east: 10_000))

    private static func pool() throws -> World {
        var world = World()
        try world.createVehicle("car")
        for (id, pickup, dropoff) in [("a", aIn, aOut), ("b", bIn, bOut)] {
            try world.createTrip(id) {
                $0.trip.tripType = .shared
                $0.trip.pickupPoint = .at(pickup)
                $0.trip.dropoffPoint = .at(dropoff)
                $0.trip.vehicleID = "car"
            }
        }
        let (pickup, dropoff) = (WireWaypointType.pickupWaypointType, WireWaypointType.dropOffWaypointType)
        try world.updateVehicle("car", ["waypoints"]) {
            $0.waypoints = [.of("a", pickup), .of("b", pickup), .of("a", dropoff), .of("b", dropoff)]
        }
        return world
    }

    /// Sends a driver's report. It has the position, the route if one is given, and the remaining distance and time if `meters` is given.
    private static func report(
        _ world: inout World, at place: Coordinate, route: [Coordinate]?, meters: Int32?, seconds: Int32? = nil, accuracy: Double = 5
    ) throws {
        var paths = ["last_location"]
        if route != nil { paths.append("current_route_segment") }
        if meters != nil { paths += ["remaining_distance_meters", "remaining_time_seconds"] }
        try world.updateVehicle("car", paths) {
            $0.lastLocation = .at(place)
            $0.lastLocation.latlngAccuracy = .init(accuracy)
            if let route { $0.currentRouteSegment = S2Polyline.encode(route) }
            if let meters {
                $0.remainingDistanceMeters = Google_Protobuf_Int32Value(meters)
                $0.remainingTimeSeconds = Google_Protobuf_Int32Value(seconds ?? meters / 10)
            }
        }
    }

    /// Returns the metres from the vehicle to each remaining stop: the sum of the legs up to the stop.
    private func meters(_ trip: WireTrip) -> [Int] {
        var sum = 0
        return trip.remainingWaypoints.enumerated().map { index, stop in
            sum += Int(index == 0 ? trip.remainingDistanceMeters.value : stop.distanceMeters.value)
            return sum
        }
    }

    private func seconds(_ time: Google_Protobuf_Timestamp, _ world: World) -> Double { time.moment.timeIntervalSince(world.now) }

    private func isClose(_ one: [Int], _ other: [Int], within limit: Int = 3) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) <= limit }
    }

    @Test("if a driver takes one rider home first, the next rider does not see a car that is near")
    func otherRidersStop() throws {
        var world = try Self.pool()
        try world.setStatus("a", .enrouteToDropoff)
        try Self.report(&world, at: Self.aIn, route: [Self.aIn, Self.aOut], meters: 600, seconds: 60)
        let second = try world.getTrip("b")
        #expect(isClose(meters(second), [8_000, 8_000 + 7_400, 8_000 + 7_400 + 8_400]), "\(meters(second))")
        #expect(abs(seconds(second.pickupTime, world) - 800) < 1 && abs(seconds(second.etaToFirstWaypoint, world) - 800) < 1)
        // Rider b still sees the driver's route to the drop-off of a, because the car follows it.
        #expect(second.route.last?.coordinate.distanceMeters(to: Self.aOut) ?? .infinity < 1)
        let first = try world.getTrip("a")
        #expect(isClose(meters(first), [8_000, 15_400]) && abs(seconds(first.dropoffTime, world) - 1_540) < 1)
        // The distances decrease as the car drives on.
        world.wait(30)
        try Self.report(&world, at: World.place(east: 1_300), route: nil, meters: 300)
        #expect(isClose(meters(try world.getTrip("b")), [7_700, 15_100, 23_500]))
        // The answer to the driver's own request has the distance that the driver reported.
        #expect(try world.getVehicle("car").remainingDistanceMeters.value == 300)
    }

    @Test("between a status and the next route, the figures of the previous leg are not used")
    func oldFiguresAfterStatus() throws {
        var world = try Self.pool()
        try Self.report(&world, at: World.place(east: 900), route: [World.centre, Self.aIn], meters: 110, seconds: 11)
        #expect(isClose(meters(try world.getTrip("a")), [110, 8_110, 15_510], within: 1))
        try world.setStatus("a", .enrouteToDropoff)
        try Self.report(&world, at: Self.aIn, route: nil, meters: 0)
        #expect(isClose(meters(try world.getTrip("b")), [8_000, 15_400, 23_800]))
        let onward = [Self.aIn, World.place(east: 5_000, north: 500), Self.bIn]
        try Self.report(&world, at: Self.aIn, route: onward, meters: 8_200, seconds: 700)
        let trip = try world.getTrip("b")
        #expect(isClose(meters(trip), [8_200, 15_600, 24_000]))
        #expect(abs(seconds(trip.pickupTime, world) - 700) < 0.1 && abs(seconds(trip.dropoffTime, world) - 700 - 740 - 840) < 1)
    }

    @Test("a route through several stops applies to each of them, and stops after its end are added")
    func throughStops() throws {
        var world = try Self.pool()
        try Self.report(&world, at: World.centre, route: [World.centre, Self.aIn, Self.bIn], meters: 9_900, seconds: 495)
        let trip = try world.getTrip("b")
        // Up to the route's end, the distances are a tenth longer than the straight lines, and the speed is 20 m/s.
        #expect(isClose(meters(trip), [1_100, 9_900, 17_300, 25_700]))
        #expect(abs(trip.remainingDistanceMeters.value - 1_100) <= 2 && abs(seconds(trip.etaToFirstWaypoint, world) - 55) < 0.5)
        #expect(abs(seconds(trip.pickupTime, world) - 495) < 0.1)
        // This route does not pass the first stop. The route's figures may belong to another stop, so they are ignored.
        let around = [World.centre, World.place(east: 1_000, north: 60), World.place(east: 2_000), Self.bIn]
        try Self.report(&world, at: World.centre, route: around, meters: 9_900, seconds: 495)
        #expect(isClose(meters(try world.getTrip("b")), [1_000, 9_000, 16_400, 24_800]))
    }

    @Test("a route reaches a stop within 50 m of its end", arguments: [(48.0, true), (52, false)])
    func reach(offset: Double, isReached: Bool) throws {
        var world = try Self.pool()
        let end = World.place(east: 1_000, north: offset)
        try Self.report(&world, at: World.centre, route: [World.centre, end], meters: 1_234, seconds: 200)
        #expect((try world.getTrip("a").remainingDistanceMeters.value == 1_234) == isReached)
        #expect((abs(seconds(try world.getTrip("a").etaToFirstWaypoint, world) - 200) < 0.1) == isReached)
        // If the driver names the stop, the distance between the stop and the route's end does not matter.
        try world.updateVehicle("car", ["current_route_segment", "current_route_segment_end_point"]) {
            $0.currentRouteSegment = S2Polyline.encode([World.centre, end])
            $0.currentRouteSegmentEndPoint = .of("a", .pickupWaypointType)
        }
        #expect(try world.getTrip("a").remainingDistanceMeters.value == 1_234)
    }

    @Test("no distance is shorter than the straight line")
    func straightLine() throws {
        var world = try Self.pool()
        try Self.report(&world, at: World.centre, route: [World.centre, Self.aIn], meters: 7, seconds: 1)
        let trip = try world.getTrip("b")
        #expect(isClose(meters(trip), [1_000, 9_000, 16_400, 24_800]))
        // The engine assumes at most 50 m/s.
        #expect(seconds(trip.etaToFirstWaypoint, world) >= 20)
        // Without a route, a distance shorter than the straight line must belong to another stop.
        var other = try Self.pool()
        try Self.report(&other, at: World.centre, route: nil, meters: 7, seconds: 1)
        #expect(abs(seconds(try other.getTrip("a").etaToFirstWaypoint, other) - 100) < 0.5)
        try Self.report(&other, at: World.centre, route: nil, meters: 1_500, seconds: 140)
        #expect(isClose(meters(try other.getTrip("a")), [1_500, 9_500, 16_900], within: 1))
    }

    @Test("if only positions follow a report, its distance shrinks in proportion, its arrival stays, and a new report counts at once")
    func positionsAfterReport() throws {
        for route in [nil, [World.centre, Self.aIn]] as [[Coordinate]?] {
            var world = try Self.pool()
            try Self.report(&world, at: World.centre, route: route, meters: 1_200, seconds: 120)
            func expect(meters: Int32, seconds: Double) throws {
                let trip = try world.getTrip("a")
                #expect(abs(trip.remainingDistanceMeters.value - meters) <= 2, "\(trip.remainingDistanceMeters.value)")
                #expect(abs(self.seconds(trip.etaToFirstWaypoint, world) - seconds) < 0.5)
            }
            world.wait(30)
            try Self.report(&world, at: World.place(east: 500), route: nil, meters: nil)
            try expect(meters: 600, seconds: 90)
            #expect(try world.getVehicle("car").remainingDistanceMeters.value == 1_200)
            #expect(world.copy == world.engine)
            // A report of the time alone leaves the distance as it is.
            try world.updateVehicle("car", ["remaining_time_seconds"]) { $0.remainingTimeSeconds = Google_Protobuf_Int32Value(70) }
            try expect(meters: 600, seconds: 70)
            try Self.report(&world, at: World.place(east: 945), route: nil, meters: 80, seconds: 9)
            try expect(meters: 80, seconds: 9)
        }
    }

    @Test("a trip whose car has arrived does not show the figures from before the arrival")
    func figuresBeforeArrival() throws {
        var world = try Self.pool()
        try world.setStatus("a", .enrouteToPickup)
        try Self.report(&world, at: World.place(east: 600), route: nil, meters: 400, seconds: 30)
        world.wait(6)
        let trip = try world.setStatus("a", .arrivedAtPickup)
        #expect(trip.remainingDistanceMeters.value == 0 && trip.remainingTimeToFirstWaypoint.lengthSeconds == 0)
        #expect(trip.pickupTime.moment <= world.now && isClose(meters(trip), [0, 8_000, 15_400]))
    }

    @Test("a car that has arrived at a distance from its first stop, and sends no positions there, delays all later arrivals")
    func silentArrival() throws {
        var world = try Self.pool()
        world.wait(100)
        try Self.report(&world, at: World.place(east: 940), route: nil, meters: nil)
        try world.setStatus("a", .enrouteToPickup)
        try world.setStatus("a", .arrivedAtPickup)
        world.wait(900)
        let (first, second) = (try world.getTrip("a"), try world.getTrip("b"))
        #expect(abs(seconds(second.pickupTime, world) - 800) < 1)
        #expect(abs(seconds(first.dropoffTime, world) - 1_540) < 1)
        let car = try #require(world.engine.vehicles.values.first)
        let record = try #require(world.engine.trips.values.first { $0.name.trip == "a" })
        let dropoff = try #require(record.trip(of: [car.name: car], now: world.now).dropoffTime)
        #expect(dropoff > world.now)
    }

    @Test("no arrival of a car without a position moves with the clock")
    func noPosition() throws {
        var world = World()
        try world.createVehicle("car") { $0.vehicle.clearLastLocation() }
        try world.createTrip("t1")
        try world.assign("t1", to: "car")
        try world.updateVehicle("car", ["eta_to_first_waypoint"]) {
            $0.etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: World.start.addingTimeInterval(100))
        }
        let before = try world.getTrip("t1")
        #expect(abs(seconds(before.dropoffTime, world) - 400) < 1)
        world.wait(3_600)
        let after = try world.getTrip("t1")
        #expect(after.dropoffTime == before.dropoffTime && after.etaToFirstWaypoint == before.etaToFirstWaypoint)
    }

    @Test(
        "a fix farther from the line than max(50 m, 2 × accuracy) makes the engine plan a new route from the fix",
        arguments: [(45.0, 5.0, false), (60, 5, true), (60, 40, false), (90, 40, true)])
    func planAnew(offset: Double, accuracy: Double, isLeft: Bool) throws {
        // The first case is the engine's plan. The second is a route from the driver without a distance or time.
        for route in [nil, [World.centre, Self.aIn]] as [[Coordinate]?] {
            var world = try Self.pool()
            try Self.report(&world, at: World.centre, route: route, meters: nil)
            world.wait(60)
            let place = World.place(east: 400, north: offset)
            try Self.report(&world, at: place, route: nil, meters: nil, accuracy: accuracy)
            let trip = try world.getTrip("a")
            if route == nil { #expect((trip.route.first?.coordinate == place) == isLeft) }
            #expect(abs(Double(trip.remainingDistanceMeters.value) - place.distanceMeters(to: Self.aIn)) <= 1.5)
            // The speed is 30 km/h on an uploaded route without times, and 10 m/s on the engine's own routes.
            let speed = route == nil || isLeft ? 10 : 30 / 3.6
            #expect(abs(seconds(trip.etaToFirstWaypoint, world) - 600 / speed) < 3, "\(seconds(trip.etaToFirstWaypoint, world))")
        }
    }

    @Test("if a new order puts another stop first, the driver's figures stay with the stop that the driver drives to")
    func reordered() throws {
        var world = try Self.pool()
        try Self.report(&world, at: World.centre, route: [World.centre, Self.aIn], meters: 1_050, seconds: 90)
        let (pickup, dropoff) = (WireWaypointType.pickupWaypointType, WireWaypointType.dropOffWaypointType)
        try world.updateVehicle("car", ["waypoints"]) {
            $0.waypoints = [.of("b", pickup), .of("a", pickup), .of("a", dropoff), .of("b", dropoff)]
        }
        #expect(isClose(meters(try world.getTrip("b")), [9_000, 17_000, 17_600, 26_000]))
        try Self.report(&world, at: World.place(east: 100), route: nil, meters: 950)
        #expect(isClose(meters(try world.getTrip("b")), [8_900, 16_900, 17_500, 25_900]))
    }
}
