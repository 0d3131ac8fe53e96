import ArgumentParser
import FleetEngineGRPC
import JourneySharing
import TripWatchApp

/// How often the server is asked.
struct PaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Seconds between polls, at least 1; at least 5 against Google. (default: 5)", valueName: "s"))
    var interval: Double?

    func validate() throws {
        if let interval, !(interval.isFinite && interval > 0) { throw ValidationError("--interval is a number of seconds, at least 1.") }
    }

    mutating func complete(from configuration: Configuration) { interval = interval ?? configuration.intervalSeconds }

    var seconds: Double { interval ?? PollMachine.Configuration.standardInterval }

    static func minimumSeconds(for endpoint: ServerEndpoint) -> Double {
        endpoint.isGoogle ? PollMachine.Configuration.minimumIntervalAgainstGoogle : PollMachine.Configuration.minimumInterval
    }

    func sayWhatIsRaised(for endpoint: ServerEndpoint) {
        guard endpoint.isGoogle, seconds < Self.minimumSeconds(for: endpoint) else { return }
        Terminal.say("tripwatch: Google's Fleet Engine is asked every 5 s at most; --interval \(seconds) is raised to 5.")
    }
}
