import FleetEngine
import FoundationEssentials
import Geo
import Navigation

/// One run of a `TripDriver`: its vehicle, its navigation and its reporter.
actor DriverShift {
    /// Ends the run.
    struct GivingUp: Error {
        var failure: TripDriverFailure
    }

    /// Ends the trip.
    struct TripGone: Error {}

    /// So long may a trip that was seen be missing, seconds.
    static let missingSeconds = 60.0

    let driver: TripDriver
    let navigator = Navigator()
    let provider: RoadSnappedLocationProvider
    let reporter: VehicleReporter
    var vehicle: DrivingSimulator?
    var reroutes = ReroutePolicy()
    var pace = RetryPace()
    var random: SeededRandom
    /// The trip at hand was read at least once.
    var hasSeenTrip = false
    var missingSince: Date?
    private var driven: [DrivenTrip] = []

    var settings: TripDriverConfiguration { driver.configuration }
    var time: any TimeSource { driver.time }
    var vehicleID: String { driver.vehicleName.vehicle }

    init(_ driver: TripDriver) {
        self.driver = driver
        provider = RoadSnappedLocationProvider(navigator: navigator)
        let context = DriverContext(client: driver.client, vehicleName: driver.vehicleName, navigator: navigator, time: driver.time)
        reporter = RidesharingDriverAPI(driverContext: context, seed: driver.configuration.seed).vehicleReporter
        random = SeededRandom(seed: driver.configuration.seed &+ 1)
    }

    func run(reportingTo listener: (any VehicleReporterListener)?) async -> TripDriverResult {
        provider.add(reporter)
        provider.startUpdatingLocation()
        if let listener { await reporter.add(listener) }
        let ending = await work()
        await reporter.setLocationTrackingEnabled(false)
        await reporter.settled()
        return TripDriverResult(trips: driven, ending: ending)
    }

    private func work() async -> TripDriverResult.Ending {
        do {
            try await goOnline()
            switch driver.assignment {
            case .trip(let name): try await drive(name)
            case .assigned(let limit):
                while driven.count < limit ?? .max { try await drive(try await nextTrip()) }
            }
            return .finished
        } catch let end as GivingUp {
            return .failed(end.failure)
        } catch {
            return .stopped
        }
    }

    private func goOnline() async throws {
        if let place = try await startPlace() {
            vehicle = try DrivingSimulator(
                standingAt: place, configuration: settings.simulation(to: .unknown, on: .standing(at: place)), seed: settings.seed,
                startingAt: time.now())
        }
        await reporter.setLocationUpdateInterval(settings.reportIntervalSeconds)
        await tick()
        await reporter.setLocationTrackingEnabled(true)
        await reporter.update(.online)
    }

    private func startPlace() async throws -> Coordinate? {
        if let place = settings.startCoordinate { return place }
        let found = try await readVehicle()
        return found.lastLocation.flatMap { $0.coordinate.isValid ? $0.coordinate : nil }
    }

    /// Waits until the vehicle has a trip that was not driven yet.
    private func nextTrip() async throws -> TripName {
        driver.onEvent(.waitingForTrip)
        while true {
            let shown = try await readVehicle()
            let names = shown.currentTrips.compactMap { try? TripName(provider: driver.vehicleName.provider, trip: $0) }
            if let name = names.first(where: { name in !driven.contains { $0.name == name } }) { return name }
            try await stay(untilDate: time.now().addingTimeInterval(settings.pollInterval))
        }
    }

    private func drive(_ name: TripName) async throws {
        hasSeenTrip = false
        let trip = try await readTrip(name)
        hasSeenTrip = true
        driver.onEvent(.took(name))
        var outcome = TripOutcome.gone
        do { outcome = try await drive(trip) } catch is TripGone {}
        navigator.setRoute(nil)
        let ended = DrivenTrip(name: name, outcome: outcome)
        driven.append(ended)
        driver.onEvent(.ended(ended))
    }

    private func drive(_ first: Trip) async throws -> TripOutcome {
        var trip = first
        while true {
            switch TripStep(trip, vehicleID: vehicleID) {
            case .set(let change): trip = try await set(change, on: trip)
            case .drive(let stop, let change):
                if try await drive(to: stop, of: &trip) { trip = try await set(change, on: trip) }
            case .dwell(let change):
                let end = time.now().addingTimeInterval(settings.dwell)
                if try await carryOn(with: &trip, until: { now, _ in now >= end }) { trip = try await set(change, on: trip) }
            case .wait: _ = try await carryOn(with: &trip, until: { _, _ in false })
            case .end(let outcome): return outcome
            }
        }
    }
}
