import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Synchronization

/// One run of a `DeliveryDriver`. It serves the vehicle's stops, navigates, and reports the vehicle's position and stops.
actor DeliveryShift {
    /// The error that ends the run.
    struct GivingUp: Error {
        var failure: TripDriverFailure
    }

    /// The reason why a wait ended.
    enum Wake: Hashable, Sendable {
        case command(DeliveryCommand)
        /// Another stop is now first on the list, or the first stop has a new state.
        case otherStop
        case timeUp
    }

    let driver: DeliveryDriver
    let navigator: Navigator
    let provider: RoadSnappedLocationProvider
    let reporter: DeliveryReporter
    let list: VehicleStops
    private let ear: NavigationEar
    /// The source of positions, if it drives along the driver's routes.
    let car: (any SelfDrivingSource)?
    /// The stops on the list, as last read from the server.
    private(set) var stops: [VehicleStop] = []
    private var isWaitingTold = false
    var lastFix: LocationFix?
    /// The speed at the last position, in metres per second; computed from the last two positions if the last one contains no speed.
    var speed: Double?
    var reroutes = ReroutePolicy()
    /// Whether the navigator has the route to the first stop.
    var isRouted = false
    /// The time at which the stops are read next.
    private var lookAt = Date.distantPast
    /// The waiting times after failed reads.
    private var readPace = RetryPace()
    private var silence = ServerSilence()
    /// The waiting times after failed changes.
    private var changePace = RetryPace()
    private var random: SeededRandom
    /// After a failed change, the earliest time of the next change.
    private var changeAt: Date?
    /// The command that is waiting to be carried out.
    var told: DeliveryCommand?
    /// The arrival at the stop where the vehicle stands; nil while the vehicle is not at a stop.
    private var standing: StopArrival?
    private var done = 0
    private var failed = 0

    var settings: DeliveryDriverConfiguration { driver.configuration }
    var time: any TimeSource { driver.time }

    init(_ driver: DeliveryDriver) {
        self.driver = driver
        car = driver.source as? any SelfDrivingSource
        navigator = Navigator(onInput: driver.onInput)
        provider = RoadSnappedLocationProvider(navigator: navigator)
        list = VehicleStops(client: driver.client, vehicleName: driver.vehicleName)
        random = SeededRandom(seed: driver.configuration.seed &+ 1)
        let first = FirstReport()
        let onEvent = driver.onEvent
        reporter = DeliveryReporter(
            client: driver.client, vehicleName: driver.vehicleName, navigator: navigator, time: driver.time, seed: driver.configuration.seed
        ) { _, error in
            if error == nil, first.isNow() { onEvent(.reporting) }
        }
        ear = NavigationEar { event in
            if case .navigation(let event) = event { onEvent(.navigation(event)) }
        }
        navigator.add(ear)
        standing = driver.configuration.lastArrival
    }

    func run() async -> DeliveryDriverResult {
        provider.add(reporter.listener)
        // A driver continues to report while the app is in the background.
        provider.allowsBackgroundLocationUpdates = true
        provider.startUpdatingLocation()
        await reporter.setLocationReportingInterval(settings.reportIntervalSeconds)
        await reporter.tell { [onEvent = driver.onEvent] event in
            switch event {
            case .reportRefused(let error, let seconds): onEvent(.reportRefused(error, retryAfterSeconds: seconds))
            case .reportAccepted(let seconds): onEvent(.reportAccepted(afterSeconds: seconds))
            default: break
            }
        }
        let ending = await work()
        await reporter.setLocationTrackingEnabled(false)
        await reporter.settled()
        return DeliveryDriverResult(done: done, failed: failed, ending: ending)
    }

    private func work() async -> TripDriverResult.Ending {
        do {
            let vehicle = try await knownVehicle()
            try await car?.begin { _ in Vehicle(vehicle) }
            try await tick()
            await reporter.setLocationTrackingEnabled(true)
            note(vehicle.remainingSegments.map(\.stop))
            lookAt = time.now().addingTimeInterval(settings.pollInterval)
            while true { try await serveFirstStop() }
        } catch let end as GivingUp {
            return .failed(end.failure)
        } catch let error as LocationSourceError {
            return error == .ended ? .sourceEnded : .failed(.location(error))
        } catch {
            return .stopped
        }
    }

    /// Returns the vehicle as read from the server, or as created.
    private func knownVehicle() async throws -> DeliveryVehicle {
        while true {
            var isCreating = false
            let failure: FleetEngineError
            do throws(FleetEngineError) {
                let vehicle = try await foundVehicle(&isCreating)
                noteAnswer()
                return vehicle
            } catch {
                failure = error
            }
            if !isCreating { noteFailedRead(failure) }
            if endsDrive(failure, isCreating: isCreating), !settings.keepsTrying { throw GivingUp(failure: .fleetEngine(failure)) }
            let seconds = try retry(failure, &readPace)
            let end = time.now().addingTimeInterval(seconds)
            var now = try await tick()
            while now < end { now = try await tick(until: min(end, now.addingTimeInterval(settings.fixInterval))) }
        }
    }

    /// Whether the failure ends the drive if `keepsTrying` is off: the vehicle is missing and cannot be created, or the server
    /// does not support deliveries.
    /// - Parameter isCreating: whether the call that would create the vehicle failed.
    private func endsDrive(_ failure: FleetEngineError, isCreating: Bool) -> Bool {
        guard failure.origin == .server else { return false }
        switch failure.code {
        case .notFound, .unimplemented: return true
        case .permissionDenied: return isCreating
        default: return false
        }
    }

    /// - Parameter isCreating: set to true before the call that creates the vehicle.
    private func foundVehicle(_ isCreating: inout Bool) async throws(FleetEngineError) -> DeliveryVehicle {
        do throws(FleetEngineError) {
            return try await driver.client.getDeliveryVehicle(driver.vehicleName)
        } catch {
            guard let new = settings.newVehicle, error.code == .notFound, error.origin == .server else { throw error }
            noteAnswer()
            isCreating = true
            let created = try await driver.client.createDeliveryVehicle(new)
            driver.onEvent(.created)
            return created
        }
    }
}

