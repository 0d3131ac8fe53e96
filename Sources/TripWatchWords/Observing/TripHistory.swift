package import FleetEngine
package import FoundationEssentials

/// Times of a trip's events, as far as this program saw them, for the summary after the trip. All times are by the server's clock if it is
/// known. The announced arrivals are in the trip's `JourneyForecast`.
package struct TripHistory: Hashable, Sendable {
    /// Time at which the trip was first seen.
    package private(set) var seenAt: Date?
    /// Time of the booking; nil unless the trip was first seen right after it.
    package private(set) var createdAt: Date?
    package private(set) var assignedAt: Date?
    /// Latest possible time of the car's assignment: the time of the first look, if the trip had a car by then. ``enteredBy`` has the same
    /// for statuses.
    package private(set) var assignedBy: Date?
    package private(set) var enteredBy: [TripStatus: Date] = [:]
    /// Time when each status was last entered, if the change was seen.
    package private(set) var enteredAt: [TripStatus: Date] = [:]
    /// Departure from each intermediate stop, by its index in the trip's list.
    package private(set) var leftStopAt: [Int: Date] = [:]
    /// Number of times that a changed arrival was announced.
    package private(set) var moves = 0
    /// Distance driven before the rider got in, metres; nil if the pickup was not seen.
    package private(set) var metersAtPickup: Double?
    private var leftPickupAt: Date?
    /// Impossible times: the server reported a past pickup or drop-off with a time that was still in the future.
    private var impossibleTimes: Set<Date> = []
    private var index = 0

    package init() {}

    /// Corrects the times after the server's clock was set or became known.
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

    /// Records the trip of an answer, after the facts of the same answer.
    package mutating func observe(_ trip: Trip, at time: Date) {
        for told in [toldPickup(trip), toldDropoff(trip)] {
            if let told, told.timeIntervalSince(time) > Self.toleranceSeconds { impossibleTimes.insert(told) }
        }
        if trip.stopIndex > index { noteLeaving(stop: index, at: time) }
        index = trip.stopIndex
    }

    private mutating func observe(_ status: TripStatus, previous: TripStatus?, drivenMeters: Double, at time: Date) {
        guard let previous else { return enteredBy[status] = time }
        enteredAt[status] = time
        // The index of the next stop does not increase after the last stop, and a short halt may fall between two answers.
        let isLeaving = previous == .enrouteToIntermediateDestination && (status == .enrouteToDropoff || status == .complete)
        if isLeaving || previous == .arrivedAtIntermediateDestination && status != .canceled { noteLeaving(stop: index, at: time) }
        if previous.isBeforePickup && !status.isBeforePickup && !status.isFinal {
            metersAtPickup = drivenMeters
            leftPickupAt = time
        }
    }

    private mutating func noteLeaving(stop: Int, at time: Date) { leftStopAt[stop] = leftStopAt[stop] ?? time }

    /// Time when the rider got in: by the server, or else as observed.
    package func pickedUpAt(_ trip: Trip?) -> Date? {
        guard let trip, !trip.status.isBeforePickup, trip.status != .canceled || metersAtPickup != nil else { return nil }
        return possible(toldPickup(trip)) ?? leftPickupAt
    }

    /// Latest possible time of the pickup, if its time is unknown.
    package var pickedUpBy: Date? { leftPickupAt == nil ? seenAt : nil }

    package func droppedOffAt(_ trip: Trip?) -> Date? {
        guard let trip, trip.status == .complete else { return nil }
        return possible(toldDropoff(trip)) ?? enteredAt[.complete]
    }

    /// Tolerance for times of past events that are still in the future here, seconds, because clocks differ a little.
    static let toleranceSeconds = 5.0

    private func toldPickup(_ trip: Trip) -> Date? {
        trip.status.isBeforePickup ? nil : trip.actualPickup?.time ?? (trip.status == .canceled ? nil : trip.pickupTime)
    }

    private func toldDropoff(_ trip: Trip) -> Date? {
        trip.status == .complete ? trip.actualDropoff?.time ?? trip.dropoffTime : nil
    }

    private func possible(_ told: Date?) -> Date? { told.flatMap { impossibleTimes.contains($0) ? nil : $0 } }
}
