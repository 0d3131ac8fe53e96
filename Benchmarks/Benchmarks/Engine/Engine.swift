import Benchmark
import FleetEngine
import FleetEngineCore
import FleetEngineGRPC
import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Geo
import LocalFleetEngine

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], timeUnits: .microseconds, maxDuration: .seconds(5), maxIterations: 5_000)

    Benchmark("an empty unary call of the same library, loopback") { benchmark in
        let calls = Calls(benchmark)
        try await withEmptyService { client in try await calls.measure { try await client.call() } }
    }
    Benchmark("GetTrip, only the location has changed, loopback") { benchmark in
        let calls = Calls(benchmark)
        try await withRide { ride in try await calls.measure { try await ride.poll() } }
    }
    Benchmark("UpdateVehicle with a position, loopback") { benchmark in
        let calls = Calls(benchmark)
        try await withRide { ride in try await calls.measure { try await ride.report() } }
    }
    Benchmark("UpdateVehicle, then GetTrip, loopback") { benchmark in
        let calls = Calls(benchmark)
        try await withRide { ride in
            try await calls.measure {
                try await ride.report()
                try await ride.poll()
            }
        }
    }
}

/// Measures the calls of a benchmark. The compiler cannot check that only one task at a time uses it.
struct Calls: @unchecked Sendable {
    private let benchmark: Benchmark

    init(_ benchmark: Benchmark) { self.benchmark = benchmark }

    /// Measures a call. The first call is not measured, because it prepares the connection.
    func measure(_ call: () async throws -> Void) async throws {
        try await call()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { try await call() }
        benchmark.stopMeasurement()
    }
}

/// A trip whose car is driving. Its server runs in this process, and the client uses a real connection.
actor Ride {
    private let client: LiveFleetEngineClient
    private let vehicle: VehicleName
    private var trip: Trip
    private var step = 0

    init(client: LiveFleetEngineClient) async throws {
        self.client = client
        vehicle = try VehicleName(provider: "demo", vehicle: "car")
        let start = Coordinate(latitude: 48.5, longitude: 9.1)
        _ = try await client.createVehicle(
            Vehicle(
                name: vehicle, state: .online, supportedTripTypes: [.exclusive], maximumCapacity: 4, category: .auto,
                lastLocation: VehicleLocation(coordinate: start, updateTime: Date())))
        let name = try TripName("providers/demo/trips/trip")
        _ = try await client.createTrip(
            NewTrip(
                name: name, pickupPoint: Coordinate(latitude: 48.52, longitude: 9.11),
                dropoffPoint: Coordinate(latitude: 48.55, longitude: 9.15),
                vehicleID: "car"))
        _ = try await client.updateTrip(TripUpdateRequest(name: name, status: .enrouteToPickup))
        trip = try await client.getTrip(GetTripRequest(name: name))
    }

    /// Requests the trip. The request contains the versions that a trip model would already have.
    func poll() async throws {
        let request = GetTripRequest(
            name: trip.name, activeRouteVersion: trip.activeRouteVersion, activeRouteTrafficVersion: trip.activeRouteTrafficVersion,
            remainingWaypointsRouteVersion: trip.remainingWaypointsRouteVersion)
        blackHole(try await client.getTrip(request))
    }

    func report() async throws {
        step = (step + 1) % 2_000
        let place = Coordinate(latitude: 48.5 + Double(step) * 1e-5, longitude: 9.1)
        blackHole(
            try await client.updateVehicle(
                vehicle,
                VehicleUpdate(
                    fields: [.location],
                    location: VehicleLocation(coordinate: place, headingDegrees: 0, speedMetersPerSecond: 9, updateTime: Date()))))
    }
}

func withRide(_ body: @escaping @Sendable (Ride) async throws -> Void) async throws {
    let time = SystemTimeSource()
    let engine = LocalFleetEngine(state: FleetEngineState(), time: time)
    let server = try LocalFleetEngineServer(engine: engine, port: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.serve() }
        let endpoint = try ServerEndpoint(try await server.listeningAddress.description, security: .plaintext)
        try await withFleetEngineClient(
            endpoint: endpoint, identity: ClientIdentity(role: .server, version: "benchmark"), tokens: nil
        ) { client in
            try await body(try await Ride(client: client))
        }
        server.beginGracefulShutdown()
        try await group.waitForAll()
    }
}
