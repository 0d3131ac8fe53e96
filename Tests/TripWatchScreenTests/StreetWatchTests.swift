import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing
import TripWatchWords

@testable import TripWatchScreen

@Suite("Streets that the car has passed")
struct StreetWatchTests {
    private func scenario(hasMap: Bool = true) throws -> Scenario {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 120, rows: 40)))
        if hasMap { scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "nobody"))) }
        return scenario
    }

    /// Sends an answer in which the car is `meters` away from the pickup. Returns the position whose street the screen requests; nil if it
    /// requests no street.
    private func drive(_ scenario: inout Scenario, _ clock: String, meters: Double, speed: Double = 8) -> CarPlace? {
        let before = scenario.effects.count
        scenario.answer(clock) { MadeUpTrip.approaching($0, metersToGo: meters, arrival: "14:13:00", speed: speed, at: $1) }
        let places = scenario.effects.dropFirst(before).compactMap { effect -> CarPlace? in
            if case .findStreet(let place, _) = effect { place } else { nil }
        }
        #expect(places.count <= 1)
        return places.first
    }

    private func passed(_ scenario: Scenario) -> [String] {
        scenario.state.loggedEvents.map { scenario.state.line($0, columns: 80) }.filter { $0.contains("passed") }
    }

    @Test("a street is reported once, when the car is on the next one, with the time of that report")
    func told() throws {
        var scenario = try scenario()
        let name = try #require(MadeUpTrip.name())
        for (clock, meters, street) in [
            ("14:07:30", 1_700.0, "Harbour Rd"), ("14:07:40", 1_600, "Harbour Rd"), ("14:07:50", 1_500, "Elm \u{1B}[31mSt"),
            ("14:08:00", 1_400, "Harbour Rd"), ("14:08:30", 1_300, "Mill Lane"), ("14:09:10", 1_200, "Elm \u{1B}[31mSt"),
        ] {
            let place = try #require(drive(&scenario, clock, meters: meters))
            scenario.send(.street(street, of: place, for: name))
        }
        let lines = passed(scenario)
        #expect(lines == ["14:07:50  Car passed Harbour Rd", "14:09:10  Car passed Mill Lane"], "\(lines)")
    }

    @Test("no street is requested without a map, for a standing car, or twice for a place; after a minute's gap, none is reported")
    func unknown() throws {
        var bare = try scenario(hasMap: false)
        #expect(drive(&bare, "14:07:30", meters: 1_700) == nil)
        var scenario = try scenario()
        let name = try #require(MadeUpTrip.name())
        #expect(drive(&scenario, "14:07:30", meters: 1_700, speed: 0) == nil)
        let place = try #require(drive(&scenario, "14:07:40", meters: 1_600))
        #expect(drive(&scenario, "14:07:45", meters: 1_590) == nil)
        scenario.send(.street("Harbour Rd", of: place, for: name))
        let later = try #require(drive(&scenario, "14:08:50", meters: 1_000))
        scenario.send(.street("Mill Lane", of: later, for: name))
        #expect(passed(scenario).isEmpty)
    }

    @Test("a street that is not an event draws nothing")
    func calm() throws {
        var scenario = try scenario()
        let name = try #require(MadeUpTrip.name())
        let place = try #require(drive(&scenario, "14:07:40", meters: 1_600))
        let revision = scenario.state.revision
        scenario.send(.street("Harbour Rd", of: place, for: name))
        #expect(scenario.state.revision == revision)
    }

    @Test("a car is on its way, whether or not it is known to move", arguments: [nil, 0.0, 8])
    func started(speed: Double?) throws {
        var scenario = try #require(Scenario(size: Size(columns: 120, rows: 40)))
        scenario.answer("14:01:55", { name, _ in MadeUpTrip.new(name) })
        scenario.answer("14:04:02") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 4_300, arrival: "14:12:00", speed: speed ?? 0, at: time)
            if speed == nil { trip.lastLocation = nil }
            return trip
        }
        // A later answer must not add events with earlier times.
        scenario.answer("14:05:02") { MadeUpTrip.approaching($0, metersToGo: 4_000, arrival: "14:12:00", at: $1) }
        let words = scenario.state.loggedEvents.map { scenario.state.words($0) }
        #expect(words.contains("Car is on its way"), "\(words)")
        #expect(!words.contains { $0.contains("moving") }, "\(words)")
    }
}
