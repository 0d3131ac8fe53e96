import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Routing

extension DriverShift {
    /// Sets a trip's status. Before each attempt, the trip is read, because it may have changed or may already have the status.
    /// - Returns: the trip. It has the new status, unless it now needs another step.
    func set(_ change: TripStep.Change, on old: Trip) async throws -> Trip {
        let step = TripStep(old, vehicleID: vehicleID)
        var trip = old
        var refusal: FleetEngineError?
        while true {
            let version = trip.intermediateDestinationsVersion
            do throws(FleetEngineError) {
                try await read(&trip)
                await noteAnswer()
            } catch {
                try await backOff(.fleetEngine(error), of: trip.name)
                continue
            }
            if trip.hasTaken(change) { return await accept(trip) }
            if TripStep(trip, vehicleID: vehicleID) != step { return notSent(change, to: trip) }
            if let failure = refusal, trip.intermediateDestinationsVersion == version {
                refusal = nil
                try await backOff(.fleetEngine(failure), of: trip.name, isChange: true)
                continue
            }
            do throws(FleetEngineError) {
                return await accept(try await send(change, on: trip))
            } catch {
                let mayBeExplained = error.code == .failedPrecondition || error.code == .aborted
                refusal = mayBeExplained ? error : nil
                if !mayBeExplained { try await backOff(.fleetEngine(error), of: trip.name, isChange: true) }
            }
        }
    }

    /// Reports that a status was not sent, unless the trip has ended.
    private func notSent(_ change: TripStep.Change, to trip: Trip) -> Trip {
        if case .end = TripStep(trip, vehicleID: vehicleID) { return trip }
        driver.onEvent(.notSent(trip.name, change.status, found: trip.status))
        return trip
    }

    private func send(_ change: TripStep.Change, on trip: Trip) async throws(FleetEngineError) -> Trip {
        let changed = try await driver.client.updateTrip(request(change, on: trip))
        guard changed.status == change.status else {
            throw FleetEngineError(
                code: .internal, message: "the server set the status to \(changed.status.name) instead of \(change.status.name)")
        }
        return changed
    }

    /// Reports the new status and reads the vehicle, because a new status changes the vehicle's stops. If this read fails, the stops that
    /// the new status shows as served are removed from `duties`, and the next poll reads the vehicle.
    private func accept(_ trip: Trip) async -> Trip {
        succeed()
        driver.onEvent(.status(trip.name, trip.status))
        guard servesVehicle else { return trip }
        do throws(FleetEngineError) {
            try await lookAtVehicle()
        } catch {
            duties.removeStopsLeft(by: trip)
        }
        return trip
    }

    private func request(_ change: TripStep.Change, on trip: Trip) -> TripUpdateRequest {
        TripUpdateRequest(
            name: trip.name, status: change.status, intermediateDestinationIndex: change.intermediateIndex,
            intermediateDestinationsVersion: change.intermediateIndex == nil ? nil : trip.intermediateDestinationsVersion)
    }

    /// Reads a trip once, as `refresh` does, and returns it without the routes that have not changed; nil if a read failed.
    func look(at trip: Trip) async throws -> Trip? {
        var fresh = trip
        do throws(FleetEngineError) {
            try await refresh(&fresh)
            return fresh
        } catch {
            try Task.checkCancellation()
            return nil
        }
    }

    /// Reads the trip again. A driver that serves all trips of the vehicle also reads the vehicle.
    func refresh(_ trip: inout Trip) async throws(FleetEngineError) {
        try await read(&trip)
        if servesVehicle { try await lookAtVehicle() }
    }

    private func read(_ trip: inout Trip) async throws(FleetEngineError) {
        trip = try await driver.client.getTrip(
            GetTripRequest(
                name: trip.name, activeRouteVersion: trip.activeRouteVersion, activeRouteTrafficVersion: trip.activeRouteTrafficVersion,
                remainingWaypointsRouteVersion: trip.remainingWaypointsRouteVersion))
        if open[trip.name] != nil { open[trip.name] = trip }
        succeed()
    }

    /// Reads the vehicle's trips and the order of their stops. An open trip that the vehicle no longer has is read once more, so that its
    /// outcome can be reported. The trip at hand is not read here, because it is read separately.
    func lookAtVehicle() async throws(FleetEngineError) {
        let shown = try await readVehicle()
        duties = VehicleDuties(shown, over: duties.over)
        await sortOffers()
        let current = Set(duties.current)
        let missing = open.keys.filter { $0 != atHand && !current.contains($0) }
        for name in missing.sorted(by: { $0.trip < $1.trip }) {
            do throws(FleetEngineError) {
                let trip = try await driver.client.getTrip(GetTripRequest(name: name))
                if case .end(let outcome) = TripStep(trip, vehicleID: vehicleID) { close(name, outcome) }
            } catch {
                if error.saysNotOurs { close(name, .gone) }
            }
        }
    }

    /// The vehicle's trips that have not ended, including accepted trips that have not begun and offers that the driver has not answered.
    var unfinished: [TripName] {
        let notBegun = accepted.union(coming.keys).subtracting(duties.over)
        return notBegun.union(open.keys).sorted { $0.description < $1.description }
    }

