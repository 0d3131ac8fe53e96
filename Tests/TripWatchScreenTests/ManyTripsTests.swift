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

@Suite("Many trips on a screen")
struct ManyTripsTests {
    private static let second = "trip-1"

    /// Creates a scenario with more trips than the tabs in the title can show. The car of the first trip is on its way.
    private func scenario(count: Int = 30, _ change: (inout AppOptions) -> Void = { _ in }) throws -> Scenario {
        let trips = ["7f3a-northgate"] + (1..<count).map { "trip-\($0)" }
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), options: Scenario.options(change), trips: trips))
        scenario.comeNearer()
        scenario.tick("14:07:13")
        return scenario
    }

    private func approaching(_ arrival: String) -> (TripName, Date) -> Trip {
        { MadeUpTrip.approaching($0, metersToGo: 900, arrival: arrival, at: $1) }
    }

    private func page(_ scenario: Scenario, _ id: String = second) throws -> TripPage {
        try #require(scenario.state.pages.first { $0.name.trip == id })
    }

    @Test("an event of a trip in the background draws no frame, but is reported")
    func behind() throws {
        var scenario = try scenario { $0.alerts.ways.insert(.notice) }
        var pacer = FramePacer(interval: AppOptions().frameInterval)
        _ = pacer.decide(scenario.state, now: .now)
        let effects = scenario.effects.count
        // In this second, nothing else on the screen changes.
        for _ in 0..<3 { scenario.answer("14:07:13", approaching("14:12:00"), of: Self.second) }
        let decision = pacer.decide(scenario.state, now: .now)
        #expect(decision == .rest)
        let told = scenario.effects.dropFirst(effects)
        #expect(told.contains { if case .fetchVehicle(_, let name) = $0 { name.trip == Self.second } else { false } })
        scenario.answer("14:07:13", { MadeUpTrip.waiting($0, at: $1) }, of: Self.second)
        #expect(scenario.effects.contains { if case .alert(_, "Your car is here") = $0 { true } else { false } })
        #expect(
            try page(scenario).log.events.contains {
                if case .fact(.status(.arrivedAtPickup, previous: _), stopIndex: _) = $0.content { true } else { false }
            })
        #expect(try page(scenario).status == .arrivedAtPickup && scenario.state.page?.name.trip == "7f3a-northgate")
    }

    @Test("a trip in the background has no map yet; when it comes to the front, the map is complete")
    func comingToTheFront() throws {
        var scenario = try scenario()
        scenario.answer("14:07:13", approaching("14:12:00"), of: Self.second)
        #expect(try page(scenario).map.camera.size == .zero)
        scenario.press("tab")
        let front = try #require(scenario.state.page)
        #expect(front.name.trip == Self.second && front.map.camera.size == ScreenLayout(scenario.state, page: front).map.size)
        #expect(front.map.camera.cell(at: MadeUpTrip.pickup) != nil)
        let vehicle = try #require(front.journey.vehicle?.coordinate)
        #expect(front.map.camera.cell(at: vehicle) != nil)
        #expect(scenario.effects.last == .setTitle(scenario.state.windowTitle))
    }

    @Test("time alone makes a trip in the background near or old, and this is reported within a second")
    func timeAlone() throws {
        var scenario = try scenario { $0.alerts.ways.insert(.notice) }
        scenario.answer("14:07:13", approaching("14:09:20"), of: Self.second)
        func near(_ scenario: Scenario) -> Bool {
            scenario.effects.contains { if case .alert(_, "2 min away") = $0 { true } else { false } }
        }
        scenario.tick("14:07:19")
        #expect(!near(scenario))
        scenario.tick("14:07:20")
        scenario.tick("14:07:21")
        #expect(near(scenario))
        let log = try page(scenario).log.events.count
        var quietAt: Date?
        for second in 22..<60 where quietAt == nil {
            scenario.tick("14:07:\(second)")
            if try page(scenario).log.events.count > log { quietAt = scenario.state.now }
        }
        let event = try #require(try page(scenario).log.events.last)
        let age = event.time.timeIntervalSince(MadeUpTrip.time("14:07:13"))
        #expect(event.content == .fact(.freshness(.quiet, ageSeconds: age, previous: .live), stopIndex: 0))
        #expect((20...21.5).contains(age), "quiet after \(age) s")
    }

    @Test("if there is room for tabs, they are drawn with their texts")
    func tabs() throws {
        var scenario = try scenario(count: 3)
        scenario.send(.resize(Size(columns: 120, rows: 40)))
        var pacer = FramePacer(interval: AppOptions().frameInterval)
        _ = pacer.decide(scenario.state, now: .now)
        scenario.answer("14:07:13", { MadeUpTrip.waiting($0, at: $1) }, of: Self.second)
        let decision = pacer.decide(scenario.state, now: .now)
        #expect(decision != .rest)
    }

    @Test("the provider's answer about a trip in the background is shown")
    func cancelResult() throws {
        var scenario = try scenario()
        var pacer = FramePacer(interval: AppOptions().frameInterval)
        _ = pacer.decide(scenario.state, now: .now)
        scenario.send(.cancelResult(.failed("no"), for: try #require(MadeUpTrip.name(Self.second))))
        #expect(scenario.state.notice?.text == "Not cancelled: no" && scenario.noticeEnds.count == 1)
        let decision = pacer.decide(scenario.state, now: .now)
        #expect(decision != .rest)
    }
}
