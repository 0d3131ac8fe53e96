import FleetEngine
package import FleetEngineGRPC
package import Logging
import OnlineTiles
package import ProviderBackend

extension Logger {
    /// Logs a client's calls: answered calls at the debug level, failed calls at the warning level. Nil if both levels are disabled.
    package var callReporter: (@Sendable (CallReport) -> Void)? {
        guard logLevel <= .warning else { return nil }
        return { report in
            var metadata: Logger.Metadata = [
                "rpc": "\(report.rpc)", "code": "\(report.failure?.code.name ?? "OK")", "ms": "\(Int((report.seconds * 1_000).rounded()))",
            ]
            if let trip = report.tripID { metadata["trip"] = "\(trip)" }
            if let vehicle = report.vehicleID { metadata["vehicle"] = "\(vehicle)" }
            if let tracking = report.trackingID { metadata["tracking"] = "\(tracking)" }
            if let failure = report.failure { metadata["message"] = "\(failure.message)" }
            log(level: report.failure == nil ? .debug : .warning, "call", metadata: metadata)
        }
    }

    /// Logs requests to a provider's backend, at the same levels as calls. Nil if both levels are disabled.
    package var requestReporter: (@Sendable (RequestReport) -> Void)? {
        guard logLevel <= .warning else { return nil }
        return { report in
            var metadata: Logger.Metadata = [
                "method": "\(report.method)", "path": "\(report.path)", "ms": "\(Int((report.seconds * 1_000).rounded()))",
            ]
            if let status = report.status { metadata["status"] = "\(status)" }
            if let failure = report.failure { metadata["message"] = "\(failure)" }
            log(level: report.failure == nil ? .debug : .warning, "request", metadata: metadata)
        }
    }

    /// Logs requests to a map server, at the same two levels as calls. Nil if both levels are disabled.
    var tileReporter: (@Sendable (TileRequest) -> Void)? {
        guard logLevel <= .warning else { return nil }
        return { request in
            var metadata: Logger.Metadata = ["host": "\(request.host)", "ms": "\(Int((request.seconds * 1_000).rounded()))"]
            if let status = request.status {
                metadata["status"] = "\(status)"
                metadata["bytes"] = "\(request.byteCount)"
            }
            if let failure = request.failure { metadata["message"] = "\(failure)" }
            log(level: request.failure == nil ? .debug : .warning, "map", metadata: metadata)
        }
    }

    /// Returns a token source that logs its answers, at the same levels as calls.
    func reporting(_ source: any AccessTokenProvider, kind: String) -> any AccessTokenProvider {
        logLevel <= .warning ? ReportedAccessToken(source: source, kind: kind, log: self) : source
    }
}
