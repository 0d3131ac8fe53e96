import ArgumentParser
import HTTPServing

/// The option for the call rate that a server allows each caller.
struct RateLimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Calls per second that each caller may make; 0: unlimited. (default: 0 on loopback, else 100)", valueName: "n"))
    var rateLimit: Int?

    func validate() throws {
        guard (0...1_000_000).contains(rateLimit ?? 0) else { throw ValidationError("--rate-limit must be a number from 0 to 1000000.") }
    }

    /// Returns the limit for each caller, in calls per second; nil for no limit.
    func callsPerSecond(listening host: String) -> Int? {
        guard let rateLimit else { return PortLimits.callsPerSecond(listening: host) }
        return rateLimit == 0 ? nil : rateLimit
    }
}
