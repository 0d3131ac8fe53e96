public import FleetEngine
public import FoundationEssentials

/// State of one shipment, for display: reliability of the vehicle's position, arrival time, and the time when details of the drive were
/// last shared.
///
/// A plain value without a clock. Its owner passes every update of a ``ShipmentModel`` to the tracker, in order, and calls
/// ``tick(now:)`` before it reads ``freshness``.
public struct ShipmentTracker: Sendable, Identifiable {
    /// Tracking name of the shipment.
    public let name: TaskTrackingName
    /// The shipment as of the last answer. It is kept through failures.
    public private(set) var shipment: TaskTrackingInfo?
    /// Last answer in which the shipment was open; nil if it was never seen open.
    public private(set) var lastOpen: TaskTrackingInfo?
    /// Latest failure; nil once a later poll gets an answer.
    public private(set) var failure: PollFailure?
    /// Time of the last answer, on the model's clock.
    public private(set) var lastAnswerAt: Date?
    /// Time of the last answer that shared any of ``SharedParts``, by the server's clock; nil before the first such answer.
    public private(set) var lastSharedAt: Date?
    /// Whether the last answer contained a newer position of the vehicle.
    public private(set) var isNewFix = false
    /// Reliability of the position at the last update or tick; nil while there is neither a position nor a failure.
    public private(set) var freshness: Freshness?
    /// Arrival time for display, and the times that were promised earlier; empty while no arrival time is shared.
    public private(set) var arrival = ArrivalForecast()
    /// Completed share of the drive to the stop, counted from the first answer that contains the distance to the stop; empty while the
    /// distance is not shared.
    public private(set) var progress = Progress()
    private var course = ShipmentCourse()
    private var position: FreshnessTracker

    /// - Parameter pollIntervalSeconds: time between two polls of the model: ``ShipmentModel/pollIntervalSeconds``.
    public init(name: TaskTrackingName, pollIntervalSeconds: Double = PollMachine.Configuration.standardInterval) {
        self.name = name
        position = FreshnessTracker(pollIntervalSeconds: pollIntervalSeconds)
    }

    /// Tracking name of the shipment. It identifies the tracker, because each shipment has a single tracker.
    public var id: TaskTrackingName { name }

    /// Time between two polls, in seconds. An answer that is late by up to this time does not make a position old.
    public var pollIntervalSeconds: Double {
        get { position.pollIntervalSeconds }
        set { position.pollIntervalSeconds = newValue }
    }

    /// Adds an update from the model.
    public mutating func observe(_ update: ShipmentUpdate) {
        switch update.kind {
        case .replaced: self = ShipmentTracker(name: name, pollIntervalSeconds: pollIntervalSeconds)
        case .shipment(let shipment, _): observe(shipment, now: update.time)
        case .failure(let failure): self.failure = failure
        // The update with the answer itself follows, and also updates `freshness`.
        case .recovered: return failure = nil
        case .ended: break
        case .state: return
        }
        tick(now: update.time)
    }

    private mutating func observe(_ shipment: TaskTrackingInfo, now: Date) {
        self.shipment = shipment
        failure = nil
        lastAnswerAt = now
        _ = course.observe(shipment, now: now)
        isNewFix = position.observe(ObservedPosition(shipment), now: now)
        if let time = shipment.estimatedArrivalTime { dropShown(ifPast: time, now: now) } else { arrival = ArrivalForecast() }
        arrival.observe(shipment.estimatedArrivalTime, now: now)
        if let meters = shipment.remainingDistanceMeters { progress.observe(remainingMeters: meters) } else { progress = Progress() }
        if shipment.state == .open { lastOpen = shipment }
        if !SharedParts(shipment).isEmpty { lastSharedAt = position.serverNow(now) }
    }

    /// Forgets the shown arrival time if it is still in the future, but the server's new arrival time has already passed. Once the vehicle
    /// is at the stop, the server sends the time at which the vehicle arrived.
    private mutating func dropShown(ifPast time: Date, now: Date) {
        let now = position.serverNow(now)
        if time <= now, let shown = arrival.shown, shown > now { arrival = ArrivalForecast() }
    }

    /// Updates ``freshness`` to the moment `now`, because a position may have become too old.
    public mutating func tick(now: Date) {
        freshness = shipment?.outcome != nil ? .ended : position.state(now: now, status: nil, failure: failure)
    }
}

// MARK: - State

extension ShipmentTracker {
    /// Details of the drive that the last answer shares.
    public var shared: SharedParts { shipment.map(SharedParts.init) ?? [] }

    /// Number of other stops before the shipment's stop; nil if not shared.
    public var stopsBefore: Int? { shipment?.stopsBefore }

    /// Whether the shipment has been closed without an outcome for a minute.
    public func isGone(now: Date) -> Bool { course.isGone(now: now) }

    /// Whether no more changes are expected: there is an outcome, or the shipment has been closed without one for a minute.
    public func isOver(now: Date) -> Bool { course.isOver(now: now) }

    /// Returns the age of the position, seconds, never negative; nil without a position.
    public func ageSeconds(now: Date) -> Double? { position.ageSeconds(now: now) }

    /// Returns the time on the server's clock at the local time `now`.
    public func serverNow(_ now: Date) -> Date { position.serverNow(now) }

    /// Whether the position can be drawn as current: it is recent, and the server answers.
    public var isLive: Bool { failure == nil && (freshness == .live || freshness == .quiet) }

    /// Whether a countdown may be shown: the server answers, and the position is not old. A position that is not shared does not count as
    /// old.
    public var isCurrent: Bool { failure == nil && freshness != .notLive }

    /// Seconds until the shown arrival, by the server's clock; negative if it has passed, nil while no arrival is shared.
    public func remainingSeconds(now: Date) -> Double? { arrival.shown.map { $0.timeIntervalSince(serverNow(now)) } }
}

extension TaskTrackingInfo {
    /// Number of other stops before the shipment's stop, at least 0; nil if not shared.
    public var stopsBefore: Int? { remainingStopCount.flatMap { $0 < 0 ? nil : max(0, $0 - 1) } }
}
