import ConsumerMap
import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchWords

@Suite("One arrival everywhere")
struct OneArrivalTests {
    private func text(_ scenario: Scenario) -> String {
        AppView().canvas(scenario.state, theme: Theme(name: "plain", looks: [:], depth: .none)).text()
    }

    /// Creates an answer about a trip on its last leg, with this time of arrival.
    private func last(_ arrival: String, _ name: TripName, _ time: Date) -> Trip {
        var trip = MadeUpTrip.ridingToStation(name, metersToGo: 1_500, at: time)
        trip.dropoffTime = MadeUpTrip.time(arrival)
        trip.etaToNextWaypoint = trip.dropoffTime
        trip.remainingWaypoints[0].eta = trip.dropoffTime
        return trip
    }

    @Test("an estimate that is too new is held back in headline, timeline, marker, stops and status alike")
    func heldBack() throws {
        var scenario = try #require(Scenario.named("last-leg", size: Size(columns: 80, rows: 24)))
        func times() throws -> [String] {
            let page = try #require(scenario.state.page)
            let status = StatusReport(page.journey, now: scenario.state.now)
            let flag = ConsumerMarker(trip: page.name, type: .tripDropoffPoint)
            let step = try #require(Timeline(page, scenario.state, isWide: false).steps.last)
            let stop = try #require(StopList(page, scenario.state).stops.last)
            let told = try #require(TripObserver.ownStops(page.journey).last?.eta)
            return [
                scenario.state.etaWords(page).detail, step.right, stop.right, scenario.state.markerWords(flag), status.clock,
                scenario.state.clock(told),
            ].map { String($0.suffix(5)) }
        }
        scenario.answer("14:25:50") { last("14:32:00", $0, $1) }
        #expect(Set(try times()) == ["14:31"], "\(text(scenario))")
        scenario.answer("14:26:00") { last("14:32:00", $0, $1) }
        #expect(Set(try times()) == ["14:32"], "\(text(scenario))")
        #expect(scenario.state.page?.journey.forecast.promises.first?.arrival == MadeUpTrip.time("14:31:00"))
    }

    /// Creates a ride that is late. The estimated arrival is at first three minutes later than promised, and then only two.
    private func lateRide() throws -> Scenario {
        func ending(_ arrival: String, _ trip: Trip) -> Trip {
            var trip = trip
            trip.dropoffTime = MadeUpTrip.time(arrival)
            return trip
        }
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24)))
        scenario.arrive()
        for clock in ["14:13:50", "14:14:00"] {
            scenario.answer(clock) { ending("14:34:00", MadeUpTrip.ridingToStop($0, metersToGo: 1_700, at: $1)) }
        }
        for clock in ["14:22:40", "14:22:50"] {
            scenario.answer(clock) { ending("14:33:00", MadeUpTrip.ridingToStation($0, metersToGo: 2_600, at: $1)) }
        }
        scenario.answer("14:33:06") { name, time in
            var trip = ending("14:33:06", MadeUpTrip.complete(name))
            trip.actualDropoff?.time = time
            return trip
        }
        return scenario
    }

    @Test("a delay at the destination is reported and rings while another stop is next; the last page agrees with the events")
    func destination() throws {
        let scenario = try lateRide()
        let alerts = scenario.effects.compactMap { if case .alert(_, let text) = $0 { text } else { nil } }
        #expect(alerts.count(where: { $0 == "Later than announced: arrival now 14:34" }) == 1, "\(alerts)")
        let events = scenario.state.loggedEvents.map { scenario.state.words($0) }
        let moves = events.filter { $0.contains("▸") }
        #expect(
            moves == [
                "Pickup 14:12 ▸ 14:13 (+1 min)", "Arrival 14:31 ▸ 14:34 (+3 min, bell rang)", "Arrival 14:34 ▸ 14:33 (-1 min)",
            ], "\(events)")
        let seen = text(scenario)
        let facts = [
            "promised   14:12 for pickup", "car came   14:13, 1 min late", "arrival    14:33, 2 min late", "ETA        moved 3 times",
        ]
        for words in facts {
            #expect(seen.contains(words), "\(seen)")
        }
        let summary = SummaryView(page: try #require(scenario.state.page), state: scenario.state)
        #expect(summary.promiseLine(columns: 38) == "arrival 2 min late, pickup 1 min late")
        #expect(summary.promiseLine(columns: 36) == "arrival 2 min late")
    }

    @Test("at a stop, the list of stops shows since when the car is there, never a forecast")
    func here() throws {
        func row(_ scenario: Scenario, _ index: Int) throws -> String {
            let stops = StopList(try #require(scenario.state.page), scenario.state).stops
            return try #require(stops.dropFirst(index).first).right
        }
        var early = try #require(Scenario(size: Size(columns: 80, rows: 24)))
        early.comeNearer()
        early.answer("14:11:30") { MadeUpTrip.waiting($0, at: $1) }
        #expect(try row(early, 0).hasSuffix("here  14:11"), "\(text(early))")
        let flag = ConsumerMarker(trip: try #require(early.state.page).name, type: .tripPickupPoint)
        #expect(early.state.markerWords(flag).hasSuffix("14:11"), "\(early.state.markerWords(flag))")
        var first = try #require(Scenario(size: Size(columns: 80, rows: 24)))
        first.answer("14:11:30") { MadeUpTrip.waiting($0, at: $1) }
        #expect(try row(first, 0).hasSuffix("here  --:--"), "\(text(first))")
        var riding = try #require(Scenario.named("riding", size: Size(columns: 80, rows: 24)))
        riding.answer("14:19:00") { name, time in
            var trip = MadeUpTrip.ridingToStop(name, metersToGo: 0, at: time)
            trip.status = .arrivedAtIntermediateDestination
            return trip
        }
        #expect(try row(riding, 1).hasSuffix("here  14:19"), "\(text(riding))")
        var order = try #require(Scenario.named("order-to-shop", size: Size(columns: 80, rows: 24)))
        order.answer("14:11:30") { Scenario.order(MadeUpTrip.waiting($0, at: $1)) }
        #expect(try row(order, 1).hasSuffix("here  14:11"), "\(text(order))")
    }

    @Test("the last stop stays in the timeline, although the number of the next stop does not increase after it")
    func lastStop() throws {
        var scenario = try #require(Scenario.named("at-stop", size: Size(columns: 80, rows: 24)))
        scenario.answer("14:22:40") { name, time in
            var trip = MadeUpTrip.ridingToStation(name, metersToGo: 2_620, at: time)
            trip.intermediateDestinationIndex = 0
            return trip
        }
        let steps = Timeline(try #require(scenario.state.page), scenario.state, isWide: false).steps
        let stop = try #require(steps.first { $0.text == "Mill Lane" })
        #expect(stop.kind == .done && stop.right == "14:22", "\(text(scenario))")
    }

    @Test("while the server does not answer, the dialog before cancelling says how far away the car was at the last answer")
    func awayAtLastAnswer() throws {
        var scenario = try #require(Scenario.named("offline", size: Size(columns: 80, rows: 24)))
        scenario.press("x")
        scenario.tick("14:10:00")
        #expect(text(scenario).contains("Your car was about 6 min away"), "\(text(scenario))")
    }
}
