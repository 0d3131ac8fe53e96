import ArgumentParser

/// How fast one caller of a server may make calls.
struct RateLimitOptions: ParsableArguments {
    /// Calls a second where the server can be reached from outside and nothing else is said.
    private static let outsideLimit = 100

    @Option(help: ArgumentHelp("Calls a second per caller; 0: no limit; 100 off loopback.", valueName: "n"))
    var rateLimit: Int?

    func validate() throws {
        guard (0...1_000_000).contains(rateLimit ?? 0) else { throw ValidationError("--rate-limit is a number from 0 to 1000000.") }
    }

    /// Nil for no limit.
    func callsPerSecond(isLoopback: Bool) -> Int? {
        let limit = rateLimit ?? (isLoopback ? 0 : Self.outsideLimit)
        return limit == 0 ? nil : limit
    }
}
