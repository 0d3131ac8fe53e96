import FleetEngine
import FoundationEssentials
import Geo
import Navigation

/// One run of a `TripDriver`. It serves the vehicle's stops, navigates and reports the vehicle. The source gives the vehicle's position.
actor DriverShift {
    /// The error that ends the run.
    struct GivingUp: Error {
        var failure: TripDriverFailure
    }

    /// The error that ends the current trip.
    struct TripGone: Error {}

    /// A trip counts as lost after the server has reported it missing for this long, in seconds.
    static let missingSeconds = 60.0
    /// The lowest speed at which a position's course is used, in metres per second.
    static let drivingMetersPerSecond = 2.0
    /// Smallest search radius for the nearest road, in metres. The radius is the accuracy of the position if that is larger, but at most
    /// `farthestRoadMeters`.
    static let nearestRoadMeters = 20.0
    /// Largest search radius for the nearest road, in metres.
    static let farthestRoadMeters = 50.0

    let driver: TripDriver
    let navigator: Navigator
    let provider: RoadSnappedLocationProvider
    let reporter: VehicleReporter
    private let ear: NavigationEar
    /// The source of positions, if it drives along the driver's routes.
    let car: (any SelfDrivingSource)?
    var lastFix: LocationFix?
    var reroutes = ReroutePolicy()
    var pace = RetryPace()
    var random: SeededRandom
    /// The time at which the current trip was first missing.
    var missingSince: Date?
    var silence = ServerSilence()
    /// The trips that the vehicle has to serve; empty while the driver serves a single trip.
    var duties = VehicleDuties()
    /// Trips that were accepted and have not ended, as last read.
    var open: [TripName: Trip] = [:]
    /// The trip whose stop the vehicle is driving to.
    var atHand: TripName?
    private(set) var driven: [DrivenTrip] = []
    private var isWaitingTold = false
    /// The vehicle's trips that have not begun, as read when they were assigned or their stops last changed. The trips that are not
    /// accepted are offers. The remaining stops of each trip are the stops that the vehicle had for this trip at that time.
    var coming: [TripName: Trip] = [:]
    /// The waits after failed reads of trips that have not begun.
    var comingPace = RetryPace()
    /// Trips that have not begun are not read before this time.
    var comingHeldUntil = Date.distantPast
    /// The vehicle's trips that are accepted but not started.
    var accepted: Set<TripName> = []
    /// The command that the current phase waits for, if it was given.
    var told: DriverCommand?
    var isOnline = true
    private var isReporting = false
    /// Whether any report was sent.
    private var hasReported = false
    /// The error of the read that comes before the first report; nil once the read succeeds, or if the server does not know
    /// the vehicle.
    private var startError: FleetEngineError?
    var phase = DriverShiftState.Phase.starting
    var phaseSince: Date
    let reports: ReportWatch

    var settings: TripDriverConfiguration { driver.configuration }
    var time: any TimeSource { driver.time }
    var vehicleID: String { driver.vehicleName.vehicle }

    init(_ driver: TripDriver) {
        self.driver = driver
        car = driver.source as? any SelfDrivingSource
        navigator = Navigator(onInput: driver.onInput)
        provider = RoadSnappedLocationProvider(navigator: navigator)
        let context = DriverContext(client: driver.client, vehicleName: driver.vehicleName, navigator: navigator, time: driver.time)
        reporter = RidesharingDriverAPI(driverContext: context, seed: driver.configuration.seed).vehicleReporter
        random = SeededRandom(seed: driver.configuration.seed &+ 1)
        ear = NavigationEar(driver.onEvent)
        navigator.add(ear)
        phaseSince = driver.time.now()
        reports = ReportWatch(time: driver.time)
    }

    func run(reportingTo listener: (any VehicleReporterListener)?) async -> TripDriverResult {
        provider.add(reporter)
        // A driver continues to report while the app is in the background.
        provider.allowsBackgroundLocationUpdates = true
        provider.startUpdatingLocation()
        if let listener { await reporter.add(listener) }
        await reporter.add(reports)
        await reporter.tell(driver.onEvent)
        let ending = await work()
        await reporter.setLocationTrackingEnabled(false)
        await reporter.settled()
        let foundOver = await closeEndedTrips()
        return TripDriverResult(
            trips: driven, ending: ending, lastRefusal: reports.state.refusal ?? startError, unfinished: unfinished, foundOver: foundOver)
    }

    private func work() async -> TripDriverResult.Ending {
        do {
            try await goOnline()
            switch driver.assignment {
            case .trip(let name):
                // A trip that was lost may return.
                repeat { try await serve(name) } while settings.keepsTrying && driven.last?.outcome == .gone
            case .assigned(let limit):
                while driven.count < limit ?? .max { try await serve(try await nextTrip()) }
            }
            return .finished
        } catch let end as GivingUp {
            return .failed(end.failure)
        } catch let error as LocationSourceError {
            await reporter.sendLastLocation()
            // Without a report in this run, the vehicle may still be ONLINE from an earlier run.
            if !hasReported { await reporter.update(.offline) }
            return error == .ended ? .sourceEnded : .failed(.location(error))
        } catch {
            return .stopped
        }
    }

    private func goOnline() async throws {
        await reporter.setLocationUpdateInterval(settings.reportIntervalSeconds)
        try await car?.begin { [self] isOptional in try await knownVehicle(isOptional: isOptional) }
        try await tick()
        if servesVehicle { tellWaiting() }
        await startReporting()
    }

    func startReporting() async {
        (isReporting, hasReported) = (true, true)
        await reporter.setLocationTrackingEnabled(true)
        await reporter.update(.online)
    }

    func stopReporting() async {
        guard isReporting else { return }
        isReporting = false
        await reporter.setLocationTrackingEnabled(false)
    }

    /// Reads the vehicle from the server, and retries until the read succeeds. Returns nil if the server does not know the vehicle and
    /// `isOptional` is true.
    private func knownVehicle(isOptional: Bool) async throws -> Vehicle? {
        while true {
            do throws(FleetEngineError) {
                let vehicle = try await readVehicle()
                startError = nil
                await noteAnswer()
                return vehicle
            } catch {
                startError = error.code == .notFound ? nil : error
                if error.code == .notFound, isOptional {
                    await noteAnswer()
                    return nil
                }
                // Reporting starts here, because the answer to a report describes the failure better than the answer to this read.
                if error.errorClass() != .retryable { await startReporting() }
                try await backOff(.fleetEngine(error))
            }
        }
    }
}

