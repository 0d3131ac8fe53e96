import FleetEngine
package import FoundationEssentials
package import JourneySharing
package import TripWatchSettings

/// Detects a trip's events for hooks and alerts from the state of its journey, and reports each event once.
///
/// The first state gives a `status` event, and an `end` event if the trip has ended. A changed arrival is compared with the last reported
/// arrival at the same stop. With ``MomentRules/isOnlyDelay``, an earlier arrival is not reported, but later changes are measured from it
/// once it has lasted for a while.
///
/// A threshold is reported once for each stop, and again only if the value has meanwhile been more than a fifth above it. With
/// ``MomentRules/isOncePerTrip``, it is reported once for the whole trip. Thresholds apply only while the position is live or quiet.
package struct MomentWatch: Sendable {
    private struct Told: Sendable {
        var arrival: Date
        /// The time from the report to the arrival, in seconds.
        var secondsLeft: Double
        /// The server's clock minus the local clock at the time of the report, in seconds.
        var clockOffset: Double
    }

    package var rules: MomentRules
    private var status: TripStatus?
    private var hadCar = false
    private var stop: JourneyStop?
    private var told: [JourneyStop: Told] = [:]
    private var reachedSeconds: Set<Double> = []
    private var reachedMeters: Set<Double> = []
    private var lostSince: Date?
    private var isLostTold = false

    package init(_ rules: MomentRules) { self.rules = rules }

    /// Returns the events that are new since the last call. Call it after each update, and as time passes between updates.
    package mutating func observe(_ journey: JourneyTracker, now: Date) -> [Moment] {
        guard let trip = journey.trip else { return [] }
        let events = events(trip, journey, now: now)
        let selected = events.filter { rules.events.contains($0.event) }
        let tellingArrival = selected.filter { rules.everyMomentTellsArrival || $0.event == .etaChanged }
        note(journey, now: now, isNextTold: tellingArrival.contains { !$0.isOfDestination }, isAnyTold: !tellingArrival.isEmpty)
        return selected.map { moment($0, of: trip, journey, now: now) }
    }

    private func moment(_ found: Found, of trip: Trip, _ journey: JourneyTracker, now: Date) -> Moment {
        let stop = found.isOfDestination ? JourneyStop.dropoff : journey.estimate?.stop
        let arrival = stop.flatMap { journey.arrivals[$0].shown }
        let isNext = !found.isOfDestination && !trip.status.isFinal
        return Moment(
            event: found.event, trip: journey.tripName, time: now, status: trip.status, waypoint: stop?.waypoint, arrival: arrival,
            remainingSeconds: arrival.map { max(0, $0.timeIntervalSince(journey.serverNow(now))) },
            remainingMeters: isNext ? journey.estimate?.remainingMeters : nil, changedBySeconds: found.changedBySeconds,
            threshold: found.threshold, kind: journey.kind)
    }

    /// The next time at which an event can occur without an update, if the program can predict it; otherwise nil.
    package func due(_ journey: JourneyTracker, after now: Date) -> Date? {
        guard status?.isFinal == false else { return nil }
        var seconds: [Double] = []
        if rules.events.contains(.timeLeft), isNearing(journey), let left = journey.remainingSeconds(now: now) {
            seconds += rules.timesLeft.filter { !reachedSeconds.contains($0) }.map { max(0, left - $0) }
        }
        if let lostSince, !isLostTold { seconds.append(max(0, rules.lostAfterSeconds - now.timeIntervalSince(lostSince))) }
        if let change = journey.secondsToNextFreshness(now: now) { seconds.append(change) }
        return seconds.min().map(now.addingTimeInterval)
    }
}

// MARK: - Events

extension MomentWatch {
    private struct Found {
        var event: Moment.Event
        var changedBySeconds: Double?
        var threshold: Double?
        /// Whether the event is about the destination even though another stop comes next.
        var isOfDestination = false
    }