    /// Reads the unfinished trips once more, because they may have been cancelled or reassigned since the last poll. If the server refused
    /// the last report, the trips are not read.
    /// - Returns: the trips in `open` that were found to have ended.
    func closeEndedTrips() async -> [DrivenTrip] {
        guard reports.state.refusal == nil else { return [] }
        let before = driven.count
        for name in unfinished {
            // The separate task continues even if the shift's own task is cancelled.
            let reading = Task { [client = driver.client] in try await client.getTrip(GetTripRequest(name: name)) }
            guard let trip = try? await reading.value, case .end(let outcome) = TripStep(trip, vehicleID: vehicleID) else { continue }
            if open[name] != nil { close(name, outcome) } else { duties.over.insert(name) }
        }
        return Array(driven.dropFirst(before))
    }

    private func succeed() {
        pace.reset()
        missingSince = nil
    }

    func readVehicle() async throws(FleetEngineError) -> Vehicle {
        let vehicle = try await driver.client.getVehicle(driver.vehicleName)
        pace.reset()
        return vehicle
    }

    /// Reads a trip, and retries until the read succeeds.
    func readTrip(_ name: TripName) async throws -> Trip {
        while true {
            do throws(FleetEngineError) {
                let trip = try await driver.client.getTrip(GetTripRequest(name: name))
                succeed()
                await noteAnswer()
                return trip
            } catch {
                try await backOff(.fleetEngine(error))
            }
        }
    }

    /// Waits after a failure. The driver continues to report during the wait.
    /// - Parameters:
    ///   - trip: the requested trip, if the driver has read it before.
    ///   - isChange: true if a change failed; false if a read failed.
    func backOff(_ failure: TripDriverFailure, of trip: TripName? = nil, isChange: Bool = false) async throws {
        let seconds = try await note(failure, of: trip, isChange: isChange)
        try await stay(untilDate: time.now().addingTimeInterval(seconds))
    }

    /// Reports a failure.
    /// - Parameters:
    ///   - trip: the requested trip, if the driver has read it before.
    ///   - isChange: true if a change failed; false if a read failed.
    /// - Returns: time to wait, in seconds.
    /// - Throws: `GivingUp` if waiting does not help and `keepsTrying` is off; `TripGone` if the trip is lost; `CancellationError` if the
    ///   call failed because the driver was cancelled.
    func note(_ failure: TripDriverFailure, of trip: TripName? = nil, isChange: Bool = false) async throws -> Double {
        try Task.checkCancellation()
        if !isChange, case .fleetEngine(let error) = failure { await noteFailedRead(error) }
        if let trip, case .fleetEngine(let error) = failure, try await isLost(trip, error) { throw TripGone() }
        if !settings.keepsTrying, failure.needsSomeone { throw GivingUp(failure: failure) }
        let seconds = pace.delaySeconds(after: failure.asFleetEngineError, intervalSeconds: settings.pollInterval, random: &random)
        driver.onEvent(.retrying(failure, afterSeconds: seconds))
        return seconds
    }

    private func noteFailedRead(_ error: FleetEngineError) async {
        guard let seconds = silence.noteFailedRead(error, at: time.now()) else { return }
        await tellRecovered(after: seconds, asksToWait: error.code == .resourceExhausted || error.retryDelaySeconds ?? 0 > 0)
    }

    /// If earlier reads got no answer, reports that the server is answering again.
    func noteAnswer() async {
        if let seconds = silence.end(at: time.now()) { await tellRecovered(after: seconds, asksToWait: false) }
    }

    /// - Parameters:
    ///   - seconds: the length of the silence that has ended.
    ///   - asksToWait: whether the server asks for fewer calls.
    private func tellRecovered(after seconds: Double, asksToWait: Bool) async {
        driver.onEvent(.recovered(afterSeconds: seconds))
        if asksToWait { return }
        // The reporter sends a report at once. If it waited, the screen would show for a while that the server answers, but also that it
        // did not answer the last report.
        await reporter.serverAnswered()
    }

    /// Whether a trip is lost: the vehicle no longer has it, or the server has reported it missing for a minute.
    private func isLost(_ trip: TripName, _ error: FleetEngineError) async throws -> Bool {
        guard error.saysNotOurs else { return false }
        if servesVehicle, let shown = try? await driver.client.getVehicle(driver.vehicleName), !shown.currentTrips.contains(trip.trip) {
            return true
        }
        try Task.checkCancellation()
        guard error.code == .notFound else { return false }
        let since = missingSince ?? time.now()
        missingSince = since
        return time.now().timeIntervalSince(since) >= Self.missingSeconds
    }
}

extension FleetEngineError {
    /// Whether the server does not know the trip or vehicle, or does not give this driver access to it.
    fileprivate var saysNotOurs: Bool { origin == .server && (code == .notFound || code == .permissionDenied) }

    /// Whether other calls would probably fail, too. An internal error may concern only one trip.
    var concernsOtherCalls: Bool { code == .resourceExhausted || errorClass() == .retryable && code != .internal }
}

extension TripDriverFailure {
    /// Whether the failure lasts until a person acts. An exhausted quota recovers by itself.
    var needsSomeone: Bool {
        switch self {
        case .fleetEngine(let error): error.code != .resourceExhausted && error.errorClass() != .retryable
        case .route(let error): !error.isRetryable
        case .location: true
        }
    }

    /// The failure as an error. The error determines the time until the next attempt.
    var asFleetEngineError: FleetEngineError {
        switch self {
        case .fleetEngine(let error): error
        case .route(let error):
            FleetEngineError(code: error.isRetryable ? .unavailable : .failedPrecondition, message: error.description)
        case .location(let error): FleetEngineError(code: .failedPrecondition, message: error.description)
        }
    }
}

extension Trip {
    fileprivate func hasTaken(_ change: TripStep.Change) -> Bool {
        status == change.status && (change.intermediateIndex ?? intermediateDestinationIndex) == intermediateDestinationIndex
    }
}
