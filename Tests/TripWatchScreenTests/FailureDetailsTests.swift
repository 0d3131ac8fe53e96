import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchWords

@Suite("A failure among the details")
struct FailureDetailsTests {
    @Test(
        "numbers are shown only if a server sent them",
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

    @Test("the action for a link that has ended is the one in JSON")
    func endedLink() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        let error = FleetEngineError(code: .notFound, message: LinkEnd.ended, origin: .local)
        scenario.fail("14:07:31", error, retryIn: 30, attempt: 1)
        let row = try #require(DetailList(scenario.state).all.first { $0.0 == "class" })
        #expect(row.1.hasSuffix(", get_new_link"), "\(row.1)")
    }

    @Test("the number of attempts is left out if the event has no room for it")
    func briefEvent() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        let error = FleetEngineError(code: .unavailable, message: "made.up.example:443 does not answer with TLS", origin: .network)
        scenario.fail("14:07:31", error, retryIn: 8, attempt: 3)
        let event = try #require(scenario.state.loggedEvents.last)
        let whole = scenario.state.line(event, columns: 78)
        #expect(whole.hasSuffix("  Connection lost (try 3)"))
        #expect(scenario.state.line(event, columns: whole.count - 1).hasSuffix("  Connection lost"))
    }

    @Test("what the user must do is never cut on a small screen", arguments: [(40, 15), (40, 10), (59, 12), (60, 16), (80, 24)])
    func advice(columns: Int, rows: Int) throws {
        let codes = [StatusCode.unauthenticated, .permissionDenied, .notFound, .invalidArgument, .failedPrecondition, .unimplemented]
        let disabled = ErrorDetail.errorInfo(reason: "SERVICE_DISABLED", domain: "googleapis.com", metadata: [:])
        let zero = ErrorDetail.errorInfo(
            reason: "RATE_LIMIT_EXCEEDED", domain: "googleapis.com", metadata: ["quota_limit_value": "0"])
        let errors =
            codes.map { FleetEngineError(code: $0, message: "made up") } + [
                FleetEngineError(code: .permissionDenied, message: "made up", details: [disabled]),
                FleetEngineError(code: .resourceExhausted, message: "made up", details: [zero]),
            ]
        for error in errors {
            let code = error.code
            var scenario = try #require(Scenario.named("approaching", size: Size(columns: columns, rows: rows)))
            scenario.fail("14:07:31", error, retryIn: 30, attempt: 1)
            let failure = try #require(scenario.state.page?.failure)
            guard let advice = FailureWords(failure).advice else { continue }
            let theme = ThemeCatalog().load("mono", depth: .none).theme
            let text = AppView().canvas(scenario.state, theme: theme).text()
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("Do this: \(advice)"), "\(code): \(text)")
            #expect(code == .notFound || !words.contains("No such trip."), "\(text)")
        }
    }

    @Test("a notice is drawn once and completely", arguments: [(40, 15), (40, 10), (30, 5), (20, 3)])
    func notice(columns: Int, rows: Int) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: columns, rows: rows)))
        scenario.send(.notice("Uniquely this sentence is much too long for one row of a screen as small as that."))
        let text = AppView().canvas(scenario.state, theme: ThemeCatalog().load("mono", depth: .none).theme).text()
        #expect(text.ranges(of: "Uniquely").count == 1, "\(text)")
    }

    @Test(
        "offline is shown only if the server does not answer",
        arguments: [
            (FleetEngineError(code: .notFound, message: ""), "not found"), (FleetEngineError(code: .internal, message: ""), "server error"),
            (FleetEngineError(code: .unavailable, message: ""), "server error"),
            (FleetEngineError(code: .deadlineExceeded, message: ""), "server error"),
            (FleetEngineError(code: .unavailable, message: "HTTP 503", origin: .network, httpStatus: 503), "server error"),
            (Scenario.refused, "offline"),
        ])
    func corner(error: FleetEngineError, word: String) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        let failure = PollFailure(
            error: error, errorClass: error.errorClass(), retryInSeconds: 5, attempt: 1, isWithinGrace: error.code == .notFound)
        scenario.tell(failure, at: "14:07:31")
        let title = AppView().canvas(scenario.state, theme: ThemeCatalog().load("mono", depth: .none).theme).text().prefix(80)
        #expect(title.contains(word) && (word == "offline" || !title.contains("offline")), "\(title)")
    }

    @Test("if an event lacks room, its time is shortened first", arguments: [(36, "14:07:31  U"), (35, "14:07:31 U"), (32, "14:07 U")])
    func narrowEvent(columns: Int, beginning: String) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 40, rows: 15)))
        scenario.fail("14:06:51", FleetEngineError(code: .unavailable, message: ""), retryIn: 8, attempt: 1)
        scenario.recover("14:07:31", afterSeconds: 40)
        let event = try #require(scenario.state.loggedEvents.last { scenario.state.words($0).hasPrefix("Updates") })
        let line = scenario.state.line(event, columns: columns)
        #expect(line.hasPrefix(beginning) && line.hasSuffix("Updates resumed after 40 s"), "\(line)")
    }

    @Test("the server's response time and the recording are in the details, and change while they are visible", arguments: [80, 120])
    func measured(columns: Int) throws {
        let size = Size(columns: columns, rows: 40)
        var scenario = try #require(Scenario.named("approaching", size: size))
        let name = try #require(MadeUpTrip.name())
        func answer() -> [AppEffect] {
            let before = scenario.effects.count
            scenario.answer("14:07:22") { MadeUpTrip.approaching($0, metersToGo: 1_700, arrival: "14:13:00", at: $1) }
            return Array(scenario.effects.dropFirst(before))
        }
        #expect(!answer().contains(.measure(name)))
        scenario.press("d")
        #expect(answer().contains(.measure(name)))
        scenario.send(.measured(name, ride: RideFile(name: "ride.trip", bytes: 38_000), roundTripSeconds: 0.018))
        let details = DetailList(scenario.state).all
        #expect(details.contains { $0 == ("record", "ride.trip, 38 KB") }, "\(details)")
        #expect(details.contains { $0.0 == "server" && $0.1.hasSuffix("  18 ms") }, "\(details)")
        #expect(details.contains { $0.0 == "updates" && $0.1.hasSuffix(", position 0 s ago") }, "\(details)")
    }
}