// MARK: - Stops

extension DeliveryShift {
    /// Drives to the first stop if it is ENROUTE; otherwise waits for a command and carries it out. Without stops, waits for a stop.
    private func serveFirstStop() async throws {
        guard let stop = stops.first else {
            navigator.setRoute(nil)
            _ = try await wait(at: nil)
            return
        }
        if stop.state == .enroute { return try await drive(to: stop) }
        // At a stop, and before setting off, the remaining time and distance of the last route are no longer valid.
        navigator.isGuidanceActive = false
        if case .command(let command) = try await wait(at: stop) { try await carryOut(command, at: stop) }
    }

    /// Waits for a command about a stop. The wait also ends if another stop becomes the first one, or if the first stop gets a new state.
    /// During the wait, the driver continues to report its position and to read the list of stops.
    /// - Parameters:
    ///   - stop: the first stop; nil if the list is empty.
    ///   - end: latest time at which the wait ends; nil for no limit.
    func wait(at stop: VehicleStop?, until end: Date? = nil) async throws -> Wake {
        var now = try await tick()
        while true {
            if let stop, let command = dueCommand(at: stop, now: now) { return .command(command) }
            if let stop, stop.state == .enroute, end == nil { try await rerouteIfNeeded(to: stop, at: now) }
            if now >= lookAt {
                try await look()
                if !isFirst(stop) { return .otherStop }
            }
            if let end, now >= end { return .timeUp }
            now = try await tick(until: now.addingTimeInterval(settings.fixInterval))
        }
    }

    /// Returns the command to carry out now; nil if no command is due, or while the driver waits after a failed change.
    private func dueCommand(at stop: VehicleStop, now: Date) -> DeliveryCommand? {
        if let told, !told.fits(stop.state) { self.told = nil }
        if let changeAt, now < changeAt { return nil }
        if let told { return told }
        return settings.isAutomatic ? moment(at: stop, now: now).due : nil
    }

    private func moment(at stop: VehicleStop, now: Date) -> DeliveryMoment {
        DeliveryMoment(
            stop: stop, meters: place.map { $0.distanceMeters(to: stop.plannedLocation) }, speed: speed,
            isAtRouteEnd: isRouted && car?.activity == .arrived, arrivedAt: standing?.date, now: now)
    }

    func isFirst(_ stop: VehicleStop?) -> Bool {
        guard let stop, let first = stops.first else { return stop == nil && stops.isEmpty }
        return first.isSame(as: stop) && first.state == stop.state
    }

    /// Reads the list of stops, and sets the time of the next read.
    private func look() async throws {
        do throws(FleetEngineError) {
            note(try await list.remainingVehicleStops())
            readPace.reset()
            noteAnswer()
            lookAt = time.now().addingTimeInterval(settings.pollInterval)
        } catch {
            noteFailedRead(error)
            lookAt = time.now().addingTimeInterval(try retry(error, &readPace))
        }
    }

