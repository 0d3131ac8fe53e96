package import FleetEngine
package import FoundationEssentials
import Geo
package import Navigation

/// Decides the time and content of a vehicle reporter's requests. The caller passes events in and carries out the returned actions. The
/// clock, the network and the listeners belong to the caller.
///
/// Only one request is under way at a time, and no request is queued: each request contains the newest data at the time of sending. A
/// position that the server has accepted is not sent again, so that an old position never looks new.
package struct VehicleReporterMachine: Sendable {
    package static let defaultIntervalSeconds = 10.0
    static let intervalSecondsRange = 5.0...60.0
    /// Shortest time from the last request to an urgent one, in seconds. A first location, a changed route, or a
    /// changed navigation status makes a request urgent.
    static let urgentGapSeconds = 5.0
    /// Part of Fleet Engine's answer to a request without a mask. Apps search for this text.
    static let emptyMaskText = "update_mask cannot be empty"

    package enum Event: Hashable, Sendable {
        case setTracking(Bool)
        /// Sets the time between two updates, in seconds, clamped to 5...60.
        case setInterval(Double)
        case setState(VehicleState)
        /// Sets a position from a source other than the vehicle's sensor; nil discards it.
        case setSupplemental(SupplementalLocation?)
        /// Adds the newest data; a nil value keeps the previous data.
        case data(location: RoadSnappedLocation?, navigation: NavigationReport?)
        /// Sends the newest data without waiting for the interval. A wait after a failure is not shortened.
        case sendNow
        /// The server is answering other calls again. This ends the wait after a retryable failure, unless the server asked for the wait.
        case serverAnswered
        /// Sends a position that the server has not accepted, without waiting for the interval. No later position will follow.
        case sendLastLocation
        case timer
        /// The request with this id has ended; the error is nil if it succeeded.
        case completed(id: Int, error: FleetEngineError?)
    }

    package enum Action: Hashable, Sendable {
        case send(id: Int, VehicleUpdate)
        /// Sets the caller's only timer, which sends `.timer` at this time; nil stops the timer.
        case wake(at: Date?)
        case didSucceed(VehicleUpdate)
        case didFail(VehicleUpdate, FleetEngineError)
    }

    /// The values that the server has accepted.
    struct Acknowledged: Sendable {
        var state: VehicleState?
        var locationTime: Date?
        var supplemental: SupplementalLocation?
        var hasRemainingTime = false
        var hasRemainingDistance = false
        var status: NavigationStatus?
        var routeRevision: Int?
        var hasRoute = false
    }

    struct Request: Sendable {
        var id: Int
        var update: VehicleUpdate
        var locationTime: Date?
        var routeRevision: Int?
    }

    package private(set) var isTracking = false
    package private(set) var intervalSeconds = defaultIntervalSeconds
    /// The number of updates that were refused for an empty mask. This is normal at the start and does not count as a fault.
    package private(set) var emptyMaskUpdates = 0
    /// The number of all other failed updates.
    package private(set) var failedUpdates = 0

    /// The state of the vehicle; nil until the app sets a state or switches tracking off.
    var vehicleState: VehicleState?
    var location: RoadSnappedLocation?
    var supplemental: SupplementalLocation?
    var navigation: NavigationReport?
    var acknowledged = Acknowledged()
    private var inFlight: Request?
    /// The state to send in a single request while tracking is off.
    private var singleState: VehicleState?
    private var lastSentAt: Date?
    private var isUrged = false
    /// Whether the last request failed with a retryable error, and the server did not ask for a wait.
    private var isUnanswered = false
    /// Whether a `serverAnswered` event has arrived since the last request was sent.
    private var wasAnswered = false
    /// The earliest time of the next request after a failure; nil after a success, or while tracking is off.
    private(set) var notBefore: Date?
    private var wakeAt: Date?
    private var pace = RetryPace()
    private var random: SeededRandom
    private var lastID = 0

    /// - Parameter seed: seed for the random variation of the time between retries.
    package init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// Whether no request is under way and no single request is due.
    package var isSettled: Bool { inFlight == nil && singleState == nil }

    package mutating func handle(_ event: Event, at now: Date) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .setTracking(let enabled): setTracking(enabled)
        case .setInterval(let seconds):
            let range = Self.intervalSecondsRange
            intervalSeconds = seconds.isNaN ? Self.defaultIntervalSeconds : min(max(seconds, range.lowerBound), range.upperBound)
        case .setState(let state): actions += setState(state)
        case .setSupplemental(let place): supplemental = place
        case .data(let newLocation, let newNavigation):
            location = newLocation ?? location
            navigation = newNavigation ?? navigation
        case .sendNow: isUrged = isTracking
        case .serverAnswered:
            wasAnswered = true
            if inFlight == nil { endWait(at: now) }
        case .sendLastLocation:
            let known = inFlight?.locationTime ?? acknowledged.locationTime
            isUrged = isUrged || isTracking && location != nil && location?.timestamp != known
        case .timer: wakeAt = nil
        case .completed(let id, let error):
            guard let request = inFlight, request.id == id else { return [] }
            inFlight = nil
            actions.append(finish(request, error, at: now))
            if wasAnswered { endWait(at: now) }
        }
        return actions + next(at: now)
    }
}

