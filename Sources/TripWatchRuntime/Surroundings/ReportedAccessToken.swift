import FleetEngine
import Logging

/// A token source that logs its answers: success or the error, but never the token.
struct ReportedAccessToken: AccessTokenProvider {
    let source: any AccessTokenProvider
    /// The kind of the source: `file`, `command` or `url`.
    let kind: String
    let log: Logger

    var canRenew: Bool { source.canRenew }
    var revision: Int? { source.revision }
    var hasRevisions: Bool { source.hasRevisions }

    func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        let start = ContinuousClock.now
        do throws(AccessTokenError) {
            let token = try await source.fetchToken(context)
            report(context, since: start, failure: nil)
            return token
        } catch {
            report(context, since: start, failure: error)
            throw error
        }
    }

    private func report(_ context: AuthorizationContext, since start: ContinuousClock.Instant, failure: AccessTokenError?) {
        var metadata: Logger.Metadata = ["source": "\(kind)", "ms": "\(Int(((.now - start) / .milliseconds(1)).rounded()))"]
        if let trip = context.tripID { metadata["trip"] = "\(trip)" }
        if let vehicle = context.vehicleID { metadata["vehicle"] = "\(vehicle)" }
        if let tracking = context.trackingID { metadata["tracking"] = "\(tracking)" }
        if let failure { metadata["message"] = "\(failure)" }
        log.log(level: failure == nil ? .debug : .warning, "token", metadata: metadata)
    }
}
