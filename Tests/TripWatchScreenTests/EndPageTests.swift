import FleetEngine
import FoundationEssentials
import TerminalCanvas
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("The page of a trip that was cancelled")
struct EndPageTests {
    private static let theme = Theme(name: "plain", looks: [:], depth: .none)

    private static func text(_ scenario: Scenario) -> String { AppView().canvas(scenario.state, theme: theme).text() }

    private static func canceled(_ name: TripName, at time: Date) -> Trip {
        var trip = MadeUpTrip.approaching(name, metersToGo: 1_700, arrival: "14:13:00", at: time)
        trip.status = .canceled
        return trip
    }

    @Test("a small screen says once that the trip was cancelled, and when", arguments: [(30, 8), (20, 3), (60, 9)], [true, false])
    func once(size: (columns: Int, rows: Int), isAnsweredFirst: Bool) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: size.columns, rows: size.rows)))
        let name = try #require(MadeUpTrip.name())
        if isAnsweredFirst { scenario.send(.cancelResult(.canceled, for: name)) }
        scenario.answer("14:07:30", Self.canceled)
        if !isAnsweredFirst { scenario.send(.cancelResult(.canceled, for: name)) }
        let text = Self.text(scenario)
        #expect(text.hasPrefix("Cancelled 14:07"), "\(text)")
        for fact in ["ancelled", "14:07", "Northgate Station"] { #expect(text.ranges(of: fact).count == 1, "\(fact): \(text)") }
    }

    @Test(
        "only stops that the ride made are counted, although the server's index stays at the last stop",
        arguments: [("approaching", ""), ("riding", "0"), ("at-stop", "1"), ("last-leg", "1")])
    func stops(name: String, count: String) throws {
        var scenario = try #require(Scenario.named(name, size: Size(columns: 80, rows: 24)))
        scenario.answer("14:25:50", Self.canceled)
        let words = Self.text(scenario).split(whereSeparator: \.isWhitespace).map(String.init)
        let place = try #require(words.firstIndex(of: "stops"))
        let shown = try #require(words.dropFirst(place + 1).first)
        #expect(count.isEmpty ? Int(shown) == nil : shown == count, "\(Self.text(scenario))")
    }

    @Test("the stops of a cancelled trip have no expected times, and the pickup is no longer the rider's place")
    func noPlans() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        #expect(Self.text(scenario).contains(" you"), "\(Self.text(scenario))")
        scenario.answer("14:07:30", Self.canceled)
        #expect(!Self.text(scenario).contains(" you"), "\(Self.text(scenario))")
        let stops = StopList(try #require(scenario.state.page), scenario.state).stops
        #expect(stops.count == 3 && stops.allSatisfy { $0.right == "cancelled  --:--" && !$0.isNext }, "\(stops)")
        let steps = Timeline(try #require(scenario.state.page), scenario.state, isWide: true).steps
        #expect(steps.allSatisfy { $0.text != "Picked up" && $0.time == nil && $0.latest == nil }, "\(steps)")
    }

    @Test("the stops that a ride made before it was cancelled stay done")
    func doneBefore() throws {
        var scenario = try #require(Scenario.named("last-leg", size: Size(columns: 80, rows: 24)))
        scenario.answer("14:25:50", Self.canceled)
        let stops = StopList(try #require(scenario.state.page), scenario.state).stops
        #expect(stops.map { $0.right.contains("done") } == [true, true, false] && stops.last?.right == "cancelled  --:--", "\(stops)")
        let steps = Timeline(try #require(scenario.state.page), scenario.state, isWide: true).steps
        #expect(steps.filter { $0.kind == .done }.map(\.text) == ["Picked up", "Mill Lane"], "\(steps)")
    }

    @Test("a long title leaves the rows of the result to it")
    func longTitle() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 30, rows: 7)))
        scenario.send(.cancelResult(.canceled, for: try #require(MadeUpTrip.name())))
        scenario.answer("14:07:30") { name, time in
            var trip = Self.canceled(name, at: time)
            trip.attributes["title"] = "Ride to the Oceanographic Museum"
            return trip
        }
        for words in ["Oceanographic", "released.", "wait ", "ETA moved"] {
            #expect(Self.text(scenario).contains(words), "\(words): \(Self.text(scenario))")
        }
    }

    @Test("a pooled ride that is cancelled is not the car's next")
    func pooled() throws {
        var scenario = try #require(Scenario.named("others-first", size: Size(columns: 80, rows: 24)))
        scenario.answer("14:09:00", Self.canceled)
        let events = scenario.state.loggedEvents.map { scenario.state.words($0) }
        #expect(events.last == "Trip cancelled" && !events.contains("You are next"), "\(events)")
    }

    @Test("a moved pickup, a moved drop-off and a new stop are events")
    func changedStops() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        scenario.answer("14:07:20") {
            var trip = MadeUpTrip.approaching($0, metersToGo: 1_700, arrival: "14:13:00", at: $1)
            trip.intermediateDestinations.append(MadeUpTrip.place(2_000, 900))
            trip.pickupPoint = MadeUpTrip.place(80, 0)
            trip.dropoffPoint = MadeUpTrip.place(2_900, 2_500)
            return trip
        }
        let events = scenario.state.loggedEvents.map { scenario.state.words($0) }
        let changes = ["The pickup has changed", "The stops have changed: 1 added", "The drop-off has changed"]
        #expect(events.suffix(3) == changes[...], "\(events)")
    }

    @Test("the event of a completed cancellation has its time once")
    func event() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        scenario.send(.cancelResult(.canceled, for: try #require(MadeUpTrip.name())))
        scenario.answer("14:07:30", Self.canceled)
        #expect(Self.text(scenario).contains("14:07:30  Trip cancelled, car released"), "\(Self.text(scenario))")
    }

    @Test(
        "a wait is rounded down if its beginning was not seen, and less than a minute is never a minute",
        arguments: [
            ("14:02:45", nil, "45+ s"), ("14:03:59", nil, "1+ min"), ("14:02:20", "14:01:59", "<1 min"), ("14:02:45", "14:01:59", "<1 min"),
            ("14:04:00", "14:01:59", "2 min"),
        ] as [(String, String?, String)], [(60, 16), (80, 24)])
    func wait(course: (end: String, booked: String?, words: String), size: (columns: Int, rows: Int)) throws {
        let options = Scenario.options { $0.bookedAt = course.booked.map(MadeUpTrip.time) }
        var scenario = try #require(Scenario(size: Size(columns: size.columns, rows: size.rows), options: options))
        scenario.answer("14:02:00") { MadeUpTrip.approaching($0, metersToGo: 1_900, arrival: "14:12:00", at: $1) }
        scenario.answer(course.end, Self.canceled)
        let row = Self.text(scenario).split(separator: "\n").first { $0.contains("wait ") }
        #expect(
            row?.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("wait \(course.words) promised") == true,
            "\(row ?? "")")
    }
}