    /// Stores the stops of an answer, and reports a change of the first stop.
    private func note(_ new: [VehicleStop]) {
        let old = stops.first
        stops = new
        guard let first = new.first else {
            // A command for a removed stop must not apply to the next stop.
            told = nil
            changeAt = nil
            standing = nil
            if !isWaitingTold { driver.onEvent(.waitingForStops) }
            isWaitingTold = true
            return
        }
        isWaitingTold = false
        if let old, !first.isSame(as: old) { told = nil }
        let ids = first.tasks.map(\.taskID)
        if first.state != .arrived {
            standing = nil
        } else if standing?.taskIDs != ids {
            standing = StopArrival(taskIDs: ids, date: time.now())
        }
        guard old.map({ !first.isSame(as: $0) || first.state != $0.state }) ?? true else { return }
        changeAt = nil
        driver.onEvent(.stop(first, remaining: new.count))
    }

    /// Carries out a command. A failed command is repeated later. However, a command from `DeliveryControls` is dropped if the failure is
    /// not retryable.
    func carryOut(_ command: DeliveryCommand, at stop: VehicleStop) async throws {
        do throws(FleetEngineError) {
            switch command {
            case .setOff: note(try await list.change(.state(.enroute), of: stop))
            case .arrived: note(try await list.change(.state(.arrived), of: stop))
            case .end(let outcome): try await end(stop, outcome)
            }
            told = nil
            changeAt = nil
            changePace.reset()
        } catch {
            if told != nil, error.errorClass() != .retryable {
                try Task.checkCancellation()
                told = nil
                changePace.reset()
                changeAt = settings.isAutomatic ? time.now().addingTimeInterval(settings.pollInterval) : nil
                driver.onEvent(.refused(command, error))
                return
            }
            changeAt = time.now().addingTimeInterval(try retry(error, &changePace, isChange: true))
        }
    }

    /// Sets the outcome of all tasks of a stop, and removes the stop from the list.
    private func end(_ stop: VehicleStop, _ outcome: DeliveryTaskOutcome) async throws(FleetEngineError) {
        var ended = stop
        for task in stop.tasks {
            guard let name = try? TaskName(provider: driver.vehicleName.provider, task: task.taskID) else { continue }
            do throws(FleetEngineError) {
                _ = try await driver.client.updateTask(TaskOutcomeRequest(name: name, outcome: outcome))
            } catch {
                guard error.code == .failedPrecondition || error.code == .notFound else { throw error }
                ended.tasks.removeAll { $0.taskID == task.taskID }
                driver.onEvent(.outcomeNotTaken(taskID: task.taskID, error))
            }
        }
        let rest = try await list.change(.remove, of: stop)
        if outcome == .succeeded { done += 1 } else { failed += 1 }
        driver.onEvent(.ended(ended, outcome))
        note(rest)
    }

    /// Reports a failure.
    /// - Returns: time until the next attempt, in seconds.
    /// - Throws: `CancellationError` if the call failed because the driver was cancelled.
    private func retry(_ error: FleetEngineError, _ pace: inout RetryPace, isChange: Bool = false) throws -> Double {
        try Task.checkCancellation()
        let seconds = pace.delaySeconds(after: error, intervalSeconds: settings.pollInterval, random: &random)
        let isRefused = isChange && error.code == .permissionDenied && error.origin == .server
        driver.onEvent(isRefused ? .notAllowed(error, afterSeconds: seconds) : .retrying(.fleetEngine(error), afterSeconds: seconds))
        return seconds
    }

    private func noteFailedRead(_ error: FleetEngineError) {
        if let seconds = silence.noteFailedRead(error, at: time.now()) { driver.onEvent(.recovered(afterSeconds: seconds)) }
    }

    /// If earlier reads got no answer, reports that the server is answering again.
    private func noteAnswer() {
        if let seconds = silence.end(at: time.now()) { driver.onEvent(.recovered(afterSeconds: seconds)) }
    }
}

/// Detects the first report.
private final class FirstReport: Sendable {
    private let isOver = Mutex(false)

    func isNow() -> Bool {
        isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
    }
}

extension Vehicle {
    /// Copies from a delivery vehicle the values that a source of positions needs for its first position. The tasks of the stops take the
    /// place of the vehicle's trips.
    fileprivate init(_ vehicle: DeliveryVehicle) {
        self.init(
            name: VehicleName(sameIDsAs: vehicle.name), currentTrips: vehicle.remainingSegments.flatMap { $0.stop.tasks.map(\.taskID) },
            lastLocation: vehicle.lastLocation)
    }
}
