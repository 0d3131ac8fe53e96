import DemoTown
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf
import Testing

@testable import LocalFleetEngine

@Suite("Planning ways")
struct RoutePlanningTests {
    private static let town = DemoTown()

    @Test("the straight line says what it is, at town speed")
    func straight() throws {
        let route = try #require(StraightLineRoutePlanning().route(from: World.centre, to: World.pickup))
        #expect(route.origin == .straightLine && route.origin.rawValue == "straight line")
        #expect(abs(route.lengthMeters - 1_000) < 1 && abs(route.durationSeconds - 120) < 0.2)
        #expect(StraightLineRoutePlanning().route(from: Coordinate(latitude: .nan, longitude: 0), to: World.pickup) == nil)
        #expect(StraightLineRoutePlanning(speedMetersPerSecond: 0).speedMetersPerSecond == 0.1)
        #expect(StraightLineRoutePlanning(speedMetersPerSecond: .nan).speedMetersPerSecond == 0.1)
    }

    @Test("inside the demo town ways follow its roads, elsewhere they are straight")
    func demoTown() throws {
        let planner = FallbackRoutePlanning.demoTown(Self.town)
        let (start, end) = (try #require(Self.town.landmarks.first).coordinate, try #require(Self.town.landmarks.last).coordinate)
        let inside = try #require(planner.route(from: start, to: end))
        #expect(inside.origin == .roads && inside.points.count > 2 && inside.cumulativeSeconds.count == inside.points.count)
        #expect(inside.lengthMeters >= start.distanceMeters(to: end) - 2)
        #expect(try #require(planner.route(from: start, to: World.centre)).origin == .straightLine)
        #expect(FallbackRoutePlanning([]).route(from: start, to: end) == nil)
    }

    @Test("a trip in the demo town: the car follows the planned way, and time left falls with the way's own speeds")
    func tripInTown() throws {
        var world = World()
        world.engine = FleetEngineState(planner: FallbackRoutePlanning.demoTown(Self.town))
        let (start, end) = (try #require(Self.town.landmarks.first).coordinate, try #require(Self.town.landmarks.last).coordinate)
        try world.createVehicle("car") { $0.vehicle.lastLocation = .at(start) }
        let trip = try world.createTrip("t1") {
            $0.trip.pickupPoint = .at(end)
            $0.trip.vehicleID = "car"
        }
        let way = Polyline(trip.route.map(\.coordinate))
        var last = trip.remainingTimeToFirstWaypoint.lengthSeconds
        for step in 1...10 {
            world.wait(5)
            try world.move("car", to: try #require(way.coordinate(atMeters: way.lengthMeters * Double(step) / 10)))
            let now = try world.getTrip("t1") { $0.currentRouteSegmentVersion = trip.currentRouteSegmentVersion }
            #expect(now.route.isEmpty && now.lastLocationSnappable)
            #expect(abs(Double(now.remainingDistanceMeters.value) - way.lengthMeters * Double(10 - step) / 10) < 2)
            #expect(now.remainingTimeToFirstWaypoint.lengthSeconds < last)
            last = now.remainingTimeToFirstWaypoint.lengthSeconds
        }
        #expect(last < 0.01)
    }

    @Test("a planner without an answer leaves the route open, and the engine goes on")
    func noWay() throws {
        var world = World()
        world.engine = FleetEngineState(planner: FallbackRoutePlanning([]))
        try world.createVehicle("car")
        let trip = try world.createTrip("t1") { $0.trip.vehicleID = "car" }
        #expect(trip.route.isEmpty && trip.remainingWaypoints.count == 2 && !trip.hasEtaToFirstWaypoint && !trip.hasDropoffTime)
        try world.updateVehicle("car", ["current_route_segment"]) { $0.currentRouteSegment = RouteTests.detour }
        #expect(try world.getTrip("t1").route.count == 4)
        #expect(try world.getTrip("t1").hasPickupTime && !world.getTrip("t1").hasDropoffTime)
        try world.setStatus("t1", .complete)
    }
}
