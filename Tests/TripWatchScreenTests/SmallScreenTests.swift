import FleetEngine
import JourneySharing
import TerminalCanvas
import Testing
import TripWatchWords

@testable import TripWatchScreen

@Suite("Whole words and numbers on small screens")
struct SmallScreenTests {
    private static let fault = FleetEngineError(code: .internal, message: "made up")

    private static var tokenless: FleetEngineError {
        var error = FleetEngineError(code: .unauthenticated, message: "the call has no token")
        error.lacksToken = true
        return error
    }

    private static func rows(_ scenario: Scenario) -> [String] {
        AppView().canvas(scenario.state, theme: BundledThemes.theme("harbour-dark", depth: .palette256)).text()
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Counts how often a text is on the screen. The text may continue in the next row.
    private static func count(_ text: String, _ scenario: Scenario) -> Int {
        let words = rows(scenario).joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.ranges(of: text).count
    }

    @Test(
        "on a screen of three lines, the age is shown with its unit or not at all",
        arguments: [
            (fault, "14:07:34", "server error  ?  q"), (Scenario.refused, "14:07:34", "offline 22 s  ?  q"),
            (Scenario.refused, "14:19:13", "offline 12 min ?  q"),
        ])
    func age(error: FleetEngineError, clock: String, row: String) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 20, rows: 3)))
        scenario.fail("14:07:31", error, retryIn: 8, attempt: 1)
        scenario.tick(clock)
        let rows = Self.rows(scenario)
        #expect(rows.contains { $0.hasPrefix(row) }, "\(rows)")
    }

    @Test("once the time of a retry has come, the program is retrying")
    func retrying() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 20, rows: 3)))
        scenario.fail("14:07:31", Scenario.refused, retryIn: 8, attempt: 1)
        #expect(Self.count("retry in 8 s", scenario) == 1, "\(Self.rows(scenario))")
        scenario.tick("14:07:39")
        #expect(Self.count("retrying", scenario) == 1 && Self.count("retry in", scenario) == 0, "\(Self.rows(scenario))")
    }

    @Test("the time left is whole beside the longest name of a stop: the distance is left out, then the name")
    func timeLeft() throws {
        var scenario = try #require(Scenario.named("riding", size: Size(columns: 40, rows: 15)))
        func ride(_ clock: String, arrival: String) {
            scenario.answer(clock) { name, time in
                var trip = MadeUpTrip.ridingToStop(name, metersToGo: 40, at: time)
                trip.attributes["stop_1_name"] = "Glacis Boulevard"
                trip.etaToNextWaypoint = MadeUpTrip.time(arrival)
                return trip
            }
        }
        ride("14:16:10", arrival: "14:22:00")
        let near = Self.rows(scenario)
        #expect(near.contains { $0.hasPrefix(" GLACIS BOULEVARD IN 6 min ") && $0.contains(" 14:22") }, "\(near)")
        for clock in ["14:16:20", "14:16:30"] { ride(clock, arrival: "26:21:00") }
        scenario.fail("14:16:35", Scenario.refused, retryIn: 27, attempt: 1)
        let far = Self.rows(scenario)
        #expect(far.contains { $0.hasPrefix(" STOP IN ABOUT 12:05 h ") && $0.contains(" 02:21") }, "\(far)")
    }

    @Test("an arrival that is due is NOW, and not also arriving")
    func due() throws {
        var scenario = try #require(Scenario.named("last-leg", size: Size(columns: 40, rows: 15)))
        scenario.answer("14:30:50") { MadeUpTrip.ridingToStation($0, metersToGo: 40, at: $1) }
        scenario.fail("14:31:05", Scenario.refused, retryIn: 27, attempt: 1)
        let rows = Self.rows(scenario)
        #expect(rows.contains { $0.hasPrefix(" ARRIVAL ABOUT NOW ") && $0.contains(" 14:31") }, "\(rows)")
        #expect(!rows.contains { $0.contains("arriving") }, "\(rows)")
    }

    @Test(
        "a car that is still far away when its arrival is due comes about now, and not NOW",
        arguments: [(80, 24), (120, 40), (40, 15), (15, 2)])
    func farAway(columns: Int, rows: Int) throws {
        var scenario = try #require(Scenario(size: Size(columns: columns, rows: rows), now: "14:07:00"))
        scenario.answer("14:13:30") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 950, arrival: "14:13:20", speed: 0, at: time)
            trip.status = .new
            return trip
        }
        let words = scenario.state.etaWords(try #require(scenario.state.page))
        #expect(words.big.isEmpty && words.heading == "PICKUP ABOUT NOW" && words.short == "Pickup about now", "\(words)")
        #expect(Self.count(rows == 2 ? "about now" : "PICKUP ABOUT NOW", scenario) == 1, "\(Self.rows(scenario))")
        if columns == 40 { #expect(Self.count("PICKUP ABOUT NOW 14:13 950 m", scenario) == 1, "\(Self.rows(scenario))") }
        let sentence = CancelWords(.asking, scenario.state).lines(columns: 60, rows: 9).joined(separator: " ")
        #expect(sentence.contains("is due about now (950 m)"), "\(sentence)")
    }

    @Test("an arrival that has passed without an answer is not NOW, and its time is not live", arguments: [(80, 24), (120, 40), (40, 15)])
    func passed(columns: Int, rows: Int) throws {
        let scenario = try #require(Scenario.named("overdue", size: Size(columns: columns, rows: rows)))
        let words = scenario.state.etaWords(try #require(scenario.state.page))
        #expect(words.big.isEmpty && words.heading == "PICKUP ABOUT NOW" && words.short == "Pickup about now", "\(words)")
        #expect(words.detail == "due 14:13 (not live)", "\(words)")
        #expect(Self.count("PICKUP ABOUT NOW", scenario) == 1, "\(Self.rows(scenario))")
        if columns > 40 { #expect(Self.count("due 14:13 (not live)", scenario) == 1, "\(Self.rows(scenario))") }
    }

    @Test("a car that stands at the pickup is NOW, although its arrival was due minutes ago")
    func standing() throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), now: "14:07:00"))
        scenario.answer("14:15:30") { MadeUpTrip.approaching($0, metersToGo: 20, arrival: "14:13:20", speed: 0, at: $1) }
        let words = scenario.state.etaWords(try #require(scenario.state.page))
        #expect(words.big == "NOW" && words.heading == "PICKUP" && words.short == "Pickup arriving", "\(words)")
    }

    @Test("a link that has ended is named on small screens too, beside an arrival that is only about right")
    func endedLink() throws {
        let ended = FleetEngineError(code: .notFound, message: LinkEnd.ended, origin: .local)
        var parcel = try #require(Scenario.named("shipment-near", size: Size(columns: 20, rows: 4)))
        parcel.fail("14:58:58", shipment: ended)
        let small = Self.rows(parcel)
        #expect(small.contains { $0.contains("about 11 min") }, "\(small)")
        #expect(small.contains { $0.contains("link has ended") }, "\(small)")
        var ride = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        ride.fail("14:07:31", ended, retryIn: 8, attempt: 1)
        let page = try #require(ride.state.page)
        let words = try #require(BannerWords(page, ride.state))
        #expect(words.lines(columns: 80, maximumLines: 3).last?.hasSuffix("Do this: Ask for a new link.") == true)
        #expect(LinesView.shortWords(try #require(page.failure)) == "link has ended")
    }

    /// One failure for each reason that the user must act on, with the diagnosis and the instruction of small screens.
    private static let actions: [(error: FleetEngineError, wasSeen: Bool, words: String, advice: String)] = {
        func refusal(_ code: StatusCode, _ reason: String = "", _ metadata: [String: String] = [:]) -> FleetEngineError {
            let details: [ErrorDetail] = [.errorInfo(reason: reason, domain: "googleapis.com", metadata: metadata)]
            return FleetEngineError(code: code, message: "made up", details: reason.isEmpty ? [] : details)
        }
        var clock = refusal(.unauthenticated)
        clock.clockOffsetSeconds = 3_600
        return [
            (refusal(.notFound), false, "no such trip", "check the name"),
            (refusal(.invalidArgument), true, "server refused", "check the name"),
            (refusal(.notFound), true, "trip is gone", "ask the provider"),
            (refusal(.unauthenticated), true, "no valid token", "get a new token"),
            (SmallScreenTests.tokenless, true, "no valid token", "restart with token"),
            (FleetEngineError(code: .unauthenticated, message: "", origin: .tokenSource), true, "no usable token", "check token source"),
            (refusal(.permissionDenied), true, "not allowed", "check the token"),
            (refusal(.permissionDenied, "SERVICE_DISABLED"), true, "API not enabled", "ask the provider"),
            (refusal(.resourceExhausted), true, "quota used up", "wait a while"),
            (refusal(.resourceExhausted, "RATE_LIMIT_EXCEEDED"), true, "limit reached", "wait a while"),
            (
                refusal(.resourceExhausted, "RATE_LIMIT_EXCEEDED", ["quota_limit_value": "0"]), true, "quota is zero",
                "ask for more quota"
            ),
            (refusal(.unimplemented), true, "wrong server", "check --endpoint"),
            (FleetEngineError(code: .unavailable, message: "", origin: .tls), true, "bad certificate", "check --ca"),
            (clock, true, "clock is wrong", "set the clock"), (refusal(.outOfRange), true, "update needed", "update tripwatch"),
            (refusal(.failedPrecondition), true, "server problem", "ask the provider"),
        ]
    }()

    @Test("each reason to act has short words of its own, and the instruction fits 20x3")
    func shortWords() throws {
        for (error, wasSeen, words, advice) in Self.actions {
            let failure = PollFailure(error: error, errorClass: error.errorClass(tripWasSeen: wasSeen), retryInSeconds: 30, attempt: 9)
            #expect(LinesView.shortWords(failure) == words && displayWidth(words) <= 15, "\(error)")
            #expect(LinesView.shortAdvice(failure) == advice && displayWidth(advice) <= 18, "\(error)")
            var small = try #require(Scenario.named("approaching", size: Size(columns: 20, rows: 3)))
            small.tell(failure, at: "14:07:31")
            #expect(Self.count(advice, small) == 1, "\(Self.rows(small))")
        }
        let classes = Self.actions.map { $0.error.errorClass(tripWasSeen: $0.wasSeen) }
        #expect(Set(classes) == Set(RequiredAction.allCases.map { ErrorClass.actionRequired($0) }))
    }

    @Test("a quota of zero and an API that is not enabled are named in the list and at 40x15")
    func namedTrouble() throws {
        for index in Self.actions.indices where ["quota is zero", "API not enabled"].contains(Self.actions[index].words) {
            let (error, _, words, _) = Self.actions[index]
            for size in [Size(columns: 40, rows: 15), Size(columns: 80, rows: 24)] {
                let options = Scenario.options { ($0.addsTrips, $0.provider) = (true, "made-up-cabs") }
                var scenario = try #require(Scenario.named("approaching", size: size, options: options))
                scenario.fail("14:07:31", error, retryIn: 30, attempt: 9)
                let page = Self.rows(scenario).joined(separator: "\n").lowercased()
                #expect(size.columns > 40 || page.contains(words.lowercased()), "\(page)")
                scenario.press("L")
                #expect(Self.count(words, scenario) == 1, "\(Self.rows(scenario))")
            }
        }
    }

    @Test("the time left of a shipment is whole too")
    func shipment() throws {
        var scenario = try #require(Scenario.named("shipment-near", size: Size(columns: 40, rows: 15)))
        scenario.hear("14:58:55") { $0.remainingDistanceMeters = 40 }
        scenario.fail("14:58:58", shipment: Scenario.refused)
        let rows = Self.rows(scenario)
        #expect(rows.contains { $0.hasPrefix(" ARRIVES IN ABOUT 11 min ") && $0.contains(" 15:09") }, "\(rows)")
    }

    @Test(
        "on a screen without a map, a failure is shown once and in full, and the event line shows another event",
        arguments: [
            (fault, "The server reported an internal error"), (Scenario.refused, "Connection lost"), (tokenless, "No access token is set"),
        ])
    func lines(error: FleetEngineError, words: String) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 30, rows: 8)))
        scenario.fail("14:07:31", error, retryIn: 8, attempt: 1)
        #expect(Self.count(words, scenario) == 1 && Self.count("Pickup 14:12", scenario) == 1, "\(Self.rows(scenario))")
    }

    @Test("an event that is too long for its row is whole in the free rows, or else has a mark where it is cut", arguments: [8, 7, 6])
    func event(rows: Int) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 30, rows: rows)))
        for index in scenario.state.pages.indices {
            scenario.state.pages[index].log.add(note: "Car passed Barberry Lane North", at: MadeUpTrip.time("14:07:14"))
        }
        let shown = Self.rows(scenario)
        #expect(Self.count("14:07:14 Car passed Barberry Lane North", scenario) == (rows > 6 ? 1 : 0), "\(shown)")
        #expect(rows > 6 || shown.contains { $0.hasPrefix("14:07:14  Car passed ⋯") }, "\(shown)")
    }

    @Test("without a car, the last event is shown once", arguments: [(40, 15), (40, 24), (50, 22), (50, 24), (59, 40)])
    func oneEvent(columns: Int, rows: Int) throws {
        let scenario = try #require(Scenario.named("looking", size: Size(columns: columns, rows: rows)))
        #expect(Self.count("14:01:55", scenario) == 1, "\(Self.rows(scenario))")
    }

    @Test(
        "at 40x15 the pickup's name is beside the word HERE, if there is room for it",
        arguments: [("Elm St 12", 1), ("Platform 12, exits B and C", 0)])
    func here(name: String, count: Int) throws {
        var scenario = try #require(Scenario.named("here", size: Size(columns: 40, rows: 15)))
        scenario.answer("14:13:50") { trip, time in
            var trip = MadeUpTrip.waiting(trip, at: time)
            trip.attributes["pickup_name"] = name
            return trip
        }
        let rows = Self.rows(scenario)
        #expect(rows.contains { $0.hasPrefix(" YOUR CAR IS HERE") && $0.hasSuffix(count == 1 ? " at \(name)" : "HERE") }, "\(rows)")
    }

    @Test("at 30 columns, the list of stops has whole names and times, and the list of events whole sentences")
    func lists() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 30, rows: 12)))
        scenario.press("w")
        let stops = Self.rows(scenario)
        for (name, clock) in [("Elm St 12", "14:13"), ("Mill Lane", "14:22")] {
            #expect(stops.contains { $0.contains(name) && $0.hasSuffix(clock) }, "\(stops)")
        }
        for index in scenario.state.pages.indices {
            scenario.state.pages[index].log.add(note: "Car passed Barberry Lane North", at: MadeUpTrip.time("14:07:14"))
        }
        scenario.press("esc e")
        #expect(Self.count("14:07:14 Car passed Barberry Lane North", scenario) == 1, "\(Self.rows(scenario))")
    }

    @Test("a long title takes two rows if they are free", arguments: [(24, 1), (6, 1), (5, 0)])
    func title(rows: Int, count: Int) throws {
        var scenario = try #require(Scenario.named("looking", size: Size(columns: 30, rows: rows)))
        scenario.answer("14:03:20") { name, _ in
            var trip = MadeUpTrip.new(name)
            trip.attributes["title"] = "Ride to the Oceanographic Museum"
            return trip
        }
        #expect(Self.count("Ride to the Oceanographic Museum", scenario) == count, "\(Self.rows(scenario))")
    }

    @Test("a message on the map has its rows for itself", arguments: ["no-such-trip", "connecting", "unreachable"], [(60, 16), (80, 24)])
    func message(name: String, size: (columns: Int, rows: Int)) throws {
        let scenario = try #require(Scenario.named(name, size: Size(columns: size.columns, rows: size.rows)))
        let rows = Self.rows(scenario)
        let row = try #require(rows.first { $0.contains("7f3a-northgate ") && $0.contains("╎") }, "\(rows)")
        #expect(row.prefix { $0 != "╎" }.split(separator: " ") == ["7f3a-northgate"], "\(row)")
    }

    @Test(
        "an event does not repeat what the banner says; if the banner has room only for the instruction, the event says what failed",
        arguments: [
            ("unreachable", 15, "server cannot be reached"), ("no-such-trip", 15, "no such trip"), ("no-such-trip", 10, "no such trip"),
            ("shipment-missing", 15, "No shipment 1Z-4471"),
        ])
    func banner(name: String, rows: Int, words: String) throws {
        let scenario = try #require(Scenario.named(name, size: Size(columns: 40, rows: rows)))
        #expect(Self.count(words, scenario) == 1, "\(Self.rows(scenario))")
    }

    @Test(
        "the waiting time is whole; the time since when is left out if there is no room for it",
        arguments: [(60, 16, true, "14:13:50"), (80, 24, true, "14:13:50"), (80, 24, false, "14:25:00")])
    func waitingTime(columns: Int, rows: Int, isASCII: Bool, clock: String) throws {
        let options = Scenario.options { if isASCII { $0.painters = [.ascii] } }
        var scenario = try #require(Scenario.named("here", size: Size(columns: columns, rows: rows), options: options))
        scenario.answer(clock) { MadeUpTrip.waiting($0, at: $1) }
        let shown = Self.rows(scenario)
        let row = try #require(shown.first { $0.contains("waiting ") })
        #expect(row.hasSuffix(clock == "14:25:00" ? "waiting 11:52" : "waiting 0:42") || row.hasSuffix("since 14:13"), "\(shown)")
    }
}