    private mutating func events(_ trip: Trip, _ journey: JourneyTracker, now: Date) -> [Found] {
        let before = status
        status = trip.status
        let hasNewCar = trip.vehicleID != nil && !hadCar
        hadCar = hadCar || trip.vehicleID != nil
        guard let before else {
            arrive(at: journey)
            _ = position(journey, now: now)
            // A threshold that has already been reached at the start is not news for an alert.
            if rules.isOncePerTrip { _ = thresholds(journey, now: now) }
            return [Found(event: .status)] + (trip.status.isFinal ? [Found(event: .end)] : [])
        }
        guard !before.isFinal else { return [] }
        var found: [Found] = hasNewCar ? [Found(event: .assigned)] : []
        if trip.status != before {
            found.append(Found(event: .status))
            if trip.status == .arrivedAtPickup, journey.kind == .ride { found.append(Found(event: .here)) }
        }
        if trip.status.isFinal { return found + [Found(event: .end)] }
        found += position(journey, now: now)
        arrive(at: journey)
        return found + changedArrival(journey, now: now) + thresholds(journey, now: now)
    }

    /// If the trip's next stop has changed, forgets what was reported about the previous stop.
    private mutating func arrive(at journey: JourneyTracker) {
        let next = journey.estimate?.stop
        guard next != stop else { return }
        stop = next
        told = rules.tellsDestination ? told.filter { $0.key == .dropoff } : [:]
        if !rules.isOncePerTrip { (reachedSeconds, reachedMeters) = ([], []) }
    }

    /// The drop-off, if its arrival is reported while another stop comes next; otherwise nil.
    private func destination(_ journey: JourneyTracker) -> JourneyStop? {
        guard rules.tellsDestination, let next = journey.estimate?.stop, next != .dropoff else { return nil }
        return .dropoff
    }

    /// Records the arrivals that are reported now, and those that ``isMeasure(_:_:now:)`` selects. A report about the next stop also counts
    /// for the destination: both have the same delay.
    private mutating func note(_ journey: JourneyTracker, now: Date, isNextTold: Bool, isAnyTold: Bool) {
        if let next = journey.estimate?.stop, isNextTold || isMeasure(next, journey, now: now) { note(next, journey, now: now) }
        if let end = destination(journey), isAnyTold || isMeasure(end, journey, now: now) { note(end, journey, now: now) }
    }

    /// Whether to record the present arrival at a stop even if it is not reported, so that the next change is measured from it. The first
    /// arrival is always recorded. If only delays are reported, an arrival that has become earlier is recorded once it has lasted,
    /// because the rider then counts on it. Without this wait, an arrival that swings between two times would alert again and again.
    private func isMeasure(_ stop: JourneyStop, _ journey: JourneyTracker, now: Date) -> Bool {
        guard let before = told[stop] else { return true }
        guard rules.isOnlyDelay, let moved = moved(at: stop, journey, now: now), let last = journey.arrivals[stop].promises.last else {
            return false
        }
        let least = stop == journey.estimate?.stop ? MomentRules.leastEarlierSeconds : rules.leastChange(secondsLeft: before.secondsLeft)
        return moved <= -least && now.timeIntervalSince(last.madeAt) >= MomentRules.lastingSeconds
    }

    private mutating func note(_ stop: JourneyStop, _ journey: JourneyTracker, now: Date) {
        guard let arrival = journey.arrivals[stop].shown else { return }
        let serverNow = journey.serverNow(now)
        told[stop] = Told(
            arrival: arrival, secondsLeft: max(0, arrival.timeIntervalSince(serverNow)), clockOffset: serverNow.timeIntervalSince(now))
    }

    private func changedArrival(_ journey: JourneyTracker, now: Date) -> [Found] {
        guard let next = journey.estimate?.stop, !journey.isAtStop else { return [] }
        if let moved = change(at: next, journey, now: now) { return [Found(event: .etaChanged, changedBySeconds: moved)] }
        guard let end = destination(journey), let moved = change(at: end, journey, now: now) else { return [] }
        return [Found(event: .etaChanged, changedBySeconds: moved, isOfDestination: true)]
    }

