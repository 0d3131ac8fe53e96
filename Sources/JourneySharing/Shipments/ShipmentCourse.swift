package import FleetEngine
package import FoundationEssentials
import Geo

/// Rules for the answers about a shipment: whether the shipment was replaced, whether it is over, and when to poll again.
package struct ShipmentCourse: Hashable, Sendable {
    /// Time for which a shipment that is closed without an outcome may still get an outcome or reopen, in seconds.
    package static let closedSeconds = 60.0
    /// Shortest polling interval while the server shares only parts of the shipment that change slowly, in seconds.
    static let restingSeconds = 30.0
    /// Distance by which a planned location must move to count as another location, in metres.
    private static let samePlaceMeters = 1.0

    /// The last answer.
    package private(set) var shipment: TaskTrackingInfo?
    /// Time when the shipment was first seen closed without an outcome; nil while it is open or has an outcome.
    package private(set) var closedSince: Date?

    package init() {}

    /// Adds an answer that arrived at `now`.
    /// - Returns: whether the tracking id now belongs to another task, so that earlier data is no longer valid.
    package mutating func observe(_ answer: TaskTrackingInfo, now: Date) -> Bool {
        let isReplaced = shipment.map { Self.isOther(answer, than: $0) } ?? false
        if isReplaced { self = ShipmentCourse() }
        shipment = answer
        closedSince = answer.state == .closed && answer.outcome == nil ? closedSince ?? now : nil
        return isReplaced
    }

    /// Whether no more changes are expected: there is an outcome, or the shipment has been closed without one for a minute.
    package func isOver(now: Date) -> Bool { shipment?.outcome != nil || isGone(now: now) }

    /// Whether the shipment has been closed without an outcome for a minute.
    package func isGone(now: Date) -> Bool { closedSince.map { now.timeIntervalSince($0) >= Self.closedSeconds } ?? false }

    /// Returns the time between this answer and the next poll, in seconds.
    /// - Parameter wanted: interval from the user's settings, in seconds.
    func intervalSeconds(wanted: Double) -> Double {
        guard let shipment, closedSince == nil, SharedParts(shipment).isDisjoint(with: .quick) else { return wanted }
        return max(wanted, Self.restingSeconds)
    }

    private static func isOther(_ new: TaskTrackingInfo, than old: TaskTrackingInfo) -> Bool {
        if old.outcome != nil, new.outcome == nil { return true }
        if old.state == .closed, new.state == .open { return true }
        guard let place = old.plannedLocation, let newPlace = new.plannedLocation else { return false }
        return place.distanceMeters(to: newPlace) > samePlaceMeters
    }
}
