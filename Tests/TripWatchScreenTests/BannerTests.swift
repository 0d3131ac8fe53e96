import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import Testing
import TripWatchSettings
import TripWatchWords

@testable import TripWatchScreen

@Suite("The banner")
struct BannerTests {
    private static let errors = [Scenario.refused, FleetEngineError(code: .resourceExhausted, message: "too many")]

    @Test("keeps its height at every width while its countdown runs", arguments: [4, 9.7, 27, 72, 130])
    func height(wait: Double) throws {
        // The times at which the text changes its width, and times close to them.
        let moments = [0, 0.5] + [60, 59, 10, 9, 0.5, -3].map { wait - $0 }
        for error in Self.errors {
            var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24)))
            scenario.comeNearer()
            scenario.fail("14:07:31", error, retryIn: wait, attempt: 3)
            let failedAt = scenario.state.now
            var heights: [Int: Set<Int>] = [:]
            for moment in moments where moment >= 0 {
                scenario.tick(at: failedAt.addingTimeInterval(moment))
                let page = try #require(scenario.state.page)
                let words = try #require(BannerWords(page, scenario.state))
                for columns in 20...100 {
                    for most in 1...3 {
                        heights[most * 1_000 + columns, default: []].insert(words.lines(columns: columns, maximumLines: most).count)
                    }
                }
            }
            #expect(heights.filter { $0.value.count > 1 || ($0.value.max() ?? 0) > $0.key / 1_000 }.isEmpty, "\(error.code)")
        }
    }

    @Test("does not separate a number from its unit on a narrow screen")
    func narrow() throws {
        for (wait, words) in [(4.0, "Connection lost. Trying again in 4 s."), (27, "Connection lost. Retrying in 27 s.")] {
            var scenario = try #require(Scenario.named("approaching", size: Size(columns: 40, rows: 15)))
            scenario.fail("14:07:54", Scenario.refused, retryIn: wait, attempt: 1)
            let page = try #require(scenario.state.page)
            let lines = try #require(BannerWords(page, scenario.state)).lines(columns: 40, maximumLines: 3)
            #expect(lines.first == words)
        }
    }

    @Test("the second line has the server, and the cause without codes; for a missing token, it lists the ways to give one")
    func cause() throws {
        func lines(_ error: FleetEngineError) throws -> [String] {
            var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24)))
            scenario.fail("14:01:58", error, retryIn: 8, attempt: 1)
            let page = try #require(scenario.state.page)
            return try #require(BannerWords(page, scenario.state)).lines(columns: 80, maximumLines: 3)
        }
        let refused = try lines(Scenario.refused)
        #expect(refused.first?.hasPrefix("The server cannot be reached. ") == true)
        #expect(refused.dropFirst().first == "127.0.0.1:50051: connection refused")
        var tokenless = FleetEngineError(code: .unauthenticated, message: "the call has no token")
        tokenless.lacksToken = true
        #expect(
            try lines(tokenless) == [
                "No access token is set.", "127.0.0.1:50051",
                "Do this: Set TRIPWATCH_TOKEN, --token-file, --token-command or --token-url.",
            ])
    }

    @Test("a meaning without enough room is shown in fewer words, not cut")
    func fewWords() throws {
        let scenario = try #require(Scenario.named("stopped", size: Size(columns: 40, rows: 15)))
        let page = try #require(scenario.state.page)
        let words = try #require(BannerWords(page, scenario.state))
        let lines = words.lines(columns: 40, maximumLines: 3)
        #expect(lines.first == "No valid token." && lines.count == 3, "\(lines)")
        #expect(words.lines(columns: 60, maximumLines: 3).first == "The token is not valid or has expired.")
    }

    @Test("in three lines of 20 columns the instruction is complete, and the diagnosis precedes it if there is room")
    func smallest() throws {
        let codes: [StatusCode] = [.unauthenticated, .permissionDenied, .notFound, .invalidArgument, .resourceExhausted, .unimplemented]
        for code in codes {
            func text(_ size: Size) throws -> (seen: String, failure: PollFailure) {
                var scenario = try #require(Scenario(size: size))
                scenario.comeNearer()
                let error = FleetEngineError(code: code, message: "made up")
                scenario.tell(PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 30, attempt: 9), at: "14:07:31")
                let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
                return (AppView().canvas(scenario.state, theme: theme).text(), try #require(scenario.state.page?.failure))
            }
            let small = try text(Size(columns: 20, rows: 3))
            let advice = LinesView.shortAdvice(small.failure)
            #expect(displayWidth(advice) <= 18 && small.seen.contains(advice), "\(code)\n\(small.seen)")
            for size in [Size(columns: 20, rows: 5), Size(columns: 60, rows: 4)] {
                let seen = try text(size).seen
                #expect(seen.contains(advice) && seen.contains(LinesView.shortWords(small.failure)), "\(code)\n\(seen)")
            }
        }
    }

    @Test("the server is named for a trip that was seen, too")
    func causeOfSeenTrip() throws {
        let scenario = try #require(Scenario.named("stopped", size: Size(columns: 120, rows: 40)))
        let page = try #require(scenario.state.page)
        let words = try #require(BannerWords(page, scenario.state))
        #expect(
            words.lines(columns: 120, maximumLines: 3) == [
                "The token is not valid or has expired, so updates have stopped.  Nothing was cancelled.",
                "127.0.0.1:50051",
                "Do this: Get a new token. Then press r.",
            ])
        // If there is no room for three lines, the advice is shown and the cause is left out.
        #expect(words.lines(columns: 80, maximumLines: 2).last == "Do this: Get a new token. Then press r.")
    }

    @Test("what may cut calls short is told if there is room, and does not displace the time of the data")
    func shortDeadline() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        scenario.fail("14:07:31", FleetEngineError(code: .deadlineExceeded, message: "made up"), retryIn: 8, attempt: 1)
        let page = try #require(scenario.state.page)
        let words = try #require(BannerWords(page, scenario.state))
        let time = "The server is slow. Trying again in 8 s.  Map and ETA are from 14:07:12."
        let remark = "A proxy's time limit may be shorter than tripwatch's, which is 15 s."
        #expect(
            words.lines(columns: 80, maximumLines: 3).map { $0.replacing("   r: try now", with: "") } == [time, "127.0.0.1:50051", remark])
        #expect(words.lines(columns: 80, maximumLines: 2) == [time, "127.0.0.1:50051"])
    }

    @Test("uses one line of 80 columns fully, with the cause below, and the key if there is room")
    func oneLine() throws {
        var scenario = try #require(Scenario.named("offline", size: Size(columns: 80, rows: 24)))
        let page = try #require(scenario.state.page)
        let words = try #require(BannerWords(page, scenario.state))
        let cause = "127.0.0.1:50051: connection refused"
        #expect(
            words.lines(columns: 80, maximumLines: 3) == ["Connection lost. Trying again in 4 s.  Map and ETA are from 14:07:12.", cause])
        scenario.fail("14:07:54", Scenario.refused, retryIn: 4, attempt: 4)
        let later = try #require(scenario.state.page)
        let short = try #require(BannerWords(later, scenario.state))
        #expect(
            short.lines(columns: 90, maximumLines: 3) == [
                "Connection lost. Trying again in 4 s.  Map and ETA are from 14:07:12.   r: try now", cause,
            ])
    }

    @Test("a heading about a car appears only if there is one: a trip that has lost its car looks for another")
    func hereWithoutCar() throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24)))
        scenario.answer("14:13:08") { name, time in
            var trip = MadeUpTrip.waiting(name, at: time)
            trip.vehicleID = nil
            trip.lastLocation = nil
            return trip
        }
        let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
        let text = AppView().canvas(scenario.state, theme: theme).text()
        #expect(text.contains("no car yet") && text.contains("LOOKING FOR A CAR") && !text.contains("YOUR CAR IS"), "\(text)")
    }

    @Test("a car that is taken off on its way leaves neither an arrival nor words about its way, even if the server keeps the status")
    func takenOff() throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24)))
        scenario.comeNearer()
        let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
        #expect(AppView().canvas(scenario.state, theme: theme).text().contains("On the way to you"))
        scenario.answer("14:07:31") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 400, arrival: "14:12:00", at: time)
            (trip.vehicleID, trip.lastLocation, trip.pickupTime, trip.etaToNextWaypoint) = (nil, nil, nil, nil)
            trip.remainingWaypoints = []
            return trip
        }
        let text = AppView().canvas(scenario.state, theme: theme).text()
        #expect(text.contains("LOOKING FOR A CAR") && !text.contains("On the way to you") && !text.contains("PICKUP IN"), "\(text)")
    }
}
