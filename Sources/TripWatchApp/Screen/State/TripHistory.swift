public import FleetEngine
public import FoundationEssentials
import JourneySharing

/// When things happened on a trip and what was promised before, as far as it was watched: what the last page tells.
public struct TripHistory: Hashable, Sendable {
    /// When this trip was looked at first.
    public private(set) var seenAt: Date?
    /// When it was new, if that was seen.
    public private(set) var createdAt: Date?
    public private(set) var assignedAt: Date?
    /// When a status was entered last, if that was seen.
    public private(set) var enteredAt: [TripStatus: Date] = [:]
    /// When each stop on the way was left, by its place in the trip's list.
    public private(set) var leftStopAt: [Int: Date] = [:]
    public private(set) var firstPickupPromise: Date?
    public private(set) var firstDropoffPromise: Date?
    /// How often an announced arrival moved by a minute or more.
    public private(set) var moves = 0
    /// Metres driven when the rider got in; nil where that was not seen.
    public private(set) var metersAtPickup: Double?
    private var leftPickupAt: Date?
    private var index = 0

    public init() {}

    mutating func observe(_ fact: TripFact, trip: Trip?, drivenMeters: Double, at time: Date) {
        if trip != nil { seenAt = seenAt ?? time }
        switch fact {
        case .status(let status, let previous): observe(status, previous: previous, drivenMeters: drivenMeters, at: time)
        case .vehicle(.some) where seenAt != time: assignedAt = time
        case .vehicle(nil): assignedAt = nil
        case .promise: moves += 1
        default: break
        }
        guard let trip else { return }
        if trip.status.isBeforePickup { firstPickupPromise = firstPickupPromise ?? trip.pickupTime }
        if !trip.status.isFinal { firstDropoffPromise = firstDropoffPromise ?? trip.dropoffTime }
        if trip.stopIndex > index { leftStopAt[index] = time }
        index = trip.stopIndex
    }

    private mutating func observe(_ status: TripStatus, previous: TripStatus?, drivenMeters: Double, at time: Date) {
        if status == .new { createdAt = createdAt ?? time }
        guard let previous else { return }
        enteredAt[status] = time
        if previous.isBeforePickup && !status.isBeforePickup && !status.isFinal {
            metersAtPickup = drivenMeters
            leftPickupAt = time
        }
    }

    /// When the rider got in: as the server says, else as it was seen.
    public func pickedUpAt(_ trip: Trip?) -> Date? {
        guard let trip, !trip.status.isBeforePickup, trip.status != .canceled || metersAtPickup != nil else { return nil }
        return trip.actualPickup?.time ?? (trip.status == .canceled ? nil : trip.pickupTime) ?? leftPickupAt
    }

    public func droppedOffAt(_ trip: Trip?) -> Date? {
        guard let trip, trip.status == .complete else { return nil }
        return trip.actualDropoff?.time ?? trip.dropoffTime ?? enteredAt[.complete]
    }
}
