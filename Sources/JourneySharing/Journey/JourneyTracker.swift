public import FleetEngine
public import FoundationEssentials
public import Geo

/// Everything that is known about one trip: how far its position can be believed, when it arrives, how much of the way is done, where its
/// vehicle is to be drawn, and what it has driven.
///
/// A plain value without a clock. Its owner passes it every update of a ``TripModel`` in order, including those without any change, and the
/// present moment before each frame. `JourneySharingSession` does both for a map; an owner that shows words only needs no ``advance(to:)``.
public struct JourneyTracker: Sendable, Identifiable {
    /// The trip that is tracked.
    public let tripName: TripName
    /// What the user says that the trip is; the trip's attributes come first.
    public let fallbackKind: TripKind?
    /// The trip as last heard, kept through failures.
    public private(set) var trip: Trip?
    /// The latest failure, until an answer comes.
    public private(set) var failure: PollFailure?
    /// When the last answer came, on the model's clock.
    public private(set) var lastAnswerAt: Date?
    /// Whether the last answer brought a newer position of the vehicle.
    public private(set) var isNewFix = false
    /// How far the position can be believed, as of the last update or tick; nil while there is no position and no failure.
    public private(set) var freshness: Freshness?
    /// Arrival at this trip's own next stop, or at an order's drop-off, as the last answer has it; nil when the trip is over.
    public private(set) var estimate: ArrivalEstimate?
    /// The arrival times for display at each of this trip's own stops, and the promises before.
    public private(set) var arrivals = JourneyForecast()
    /// How much of the present leg is done.
    public private(set) var progress: Progress
    /// Where to draw the vehicle, as of the last call of ``advance(to:)``; nil while unknown and after the trip.
    public private(set) var vehicle: VehicleMotion.Drawn?
    /// The trip's active route with its metres, as of the last call of ``advance(to:)``.
    public private(set) var activeRoute = Polyline([])
    /// The way along which this vehicle was drawn; nothing while ``keepsTakenRoute`` is off.
    public private(set) var taken = TakenRoute()
    /// Whether the driven way is remembered. What was remembered is forgotten with it.
    public var keepsTakenRoute = true { didSet { if !keepsTakenRoute { taken = TakenRoute() } } }
    private var position: FreshnessTracker
    private var motion = VehicleMotion()

    /// - Parameters:
    ///   - pollIntervalSeconds: between two polls, as the model really makes them: ``TripModel/pollIntervalSeconds``.
    ///   - progress: where an earlier run of the program looked last.
    ///   - fallbackKind: what the trip is where its attributes do not say it; nil for a ride.
    public init(
        tripName: TripName, pollIntervalSeconds: Double = PollMachine.Configuration.standardInterval, progress: Progress.Mark? = nil,
        fallbackKind: TripKind? = nil
    ) {
        self.tripName = tripName
        self.fallbackKind = fallbackKind
        self.progress = progress.map { Progress(mark: $0) } ?? Progress()
        position = FreshnessTracker(pollIntervalSeconds: pollIntervalSeconds)
    }

    /// A server's clock that differs by more than this from what it was has been set, seconds.
    public static let clockJumpSeconds = FreshnessTracker.clockJumpSeconds

    /// `tripName`: there is one tracker for a trip.
    public var id: TripName { tripName }

    /// What the trip is, as far as that is known.
    public var kind: TripKind { TripKind(attributes: trip?.attributes ?? [:], fallback: fallbackKind) }

    /// Between two polls, seconds: an answer that comes late by that much makes no position old.
    public var pollIntervalSeconds: Double {
        get { position.pollIntervalSeconds }
        set { position.pollIntervalSeconds = newValue }
    }

    /// The step that a server rounds the times of fixes to, seconds; 0 for exact times.
    package var fixStepSeconds: Double {
        get { position.fixStepSeconds }
        set { position.fixStepSeconds = newValue }
    }
}

// MARK: - What comes in

extension JourneyTracker {
    /// Takes in an update of the model.
    public mutating func observe(_ update: TripUpdate) {
        switch update.kind {
        case .trip(let trip, _): observe(trip, now: update.time)
        case .failure(let failure): self.failure = failure
        // The next answer says what can be believed again.
        case .recovered: return failure = nil
        case .ended: break
        case .state: return
        }
        tick(now: update.time)
    }

