import Benchmark
import FleetEngine
import Foundation
import Geo
import JourneySharing
import TripTesting

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.cpuTotal, .wallClock, .peakMemoryResident], timeUnits: .microseconds, maxDuration: .seconds(10), maxIterations: 200)

    // One iteration polls each trip once, as the program does every 5 s while it follows trips.
    for count in [1, 2_000, 10_000] {
        Benchmark("5 s of following \(count) trips") { benchmark in
            let following = await Following(count: count)
            await following.begin()
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { await following.pollAll() }
            benchmark.stopMeasurement()
            await following.end()
        }
    }
}

/// A stand-in for a server, which answers immediately. Only the position and the remaining distance change from one answer to the next.
final class MovingVehicles: ConsumerClient {
    private let time: any TimeSource
    private let route: RouteLine

    init(time: any TimeSource) {
        self.time = time
        route = RouteLine((0..<200).map { Coordinate(latitude: 48.5 + Double($0) * 1e-4, longitude: 9.1 + Double($0 % 7) * 1e-5) })
    }

    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip {
        let now = time.now()
        let seconds = now.timeIntervalSince1970.truncatingRemainder(dividingBy: 1_000)
        var trip = Trip(name: request.name, status: .enrouteToPickup)
        trip.vehicleID = "vehicle"
        trip.pickupTime = Date(timeIntervalSince1970: now.timeIntervalSince1970 - seconds + 1_500)
        trip.remainingDistanceMeters = 2_000 - seconds
        trip.lastLocation = VehicleLocation(
            coordinate: Coordinate(latitude: 48.5 + seconds * 1e-5, longitude: 9.1), headingDegrees: 90, speedMetersPerSecond: 8,
            updateTime: now,
            serverTime: now)
        trip.activeRouteVersion = DataVersion(seconds: 1, nanoseconds: 0)
        if request.activeRouteVersion == nil { trip.activeRoute = route }
        return trip
    }

    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle {
        throw FleetEngineError(code: .unimplemented, message: "no vehicles here")
    }

    func renewToken(for name: TripName) async -> Bool { false }
}

/// The models of many trips, used as an app uses them.
@MainActor
final class Following {
    private let time = ManualTimeSource()
    private let count: Int
    private var models: [TripModel] = []
    private var readers: [Task<Void, Never>] = []
    private var answers = 0
    private var awaited: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    init(count: Int) { self.count = count }

    func begin() async {
        let service = TripService(client: MovingVehicles(time: time), time: time)
        models = (0..<count).compactMap { number in
            (try? TripName("providers/demo/trips/t\(number)")).map { service.tripModel(for: $0) }
        }
        readers = models.map { model in
            Task {
                for await update in model.updates { if case .trip = update.kind { self.count(update) } }
            }
        }
        await answered(count)
    }

    func pollAll() async {
        await time.waitForSleepers()
        let goal = answers + count
        time.advance(by: 5)
        await answered(goal)
    }

    func end() {
        for reader in readers { reader.cancel() }
        models = []
    }

    private func count(_ update: TripUpdate) {
        answers += 1
        guard let awaited, answers >= awaited.count else { return }
        self.awaited = nil
        awaited.continuation.resume()
    }

    private func answered(_ goal: Int) async {
        guard answers < goal else { return }
        await withCheckedContinuation { awaited = (goal, $0) }
    }
}
