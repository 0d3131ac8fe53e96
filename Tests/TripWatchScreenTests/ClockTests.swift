import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchWords

@Suite("Clocks that differ by an hour, or are set")
struct ClockTests {
    private static let hour = 3_600.0

    /// Creates an answer of a server whose clock shows `clock`. All times in the answer are by this clock.
    private func answer(_ name: TripName, _ clock: Date, metersToGo: Double, arrival: Date) -> Trip {
        var trip = MadeUpTrip.approaching(name, metersToGo: metersToGo, arrival: "14:13:00", at: clock)
        trip.pickupTime = arrival
        trip.etaToNextWaypoint = arrival
        trip.remainingTimeToNextWaypointSeconds = arrival.timeIntervalSince(clock)
        trip.dropoffTime = arrival.addingTimeInterval(1_080)
        trip.remainingWaypoints = []
        return trip
    }

    private func words(_ scenario: Scenario) -> String {
        AppView().canvas(scenario.state, theme: Theme(name: "plain", looks: [:], depth: .none)).text()
    }

    private func lines(_ scenario: Scenario) -> [String] {
        scenario.state.loggedEvents.map { scenario.state.line($0, columns: 80) }
    }

    /// Creates a ride on a computer whose clock is some seconds ahead of the server's clock.
    private func ride(ahead: Double, size: Size = Size(columns: 120, rows: 40)) throws -> Scenario {
        var scenario = try #require(Scenario(size: size))
        scenario.answer("14:01:55", { name, _ in MadeUpTrip.new(name) })
        for clock in ["14:02:10", "14:03:10", "14:04:10"] {
            scenario.answer(clock) { name, time in
                let server = time.addingTimeInterval(-ahead)
                return answer(name, server, metersToGo: 4_000, arrival: MadeUpTrip.time("14:12:00").addingTimeInterval(-ahead))
            }
        }
        return scenario
    }

    @Test(
        "all times are by the server's clock: the corner's, and those of events from before that clock was known",
        arguments: [hour, -hour])
    func wrongHere(ahead: Double) throws {
        let scenario = try ride(ahead: ahead)
        let server = ahead > 0 ? "13" : "15"
        let seen = words(scenario)
        #expect(seen.contains("live ∙ 0 s ago    \(server):04") && seen.contains("at \(server):12"), "\(seen)")
        #expect(!seen.contains("14:"), "\(seen)")
        #expect(lines(scenario).allSatisfy { $0.hasPrefix("\(server):0") }, "\(lines(scenario))")
    }

    @Test("events are in the order of their times, even if the clock here is wrong by less than a minute", arguments: [40.0, -40])
    func slightly(ahead: Double) throws {
        let scenario = try ride(ahead: ahead)
        let times = scenario.state.loggedEvents.map(\.time)
        #expect(times == times.sorted() && times.first == MadeUpTrip.time("14:01:55").addingTimeInterval(-ahead), "\(lines(scenario))")
    }

    @Test("clocks that hardly differ count as one")
    func nearly() throws {
        let scenario = try ride(ahead: 1.5)
        #expect(scenario.state.page?.clockOffset == 0)
        #expect(lines(scenario).contains { $0.hasPrefix("14:02:10") }, "\(lines(scenario))")
    }

    @Test(
        "when the server's clock is set, no promise is made or moved, nothing rings, and past events shift with it",
        arguments: [hour, -hour])
    func jump(seconds: Double) throws {
        var scenario = try ride(ahead: 0)
        let before = lines(scenario).count
        let effects = scenario.effects.count
        for clock in ["14:04:20", "14:04:30", "14:04:40"] {
            scenario.answer(clock) { name, time in
                answer(
                    name, time.addingTimeInterval(seconds), metersToGo: 3_900,
                    arrival: MadeUpTrip.time("14:12:00").addingTimeInterval(seconds))
            }
        }
        let server = seconds > 0 ? "15" : "13"
        #expect(scenario.state.page?.journey.forecast.moves == 0 && lines(scenario).count == before, "\(lines(scenario))")
        #expect(lines(scenario).allSatisfy { $0.hasPrefix("\(server):0") }, "\(lines(scenario))")
        #expect(scenario.state.page?.history.moves == 0)
        let alerts = scenario.effects.dropFirst(effects).filter { if case .alert = $0 { true } else { false } }
        #expect(alerts.isEmpty)
        let seen = words(scenario)
        #expect(seen.contains("\(server):12   unchanged") && !seen.contains(" 14:"), "\(seen)")
    }

