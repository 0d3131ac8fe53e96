public import FleetEngine
public import FoundationEssentials
public import Geo

/// State of one trip, for display: reliability of the vehicle's position, arrival times, progress, drawn vehicle and driven path.
///
/// A plain value without a clock. Its owner passes every update of a ``TripModel`` to the tracker, in order, and calls
/// ``tick(now:)`` before it reads ``freshness``. An owner that draws the vehicle calls ``advance(to:)`` before each frame instead.
/// `JourneySharingSession` does this for a map.
public struct JourneyTracker: Sendable, Identifiable {
    /// Name of the tracked trip.
    public let tripName: TripName
    /// Kind of the trip as chosen by the user. A kind in the trip's attributes takes precedence.
    public let fallbackKind: TripKind?
    /// The trip as of the last answer. It is kept through failures.
    public private(set) var trip: Trip?
    /// Latest failure; nil once a later poll gets an answer.
    public private(set) var failure: PollFailure?
    /// Time of the last answer, on the model's clock.
    public private(set) var lastAnswerAt: Date?
    /// Whether the last answer contained a newer position of the vehicle.
    public private(set) var isNewFix = false
    /// Reliability of the position at the last update or tick; nil while there is neither a position nor a failure.
    public private(set) var freshness: Freshness?
    /// Estimate for this trip's own next stop, or for an order's drop-off, from the last answer; nil before the first answer, and if the
    /// trip is over.
    public private(set) var estimate: ArrivalEstimate?
    /// The displayed arrival time at each of this trip's own stops, and the times that were promised earlier.
    public private(set) var arrivals = JourneyForecast()
    /// Completed share of the current leg.
    public private(set) var progress: Progress
    /// Drawn vehicle at the last call of ``advance(to:)``; nil while unknown and after the trip.
    public private(set) var vehicle: VehicleMotion.Drawn?
    /// Active route of the trip, as of the last call of ``advance(to:)``. Distances along it are in metres.
    public private(set) var activeRoute = Polyline([])
    /// Path along which this vehicle was drawn; empty while ``keepsTakenRoute`` is off.
    public private(set) var taken = TakenRoute()
    /// Whether the driven path is kept. Switching this off deletes the path.
    public var keepsTakenRoute = true { didSet { if !keepsTakenRoute { taken = TakenRoute() } } }
    /// Latest promise that another program shows for the stop of ``estimate``; nil if unknown. Set this property before the first update.
    ///
    /// This tracker continues the promise if the first estimate is in the promise's clock minute, or differs from the promise by less than
    /// ``ArrivalForecast/promiseToleranceSeconds``.
    public var arrivalShownElsewhere: Date?
    private var position: FreshnessTracker
    private var motion = VehicleMotion()

    /// - Parameters:
    ///   - pollIntervalSeconds: time between two polls of the model: ``TripModel/pollIntervalSeconds``.
    ///   - progress: last progress of an earlier run of the program.
    ///   - fallbackKind: kind of the trip if its attributes do not contain it; nil for a ride.
    public init(
        tripName: TripName, pollIntervalSeconds: Double = PollMachine.Configuration.standardInterval, progress: Progress.Mark? = nil,
        fallbackKind: TripKind? = nil
    ) {
        self.tripName = tripName
        self.fallbackKind = fallbackKind
        self.progress = progress.map { Progress(mark: $0) } ?? Progress()
        position = FreshnessTracker(pollIntervalSeconds: pollIntervalSeconds)
    }

    /// Smallest change of the server's clock that counts as a jump, in seconds.
    public static let clockJumpSeconds = FreshnessTracker.clockJumpSeconds

    /// Name of the trip. It identifies the tracker, because each trip has a single tracker.
    public var id: TripName { tripName }

    /// Kind of the trip, from its attributes or the user's choice.
    public var kind: TripKind { TripKind(attributes: trip?.attributes ?? [:], fallback: fallbackKind) }

    /// Time between two polls, in seconds. An answer that is late by up to this time does not make a position old.
    public var pollIntervalSeconds: Double {
        get { position.pollIntervalSeconds }
        set { position.pollIntervalSeconds = newValue }
    }
}

// MARK: - Updates

extension JourneyTracker {
    /// Adds an update of the model.
    public mutating func observe(_ update: TripUpdate) {
        switch update.kind {
        case .trip(let trip, _): observe(trip, now: update.time)
        case .failure(let failure): self.failure = failure
        // The answer itself is the next update, which also updates `freshness`.
        case .recovered: return failure = nil
        case .ended: break
        case .state: return
        }
        tick(now: update.time)
    }

    private mutating func observe(_ trip: Trip, now: Date) {
        if let known = self.trip?.vehicleID, known != trip.vehicleID, !trip.status.isFinal { taken = TakenRoute() }
        if self.trip?.vehicleID != nil, trip.vehicleID == nil, trip.status.isBeforePickup { arrivals.withdraw() }
        self.trip = trip
        failure = nil
        lastAnswerAt = now
        let (isClockKnown, serverTime) = (position.isServerClockKnown, position.serverNow(now))
        isNewFix = position.observe(trip, now: now)
        let jump = position.serverNow(now).timeIntervalSince(serverTime)
        if isClockKnown, abs(jump) > Self.clockJumpSeconds { arrivals.shift(bySeconds: jump) }
        estimate = ArrivalEstimate(trip, kind: kind)
        if let arrival = arrivalShownElsewhere, let estimate {
            arrivals.continueForecast(shownElsewhere: arrival, at: estimate.stop)
            arrivalShownElsewhere = nil
        }
        arrivals.observe(trip, next: ArrivalEstimate(trip), now: now)
        progress.observe(estimate, vehicleID: trip.vehicleID)
        motion.ageCapSeconds = position.reportGapSeconds + position.pollIntervalSeconds
        motion.observe(trip, ageSeconds: position.ageSeconds(now: now), isNewFix: isNewFix, now: now)
    }

