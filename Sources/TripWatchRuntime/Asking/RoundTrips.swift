import FleetEngine
package import FleetEngineGRPC
import Synchronization

/// How long the server took to tell each trip, the last time that it did.
package final class RoundTrips: Sendable {
    private let seconds = Mutex<[String: Double]>([:])

    package init() {}

    /// For the client that asks for the trips: takes in its calls, and hands them on.
    package func listening(_ next: (@Sendable (CallReport) -> Void)?) -> @Sendable (CallReport) -> Void {
        { [self] report in
            if report.rpc == "GetTrip", report.failure == nil, let trip = report.tripID { seconds.withLock { $0[trip] = report.seconds } }
            next?(report)
        }
    }

    /// From the question to its answer, getting a token included; nil until there was one.
    func seconds(of name: TripName) -> Double? { seconds.withLock { $0[name.trip] } }
}