    @Test("the car's waiting time is measured here, whatever is done to the server's clock", arguments: [hour, -hour])
    func waiting(seconds: Double) throws {
        var scenario = try ride(ahead: 0)
        scenario.answer("14:10:00") { MadeUpTrip.waiting($0, at: $1) }
        // Before this answer, the server's clock was set forward or back.
        scenario.answer("14:10:40") { name, time in
            var trip = answer(name, time.addingTimeInterval(seconds), metersToGo: 0, arrival: time.addingTimeInterval(seconds + 60))
            trip.status = .arrivedAtPickup
            return trip
        }
        let seen = words(scenario)
        #expect(seen.contains("waiting 0:40, since \(seconds > 0 ? "15" : "13"):10"), "\(seen)")
    }

    /// Creates a ride whose car arrives some hours after 14:07.
    private func far(hours: Double, size: Size) throws -> Scenario {
        var scenario = try #require(Scenario(size: size))
        scenario.answer("14:07:02") { answer($0, $1, metersToGo: 1_890, arrival: $1.addingTimeInterval(hours * 3_600)) }
        return scenario
    }

    @Test("the time of a late arrival is whole beside or below the large figures", arguments: [(80, 24), (120, 40), (40, 22)])
    func late(columns: Int, rows: Int) throws {
        let text = words(try far(hours: 11.5, size: Size(columns: columns, rows: rows)))
        #expect(text.contains("at 01:37"), "\(text)")
    }

    @Test("a far arrival with an old position has no cut remark")
    func remark() throws {
        var scenario = try far(hours: 37, size: Size(columns: 80, rows: 24))
        scenario.tick("14:09:00")
        let text = words(scenario)
        #expect(text.contains("PICKUP IN ABOUT") && !text.contains("(not⋯"), "\(text)")
    }

    @Test("a far arrival on another day has its day, whole, on every screen", arguments: [(80, 24), (120, 40), (40, 22), (30, 8)])
    func anotherDay(columns: Int, rows: Int) throws {
        var scenario = try far(hours: 448.5, size: Size(columns: columns, rows: rows))
        let text = words(scenario)
        #expect(text.contains(columns < 40 ? "448 h 30 min  23 May 06:37" : "at 23 May 06:37"), "\(text)")
        scenario.press("L")
        #expect(columns < 60 || words(scenario).contains(" 23 May 06:37 "), "\(words(scenario))")
    }

    @Test("on the smallest screens, an arrival on another day keeps its hour", arguments: [20, 22, 30])
    func anotherDayInLines(columns: Int) throws {
        var scenario = try far(hours: 252.5, size: Size(columns: columns, rows: 3))
        #expect(words(scenario).contains("15 May 02:37"), "\(words(scenario))")
        // The position is now old, so the countdown is approximate and its text is longer.
        scenario.tick("14:09:00")
        #expect(words(scenario).contains("15 May 02:37"), "\(words(scenario))")
    }

    @Test("on the smallest screens, an end on another day is left out if it does not fit whole")
    func endOnAnotherDay() throws {
        var scenario = try #require(Scenario.named("cancelled", size: Size(columns: 20, rows: 3)))
        scenario.tick(at: MadeUpTrip.time("14:07:30").addingTimeInterval(15 * 3_600))
        #expect(words(scenario).contains("Cancelled") && !words(scenario).contains("May"), "\(words(scenario))")
    }

