import ConsumerMap
import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchWords

@Suite("The list of trips")
struct TripListTests {
    private func scenario(
        _ word: String = "several", columns: Int = 80, rows: Int = 24, _ change: (inout AppOptions) -> Void = { _ in }
    ) throws -> Scenario {
        var options = Scenario.options()
        (options.addsTrips, options.provider) = (true, "made-up-cabs")
        change(&options)
        var scenario = try #require(Scenario.named(word, size: Size(columns: columns, rows: rows), options: options))
        scenario.press("L")
        return scenario
    }

    private func many(_ count: Int) throws -> Scenario {
        var scenario = try #require(
            Scenario(size: Size(columns: 80, rows: 24), trips: (0..<count).map { "t\($0)" }, now: "14:07:00"))
        for index in 0..<count {
            let minutes = (index * 37) % 50
            scenario.answer(
                "14:07:12",
                { MadeUpTrip.approaching($0, metersToGo: 900, arrival: "14:\(minutes < 10 ? "0" : "")\(minutes):00", at: $1) },
                of: "t\(index)")
        }
        return scenario
    }

    @Test("a trip that waits for its car says so, and does not speak of a missing position")
    func noCarYet() throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), trips: ["one", "two"], now: "14:07:00"))
        for id in ["one", "two"] { scenario.answer("14:07:12", { name, _ in MadeUpTrip.new(name) }, of: id) }
        scenario.press("L")
        let text = AppView().canvas(scenario.state, theme: Theme(name: "plain", looks: [:], depth: .none)).text()
        let lines = text.split(separator: "\n").filter { $0.contains("no car yet") }
        #expect(lines.count == 3 && !text.contains("no position yet"), "\(text)")
    }

    /// Two rides. The first has lost its car, but the server still sends the ride's status and its arrival at 14:12.
    private func takenOff(_ status: TripStatus, columns: Int, rows: Int) throws -> Scenario {
        var scenario = try #require(Scenario(size: Size(columns: columns, rows: rows), trips: ["one", "two"], now: "14:07:00"))
        scenario.answer("14:07:12", { MadeUpTrip.approaching($0, metersToGo: 900, arrival: "14:30:00", at: $1) }, of: "two")
        let kept: (TripName, Date) -> Trip = { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 400, arrival: "14:12:00", at: time)
            trip.status = status
            (trip.vehicleID, trip.lastLocation) = (nil, nil)
            return trip
        }
        scenario.answer("14:07:12", kept, of: "one")
        return scenario
    }

    @Test(
        "a ride whose car was taken off has no arrival in the list and on its tab, and no car waits for the rider",
        arguments: [TripStatus.enrouteToPickup, .arrivedAtPickup])
    func carTakenOff(status: TripStatus) throws {
        var scenario = try takenOff(status, columns: 120, rows: 40)
        #expect(text(scenario).split(separator: "\n").first?.contains("▸ no car yet") == true, "\(text(scenario))")
        scenario.press("L")
        let words = ListWords(scenario.state, rows: 5)
        let row = try #require(words.rows.first { $0.number == 1 })
        #expect([row.eta, row.clock, row.phase] == ["", "", "no car yet"] && !row.hasBar)
        #expect(scenario.state.listOrder == [1, 0] && words.summary.contains("Next: "), "\(words.summary)")
    }

    @Test("small screens show no arrival of a ride whose car was taken off", arguments: [(40, 15), (20, 3)])
    func smallCarTakenOff(columns: Int, rows: Int) throws {
        let text = try text(takenOff(.enrouteToPickup, columns: columns, rows: rows))
        #expect(!text.contains("14:12"), "\(text)")
    }

    @Test("L opens the list, sorted by arrival, and Enter opens the trip selected by j and k")
    func opening() throws {
        var scenario = try scenario()
        #expect(scenario.state.listOrder == [0, 1, 2])
        scenario.press("j j j k")
        #expect(scenario.state.page?.name.trip == "groceries")
        scenario.press("enter")
        #expect(scenario.state.list == nil && scenario.state.page?.name.trip == "groceries")
        #expect(scenario.state.map.camera.size == ScreenLayout(scenario.state, page: scenario.state.page).map.size)
    }

    @Test("Esc goes back to the trip from which the list was opened; l pans and opens nothing")
    func leaving() throws {
        var scenario = try scenario()
        scenario.press("3 esc")
        #expect(scenario.state.list == nil && scenario.state.page?.name.trip == "7f3a-northgate")
        let before = scenario.state.map.camera.center
        scenario.press("l")
        #expect(scenario.state.list == nil && scenario.state.map.camera.center != before)
    }

    @Test("old data are marked: by a word in the corner, by \"about\" in the row and in the sentence below", arguments: [40, 80])
    func old(columns: Int) throws {
        var scenario = try scenario("approaching", columns: columns, rows: 15)
        #expect(ListWords(scenario.state, rows: 5).summary.contains("6 min"))
        scenario.fail("14:07:31", Scenario.refused, retryIn: 20, attempt: 3)
        scenario.tick("14:07:40")
        let words = ListWords(scenario.state, rows: 5)
        #expect(words.rows.first?.isOld == true && words.corner == "offline")
        let next = columns == 80 ? "Cannot update 1 trip now. Next: Ride to " : "Next: "
        #expect(words.summary == "\(next)Northgate Station, about 6 min.", "\(words.summary)")
        let text = AppView().canvas(scenario.state, theme: ThemeCatalog().load("mono", depth: .none).theme).text()
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix(" 1 ") })
        #expect(row.contains("offline") && row.contains("about 6 min") == (columns == 80), "\(row)")
    }

    @Test("the corner has the word of the page with the worst data", arguments: ["quiet", "not-live", "offline", "stopped"])
    func worst(word: String) throws {
        let scenario = try scenario(word)
        let page = try #require(scenario.state.page)
        let corner = ListWords(scenario.state, rows: 5).corner
        #expect(corner == scenario.state.freshnessWords(page).word && corner == word.replacing("-", with: " "))
    }

    @Test("D stops watching without asking; the last trip stays")
    func stopWatching() throws {
        var scenario = try scenario()
        scenario.press("2 D")
        #expect(scenario.state.pages.map(\.name.trip) == ["7f3a-northgate", "parcel-00418"])
        #expect(
            scenario.effects.last == .stopWatching(try #require(MadeUpTrip.name("groceries")))
                || scenario.effects.contains {
                    if case .stopWatching = $0 { true } else { false }
                })
        #expect(scenario.state.notice?.text == "Groceries is no longer being watched; the trip is not cancelled.")
        // Late answers about this trip change nothing.
        scenario.answer("14:07:20", { MadeUpTrip.waiting($0, at: $1) }, of: "groceries")
        #expect(scenario.state.pages.count == 2)
        scenario.press("D D")
        #expect(scenario.state.pages.count == 1)
        #expect(scenario.state.notice?.text.hasPrefix("This is the only trip; press q to quit.") == true)
    }

    @Test("an order that is no longer watched is called an order")
    func stopWatchingOrder() throws {
        var scenario = try scenario()
        scenario.answer(
            "14:07:20", { Scenario.order(MadeUpTrip.approaching($0, metersToGo: 900, arrival: "14:15:00", at: $1)) }, of: "parcel-00418")
        scenario.press("3 D")
        #expect(scenario.state.notice?.text.hasSuffix("; the order is not cancelled.") == true)
    }

    @Test("after a recorded ride, p, e and k belong to the ride; in the list they keep their meaning")
    func ridesEnd() throws {
        let ended = try #require(MadeUpTrip.name("t1"))
        var options = Scenario.options()
        options.rides = [ended]
        var scenario = try #require(
            Scenario(size: Size(columns: 120, rows: 24), options: options, trips: ["t0", "t1", "t2"], now: "14:07:00"))
        for name in ["t0", "t1", "t2"] { scenario.answer("14:07:12", { MadeUpTrip.waiting($0, at: $1) }, of: name) }
        scenario.answer("14:07:20", { name, _ in MadeUpTrip.complete(name) }, of: "t1")
        scenario.press("2")
        #expect(scenario.state.isAtRidesEnd)
        scenario.press("e k")
        var rides: [AppEffect] { scenario.effects.filter { if case .ride = $0 { true } else { false } } }
        #expect(rides == [.ride(.export, of: ended), .ride(.keep, of: ended)])
        // The screen stays open, because it still shows the other trips.
        scenario.press("p")
        #expect(rides.count == 2 && scenario.state.notice?.text == "This ride can be replayed when the other trips have ended.")
        scenario.press("L k k e p")
        #expect(scenario.state.list != nil && rides.count == 2 && !scenario.state.isAtRidesEnd)
        // There is no recording of t0, so k has no effect.
        scenario.press("esc 1 k")
        #expect(rides.count == 2)
    }

    @Test("after a ride without a recording, the screen does not offer its keys")
    func notRecorded() throws {
        let name = try #require(MadeUpTrip.name("t1"))
        var options = Scenario.options()
        options.rides = [name]
        var scenario = try #require(Scenario(size: Size(columns: 120, rows: 24), options: options, trips: ["t1"], now: "14:07:00"))
        scenario.answer("14:07:12", { MadeUpTrip.waiting($0, at: $1) }, of: "t1")
        scenario.answer("14:07:20", { name, _ in MadeUpTrip.complete(name) }, of: "t1")
        #expect(scenario.state.isAtRidesEnd)
        scenario.send(.measured(name, ride: nil, roundTripSeconds: nil))
        let words = FooterHints(scenario.state, page: scenario.state.page).fitted(columns: 120).map(\.word)
        #expect(!words.contains("replay") && !words.contains("export") && !words.contains("keep"), "\(words)")
        #expect(words.contains("share summary"))
    }

    @Test("a asks for a name, accepts a valid one, and says what is wrong with an invalid one")
    func adding() throws {
        var scenario = try scenario()
        scenario.press("a")
        for character in "a:b" { scenario.send(.key(Key(.character(character)))) }
        scenario.press("enter")
        #expect(scenario.state.notice?.text == "Not added: a trip id must not contain any of / : ? , # (this one contains ':').")
        #expect(scenario.state.pages.count == 3 && scenario.state.list?.typed == "a:b")
        scenario.press("ctrl-u")
        scenario.send(.paste("providers/else/trips/quay\n"))
        scenario.press("enter")
        #expect(scenario.state.pages.last?.name.description == "providers/else/trips/quay" && scenario.state.selected == 3)
        #expect(scenario.effects.contains(.watch(try TripName("providers/else/trips/quay"))))
        scenario.press("a q enter")
        #expect(scenario.state.pages.last?.name.description == "providers/made-up-cabs/trips/q")
        let count = scenario.effects.count
        scenario.press("a q enter")
        #expect(scenario.state.pages.count == 5 && scenario.effects.count == count)
        #expect(scenario.state.notice?.text.hasSuffix("is already being watched.") == true)
        scenario.press("a esc")
        #expect(scenario.state.list?.typed == nil && scenario.state.list != nil)
    }

    @Test("outside the list the two keys say where they work, and in a demo nothing can be added")
    func elsewhere() throws {
        var scenario = try scenario()
        scenario.press("esc a")
        #expect(scenario.state.notice?.text == "Open the trip list first: press L.")
        scenario.press("D")
        #expect(
            scenario.state.notice?.text == "Open the trip list first: press L."
                && scenario.state.pages.count == 3)
        var demo = try self.scenario("approaching") { $0.addsTrips = false }
        demo.press("a")
        #expect(demo.state.notice?.text == "Trips and shipments cannot be added here.")
    }

    @Test("the summary shows the trips that need the user")
    func summary() throws {
        var scenario = try scenario()
        func words() -> ListWords { ListWords(scenario.state, rows: 10) }
        #expect(words().summary == "Nothing needs your attention. Next: Ride to Northgate Station, 6 min.")
        scenario.answer("14:07:20", { MadeUpTrip.waiting($0, at: $1) }, of: "groceries")
        #expect(words().summary == "Waiting for you: Ride to Northgate Station." || words().summary.hasPrefix("Waiting for you: "))
        scenario.fail("14:07:31", Scenario.expired, retryIn: 30, attempt: 1)
        // The names do not fit beside the words about the waiting car.
        #expect(words().summary == "1 trip needs attention: press Enter, then d. 1 car is waiting for you.")
        #expect(words().rows.first { $0.number == 1 }?.phase == "no valid token")
        #expect(words().corner == "stopped")
    }

    private func text(_ scenario: Scenario) -> String {
        AppView().canvas(scenario.state, theme: ThemeCatalog().load("mono", depth: .none).theme).text()
    }

    @Test(
        "the instruction for trips that need the user is whole at every width; names that do not fit are left out",
        arguments: [
            (40, "Needs attention: press Enter, then d.", "3 need attention: press Enter, then d."),
            (60, "1 trip needs attention: press Enter, then d.", "3 trips need attention: press Enter, then d."),
            (80, "Ride to Northgate Station needs attention: press Enter, then d.", "3 trips need attention: press Enter, then d."),
            (
                120, "Ride to Northgate Station needs attention: press Enter, then d.",
                "Ride to Northgate Station, Groceries and 1 more need attention: press Enter, then d."
            ),
        ])
    func instruction(columns: Int, one: String, three: String) throws {
        var scenario = try scenario(columns: columns, rows: 15)
        let failure = PollFailure(
            error: Scenario.expired, errorClass: Scenario.expired.errorClass(tripWasSeen: true), retryInSeconds: 30, attempt: 1)
        scenario.tell(failure, at: "14:07:31")
        #expect(text(scenario).contains("\n \(one)"), "\(text(scenario))")
        for id in ["groceries", "parcel-00418"] { scenario.tell(failure, at: "14:07:32", of: id) }
        #expect(text(scenario).contains("\n \(three)"), "\(text(scenario))")
    }

    @Test("cars that wait are counted if their names do not fit")
    func waitingCars() throws {
        var scenario = try scenario("here", columns: 40, rows: 15)
        #expect(ListWords(scenario.state, rows: 5).summary == "1 car is waiting for you.")
        scenario.send(.resize(Size(columns: 80, rows: 24)))
        #expect(ListWords(scenario.state, rows: 5).summary == "Waiting for you: Ride to Northgate Station.")
    }

    private static let failures: [FleetEngineError] =
        [.unauthenticated, .permissionDenied, .notFound, .invalidArgument, .unimplemented, .outOfRange, .failedPrecondition, .internal]
        .map { FleetEngineError(code: $0, message: "made up") }
        + [
            FleetEngineError(
                code: .resourceExhausted, message: "made up",
                details: [.errorInfo(reason: "RATE_LIMIT_EXCEEDED", domain: "googleapis.com", metadata: [:])])
        ]

    @Test(
        "the state of a trip is whole in the list, whether or not the trip was seen",
        arguments: failures, [(40, 15), (50, 15), (60, 16), (70, 24), (80, 24)])
    func wholeStates(error: FleetEngineError, size: (columns: Int, rows: Int)) throws {
        for word in ["approaching", "connecting"] {
            var scenario = try scenario(word, columns: size.columns, rows: size.rows)
            scenario.fail("14:07:31", error, retryIn: 8, attempt: 1)
            let failure = try #require(scenario.state.page?.failure)
            let row = try #require(text(scenario).split(separator: "\n").first { $0.hasPrefix(" 1 ") })
            #expect(row.contains(LinesView.shortWords(failure)), "\(row)")
        }
    }

    @Test(
        "the list says offline only if the server does not answer",
        arguments: [
            (FleetEngineError(code: .notFound, message: ""), "not found"), (FleetEngineError(code: .internal, message: ""), "server error"),
            (Scenario.refused, "offline"),
        ], [40, 80])
    func answered(fault: (error: FleetEngineError, word: String), columns: Int) throws {
        let failure = PollFailure(
            error: fault.error, errorClass: fault.error.errorClass(), retryInSeconds: 5, attempt: 1,
            isWithinGrace: fault.error.code == .notFound)
        var scenario = try scenario("approaching", columns: columns, rows: 15)
        scenario.tell(failure, at: "14:07:31")
        let text = text(scenario)
        #expect(text.contains(fault.word) && (fault.word == "offline" || !text.contains("offline")), "\(text)")
    }

    @Test("of a thousand trips, those in view have their texts; the trip in front is always among them")
    func scrolling() throws {
        var scenario = try many(1_000)
        scenario.press("L")
        let rows = ListLayout(scenario.state.size).rows.rows
        #expect(ListWords(scenario.state, rows: rows).rows.count == rows)
        let order = scenario.state.listOrder
        let arrivals = order.map { scenario.state.pages[$0].journey.forecast.shown ?? .distantFuture }
        #expect(arrivals == arrivals.sorted())
        for key in ["end", "home", "pgdn", "pgdn", "j", "k", "pgup", "9"] {
            scenario.press(key)
            let words = ListWords(scenario.state, rows: rows)
            #expect(words.rows.count { $0.isFocused } == 1, "\(key)")
        }
        scenario.send(.resize(Size(columns: 20, rows: 3)))
        #expect(ListWords(scenario.state, rows: ListLayout(scenario.state.size).rows.rows).rows.contains { $0.isFocused })
    }

    @Test("? lists the list's keys, g and G go to its ends, and the map's keys say where the map is")
    func ownKeys() throws {
        var scenario = try scenario()
        scenario.press("G")
        #expect(scenario.state.page?.name.trip == "parcel-00418")
        scenario.press("g")
        #expect(scenario.state.page?.name.trip == "7f3a-northgate" && scenario.state.list != nil)
        scenario.press("f")
        #expect(scenario.state.notice?.text == "The list has no map; press Enter to open the page.")
        scenario.press("?")
        let lines = try #require(OverlayText(scenario.state)).lines.map { "\($0.left) \($0.middle)" }
        #expect(lines.contains("g  G first, last; PgUp PgDn: by page") && lines.contains("Enter open the trip"), "\(lines)")
        #expect(!lines.contains { $0.contains("pan the map") || $0.contains("zoom in") })
    }

    @Test("rows leave out the first words that all titles share, but never a part of a place name")
    func sharedWords() {
        func rest(_ titles: [String]) -> [String] {
            let count = TripNames.sharedBeginning(of: titles).count
            return titles.map { String($0.dropFirst(count)) }
        }
        #expect(rest(["Ride to Quay", "Ride to Mill Lane"]) == ["Quay", "Mill Lane"])
        #expect(rest(["Ride to Quay", "Groceries"]) == ["Ride to Quay", "Groceries"])
        #expect(rest(["Ride to Quay"]) == ["Ride to Quay"] && rest(["Ride", "Ride"]) == ["Ride", "Ride"])
        #expect(rest(["Ride to", "Ride to Quay"]) == ["to", "to Quay"])
        #expect(rest(["Ride to 50.105, 8.664", "Ride to 50.105, 8.700"]) == ["50.105, 8.664", "50.105, 8.700"])
        #expect(TripNames.distinct(["Ride to 50.105, 8.664", "Ride to 50.105, 8.700"]) == ["50.105, 8.664", "50.105, 8.700"])
    }

    @Test("a click selects, a second one opens")
    func mouse() throws {
        var scenario = try scenario()
        let area = ListLayout(scenario.state.size).rows
        let click = MouseEvent(.press(.left), at: Position(column: 8, row: area.row + 1))
        scenario.send(.mouse(click))
        #expect(scenario.state.page?.name.trip == "groceries" && scenario.state.list != nil)
        scenario.send(.mouse(click))
        #expect(scenario.state.list == nil)
    }

    @Test("events of trips are drawn with the next second, not with each answer")
    func pace() throws {
        var scenario = try many(100)
        scenario.press("L")
        var pacer = FramePacer(interval: AppOptions().frameInterval)
        _ = pacer.decide(scenario.state, now: .now)
        scenario.answer("14:07:12", { MadeUpTrip.waiting($0, at: $1) }, of: "t99")
        let decision = pacer.decide(scenario.state, now: .now)
        #expect(decision == .rest)
        scenario.tick("14:07:13")
        let next = pacer.decide(scenario.state, now: .now + .seconds(1))
        #expect(next == .draw)
        #expect(scenario.state.nextChange(stepSeconds: 0.1) == scenario.state.now.addingTimeInterval(1))
    }
}
