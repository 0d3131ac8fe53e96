package import FleetEngine
package import FoundationEssentials

/// When things happened on a trip, as far as it was watched: what the last page tells. All times are by the server's clock, as far as that is
/// known. What was promised before stands in the trip's `JourneyForecast`.
package struct TripHistory: Hashable, Sendable {
    /// When this trip was looked at first.
    package private(set) var seenAt: Date?
    /// When it was booked, if that was seen.
    package private(set) var createdAt: Date?
    package private(set) var assignedAt: Date?
    /// When a status or a car was there already as the trip was seen first: it had come by then.
    package private(set) var assignedBy: Date?
    package private(set) var enteredBy: [TripStatus: Date] = [:]
    /// When a status was entered last, if that was seen.
    package private(set) var enteredAt: [TripStatus: Date] = [:]
    /// When each stop on the way was left, by its place in the trip's list.
    package private(set) var leftStopAt: [Int: Date] = [:]
    /// How often the rider was told that the time of a stop had moved.
    package private(set) var moves = 0
    /// Metres driven when the rider got in; nil where that was not seen.
    package private(set) var metersAtPickup: Double?
    private var leftPickupAt: Date?
    /// What the server called the time of pickup or drop-off when that had been, and which was still to come then: no such time.
    private var impossibleTimes: Set<Date> = []
    private var index = 0

    package init() {}

    /// Takes in that the clock of these times was set, or has come to be known.
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

    /// Takes in an answer, after the facts that it brought.
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
        // The number of the next stop does not rise when the last one is left, and a short halt may fall between two answers.
        let isLeaving = previous == .enrouteToIntermediateDestination && (status == .enrouteToDropoff || status == .complete)
        if isLeaving || previous == .arrivedAtIntermediateDestination && status != .canceled { noteLeaving(stop: index, at: time) }
        if previous.isBeforePickup && !status.isBeforePickup && !status.isFinal {
            metersAtPickup = drivenMeters
            leftPickupAt = time
        }
    }

    private mutating func noteLeaving(stop: Int, at time: Date) { leftStopAt[stop] = leftStopAt[stop] ?? time }

    /// When the rider got in: as the server says, else as it was seen.
    package func pickedUpAt(_ trip: Trip?) -> Date? {
        guard let trip, !trip.status.isBeforePickup, trip.status != .canceled || metersAtPickup != nil else { return nil }
        return possible(toldPickup(trip)) ?? leftPickupAt
    }

    /// When that had been at the latest, where nobody knows when it was.
    package var pickedUpBy: Date? { leftPickupAt == nil ? seenAt : nil }

    package func droppedOffAt(_ trip: Trip?) -> Date? {
        guard let trip, trip.status == .complete else { return nil }
        return possible(toldDropoff(trip)) ?? enteredAt[.complete]
    }

    /// So far ahead of the clock here something may have happened: clocks differ by a little, seconds.
    static let toleranceSeconds = 5.0

    private func toldPickup(_ trip: Trip) -> Date? {
        trip.status.isBeforePickup ? nil : trip.actualPickup?.time ?? (trip.status == .canceled ? nil : trip.pickupTime)
    }

    private func toldDropoff(_ trip: Trip) -> Date? {
        trip.status == .complete ? trip.actualDropoff?.time ?? trip.dropoffTime : nil
    }

    private func possible(_ told: Date?) -> Date? { told.flatMap { impossibleTimes.contains($0) ? nil : $0 } }
}
