import Testing

/// A server with its provider API. All tests of a suite use it, each with its own trips. The server simulates no cars.
struct SharedEngine: SuiteTrait, TestScoping {
    @TaskLocal private static var server: LocalServer?

    /// Runs `body` with the addresses of the suite's server.
    static func with(_ body: (_ grpc: String, _ http: String) throws -> Void) throws {
        let shared = try #require(Self.server, "the suite has no SharedEngine")
        try body(shared.grpc, shared.http)
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let server = try LocalServer(speed: 1)
        defer { server.stop() }
        try await Self.$server.withValue(server) { try await function() }
    }
}
