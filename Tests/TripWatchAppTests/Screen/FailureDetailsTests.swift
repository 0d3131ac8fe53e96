import FleetEngine
import FoundationEssentials
import TerminalCanvas
import Testing

@testable import TripWatchApp

@Suite("A failure among the details")
struct FailureDetailsTests {
    @Test(
        "numbers stand there only where a server gave them",
        arguments: [
            (FleetEngineError(code: .notFound, message: ""), "NOT_FOUND (gRPC 5), origin: server"),
            (FleetEngineError(code: .unavailable, message: "", httpStatus: 502), "UNAVAILABLE (HTTP 502), origin: server"),
            (FleetEngineError(code: .unavailable, message: "", origin: .network), "UNAVAILABLE, origin: network"),
            (FleetEngineError(code: .unauthenticated, message: "", origin: .tokenSource), "UNAUTHENTICATED, origin: token source"),
            (FleetEngineError(code: .unavailable, message: "", origin: .tls), "UNAVAILABLE, origin: TLS"),
            (FleetEngineError(code: .deadlineExceeded, message: "", origin: .local), "DEADLINE_EXCEEDED, origin: this program"),
        ])
    func row(error: FleetEngineError, expected: String) throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24)))
        scenario.fail("14:01:58", error, retryIn: 8, attempt: 1)
        let row = try #require(DetailList(scenario.state).all.first { $0.0 == "error" })
        #expect(row.1 == expected)
    }
}
