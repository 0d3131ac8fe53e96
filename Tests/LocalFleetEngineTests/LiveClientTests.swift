import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import GRPCCore
import GRPCInProcessTransport
import Geo
import Testing

@testable import LocalFleetEngine

@Suite("The live client against the engine", .timeLimit(.minutes(1)))
struct LiveClientTests {
    private typealias Client = GRPCFleetEngineClient<InProcessTransport.Client>

    private func withClient(_ body: (Client) async throws -> Void) async throws {
        let transport = InProcessTransport()
        let engine = LocalFleetEngine(time: StoppedTime())
        let client = Client(transport: transport.client, identity: .init(role: .driver, version: "test"), tokens: nil)
        try await withGRPCServer(transport: transport.server, services: engine.services) { _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.runConnections() }
                defer { client.beginGracefulShutdown() }
                try await body(client)
            }
        }
    }

    private struct StoppedTime: TimeSource {
        func now() -> Date { World.start }
        func sleep(until deadline: Date) async throws { try Task.checkCancellation() }
    }

    @Test("a trip from booking to its end, as driver and rider see it")
    func wholeTrip() async throws {
        try await withClient { client in
            let car = try VehicleName(provider: "plain", vehicle: "car")
            let name = try TripName(provider: "plain", trip: "t1")
            let made = try await client.createVehicle(
                Vehicle(
                    name: car, state: .online, supportedTripTypes: [.exclusive], maximumCapacity: 4, category: .auto,
                    lastLocation: VehicleLocation(coordinate: World.centre), attributes: ["b": "2", "a": "1"]))
            #expect(made.name == car && made.state == .online && made.attributes == ["a": "1", "b": "2"])
            let booked = try await client.createTrip(
                NewTrip(name: name, type: .exclusive, pickupPoint: World.pickup, dropoffPoint: World.dropoff))
            #expect(booked.status == .new && booked.vehicleID == nil && booked.pickupPoint == World.pickup)
            _ = try await client.updateTrip(TripUpdateRequest(name: name, vehicleID: "car"))
            var update = VehicleUpdate(fields: [.location, .route, .remainingDistance, .remainingTime])
            update.location = VehicleLocation(coordinate: World.place(east: 100), headingDegrees: 90, speedMetersPerSecond: 8.25)
            update.route = [World.place(east: 100), World.pickup]
            (update.remainingDistanceMeters, update.remainingTimeSeconds) = (900, 90)
            let moved = try await client.updateVehicle(car, update)
            #expect(moved.currentTrips == ["t1"] && moved.lastLocation?.coordinate == World.place(east: 100))
            let trip = try await client.getTrip(GetTripRequest(name: name))
            #expect(trip.vehicleID == "car" && trip.activeRoute.count == 2 && trip.remainingDistanceMeters == 900)
            #expect(trip.lastLocation?.headingDegrees == 90 && trip.lastLocation?.speedMetersPerSecond == 8.25)
            #expect(trip.etaToNextWaypoint == World.start.addingTimeInterval(90))
            let known = try await client.getTrip(GetTripRequest(name: name, activeRouteVersion: trip.activeRouteVersion))
            #expect(known.activeRoute.isEmpty && known.activeRouteVersion == trip.activeRouteVersion)
            #expect(try await client.updateTrip(TripUpdateRequest(name: name, status: .canceled)).status == .canceled)
            try await client.deleteTrip(name)
            #expect(try await client.getVehicle(car).currentTrips.isEmpty)
        }
    }

    @Test("a refusal arrives with its code, its words and the field that is to blame")
    func refusals() async throws {
        try await withClient { client in
            let name = try TripName(provider: "plain", trip: "t1")
            let missing = await #expect(throws: FleetEngineError.self) { try await client.getTrip(GetTripRequest(name: name)) }
            #expect(missing?.code == .notFound && missing?.message == "no trip is named providers/plain/trips/t1")
            let car = try VehicleName(provider: "plain", vehicle: "car")
            let empty = await #expect(throws: FleetEngineError.self) { try await client.updateVehicle(car, VehicleUpdate(fields: [])) }
            #expect(empty?.code == .invalidArgument && empty?.message == "update_mask cannot be empty")
            guard case .badRequest(let violations) = empty?.details.first else {
                Issue.record("\(String(describing: empty))")
                return
            }
            #expect(violations.map(\.field) == ["update_mask"])
        }
    }
}