    @Test("where a time with its day and its words do not both fit, the words stay whole")
    func whole() throws {
        let size = Size(columns: 80, rows: 24)
        var ended = try #require(Scenario.named("complete", size: size))
        ended.tick(at: MadeUpTrip.time("14:31:06").addingTimeInterval(15 * 3_600))
        #expect(words(ended).contains("car came   1 min late"), "\(words(ended))")
        let event = try #require(ended.state.loggedEvents.first)
        let (line, text) = (ended.state.line(event, columns: 80), ended.state.words(event, isBrief: true))
        #expect(ended.state.line(event, columns: text.count + 6) == "\(line.prefix(5)) \(text)")

        var moved = try far(hours: 448.5, size: Size(columns: 120, rows: 40))
        for clock in ["14:08:02", "14:09:02"] {
            moved.answer(clock) { answer($0, $1, metersToGo: 1_800, arrival: MadeUpTrip.time("15:37:02").addingTimeInterval(448 * 3_600)) }
        }
        #expect(words(moved).contains(#/23 May 06:37 ▸ 23 May 07:37 *\n/#), "\(words(moved))")
    }

    @Test("on a narrow screen, the list leaves out a time with its day and keeps its titles")
    func narrowList() throws {
        var scenario = try far(hours: 448.5, size: Size(columns: 60, rows: 16))
        scenario.press("L")
        #expect(!words(scenario).contains("May") && words(scenario).contains("448 h 30 min"), "\(words(scenario))")
    }

    @Test("an arrival that has passed was due, and is not the next one in the list while the position is old")
    func passed() throws {
        var scenario = try far(hours: 0.1, size: Size(columns: 80, rows: 24))
        #expect(words(scenario).contains("at 14:13"))
        scenario.tick("14:20:00")
        let text = words(scenario)
        #expect(text.contains("due 14:13") && !text.contains("at 14:13"), "\(text)")
        scenario.press("L")
        #expect(ListWords(scenario.state, rows: 10).summary == "Nothing needs your attention.")
    }

    /// Returns the timeline's row about the pickup; empty if the timeline has no such row.
    private func pickedUp(_ scenario: Scenario) -> String {
        let row = words(scenario).split(separator: "\n").first { $0.contains("Picked up") } ?? ""
        return row.reversed().drop { $0 == " " }.reversed().map(String.init).joined()
    }

    @Test("a pickup happened in the past: a future time for it is ignored, and the time of the observation is used")
    func pickedUp() throws {
        var scenario = try ride(ahead: 0)
        scenario.answer("14:10:00") { MadeUpTrip.waiting($0, at: $1) }
        func riding(_ name: TripName, _ time: Date) -> Trip {
            var trip = MadeUpTrip.ridingToStop(name, metersToGo: 1_500, at: time)
            trip.actualPickup = nil
            trip.pickupTime = MadeUpTrip.time("14:25:00")
            return trip
        }
        scenario.answer("14:11:00", riding)
        #expect(pickedUp(scenario).hasSuffix(" 14:11"), "\(words(scenario))")
        // The pickup time on the screen must not change later.
        scenario.answer("14:26:00", riding)
        #expect(pickedUp(scenario).hasSuffix(" 14:11"), "\(words(scenario))")

        var late = try #require(Scenario(size: Size(columns: 120, rows: 40)))
        late.answer("14:11:00", riding)
        #expect(pickedUp(late).hasSuffix(" before 14:11"), "\(words(late))")
    }

    @Test("an arrival in the future is not shown for a finished trip, nor in its line")
    func arrived() throws {
        let name = try #require(MadeUpTrip.name())
        var journey = JourneyTracker(tripName: name)
        let trip = MadeUpTrip.complete(name)
        func clock(_ now: String) -> String {
            let update = TripUpdate(
                name: name, time: MadeUpTrip.time(now), kind: .trip(trip, changed: TripPropertyFields(from: nil, to: trip)))
            journey.observe(update)
            return StatusReport(journey, now: MadeUpTrip.time(now)).clock
        }
        #expect(clock("14:31:30") == "14:31" && clock("14:20:00") == "")
    }
}
