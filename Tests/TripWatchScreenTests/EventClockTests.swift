import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import Testing
import TripWatchWords
import VectorTiles

@testable import TripWatchScreen

@Suite("The clock of an event")
struct EventClockTests {
    private func state() throws -> AppState {
        let trips = ["7f3a-northgate", "trip-1"]
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), trips: trips))
        scenario.comeNearer()
        return scenario.state
    }

    @Test("a key is handled at its own time, once, with the trip that it brings to the front")
    func key() throws {
        var state = try state()
        let requests = state.requests
        let pressed = state.now.addingTimeInterval(3)
        var asked: [String?] = []
        _ = state.update(.key(Key(.tab))) { name in
            asked.append(name?.trip)
            return .tick(pressed, name.map { JourneyTracker(tripName: $0) })
        }
        #expect(asked == ["7f3a-northgate", "trip-1"])
        #expect(state.now == pressed && state.page?.name.trip == "trip-1")
        #expect(state.requests == requests + 1)
    }

    @Test("events with a time of their own do not ask for the clock")
    func news() throws {
        var state = try state()
        let before = state.now
        for event in [AppEvent.streets([:]), .notice("News"), .ownPosition(nil)] {
            _ = state.update(event) { _ in .tick(before.addingTimeInterval(3), nil) }
        }
        #expect(state.now == before && state.notice?.text == "News")
    }

    @Test("a fault of the map's server begins when it is reported, even if the clock has stood still")
    func trouble() throws {
        var state = AppState(trips: [], size: Size(columns: 80, rows: 24), now: MadeUpTrip.time("14:00:00"))
        let told = MadeUpTrip.time("14:05:00")
        let trouble = TileTrouble(.offline, host: "tiles.example", words: "it does not answer", retrySeconds: 5)
        _ = state.update(.mapTrouble(trouble)) { _ in .tick(told, nil) }
        #expect(state.mapTrouble?.since == told)
    }
}
