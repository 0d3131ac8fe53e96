import FleetEngine
import FleetEngineGRPC
import Logging

extension Logger {
    /// Writes down a client's calls: those that were answered at level debug, those that failed at level warning. Nil where nobody reads it.
    var callReporter: (@Sendable (CallReport) -> Void)? {
        guard logLevel <= .warning else { return nil }
        return { report in
            var metadata: Logger.Metadata = [
                "rpc": "\(report.rpc)", "code": "\(report.failure?.code.name ?? "OK")", "ms": "\(Int((report.seconds * 1_000).rounded()))",
            ]
            if let trip = report.tripID { metadata["trip"] = "\(trip)" }
            if let vehicle = report.vehicleID { metadata["vehicle"] = "\(vehicle)" }
            if let failure = report.failure { metadata["message"] = "\(failure.message)" }
            log(level: report.failure == nil ? .debug : .warning, "call", metadata: metadata)
        }
    }
}
