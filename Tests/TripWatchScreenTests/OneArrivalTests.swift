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

    /// On the last leg, with an arrival of its own.
    private func last(_ arrival: String, _ name: TripName, _ time: Date) -> Trip {
        var trip = MadeUpTrip.ridingToStation(name, metersToGo: 1_500, at: time)
        trip.dropoffTime = MadeUpTrip.time(arrival)
        trip.etaToNextWaypoint = trip.dropoffTime
        trip.remainingWaypoints[0].eta = trip.dropoffTime
        return trip
    }

    @Test("an estimate that has not lasted is held back in headline, timeline, marker, stops and status alike")
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
}
