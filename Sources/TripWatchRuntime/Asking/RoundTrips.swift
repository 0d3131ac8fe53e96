import FleetEngine
package import FleetEngineGRPC
import Synchronization

/// Duration of the server's last answer for each trip.
package final class RoundTrips: Sendable {
    private let seconds = Mutex<[String: Double]>([:])

    package init() {}

    /// Receiver for the client's calls, which records their durations and forwards them.
    package func listening(_ next: (@Sendable (CallReport) -> Void)?) -> @Sendable (CallReport) -> Void {
        { [self] report in
            if report.rpc == "GetTrip", report.failure == nil, let trip = report.tripID { seconds.withLock { $0[trip] = report.seconds } }
            next?(report)
        }
    }

    /// Time from request to answer, including the token; nil before the first answer.
    func seconds(of name: TripName) -> Double? { seconds.withLock { $0[name.trip] } }
}
