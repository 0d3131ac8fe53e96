import ConsumerMap
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing

@testable import TripWatchScreen
@testable import TripWatchWords

@Suite("The next moment at which the picture changes")
struct NextChangeTests {
    private static let scenarios = [
        "connecting", "looking", "approaching", "quiet", "not-live", "offline", "stopped", "unreachable", "here", "riding", "complete",
        "cancelled", "several", "off-route", "others-first", "overdue",
    ]

    private func scenario(_ name: String) throws -> Scenario {
        try #require(Scenario.named(name, size: Size(columns: 120, rows: 40)), "\(name)")
    }

    /// Checks the words ten times a second. Each change must have been predicted.
    @Test("between the predicted moments no word changes, and each minute has such a moment", arguments: scenarios)
    func words(name: String) throws {
        var sleeping = try scenario(name)
        let begin = sleeping.state.now
        var looks = 0
        func next() -> Date? { [sleeping.state.nextChange(stepSeconds: 0.1), sleeping.state.nextRound].compactMap { $0 }.min() }
        // These values are computed again only when a change is due.
        var (seen, due) = (Self.words(sleeping), next())
        for step in 1...450 {
            let moment = begin.addingTimeInterval(Double(step) / 10 + 0.013)
            var awake = sleeping
            awake.tick(at: moment)
            if due.map({ $0 <= moment }) == true {
                sleeping = awake
                (seen, due) = (Self.words(sleeping), next())
                looks += 1
            } else {
                #expect(seen == Self.words(awake), "\(name) at step \(step), due \(String(describing: due))")
            }
        }
        #expect(looks >= 1 && looks <= 45 * 4, "\(name): \(looks) looks in 45 s")
    }

    /// Returns the text on the screen without the map.
    private static func words(_ scenario: Scenario) -> [String] {
        let state = scenario.state
        guard let page = state.page else { return [] }
        let eta = state.etaWords(page)
        let banner = BannerWords(page, state)?.lines(columns: 100, maximumLines: 3) ?? []
        let rows = [
            state.clock(state.now), state.freshnessLine(page), state.lastSeenWords(page.journey) ?? "", state.windowTitle, eta.big,
            eta.detail,
        ]
        let tabs = state.hasTabs ? state.pages.map { $0.etaText(now: state.now).text } : []
        return rows + banner + tabs + ["\(page.isFreshlyHere(now: state.now))", "\(page.log.events.count)", eta.short]
    }

    @Test("a map without trips never changes by itself")
    func map() throws {
        let state = AppState(trips: [], options: Scenario.options { $0.mode = .map }, size: Size(columns: 80, rows: 24), now: Date())
        #expect(state.nextChange(stepSeconds: 0.1) == nil && state.nextRound == nil)
    }

    @Test("a finished trip changes once a minute")
    func complete() throws {
        var scenario = try scenario("complete")
        scenario.tick(at: scenario.state.now.addingTimeInterval(7_200))
        let next = try #require(scenario.state.nextChange(stepSeconds: 0.1))
        let seconds = next.timeIntervalSince(scenario.state.now)
        #expect(seconds > 1 && seconds <= 60.01, "\(seconds)")
    }

    @Test("a vehicle is redrawn when it has moved by a dot: more often close up, but not more often than frames can be drawn")
    func motion() throws {
        var scenario = try scenario("approaching")
        scenario.tick("14:07:16")
        let speed = try #require(scenario.state.page).journey.drawnMetersPerSecond
        #expect(speed > 1)
        func step() throws -> Double {
            try #require(scenario.state.nextChange(stepSeconds: 0.1)).timeIntervalSince(scenario.state.now)
        }
        for _ in 0..<10 {
            let dot = scenario.state.map.camera.metersPerColumn / 2 / speed
            #expect(try step() <= max(0.1, 1.5 * dot) + 0.003)
            scenario.press("+")
        }
        #expect(abs(try step() - 0.1) < 0.001)
        for _ in 0..<30 { scenario.press("-") }
        #expect(try step() <= 1.003)
    }

    @Test("for trips in the background, events caused by time are checked when due, at least a second apart")
    func behind() throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), trips: ["7f3a-northgate", "trip-1", "trip-2"]))
        scenario.comeNearer()
        scenario.answer("14:07:13", { MadeUpTrip.approaching($0, metersToGo: 900, arrival: "14:09:20", at: $1) }, of: "trip-1")
        // From this time on, the car arrives in two minutes or less, and counts as near.
        #expect(scenario.state.nextRound == MadeUpTrip.time("14:07:20"))
        scenario.tick("14:07:20")
        let next = try #require(scenario.state.nextRound)
        #expect(next > MadeUpTrip.time("14:07:20.9") && next < MadeUpTrip.time("14:07:40"))
    }
}

@Suite("How long a text stays the same")
struct WordTimeTests {
    @Test("an age that grows", arguments: [-3, 0, 0.4, 2.5, 2.6, 59.4, 59.5, 61, 119.5, 3_598, 3_599.5, 5_000])
    func age(seconds: Double) {
        let wait = TripWords.secondsToNextAge(seconds)
        let now = TripWords.age(seconds)
        #expect(wait > 0 && TripWords.age(seconds + wait - 0.001) == now && TripWords.age(seconds + wait + 0.001) != now)
    }

    @Test("a countdown", arguments: [0.5, 1.5, 2, 2.1, 59.9, 60, 61, 119.9, 120, 3_600, 7_300])
    func countdown(seconds: Double) throws {
        let wait = try #require(TripWords.secondsToNextCountdown(seconds))
        let now = TripWords.countdown(seconds)
        #expect(wait > 0 && TripWords.countdown(seconds - wait + 0.001) == now && TripWords.countdown(seconds - wait - 0.001) != now)
        #expect(TripWords.secondsToNextCountdown(0) == nil)
    }

    @Test("an arrival", arguments: [-59.5, -0.5, 1, 29, 31, 59, 61, 119, 121, 3_599, 3_601, 90_000])
    func arrival(seconds: Double) throws {
        for second in [0.0, 12.5, 59.5] {
            let now = MadeUpTrip.time("14:07:00").addingTimeInterval(second)
            let arrival = now.addingTimeInterval(seconds)
            let wait = try #require(ETAText.secondsToNext(arrival: arrival, now: now))
            func value(after wait: Double) -> ETAText.Value { ETAText(arrival: arrival, now: now.addingTimeInterval(wait)).value }
            #expect(wait >= 0 && value(after: wait - 0.001) == value(after: 0) && value(after: wait + 0.001) != value(after: 0))
            #expect(ETAText.secondsToNext(arrival: now.addingTimeInterval(-61), now: now, remainingMeters: 10) == nil)
            #expect(ETAText.secondsToNext(arrival: nil, now: now, remainingMeters: 10) == nil)
        }
    }
}
