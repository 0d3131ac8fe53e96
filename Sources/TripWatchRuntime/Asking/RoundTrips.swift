import FleetEngine
package import FleetEngineGRPC
import Synchronization

/// The time that the server's last answer took, for each trip.
package final class RoundTrips: Sendable {
    private let seconds = Mutex<[String: Double]>([:])

    package init() {}

    /// Returns a receiver of reports about calls. It records durations, and passes each report on to `next`.
    package func listening(_ next: (@Sendable (CallReport) -> Void)?) -> @Sendable (CallReport) -> Void {
        { [self] report in
            if report.rpc == "GetTrip", report.failure == nil, let trip = report.tripID { seconds.withLock { $0[trip] = report.seconds } }
            next?(report)
        }
    }

    /// Returns the time from the request to the answer, in seconds, including the time for the token; nil before the first answer.
    func seconds(of name: TripName) -> Double? { seconds.withLock { $0[name.trip] } }
}
