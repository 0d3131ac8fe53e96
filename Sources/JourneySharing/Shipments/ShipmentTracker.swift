public import FleetEngine
public import FoundationEssentials

/// Everything that is known about one shipment: how far its vehicle's position can be believed, when it arrives, and since when nothing is
/// shared.
///
/// A plain value without a clock. Its owner passes it every update of a ``ShipmentModel`` in order, including those without any change, and
/// the present moment before it reads ``freshness``.
public struct ShipmentTracker: Sendable, Identifiable {
    /// The shipment that is tracked.
    public let name: TaskTrackingName
    /// The shipment as last heard, kept through failures.
    public private(set) var shipment: TaskTrackingInfo?
    /// The last answer in which it was open; nil where it was never seen so.
    public private(set) var lastOpen: TaskTrackingInfo?
    /// The latest failure, until an answer comes.
    public private(set) var failure: PollFailure?
    /// When the last answer came, on the model's clock.
    public private(set) var lastAnswerAt: Date?
    /// When the last answer came that shared something of the way, by the server's clock; nil while none did.
    public private(set) var lastSharedAt: Date?
    /// Whether the last answer brought a newer position of the vehicle.
    public private(set) var isNewFix = false
    /// How far the position can be believed, as of the last update or tick; nil while there is no position and no failure.
    public private(set) var freshness: Freshness?
    /// The arrival for display, and the promises before; nothing while none is shared.
    public private(set) var arrival = ArrivalForecast()
    private var course = ShipmentCourse()
    private var position: FreshnessTracker

    /// - Parameter pollIntervalSeconds: between two polls, as the model makes them: ``ShipmentModel/pollIntervalSeconds``.
    public init(name: TaskTrackingName, pollIntervalSeconds: Double = PollMachine.Configuration.standardInterval) {
        self.name = name
        position = FreshnessTracker(pollIntervalSeconds: pollIntervalSeconds)
    }

    /// `name`: there is one tracker for a shipment.
    public var id: TaskTrackingName { name }

    /// Between two polls, seconds: an answer that comes late by that much makes no position old.
    public var pollIntervalSeconds: Double {
        get { position.pollIntervalSeconds }
        set { position.pollIntervalSeconds = newValue }
    }

    /// Takes in an update of the model.
    public mutating func observe(_ update: ShipmentUpdate) {
        switch update.kind {
        case .replaced: self = ShipmentTracker(name: name, pollIntervalSeconds: pollIntervalSeconds)
        case .shipment(let shipment, _): observe(shipment, now: update.time)
        case .failure(let failure): self.failure = failure
        // The next answer says what can be believed again.
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
        if shipment.estimatedArrivalTime == nil { arrival = ArrivalForecast() }
        arrival.observe(shipment.estimatedArrivalTime, now: now)
        if shipment.state == .open { lastOpen = shipment }
        if !SharedParts(shipment).isEmpty { lastSharedAt = position.serverNow(now) }
    }

    /// Takes in that time has passed: a position may have become too old to be believed.
    public mutating func tick(now: Date) {
        freshness = shipment?.outcome != nil ? .ended : position.state(now: now, status: nil, failure: failure)
    }
}

// MARK: - What is known

extension ShipmentTracker {
    /// What the last answer shares.
    public var shared: SharedParts { shipment.map(SharedParts.init) ?? [] }

    /// Stops of others before the shipment's; nil when that is not shared.
    public var stopsBefore: Int? { shipment?.stopsBefore }

    /// Whether the shipment has been closed without an outcome for a minute.
    public func isGone(now: Date) -> Bool { course.isGone(now: now) }

    /// Whether nothing more is to come: there is an outcome, or the shipment has been closed without one for a minute.
    public func isOver(now: Date) -> Bool { course.isOver(now: now) }

    /// The age of the position, seconds, never negative; nil without a position.
    public func ageSeconds(now: Date) -> Double? { position.ageSeconds(now: now) }

    /// The server's clock at local time `now`.
    public func serverNow(_ now: Date) -> Date { position.serverNow(now) }

    /// Whether a time may be counted down: no failure, and no position that is old. A position that is not shared is no old one.
    public var isCurrent: Bool { failure == nil && freshness != .notLive }

    /// Seconds until the arrival that is shown, by the server's clock; negative once it has passed, nil while none is shared.
    public func remainingSeconds(now: Date) -> Double? { arrival.shown.map { $0.timeIntervalSince(serverNow(now)) } }
}

extension TaskTrackingInfo {
    /// Stops of others before the shipment's, at least 0; nil when that is not shared.
    public var stopsBefore: Int? { remainingStopCount.flatMap { $0 < 0 ? nil : max(0, $0 - 1) } }
}
