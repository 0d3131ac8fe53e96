package import FleetEngine
package import FoundationEssentials

/// The times of a trip's events that this program has observed, for the summary after the trip. If the server's clock is known,
/// the times are by this clock.
package struct TripHistory: Hashable, Sendable {
    /// The time at which this program first saw the trip.
    package private(set) var seenAt: Date?
    /// The time of the booking; nil unless this program first saw the trip right after the booking.
    package private(set) var createdAt: Date?
    package private(set) var assignedAt: Date?
    /// The latest time at which the car can have been assigned; nil unless the trip already had a car when this program first saw the trip.
    package private(set) var assignedBy: Date?
    /// The status in which this program first saw the trip, with the latest time at which the trip can have entered it.
    package private(set) var enteredBy: [TripStatus: Date] = [:]
    /// The time at which the trip last entered each status, if this program saw the change.
    package private(set) var enteredAt: [TripStatus: Date] = [:]
    /// The time at which the car left each intermediate stop, by the stop's index in the trip's list.
    package private(set) var leftStopAt: [Int: Date] = [:]
    /// The number of intermediate stops that the car has reached, as far as this program saw.
    package private(set) var stopsReached = 0
    /// The number of times that a changed arrival was announced.
    package private(set) var moves = 0
    /// The distance driven before the rider got in, in metres; nil if this program did not see the pickup.
    package private(set) var metersAtPickup: Double?
    private var leftPickupAt: Date?
    /// Times in the future that the server has reported for past pickups and drop-offs. They cannot be true.
    private var impossibleTimes: Set<Date> = []
    /// The index of the next stop in the last answer; nil before the first answer.
    private var index: Int?

    package init() {}

    /// Shifts the times after the server's clock was adjusted, or after its offset became known.
    package mutating func shift(bySeconds seconds: Double) {
        func shifted(_ time: Date?) -> Date? { time?.addingTimeInterval(seconds) }
        seenAt = shifted(seenAt)
        createdAt = shifted(createdAt)
        assignedAt = shifted(assignedAt)
        assignedBy = shifted(assignedBy)
        leftPickupAt = shifted(leftPickupAt)
        enteredBy = enteredBy.mapValues { $0.addingTimeInterval(seconds) }
        enteredAt = enteredAt.mapValues { $0.addingTimeInterval(seconds) }
        leftStopAt = leftStopAt.mapValues { $0.addingTimeInterval(seconds) }
    }

    package mutating func observe(_ fact: TripFact, trip: Trip?, drivenMeters: Double, at time: Date, isJustBooked: Bool = false) {
        if trip != nil { seenAt = seenAt ?? time }
        switch fact {
        case .status(let status, let previous):
            if previous == nil, isJustBooked { createdAt = createdAt ?? time }
            observe(status, previous: previous, drivenMeters: drivenMeters, at: time)
        case .vehicle(.some) where seenAt != time || isJustBooked: assignedAt = time
        case .vehicle(.some): assignedBy = time
        case .vehicle(nil): assignedAt = nil
        case .promise: moves += 1
        default: break
        }
    }

    /// Records the trip from an answer. Call this function after recording the facts from the same answer.
    package mutating func observe(_ trip: Trip, at time: Date) {
        for told in [toldPickup(trip), toldDropoff(trip)] {
            if let told, told.timeIntervalSince(time) > Self.toleranceSeconds { impossibleTimes.insert(told) }
        }
        if let index, trip.stopIndex > index { noteLeaving(stop: index, at: time) }
        index = trip.stopIndex
        switch trip.status {
        case .enrouteToIntermediateDestination: stopsReached = trip.stopIndex
        case .arrivedAtIntermediateDestination: stopsReached = min(trip.stopIndex + 1, trip.intermediateDestinations.count)
        // The index does not increase after the last stop.
        case .enrouteToDropoff: stopsReached = trip.intermediateDestinations.count
        case .canceled: stopsReached = max(stopsReached, min(trip.stopIndex, trip.intermediateDestinations.count))
        default: break
        }
    }

    private mutating func observe(_ status: TripStatus, previous: TripStatus?, drivenMeters: Double, at time: Date) {
        guard let previous else { return enteredBy[status] = time }
        enteredAt[status] = time
        // The index does not increase after the last stop. The car may have arrived and left between two answers.
        let isLeaving = previous == .enrouteToIntermediateDestination && (status == .enrouteToDropoff || status == .complete)
        if let index, isLeaving || previous == .arrivedAtIntermediateDestination && status != .canceled {
            noteLeaving(stop: index, at: time)
        }
        if previous.isBeforePickup && !status.isBeforePickup && !status.isFinal {
            metersAtPickup = drivenMeters
            leftPickupAt = time
        }
    }

    private mutating func noteLeaving(stop: Int, at time: Date) { leftStopAt[stop] = leftStopAt[stop] ?? time }

    /// Returns the time at which the rider got in: the server's time, or else the time that this program observed. Nil if the rider has not
    /// got in, or if the time is unknown.
    package func pickedUpAt(_ trip: Trip?) -> Date? {
        guard let trip, !trip.status.isBeforePickup else { return nil }
        guard trip.status != .canceled || metersAtPickup != nil || trip.actualPickup != nil else { return nil }
        return possible(toldPickup(trip), after: enteredAt[.arrivedAtPickup]) ?? leftPickupAt
    }

    /// Returns the time at which the car came to the pickup. If that time is unknown, returns the time at which the rider got in. Nil while
    /// ``pickedUpAt(_:)`` is nil, even if the car has already arrived.
    package func atPickupAt(_ trip: Trip?) -> Date? { pickedUpAt(trip).map { enteredAt[.arrivedAtPickup] ?? $0 } }

    /// The latest possible time of a pickup that this program did not see; nil if it saw the pickup.
    package var pickedUpBy: Date? { leftPickupAt == nil ? seenAt : nil }

    package func droppedOffAt(_ trip: Trip?) -> Date? {
        guard let trip, trip.status == .complete else { return nil }
        return possible(toldDropoff(trip), after: leftStopAt.values.max() ?? leftPickupAt) ?? enteredAt[.complete]
    }

    /// The largest amount by which the time of a past event may be in the future, in seconds. Clocks differ a little.
    static let toleranceSeconds = 5.0

    /// The time of the pickup according to the server. `pickupTime` comes first, because the time of `actualPickup` can be that of an older
    /// fix. For a cancelled trip without `actualPickup`, `pickupTime` is only a plan.
    private func toldPickup(_ trip: Trip) -> Date? {
        if trip.status.isBeforePickup || trip.status == .canceled && trip.actualPickup == nil { return nil }
        return trip.pickupTime ?? trip.actualPickup?.time
    }

    private func toldDropoff(_ trip: Trip) -> Date? {
        trip.status == .complete ? trip.actualDropoff?.time ?? trip.dropoffTime : nil
    }

    /// Returns the server's time of an event; nil if this time is impossible. A time is impossible if it was in the future when the server
    /// reported it. It is also impossible if it is before `earlier`, the time of an observed event, because the server may report the time
    /// of the vehicle's last position instead. Differences of up to 5 s are tolerated.
    private func possible(_ told: Date?, after earlier: Date?) -> Date? {
        guard let told, !impossibleTimes.contains(told) else { return nil }
        return earlier.map { told < $0.addingTimeInterval(-Self.toleranceSeconds) } ?? false ? nil : told
    }
}