    private mutating func observe(_ trip: Trip, now: Date) {
        if let known = self.trip?.vehicleID, known != trip.vehicleID, !trip.status.isFinal { taken = TakenRoute() }
        self.trip = trip
        failure = nil
        lastAnswerAt = now
        let (isClockKnown, serverTime) = (position.isServerClockKnown, position.serverNow(now))
        isNewFix = position.observe(trip, now: now)
        let jump = position.serverNow(now).timeIntervalSince(serverTime)
        if isClockKnown, abs(jump) > Self.clockJumpSeconds { arrivals.shift(bySeconds: jump) }
        estimate = ArrivalEstimate(trip, kind: kind)
        arrivals.observe(trip, next: ArrivalEstimate(trip), now: now)
        progress.observe(estimate)
        motion.ageCapSeconds = position.reportGapSeconds + position.pollIntervalSeconds
        motion.observe(trip, ageSeconds: position.ageSeconds(now: now), isNewFix: isNewFix, now: now)
    }

    /// Takes in that time has passed: a position may have become too old to be believed.
    public mutating func tick(now: Date) { freshness = position.state(now: now, status: trip?.status, failure: failure) }

    /// Brings the drawn vehicle and its driven way to the moment `now`, and includes a ``tick(now:)``. Moments may come at any pace, but in
    /// order.
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

// MARK: - What is known

extension JourneyTracker {
    /// Whether numbers and vehicle may be shown as current; else they must be marked as old.
    public var isLive: Bool {
        switch freshness {
        case .live, .quiet, .ended, nil: true
        case .notLive, .offline, .stopped: false
        }
    }

    /// Whether there is a recent position, so that a countdown may send the rider out.
    public var hasLivePosition: Bool { failure == nil && (freshness == .live || freshness == .quiet) }

    /// Whether the vehicle stands at the stop that was counted down to, so that there is no countdown. An order's goes on to the drop-off.
    package var isAtStop: Bool { kind == .ride && trip?.status.isAtStop == true }

    /// Whether the shop of an order is still ahead.
    package var isShopAhead: Bool { kind == .order && (trip?.status == .new || trip?.status == .enrouteToPickup) }

    /// The age of the position, seconds, never negative; nil without a position.
    public func ageSeconds(now: Date) -> Double? { position.ageSeconds(now: now) }

    /// How fast the vehicle was drawn to go at the last call of ``advance(to:)``, metres a second; 0 where it stands until an answer comes.
    public var drawnMetersPerSecond: Double { vehicle == nil ? 0 : motion.metersPerSecond }

    /// The server's clock at local time `now`.
    public func serverNow(_ now: Date) -> Date { position.serverNow(now) }

    /// Whether the server has told its clock; until then ``serverNow(_:)`` goes by the local one.
    public var isServerClockKnown: Bool { position.isServerClockKnown }

    /// The arrival time for display at the stop of ``estimate``, and the promises before; nothing when the trip is over.
    public var forecast: ArrivalForecast { estimate.map { arrivals[$0.stop] } ?? ArrivalForecast() }

    /// Seconds until the arrival that is shown, by the server's clock; negative once it is overdue, nil while no arrival is known.
    public func remainingSeconds(now: Date) -> Double? { forecast.shown.map { $0.timeIntervalSince(serverNow(now)) } }

    /// The words of the countdown to the stop of ``estimate``.
    public func etaText(now: Date) -> ETAText { etaText(clock: serverNow(now)) }

    /// The same where the clock that is shown is `clock`.
    public func etaText(clock: Date) -> ETAText {
        ETAText(arrival: forecast.shown, now: clock, remainingMeters: countdownMeters, isLive: isLive)
    }

    /// How long ``etaText(clock:)`` can stay what it is if nothing comes, seconds; nil where time alone does not change it.
    public func secondsToNextETAText(clock: Date) -> Double? {
        ETAText.secondsToNext(arrival: forecast.shown, now: clock, remainingMeters: countdownMeters)
    }

    private var countdownMeters: Double? { trip?.status.isFinal == true ? nil : estimate?.remainingMeters }

    /// How long ``freshness`` can stay what it is if nothing comes, seconds; nil where time alone does not change it.
    public func secondsToNextFreshness(now: Date) -> Double? {
        trip?.status.isFinal == true || failure != nil ? nil : position.secondsToNextState(now: now)
    }

    /// Whether the vehicle goes to a stop of another rider first.
    public var isNextStopForeign: Bool {
        guard let trip, let next = trip.remainingWaypoints.first else { return false }
        return !trip.owns(next)
    }

    /// This trip's own next stop.
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
