package import FleetEngine
package import FoundationEssentials
package import JourneySharing

/// The subject of a page.
package enum PageName: Hashable, Sendable {
    case trip(TripName)
    case shipment(TaskTrackingName)
}

/// A page whose subject is polled: a trip or a shipment.
package protocol PolledPage {
    /// The latest failure; nil again after the next answer.
    var failure: PollFailure? { get }
    /// Time of the latest failure, by the local clock.
    var failureAt: Date? { get }
    /// Time at which the page was opened.
    var openedAt: Date { get }
}

extension PolledPage {
    /// Time until the next retry of a failing connection, seconds; nil without a failure.
    package func retrySeconds(now: Date) -> Double? {
        guard let failure, let failureAt else { return nil }
        return max(0, failureAt.addingTimeInterval(failure.retryInSeconds).timeIntervalSince(now))
    }

    /// Whether the failure needs the user's action.
    package var needsUser: Bool {
        guard let failure, !failure.isWithinGrace, case .actionRequired = failure.errorClass else { return false }
        return true
    }
}