    /// Updates ``freshness`` to the moment `now`, because a position may have become too old.
    public mutating func tick(now: Date) { freshness = position.state(now: now, status: trip?.status, failure: failure) }

    /// Calls ``tick(now:)``, then moves the drawn vehicle and its driven path to the moment `now`. This method may be called as often as
    /// needed, but the moments must be in chronological order.
    public mutating func advance(to now: Date) {
        tick(now: now)
        guard let trip else { return }
        let isNewRoute = trip.activeRoute.line != activeRoute
        activeRoute = trip.activeRoute.line
        let drawn = motion.frame(at: now)
        vehicle = trip.status.isFinal ? nil : drawn
        if let vehicle, keepsTakenRoute { taken.observe(vehicle, route: activeRoute, isNewRoute: isNewRoute) }
    }
}

// MARK: - State

extension JourneyTracker {
    /// Whether the numbers and the vehicle may be shown as current. If false, they must be marked as old.
    public var isLive: Bool {
        switch freshness {
        case .live, .quiet, .ended, nil: true
        case .notLive, .offline, .stopped: false
        }
    }

    /// Whether the position is recent, so that a countdown may tell the rider to go out.
    public var hasLivePosition: Bool { failure == nil && (freshness == .live || freshness == .quiet) }

    /// Whether the vehicle is at the stop where the countdown ends. False for an order, because its countdown goes on to the
    /// drop-off.
    package var isAtStop: Bool { kind == .ride && trip?.status.isAtStop == true }

    /// Whether the courier of an order has not reached the shop yet.
    package var isShopAhead: Bool { kind == .order && (trip?.status == .new || trip?.status == .enrouteToPickup) }

    /// Returns the age of the position, seconds, never negative; nil without a position.
    public func ageSeconds(now: Date) -> Double? { position.ageSeconds(now: now) }

    /// Speed of the drawn vehicle at the last call of ``advance(to:)``, in metres per second; 0 if it does not move before the next answer.
    public var drawnMetersPerSecond: Double { vehicle == nil ? 0 : motion.metersPerSecond }

    /// Returns the time on the server's clock at the local time `now`.
    public func serverNow(_ now: Date) -> Date { position.serverNow(now) }

    /// Whether an answer has contained the time on the server's clock. Until then, ``serverNow(_:)`` uses the local clock.
    public var isServerClockKnown: Bool { position.isServerClockKnown }

    /// The arrival time to display for the stop of ``estimate``, and the times that were promised earlier; empty while there is no
    /// ``estimate``.
    public var forecast: ArrivalForecast { estimate.map { arrivals[$0.stop] } ?? ArrivalForecast() }

    /// Seconds until the shown arrival, by the server's clock; negative if it is overdue, nil while no arrival is known.
    public func remainingSeconds(now: Date) -> Double? { forecast.shown.map { $0.timeIntervalSince(serverNow(now)) } }

    /// Returns the text of the countdown to the stop of ``estimate``.
    public func etaText(now: Date) -> ETAText { etaText(clock: serverNow(now)) }

    /// Returns the text of the countdown beside a clock that shows `clock`.
    public func etaText(clock: Date) -> ETAText {
        ETAText(arrival: forecast.shown, now: clock, remainingMeters: countdownMeters, isLive: isLive)
    }

    /// Returns the time, in seconds, until ``etaText(clock:)`` changes if no new answer arrives; nil if time alone does not change it.
    public func secondsToNextETAText(clock: Date) -> Double? {
        ETAText.secondsToNext(arrival: forecast.shown, now: clock, remainingMeters: countdownMeters)
    }

    private var countdownMeters: Double? { trip?.status.isFinal == true ? nil : estimate?.remainingMeters }

    /// Returns the time, in seconds, until ``freshness`` changes if no new answer arrives; nil if time alone does not change it.
    public func secondsToNextFreshness(now: Date) -> Double? {
        trip?.status.isFinal == true || failure != nil ? nil : position.secondsToNextState(now: now)
    }

    /// Whether the vehicle's next stop is another rider's.
    public var isNextStopForeign: Bool {
        guard let trip, let next = trip.remainingWaypoints.first else { return false }
        return !trip.owns(next)
    }

    /// Location of this trip's own next stop; nil if it is unknown or the trip is over.
    public var nextStop: Coordinate? {
        guard let trip else { return nil }
        if let own = trip.ownRemainingWaypoints.first { return own.coordinate }
        switch trip.status {
        case .new, .enrouteToPickup, .arrivedAtPickup: return trip.pickupPoint
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination:
            let index = trip.intermediateDestinationIndex
            return trip.intermediateDestinations.indices.contains(index) ? trip.intermediateDestinations[index] : trip.dropoffPoint
        case .enrouteToDropoff, .unknown: return trip.dropoffPoint
        case .complete, .canceled: return nil
        }
    }
}