    /// The seconds by which the present arrival at a stop is later than the last recorded one; negative if earlier, nil if one of the two
    /// is unknown.
    private func moved(at stop: JourneyStop, _ journey: JourneyTracker, now: Date) -> Double? {
        guard let told = told[stop], let arrival = journey.arrivals[stop].shown else { return nil }
        // A clock adjustment is not a delay.
        let jump = journey.serverNow(now).timeIntervalSince(now) - told.clockOffset
        return arrival.timeIntervalSince(told.arrival) - (abs(jump) > JourneyTracker.clockJumpSeconds ? jump : 0)
    }

    /// The change in the arrival at a stop, in seconds; nil for a change that must not be reported.
    private func change(at stop: JourneyStop, _ journey: JourneyTracker, now: Date) -> Double? {
        guard let told = told[stop], let arrival = journey.arrivals[stop].shown, let change = moved(at: stop, journey, now: now) else {
            return nil
        }
        guard (rules.isOnlyDelay ? change : abs(change)) >= rules.leastChange(secondsLeft: told.secondsLeft) else { return nil }
        // While a car waits at the stop, the shown arrival is always the current time. This is not a delay.
        return change > 0 && arrival.timeIntervalSince(journey.serverNow(now)) < 1 ? nil : change
    }

    /// Whether thresholds apply: the vehicle is on its way to the next stop, its position is live or quiet, and the last call did not
    /// fail. With ``MomentRules/isOncePerTrip``, a ride's thresholds apply only on the way to the pickup.
    private func isNearing(_ journey: JourneyTracker) -> Bool {
        guard journey.hasLivePosition else { return false }
        // The estimate of an order is always for the drop-off, so its thresholds apply as soon as there is a courier.
        if journey.kind == .order { return journey.trip?.vehicleID != nil && journey.trip?.status.isFinal == false }
        switch journey.trip?.status {
        case .enrouteToPickup: return true
        case .new: return journey.trip?.vehicleID != nil
        case .enrouteToIntermediateDestination, .enrouteToDropoff: return !rules.isOncePerTrip
        default: return false
        }
    }

    private mutating func thresholds(_ journey: JourneyTracker, now: Date) -> [Found] {
        guard isNearing(journey) else { return [] }
        let seconds = Self.reached(
            rules.timesLeft, by: journey.remainingSeconds(now: now), known: &reachedSeconds, rearms: !rules.isOncePerTrip)
        let meters = Self.reached(
            rules.distancesLeft, by: journey.estimate?.remainingMeters, known: &reachedMeters, rearms: !rules.isOncePerTrip)
        return [
            seconds.map { Found(event: .timeLeft, threshold: $0) }, meters.map { Found(event: .distanceLeft, threshold: $0) },
        ].compactMap { $0 }
    }

    /// Returns the smallest threshold that was newly reached. Larger thresholds need no report of their own.
    private static func reached(_ thresholds: [Double], by figure: Double?, known: inout Set<Double>, rearms: Bool) -> Double? {
        guard let figure else { return nil }
        if rearms { known = known.filter { figure <= $0 * MomentRules.rearmingFactor } }
        let new = thresholds.filter { figure <= $0 && !known.contains($0) }
        known.formUnion(new)
        return new.min()
    }

    private mutating func position(_ journey: JourneyTracker, now: Date) -> [Found] {
        switch journey.freshness {
        case .notLive, .offline:
            let since = lostSince ?? now
            lostSince = since
            guard !isLostTold, now.timeIntervalSince(since) >= rules.lostAfterSeconds else { return [] }
            isLostTold = true
            return [Found(event: .positionLost)]
        case .live, .quiet, nil:
            defer { (lostSince, isLostTold) = (nil, false) }
            return isLostTold ? [Found(event: .positionBack)] : []
        case .stopped, .ended: return []
        }
    }
}
