package import FleetEngineGRPC
import JourneySharing
package import ProgramSurroundings

/// The interval between two polls of a server.
package struct Pace: Sendable {
    /// The interval that the user has chosen, in seconds.
    package var seconds: Double

    /// - Parameter seconds: the interval; nil for the standard interval.
    package init(seconds: Double?) { self.seconds = seconds ?? PollMachine.Configuration.standardInterval }

    package static func minimumSeconds(for endpoint: ServerEndpoint) -> Double {
        endpoint.isGoogle ? PollMachine.Configuration.minimumIntervalAgainstGoogle : PollMachine.Configuration.minimumInterval
    }

    package func sayWhatIsRaised(for endpoint: ServerEndpoint, in surroundings: Surroundings) {
        guard endpoint.isGoogle, seconds < Self.minimumSeconds(for: endpoint) else { return }
        surroundings.streams.note(
            "tripwatch: Google's Fleet Engine allows at most one poll every 5 s, so the interval is 5 s instead of \(seconds) s.")
    }
}
