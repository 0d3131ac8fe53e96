import FleetEngine
import FleetEngineAPI
import Foundation
import Geo
import LocalFleetEngine
import MapRouting
import Routing
import SwiftProtobuf
import Testing
import TileSources
import VectorTiles

@testable import ProgramHarness
@testable import TripWatchOperations

@Suite("The invented town's roads and rides", .timeLimit(.minutes(2)))
struct TownTests {
    private let town: BaseMapFile
    private let router: MapRouter
    private let engine: LocalFleetEngine

    init() throws {
        town = try BaseMapFile.town()
        router = MapRouter(source: town)
        engine = LocalFleetEngine(time: SystemTimeSource(), router: router)
    }

    private func ends() throws -> (start: Coordinate, end: Coordinate) {
        let ride = try DemoRide.ride(1, of: town)
        return (ride.start.coordinate, ride.dropoff.coordinate)
    }

    @Test("the standard ride stays the same in each version, and after the last ride they start again")
    func standardRide() throws {
        let (rides, ride) = (DemoRide.all(of: town), try DemoRide.ride(1, of: town))
        #expect([ride.pickup.name, ride.stop.name, ride.dropoff.name] == ["Old Market", "Theatre", "Public Library"])
        #expect(rides.count == 24 && Set(rides).count == 24)
        #expect(try DemoRide.ride(25, of: town) == ride && DemoRide.ride(2, of: town) == rides[1])
        #expect(try DemoRide.ride(0, of: town) != ride && DemoRide.ride(.max, of: town) == DemoRide.ride(UInt64.max % 24, of: town))
    }

    @Test("every ride takes some minutes along the roads, from a street with a name to others")
    func rides() async throws {
        for ride in DemoRide.all(of: town) {
            let places = [ride.pickup, ride.stop, ride.dropoff]
            let route = try await router.route(
                RouteRequest(
                    origin: ride.start.coordinate, destinations: places.map { NavigationWaypoint(coordinate: $0.coordinate) }))
            let seconds = route.legs.map(\.durationSeconds)
            #expect(seconds.allSatisfy { (60...240).contains($0) } && (300...500).contains(seconds.reduce(0, +)), "\(ride): \(seconds)")
            #expect(route.legs.allSatisfy { $0.path.count > 5 })
            for place in places {
                #expect(!place.name.isEmpty)
                #expect(await town.streetName(near: place.coordinate) != nil, "\(place)")
            }
        }
    }

    @Test("a van's round has six stops, with your place as the last one, and ends in the planned window")
    func rounds() async throws {
        let rides = DemoRide.all(of: town)
        for ride in rides {
            let round = ride.round(in: rides)
            #expect(round.count == 6 && Set(round).count == 6 && round.last == ride.dropoff && !round.contains(ride.pickup), "\(round)")
            let parcel = try DemoParcel(ride, in: rides, now: Date(timeIntervalSince1970: 1_799_999_999))
            let window = try #require(parcel.tasks.last?.targetTimeWindow)
            let route = try await router.route(
                RouteRequest(origin: parcel.start, destinations: round.map { NavigationWaypoint(coordinate: $0.coordinate) }))
            let seconds = route.legs.reduce(0) { $0 + $1.durationSeconds + DemoParcel.stopSeconds }
            let end = Date(timeIntervalSince1970: 1_799_999_999 + seconds)
            #expect(seconds > 300 && window.start < end && end < window.end, "\(ride): \(seconds)")
        }
    }

    @Test("routes inside the town follow its roads; outside it there are no routes")
    func roads() async throws {
        let (start, end) = try ends()
        let route = try await router.route(RouteRequest(origin: start, destinations: [NavigationWaypoint(coordinate: end)]))
        let leg = try #require(route.legs.first)
        #expect(route.planner == "map" && leg.path.count > 2 && leg.segmentSeconds.count == leg.path.count - 1)
        #expect(leg.lengthMeters >= start.distanceMeters(to: end) - 2)
        let far = NavigationWaypoint(coordinate: Coordinate(latitude: 10, longitude: 20))
        await #expect(throws: RoutingError.self) { try await router.route(RouteRequest(origin: start, destinations: [far])) }
    }

    @Test("a trip in the town: the car follows the planned route, and the remaining time decreases with the route's own speeds")
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

    @Test("a trip elsewhere uses the straight line")
    func elsewhere() async throws {
        try await createTrip(from: Coordinate(latitude: 10, longitude: 20), to: Coordinate(latitude: 10.01, longitude: 20.01))
        await engine.waysSettled()
        #expect(try await engine.getTrip(.with { $0.name = "providers/demo/trips/t1" }).route.count == 2)
    }

    @Test("demo --seed chooses the ride", arguments: [("1", "Public Library"), ("3", "General Hospital"), ("25", "Public Library")])
    func seed(seed: String, goal: String) throws {
        let demo = try ProgramOnTerminal(["demo", "--speed", "8", "--seed", seed], columns: 100, rows: 30)
        try demo.wait(for: "Ride to \(goal)")
        try demo.wait(for: "invented town")
        demo.press("q")
        #expect(try demo.end() == 0)
    }

    @Test("map has only one town, so it refuses a seed")
    func oneTown() throws {
        let map = try Program().run(["map", "--dump", "--seed", "3"])
        #expect(map.status == 64 && map.errors.contains("Unknown option '--seed'"), "\(map.errors)")
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
