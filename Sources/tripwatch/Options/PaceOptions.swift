import ArgumentParser
import TripWatchApp
import TripWatchRuntime

/// How often the server is asked.
struct PaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Seconds between polls, at least 1; at least 5 against Google. (default: 5)", valueName: "s"))
    var interval: Double?

    func validate() throws {
        if let interval, !(interval.isFinite && interval > 0) { throw ValidationError("--interval is a number of seconds, at least 1.") }
    }

    mutating func complete(from configuration: Configuration) { interval = interval ?? configuration.intervalSeconds }

    var pace: Pace { Pace(seconds: interval) }
}