// MARK: - Settings of the app

extension VehicleReporterMachine {
    private mutating func setTracking(_ enabled: Bool) {
        guard enabled != isTracking else { return }
        isTracking = enabled
        pace.reset()
        notBefore = nil
        lastSentAt = nil
        isUrged = false
        if enabled {
            acknowledged = Acknowledged()
            singleState = nil
        } else {
            vehicleState = .offline
            singleState = .offline
        }
    }

    private mutating func setState(_ state: VehicleState) -> [Action] {
        guard state != .unknown else { return refuse(state, .invalidArgument, "the state of a vehicle must be ONLINE or OFFLINE") }
        guard isTracking || state == .offline else {
            return refuse(state, .failedPrecondition, "a vehicle cannot go ONLINE while location tracking is off")
        }
        vehicleState = state
        if !isTracking { singleState = state }
        return []
    }

    /// Reports a failure to the listeners without sending a request.
    private mutating func refuse(_ state: VehicleState, _ code: StatusCode, _ message: String) -> [Action] {
        failedUpdates += 1
        return [.didFail(VehicleUpdate(fields: [.state], state: state), FleetEngineError(code: code, message: message, origin: .local))]
    }
}

// MARK: - Requests

extension VehicleReporterMachine {
    private mutating func endWait(at now: Date) {
        guard isUnanswered, isTracking else { return }
        // `notBefore` is not set to nil, because nil would mean that no report follows the failed one.
        notBefore = now
        isUrged = true
    }

    private mutating func finish(_ request: Request, _ error: FleetEngineError?, at now: Date) -> Action {
        isUnanswered = error?.errorClass() == .retryable && (error?.retryDelaySeconds ?? 0) == 0
        guard let error else {
            acknowledge(request)
            pace.reset()
            notBefore = nil
            return .didSucceed(request.update)
        }
        // A server that no longer knows the vehicle has lost the earlier updates.
        if error.code == .notFound { acknowledged = Acknowledged() }
        if error.saysEmptyMask {
            emptyMaskUpdates += 1
            notBefore = isTracking ? now.addingTimeInterval(intervalSeconds) : nil
        } else {
            failedUpdates += 1
            let delay = isTracking ? pace.delaySeconds(after: error, intervalSeconds: intervalSeconds, random: &random) : 0
            notBefore = isTracking ? now.addingTimeInterval(delay) : nil
        }
        return .didFail(request.update, error)
    }

    private mutating func acknowledge(_ request: Request) {
        let update = request.update
        if update.fields.contains(.state) { acknowledged.state = update.state }
        if update.fields.contains(.location) {
            acknowledged.locationTime = request.locationTime
            acknowledged.supplemental = update.location?.supplemental ?? acknowledged.supplemental
        }
        if update.fields.contains(.remainingTime) { acknowledged.hasRemainingTime = update.remainingTimeSeconds != nil }
        if update.fields.contains(.remainingDistance) { acknowledged.hasRemainingDistance = update.remainingDistanceMeters != nil }
        if update.fields.contains(.navigationStatus) { acknowledged.status = update.navigationStatus }
        if update.fields.contains(.route) {
            acknowledged.routeRevision = request.routeRevision
            acknowledged.hasRoute = !update.route.isEmpty
        }
    }

    /// Sends an update if one is due, or sets the time of the next update.
    private mutating func next(at now: Date) -> [Action] {
        guard inFlight == nil else { return wake(at: nil) }
        if let state = singleState {
            singleState = nil
            return wake(at: nil) + [send(VehicleUpdate(fields: [.state, .deviceSettings], state: state), at: now)]
        }
        guard isTracking, let due = dueDate(at: now) else { return wake(at: nil) }
        return due > now ? wake(at: due) : wake(at: nil) + [send(makeUpdate(), at: now)]
    }

    private mutating func send(_ update: VehicleUpdate, at now: Date) -> Action {
        lastID &+= 1
        lastSentAt = now
        isUrged = false
        wasAnswered = false
        inFlight = Request(id: lastID, update: update, locationTime: location?.timestamp, routeRevision: navigation?.routeRevision)
        return .send(id: lastID, update)
    }

    private mutating func wake(at date: Date?) -> [Action] {
        guard date != wakeAt else { return [] }
        wakeAt = date
        return [.wake(at: date)]
    }

    /// The time of the next update; nil if the reporter has no data to send.
    private func dueDate(at now: Date) -> Date? {
        guard vehicleState != nil || location != nil || supplemental != nil || navigation?.route != nil else { return nil }
        var due = lastSentAt?.addingTimeInterval(intervalSeconds) ?? now
        if isUrged || vehicleState != acknowledged.state {
            due = now
        } else if isUrgent {
            due = min(due, lastSentAt?.addingTimeInterval(Self.urgentGapSeconds) ?? now)
        }
        return max(due, notBefore ?? due)
    }

    private var isUrgent: Bool {
        let isFirstLocation = location != nil && acknowledged.locationTime == nil
        return isFirstLocation || hasNewRoute || (navigation.map { $0.status != acknowledged.status } ?? false)
    }
}
