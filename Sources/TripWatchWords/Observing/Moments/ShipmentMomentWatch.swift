import FleetEngine
package import FoundationEssentials
package import JourneySharing
package import TripWatchSettings

/// Detects a shipment's events for hooks and alerts from its updates, and reports each event once.
///
/// The first answer gives a single `state` event, and an `outcome` event if the shipment has an outcome. A changed arrival is compared with
/// the last reported arrival. A threshold is reported once. Unless ``MomentRules/isOncePerTrip`` is set, it can be reported again after the
/// value was more than a fifth above it. Values that the server does not share cause no events.
package struct ShipmentMomentWatch: Sendable {
    private struct Told: Sendable {
        var arrival: Date
        /// The time from the report to the arrival, in seconds.
        var secondsLeft: Double
        /// The server's clock minus the local clock at the time of the report, in seconds.
        var clockOffset: Double
    }

    private struct Found {
        var event: ShipmentMoment.Event
        var changedBySeconds: Double?
    }

    package var rules: MomentRules
    private var isReplaced = false
    private var state: DeliveryTaskState?
    private var outcome: DeliveryTaskOutcome?
    private var told: Told?
    private var reachedSeconds: Set<Double> = []
    private var areStopsReached = false

    package init(_ rules: MomentRules) { self.rules = rules }

    /// Returns the events of an update.
    /// - Parameter tracker: the shipment's tracker, which has already handled the update.
    package mutating func observe(_ update: ShipmentUpdate, _ tracker: ShipmentTracker) -> [ShipmentMoment] {
        switch update.kind {
        case .replaced:
            // The event `replaced` is reported with the next answer, which has the values of the new shipment.
            self = ShipmentMomentWatch(rules)
            isReplaced = true
            return []
        case .shipment(let shipment, _): return tell(events(of: shipment, tracker, now: update.time), tracker, now: update.time)
        case .ended: return tell([Found(event: .end)], tracker, now: update.time)
        case .failure, .recovered, .state: return []
        }
    }

    /// Returns the events that occur without an update, only because time has passed.
    package mutating func tick(_ tracker: ShipmentTracker, now: Date) -> [ShipmentMoment] {
        guard state == .open, outcome == nil else { return [] }
        return tell(thresholds(tracker, now: now), tracker, now: now)
    }

    private mutating func events(of shipment: TaskTrackingInfo, _ tracker: ShipmentTracker, now: Date) -> [Found] {
        let isFirst = state == nil
        var found = isReplaced ? [Found(event: .replaced)] : []
        if shipment.state != state { found.append(Found(event: .state)) }
        if let new = shipment.outcome, new != outcome { found.append(Found(event: .outcome)) }
        isReplaced = false
        state = shipment.state
        outcome = shipment.outcome
        guard shipment.state == .open, shipment.outcome == nil else { return found }
        guard !isFirst else {
            // A threshold that has already been reached at the start is not news for an alert.
            if rules.isOncePerTrip { _ = thresholds(tracker, now: now) }
            return found
        }
        return found + changedArrival(tracker, now: now) + thresholds(tracker, now: now)
    }

    /// Selects the events to report, and records the arrival time that they announce.
    private mutating func tell(_ found: [Found], _ tracker: ShipmentTracker, now: Date) -> [ShipmentMoment] {
        guard let shipment = tracker.shipment else { return [] }
        let selected = found.filter { rules.shipmentEvents.contains($0.event) }
        let tellsArrival = selected.contains { rules.everyMomentTellsArrival || $0.event == .etaChanged }
        if tellsArrival || told == nil || isMeasure(tracker, now: now), let arrival = tracker.arrival.shown {
            let serverNow = tracker.serverNow(now)
            told = Told(
                arrival: arrival, secondsLeft: max(0, arrival.timeIntervalSince(serverNow)), clockOffset: serverNow.timeIntervalSince(now))
        }
        let eta = ShipmentETA(tracker, now: now)
        return selected.map {
            ShipmentMoment(
                event: $0.event, shipment: tracker.name, time: now, state: shipment.state, outcome: shipment.outcome,
                arrival: eta.arrival, remainingSeconds: eta.remainingSeconds, remainingMeters: eta.remainingMeters,
                stopsBefore: eta.stopsBefore, changedBySeconds: $0.changedBySeconds)
        }
    }

    /// Whether to record the present arrival without reporting it, so that the next delay is measured from it. If only delays are reported,
    /// an arrival is recorded in this way once it has become earlier and has stayed so for `MomentRules.lastingSeconds`.
    private func isMeasure(_ tracker: ShipmentTracker, now: Date) -> Bool {
        guard rules.isOnlyDelay, let moved = moved(tracker, now: now), let last = tracker.arrival.promises.last else { return false }
        return moved <= -MomentRules.leastEarlierSeconds && now.timeIntervalSince(last.madeAt) >= MomentRules.lastingSeconds
    }

    /// The change in the arrival since it was last recorded, in seconds; nil if one of the arrivals is unknown.
    private func moved(_ tracker: ShipmentTracker, now: Date) -> Double? {
        guard let told, let arrival = tracker.arrival.shown else { return nil }
        // A clock adjustment is not a delay.
        let jump = tracker.serverNow(now).timeIntervalSince(now) - told.clockOffset
        return arrival.timeIntervalSince(told.arrival) - (abs(jump) > JourneyTracker.clockJumpSeconds ? jump : 0)
    }

    private func changedArrival(_ tracker: ShipmentTracker, now: Date) -> [Found] {
        guard let told, let arrival = tracker.arrival.shown, let change = moved(tracker, now: now) else { return [] }
        // While a van waits at the stop, the shown arrival is always the current time. This is not a delay.
        guard (rules.isOnlyDelay ? change : abs(change)) >= rules.leastChange(secondsLeft: told.secondsLeft),
            change < 0 || arrival.timeIntervalSince(tracker.serverNow(now)) >= 1
        else {
            return []
        }
        return [Found(event: .etaChanged, changedBySeconds: change)]
    }

    private mutating func thresholds(_ tracker: ShipmentTracker, now: Date) -> [Found] {
        var found: [Found] = []
        if tracker.isCurrent, let seconds = tracker.remainingSeconds(now: now) {
            if !rules.isOncePerTrip { reachedSeconds = reachedSeconds.filter { seconds <= $0 * MomentRules.rearmingFactor } }
            let new = rules.timesLeft.filter { seconds <= $0 && !reachedSeconds.contains($0) }
            reachedSeconds.formUnion(new)
            if !new.isEmpty { found.append(Found(event: .timeLeft)) }
        }
        if let stops = tracker.stopsBefore {
            if stops <= rules.stopsLeft, !areStopsReached { found.append(Found(event: .stopsLeft)) }
            let limit = Double(rules.stopsLeft) * (areStopsReached ? MomentRules.rearmingFactor : 1)
            areStopsReached = Double(stops) <= limit || areStopsReached && rules.isOncePerTrip
        }
        return found
    }
}
