import FleetEngine
package import FoundationEssentials
package import JourneySharing

/// A page whose trip or shipment is polled.
package protocol PolledPage {
    /// The latest failure; nil again after the next answer.
    var failure: PollFailure? { get }
    /// The time of the latest failure, by the local clock.
    var failureAt: Date? { get }
    /// The time at which the page was opened.
    var openedAt: Date { get }
}

extension PolledPage {
    /// Returns the time until the next retry of a failing connection, in seconds; nil without a failure.
    package func retrySeconds(now: Date) -> Double? {
        guard let failure, let failureAt else { return nil }
        return max(0, failureAt.addingTimeInterval(failure.retryInSeconds).timeIntervalSince(now))
    }

    /// Whether the failure asks the user to act, and its grace period is over. Also true after too many calls, although the user can then
    /// only wait.
    package var needsUser: Bool {
        guard let failure, !failure.isWithinGrace, case .actionRequired = failure.errorClass else { return false }
        return true
    }

    /// Whether the server refuses calls for a while, because there were too many. The program tries again by itself.
    package var isWaitingForQuota: Bool { needsUser && failure?.errorClass == .actionRequired(.waitForQuota) }
}
