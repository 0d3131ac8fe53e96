package import FleetEngine
package import FoundationEssentials
import Geo

/// One answer about a shipment after another, and what follows from them: the rules without the calls.
package struct ShipmentCourse: Hashable, Sendable {
    /// A shipment that is closed without an outcome may still get one, or come again, for so long, seconds.
    package static let closedSeconds = 60.0
    /// The least interval while the server shares nothing that changes quickly, seconds.
    static let restingSeconds = 30.0
    /// A planned place that moved further is another one, metres.
    private static let samePlaceMeters = 1.0

    /// The last answer.
    package private(set) var shipment: TaskTrackingInfo?
    /// When it was first seen to be closed without an outcome.
    package private(set) var closedSince: Date?

    package init() {}

    /// Takes in an answer that arrived at `now`.
    /// - Returns: whether another task stands behind the tracking id than before, so that nothing known before counts.
    package mutating func observe(_ answer: TaskTrackingInfo, now: Date) -> Bool {
        let isReplaced = shipment.map { Self.isOther(answer, than: $0) } ?? false
        if isReplaced { self = ShipmentCourse() }
        shipment = answer
        closedSince = answer.state == .closed && answer.outcome == nil ? closedSince ?? now : nil
        return isReplaced
    }

    /// Whether nothing more is to come: there is an outcome, or the shipment has been closed without one for a minute.
    package func isOver(now: Date) -> Bool { shipment?.outcome != nil || isGone(now: now) }

    /// Whether the shipment has been closed without an outcome for a minute.
    package func isGone(now: Date) -> Bool { closedSince.map { now.timeIntervalSince($0) >= Self.closedSeconds } ?? false }

    /// Between this answer and the next poll, seconds.
    /// - Parameter wanted: what the user wants.
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
