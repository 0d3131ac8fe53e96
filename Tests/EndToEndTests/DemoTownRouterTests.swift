import DemoTown
import FleetEngine
import FleetEngineAPI
import Foundation
import Geo
import LocalFleetEngine
import Routing
import SwiftProtobuf
import Testing

@testable import TripWatchRuntime

@Suite("The demo town's roads as a router", .timeLimit(.minutes(2)))
struct DemoTownRouterTests {
    private static let town = DemoTown()
    private let router = DemoTownRouter(town: Self.town)
    private let engine = LocalFleetEngine(time: SystemTimeSource(), router: DemoTownRouter(town: Self.town))

    private func ends() throws -> (start: Coordinate, end: Coordinate) {
        (try #require(Self.town.landmarks.first).coordinate, try #require(Self.town.landmarks.last).coordinate)
    }

    @Test("inside the town ways follow its roads, elsewhere there are none")
    func roads() async throws {
        let (start, end) = try ends()
        let route = try await router.route(RouteRequest(origin: start, destinations: [NavigationWaypoint(coordinate: end)]))
        let leg = try #require(route.legs.first)
        #expect(route.planner == "demo town" && leg.path.count > 2 && leg.segmentSeconds.count == leg.path.count - 1)
        #expect(leg.lengthMeters >= start.distanceMeters(to: end) - 2 && !leg.steps.isEmpty)
        let far = NavigationWaypoint(coordinate: Coordinate(latitude: 10, longitude: 20))
        await #expect(throws: RoutingError.self) { try await router.route(RouteRequest(origin: start, destinations: [far])) }
    }

    @Test("a trip in the demo town: the car follows the planned way, and time left falls with the way's own speeds")
    func trip() async throws {
        let (start, end) = try ends()
        try await createTrip(from: start, to: end)
        await engine.waysSettled()
        let first = try await engine.getTrip(.with { $0.name = "providers/demo/trips/t1" })
        let way = Polyline(first.route.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) })
        #expect(way.coordinates.count > 2)
        var last = Int64.max
        for step in 1...10 {
            let place = try #require(way.coordinate(atMeters: way.lengthMeters * Double(step) / 10))
            try await move(to: place)
            let now = try await engine.getTrip(
                .with {
                    $0.name = "providers/demo/trips/t1"
                    $0.currentRouteSegmentVersion = first.currentRouteSegmentVersion
                })
            #expect(now.route.isEmpty && now.lastLocationSnappable)
            #expect(abs(Double(now.remainingDistanceMeters.value) - way.lengthMeters * Double(10 - step) / 10) < 2)
            #expect(now.remainingTimeToFirstWaypoint.seconds < last)
            last = now.remainingTimeToFirstWaypoint.seconds
        }
        #expect(last == 0)
    }

    @Test("a trip elsewhere keeps the straight line")
    func elsewhere() async throws {
        try await createTrip(from: Coordinate(latitude: 10, longitude: 20), to: Coordinate(latitude: 10.01, longitude: 20.01))
        await engine.waysSettled()
        #expect(try await engine.getTrip(.with { $0.name = "providers/demo/trips/t1" }).route.count == 2)
    }

    private func createTrip(from start: Coordinate, to end: Coordinate) async throws {
        _ = try await engine.createVehicle(
            .with {
                $0.parent = "providers/demo"
                $0.vehicleID = "car"
                $0.vehicle.vehicleState = .online
                $0.vehicle.supportedTripTypes = [.exclusive]
                $0.vehicle.maximumCapacity = 4
                $0.vehicle.vehicleType.category = .auto
                $0.vehicle.lastLocation.location = point(start)
            })
        _ = try await engine.createTrip(
            .with {
                $0.parent = "providers/demo"
                $0.tripID = "t1"
                $0.trip.tripType = .exclusive
                $0.trip.numberOfPassengers = 1
                $0.trip.pickupPoint.point = point(end)
                $0.trip.dropoffPoint.point = point(start)
                $0.trip.vehicleID = "car"
            })
    }

    private func move(to place: Coordinate) async throws {
        _ = try await engine.updateVehicle(
            .with {
                $0.name = "providers/demo/vehicles/car"
                $0.vehicle.lastLocation.location = point(place)
                $0.updateMask.paths = ["last_location"]
            })
    }

    private func point(_ place: Coordinate) -> WireLatLng {
        .with {
            $0.latitude = place.latitude
            $0.longitude = place.longitude
        }
    }
}
