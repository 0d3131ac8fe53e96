import FleetEngine
import FoundationEssentials
import Geo
import Navigation

extension DriverShift {
    /// Sets a status. After a failure the trip is read again before the next try: the change may have been made all the same, the trip may have been
    /// cancelled, the version of its stops may be another one now. What a new reading explains is not waited for.
    /// - Returns: the trip with the status, or as it is now if it asks for something else.
    func set(_ change: TripStep.Change, on old: Trip) async throws -> Trip {
        let step = TripStep(old, vehicleID: vehicleID)
        var trip = old
        while true {
            let failure: FleetEngineError
            do throws(FleetEngineError) {
                return accept(try await send(change, on: trip))
            } catch {
                failure = error
            }
            let isExplained = failure.code == .failedPrecondition || failure.code == .aborted
            if !isExplained { try await backOff(.fleetEngine(failure)) }
            let fresh = try await look(at: trip)
            if let fresh, fresh.hasTaken(change) { return accept(fresh) }
            if let fresh, !TripStep(fresh, vehicleID: vehicleID).isSameWork(as: step) { return fresh }
            let isNews = fresh.map { $0.intermediateDestinationsVersion != trip.intermediateDestinationsVersion } ?? false
            trip = fresh ?? trip
            if isExplained, !isNews { try await backOff(.fleetEngine(failure)) }
        }
    }

    private func send(_ change: TripStep.Change, on trip: Trip) async throws(FleetEngineError) -> Trip {
        let changed = try await driver.client.updateTrip(request(change, on: trip))
        guard changed.status == change.status else {
            throw FleetEngineError(code: .internal, message: "the server answered with \(changed.status.name)")
        }
        return changed
    }

    private func accept(_ trip: Trip) -> Trip {
        succeed()
        driver.onEvent(.status(trip.name, trip.status))
        return trip
    }

    private func request(_ change: TripStep.Change, on trip: Trip) -> TripUpdateRequest {
        TripUpdateRequest(
            name: trip.name, status: change.status, intermediateDestinationIndex: change.intermediateIndex,
            intermediateDestinationsVersion: change.intermediateIndex == nil ? nil : trip.intermediateDestinationsVersion)
    }

    /// One look at a trip; nil if that failed. The answer leaves out what has not changed: a driver needs none of it.
    func look(at trip: Trip) async throws -> Trip? {
        do throws(FleetEngineError) {
            return try await fetch(trip)
        } catch {
            try Task.checkCancellation()
            return nil
        }
    }

    func fetch(_ trip: Trip) async throws(FleetEngineError) -> Trip {
        let fresh = try await driver.client.getTrip(
            GetTripRequest(
                name: trip.name, activeRouteVersion: trip.activeRouteVersion, activeRouteTrafficVersion: trip.activeRouteTrafficVersion,
                remainingWaypointsRouteVersion: trip.remainingWaypointsRouteVersion))
        succeed()
        return fresh
    }

    private func succeed() {
        pace.reset()
        missingSince = nil
    }

    func readVehicle() async throws -> Vehicle {
        let (client, name) = (driver.client, driver.vehicleName)
        return try await retrying { () async throws(FleetEngineError) in try await client.getVehicle(name) }
    }

    func readTrip(_ name: TripName) async throws -> Trip {
        let client = driver.client
        return try await retrying { () async throws(FleetEngineError) in try await client.getTrip(GetTripRequest(name: name)) }
    }

    /// Makes a call until it succeeds.
    private func retrying<Answer: Sendable>(_ call: () async throws(FleetEngineError) -> Answer) async throws -> Answer {
        while true {
            do throws(FleetEngineError) {
                let answer = try await call()
                succeed()
                return answer
            } catch {
                try await backOff(.fleetEngine(error))
            }
        }
    }

    /// Waits after a failure, reporting all the while.
    func backOff(_ failure: TripDriverFailure) async throws {
        let seconds = try note(failure)
        try await stay(untilDate: time.now().addingTimeInterval(seconds))
    }

    /// Tells of a failure.
    /// - Returns: how long to wait, seconds.
    /// - Throws: `GivingUp` if waiting is no use and was not asked for; `TripGone` if the trip at hand has been missing for a minute;
    ///   `CancellationError` if the failure is our own end.
    func note(_ failure: TripDriverFailure) throws -> Double {
        try Task.checkCancellation()
        if hasSeenTrip, case .fleetEngine(let error) = failure, error.code == .notFound {
            let since = missingSince ?? time.now()
            missingSince = since
            guard time.now().timeIntervalSince(since) < Self.missingSeconds else { throw TripGone() }
        }
        if !settings.keepsTrying, failure.needsSomeone { throw GivingUp(failure: failure) }
        let seconds = pace.delaySeconds(after: failure.asFleetEngineError, intervalSeconds: settings.pollInterval, random: &random)
        driver.onEvent(.retrying(failure, afterSeconds: seconds))
        return seconds
    }
}

extension TripDriverFailure {
    /// Whether it does not pass by itself. A quota does.
    var needsSomeone: Bool {
        switch self {
        case .fleetEngine(let error): error.code != .resourceExhausted && error.errorClass() != .retryable
        case .route(let error): !error.isRetryable
        }
    }

    /// For the pace of retries.
    var asFleetEngineError: FleetEngineError {
        switch self {
        case .fleetEngine(let error): error
        case .route(let error):
            FleetEngineError(code: error.isRetryable ? .unavailable : .failedPrecondition, message: error.description)
        }
    }
}

extension Trip {
    fileprivate func hasTaken(_ change: TripStep.Change) -> Bool {
        status == change.status && (change.intermediateIndex ?? intermediateDestinationIndex) == intermediateDestinationIndex
    }
}

extension TripStep {
    /// Whether both ask for the same, but for places that may have moved.
    func isSameWork(as other: TripStep) -> Bool {
        switch (self, other) {
        case (.drive(let one, let first), .drive(let two, let second)): one.type == two.type && first == second
        default: self == other
        }
    }
}
