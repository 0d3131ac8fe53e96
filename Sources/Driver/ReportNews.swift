import FleetEngine
import FoundationEssentials

/// Selects the events about a vehicle's reports: the first accepted report with the state ONLINE, the first refusal of each cause since the
/// last success, and the end of the refusals.
struct ReportNews: Sendable {
    private struct Cause: Hashable {
        var code: StatusCode
        var message: String
    }

    /// The maximum number of causes that are reported between two successes.
    private static let mostCauses = 32

    private var isOnline = false
    private var refusedSince: Date?
    private var causes: Set<Cause> = []

    mutating func didSucceed(_ update: VehicleUpdate, at now: Date) -> TripDriverEvent? {
        let since = refusedSince
        refusedSince = nil
        causes = []
        if !isOnline, update.fields.contains(.state), update.state == .online {
            isOnline = true
            return .online
        }
        return since.map { .reportAccepted(afterSeconds: max(0, now.timeIntervalSince($0))) }
    }

    /// - Parameter retryAt: time of the next report; nil if no report follows.
    mutating func didFail(_ error: FleetEngineError, retryAt: Date?, now: Date) -> TripDriverEvent? {
        // An empty mask is normal at the start. Its refusal does not count as a fault.
        guard !error.saysEmptyMask else { return nil }
        refusedSince = refusedSince ?? now
        guard causes.count < Self.mostCauses, causes.insert(Cause(code: error.code, message: error.message)).inserted else { return nil }
        return .reportRefused(error, retryAfterSeconds: retryAt.map { max(0, $0.timeIntervalSince(now)) })
    }
}
