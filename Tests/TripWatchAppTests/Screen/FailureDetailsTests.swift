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

    @Test("the count of tries goes where the event has no room for it")
    func briefEvent() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        let error = FleetEngineError(code: .unavailable, message: "made.up.example:443 does not answer with TLS", origin: .network)
        scenario.fail("14:07:31", error, retryIn: 8, attempt: 3)
        let event = try #require(scenario.state.loggedEvents.last)
        let whole = scenario.state.line(event, columns: 78)
        #expect(whole.hasSuffix("with TLS (attempt 3)"))
        #expect(scenario.state.line(event, columns: whole.count - 1).hasSuffix("with TLS"))
    }

    @Test("what an event lacks in room goes from its time first", arguments: [(39, "14:07:31  C"), (38, "14:07:31 C"), (35, "14:07 C")])
    func narrowEvent(columns: Int, beginning: String) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 40, rows: 15)))
        scenario.fail("14:06:51", FleetEngineError(code: .unavailable, message: ""), retryIn: 8, attempt: 1)
        scenario.recover("14:07:31", afterSeconds: 40)
        let event = try #require(scenario.state.loggedEvents.last { scenario.state.words($0).hasPrefix("Connection") })
        let line = scenario.state.line(event, columns: columns)
        #expect(line.hasPrefix(beginning) && line.hasSuffix("Connection is back after 40 s"), "\(line)")
    }

    @Test("how long the server took and the recording stand in the details while they are seen", arguments: [80, 120])
    func measured(columns: Int) throws {
        let size = Size(columns: columns, rows: 40)
        var scenario = try #require(Scenario.named("approaching", size: size))
        let name = try #require(MadeUpTrip.name())
        func answer() -> [AppEffect] {
            let before = scenario.effects.count
            scenario.answer("14:07:22") { MadeUpTrip.approaching($0, metersToGo: 1_700, arrival: "14:13:00", at: $1) }
            return Array(scenario.effects.dropFirst(before))
        }
        #expect(answer().contains(.measure(name)) == (columns == 120))
        scenario.press("d")
        #expect(answer().contains(.measure(name)))
        scenario.send(.measured(name, ride: RideFile(name: "ride.trip", bytes: 38_000), roundTripSeconds: 0.018))
        let details = DetailList(scenario.state)
        #expect(details.short.contains { $0 == ("record", "on, 38 KB") } && details.all.contains { $0 == ("record", "ride.trip, 38 KB") })
        #expect(details.short.contains { $0.0 == "server" && $0.1.hasSuffix("  18 ms") }, "\(details.short)")
    }
}