// MARK: - Trips

extension DriverShift {
    /// Whether the driver serves all trips of the vehicle. If false, it serves a single trip.
    var servesVehicle: Bool {
        if case .assigned = driver.assignment { true } else { false }
    }

    /// Whether the driver may serve the trip: it is under way, or it is accepted, not over, and within the limit. False for the driver of a
    /// single trip.
    private func mayServe(_ name: TripName) -> Bool {
        guard case .assigned(let limit) = driver.assignment else { return false }
        return open[name] != nil || accepted.contains(name) && driven.count + open.count < limit ?? .max && !duties.over.contains(name)
    }

    /// Whether this trip is the next to serve: of the trips that the driver may serve, its stop comes first. True if no such trip has a
    /// known stop, and always for the driver of a single trip.
    func isNext(_ name: TripName) -> Bool {
        guard let next = duties.byStops.first(where: mayServe) else { return true }
        return next == name
    }

    /// Waits for a trip to serve.
    private func nextTrip() async throws -> TripName {
        atHand = nil
        while true {
            if let name = (duties.byStops + duties.current).first(where: mayServe) { return name }
            if open.isEmpty { tellWaiting() }
            enter(.waiting)
            do throws(FleetEngineError) {
                try await lookAtVehicle()
                await noteAnswer()
            } catch {
                try await backOff(.fleetEngine(error))
                continue
            }
            try await stay(untilDate: time.now().addingTimeInterval(settings.pollInterval)) { self.hasNext }
        }
    }

    /// Whether the driver has a trip to serve.
    private var hasNext: Bool { (duties.byStops + duties.current).contains(where: mayServe) }

    private func tellWaiting() {
        navigator.setRoute(nil)
        if !isWaitingTold { driver.onEvent(.waitingForTrip) }
        isWaitingTold = true
    }

    /// Serves a trip until it has ended, or until another trip's stop comes first.
    private func serve(_ name: TripName) async throws {
        missingSince = nil
        atHand = name
        guard var trip = try await accept(name) else { return }
        do {
            while true {
                let step = TripStep(trip, vehicleID: vehicleID)
                if case .end(let outcome) = step { return close(name, outcome) }
                guard isNext(name) else { return }
                try await carryOut(step, of: &trip)
                open[name] = trip
            }
        } catch is TripGone {
            close(name, .gone)
        }
    }

    private func carryOut(_ step: TripStep, of trip: inout Trip) async throws {
        switch step {
        case .set(let change): trip = try await set(change, on: trip)
        case .drive(let stop, let change):
            if try await drive(to: stop, of: &trip) { trip = try await set(change, on: trip) }
        case .dwell(let change):
            let end = time.now().addingTimeInterval(settings.dwell)
            if let stop = TripStop(standing: trip) { enter(.standing(stop)) }
            if try await carryOn(with: &trip, until: { self.isTold(.goOn, isDue: $0 >= end) }) { trip = try await set(change, on: trip) }
        case .wait: _ = try await carryOn(with: &trip, until: { _ in false })
        case .end: break
        }
    }

    /// - Returns: the trip; nil if it could not be read.
    private func accept(_ name: TripName) async throws -> Trip? {
        if let known = open[name] {
            driver.onEvent(.resumed(name))
            return try await look(at: known) ?? known
        }
        let trip: Trip
        if servesVehicle {
            do throws(FleetEngineError) {
                trip = try await driver.client.getTrip(GetTripRequest(name: name))
            } catch {
                duties = VehicleDuties(over: duties.over)
                try await backOff(.fleetEngine(error))
                return nil
            }
            pace.reset()
            await noteAnswer()
        } else {
            trip = try await readTrip(name)
        }
        isWaitingTold = false
        open[name] = trip
        accepted.remove(name)
        coming[name] = nil
        driver.onEvent(.took(name))
        return trip
    }

    func close(_ name: TripName, _ outcome: TripOutcome) {
        open[name] = nil
        duties.over.insert(name)
        duties.keep(0, stopsOf: name)
        if !hasNext { navigator.setRoute(nil) }
        let ended = DrivenTrip(name: name, outcome: outcome)
        driven.append(ended)
        driver.onEvent(.ended(ended))
    }
}
