import ArgumentParser

/// The option for the call rate that a server allows each caller.
struct RateLimitOptions: ParsableArguments {
    /// The default limit of a server that other machines can reach, in calls per second.
    private static let outsideLimit = 100

    @Option(help: ArgumentHelp("Maximum calls per second per caller; 0: unlimited. (default: 0 on loopback, else 100)", valueName: "n"))
    var rateLimit: Int?

    func validate() throws {
        guard (0...1_000_000).contains(rateLimit ?? 0) else { throw ValidationError("--rate-limit must be a number from 0 to 1000000.") }
    }

    /// Returns the limit for each caller, in calls per second; nil for no limit.
    func callsPerSecond(isLoopback: Bool) -> Int? {
        let limit = rateLimit ?? (isLoopback ? 0 : Self.outsideLimit)
        return limit == 0 ? nil : limit
    }
}
