import ArgumentParser
import TripWatchRuntime
import TripWatchSettings

/// The option for the interval between calls to the server.
struct PaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Seconds between polls, 1 to 3600; at least 5 for Google's server. (default: 5)", valueName: "s"))
    var interval: Double?

    func validate() throws {
        guard let interval else { return }
        guard Configuration.pollIntervals.contains(interval) else {
            throw ValidationError("--interval must be a number of seconds from 1 to 3600.")
        }
    }

    mutating func complete(from configuration: Configuration) { interval = interval ?? configuration.intervalSeconds }

    var pace: Pace { Pace(seconds: interval) }
}
