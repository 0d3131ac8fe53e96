import FleetEngineGRPC
import JourneySharing
import ProgramSurroundings

/// How often a server is asked.
package struct Pace: Sendable {
    /// What the user wants, seconds between polls.
    package var seconds: Double

    /// - Parameter seconds: nil takes the standard.
    package init(seconds: Double?) { self.seconds = seconds ?? PollMachine.Configuration.standardInterval }

    static func minimumSeconds(for endpoint: ServerEndpoint) -> Double {
        endpoint.isGoogle ? PollMachine.Configuration.minimumIntervalAgainstGoogle : PollMachine.Configuration.minimumInterval
    }

    func sayWhatIsRaised(for endpoint: ServerEndpoint, in surroundings: Surroundings) {
        guard endpoint.isGoogle, seconds < Self.minimumSeconds(for: endpoint) else { return }
        surroundings.streams.note("tripwatch: Google's Fleet Engine is asked every 5 s at most; --interval \(seconds) is raised to 5.")
    }
}
