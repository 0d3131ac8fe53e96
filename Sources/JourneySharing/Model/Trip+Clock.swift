package import FleetEngine
package import FoundationEssentials

extension Trip {
    /// Time on the server's clock when the server built the answer: the vehicle's ETA minus the remaining time. Nil if the answer
    /// lacks one of the two, or if the remaining time is 0, because the ETA may then have passed.
    var answeredAt: Date? {
        guard let eta = etaToNextWaypoint, let remaining = remainingTimeToNextWaypointSeconds, remaining.isFinite, remaining > 0 else {
            return nil
        }
        return eta.addingTimeInterval(-remaining)
    }

    /// Returns the local clock minus the server's, in seconds; nil if the answer does not show it.
    ///
    /// If the answer lacks the server's time, but the server received the vehicle's report later than `now`, the local clock is behind.
    /// The result is then `now` minus the time of receipt. The local clock may be even further behind.
    package func clockOffsetSeconds(receivedAt now: Date) -> Double? {
        if let answeredAt { return now.timeIntervalSince(answeredAt) }
        guard let serverTime = lastLocation?.serverTime, serverTime > now else { return nil }
        return now.timeIntervalSince(serverTime)
    }
}
