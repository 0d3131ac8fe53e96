package import FleetEngine
package import FoundationEssentials

extension Trip {
    /// The server's clock when it built the answer: the vehicle's ETA less the time that is left until it. Nil if the answer lacks either.
    ///
    /// The remaining time counts from the moment at which the server answers; a figure of 0 may stand for one that has run out.
    var answeredAt: Date? {
        guard let eta = etaToNextWaypoint, let remaining = remainingTimeToNextWaypointSeconds, remaining.isFinite, remaining > 0 else {
            return nil
        }
        return eta.addingTimeInterval(-remaining)
    }

    /// The local clock minus the server's, seconds; nil if the answer does not show it.
    ///
    /// A report that the server received later than it is here shows at least by how much the local clock is behind.
    package func clockOffsetSeconds(receivedAt now: Date) -> Double? {
        if let answeredAt { return now.timeIntervalSince(answeredAt) }
        guard let serverTime = lastLocation?.serverTime, serverTime > now else { return nil }
        return now.timeIntervalSince(serverTime)
    }
}
