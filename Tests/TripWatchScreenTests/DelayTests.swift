import FleetEngine
import Geo
import TerminalCanvas
import Testing

@testable import TripWatchScreen

@Suite("Why the car comes late")
struct DelayTests {
    private static func rows(_ scenario: Scenario) -> [String] {
        AppView().canvas(scenario.state, theme: BundledThemes.theme("harbour-dark", depth: .palette256)).text()
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the rows that mention traffic.
    private static func traffic(_ rows: [String]) -> [String] { rows.filter { $0.contains("traffic") } }

    /// Creates a scenario in which the car serves stops of other riders before the rider's own stops.
    private func scenario(_ size: Size, others: [WaypointType], status: TripStatus = .enrouteToPickup) throws -> Scenario {
        var scenario = try #require(Scenario.named("approaching", size: size))
        scenario.answer("14:07:20") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 1_800, arrival: "14:16:00", at: time)
            trip.status = status
            let place = MadeUpTrip.place(-1_500, 200)
            let stops = others.map { TripWaypoint(coordinate: place, tripID: "somebody-else", type: $0) }
            trip.remainingWaypoints = stops + trip.remainingWaypoints
            return trip
        }
        return scenario
    }

    @Test(
        "a jam is shown in one row at every size that has room for it, with its length",
        arguments: [(80, 24), (120, 40), (200, 50), (60, 24), (40, 15), (40, 30), (30, 8)])
    func jam(columns: Int, rows: Int) throws {
        let scenario = try #require(Scenario.named("jam", size: Size(columns: columns, rows: rows)))
        let told = Self.traffic(Self.rows(scenario))
        // At 40 columns, the row also shows the phase.
        let words = columns == 40 ? "▸ On the way ∙ 800 m of heavy traffic" : "800 m of heavy traffic"
        #expect(told.map { $0.contains(words) } == [true], "\(told)")
    }

    @Test("the traffic does not replace a phase that leaves it little room")
    func phaseStays() throws {
        var scenario = try #require(Scenario.named("riding", size: Size(columns: 40, rows: 15)))
        scenario.answer("14:16:10") { name, time in
            var trip = MadeUpTrip.ridingToStop(name, metersToGo: 1_700, at: time)
            trip.attributes["stop_1_name"] = "Glacis Boulevard"
            let jam = TrafficStretch(startMeters: 600, endMeters: 1_400, speed: .trafficJam)
            trip.activeRoute = RouteLine(MadeUpTrip.toStop, slower: [jam])
            return trip
        }
        let told = Self.traffic(Self.rows(scenario))
        #expect(told.map { $0.contains("▸ To Glacis Boulevard ∙ heavy traffic") } == [true], "\(told)")
    }

    @Test("a longer length has room, too")
    func longer() throws {
        var scenario = try #require(Scenario.named("jam", size: Size(columns: 80, rows: 24)))
        scenario.answer("14:07:20") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 3_000, arrival: "14:13:00", at: time)
            trip.activeRoute = MadeUpTrip.jammed(1_500...3_700)
            return trip
        }
        #expect(Self.traffic(Self.rows(scenario)).map { $0.hasSuffix("2.2 km of heavy traffic") } == [true])
    }

    @Test("once the shown arrival has passed, the delay is at least the time since the promise, and never early or on time")
    func overdue() throws {
        var scenario = try #require(Scenario(size: Size(columns: 120, rows: 40), now: "14:07:00"))
        func delay() throws -> String? { scenario.state.delayWords(try #require(scenario.state.page)) }
        func stand(_ clock: String, fixAt: String) {
            scenario.answer(clock) { name, _ in
                MadeUpTrip.approaching(name, metersToGo: 950, arrival: "14:12:00", speed: 0, at: MadeUpTrip.time(fixAt))
            }
        }
        stand("14:07:12", fixAt: "14:07:12")
        #expect(try delay() == "on time")
        // The last position is nine minutes old, so the car may have arrived since then.
        stand("14:16:15", fixAt: "14:07:12")
        #expect(try delay() == nil)
        stand("14:16:30", fixAt: "14:16:30")
        #expect(try delay() == "at least 4 min late, first ETA 14:12", "\(Self.rows(scenario))")
        // While answers are missing, the delay does not grow, because the car may have arrived in the meantime.
        scenario.fail("14:16:40", Scenario.refused, retryIn: 27, attempt: 3)
        scenario.tick("14:20:00")
        #expect(try delay() == "at least 4 min late, first ETA 14:12")
        var lost = try #require(Scenario.named("overdue", size: Size(columns: 120, rows: 40)))
        lost.tick("14:15:00")
        #expect(lost.state.delayWords(try #require(lost.state.page)) == nil)
    }

    @Test("traffic is shown only while it is true: not behind the car, not after it has cleared, not for an old position")
    func over() throws {
        let size = Size(columns: 80, rows: 24)
        var behind = try #require(Scenario.named("jam", size: size))
        behind.answer("14:07:20") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 400, arrival: "14:13:00", at: time)
            trip.activeRoute = MadeUpTrip.jammed(3_000...3_800)
            return trip
        }
        #expect(Self.traffic(Self.rows(behind)).isEmpty)
        var gone = try #require(Scenario.named("jam", size: size))
        gone.answer("14:07:20") { MadeUpTrip.approaching($0, metersToGo: 1_760, arrival: "14:13:00", at: $1) }
        #expect(Self.traffic(Self.rows(gone)).isEmpty)
        var old = try #require(Scenario.named("jam", size: size))
        old.fail("14:07:31", Scenario.refused, retryIn: 27, attempt: 3)
        old.tick("14:07:54")
        #expect(Self.traffic(Self.rows(old)).isEmpty)
    }

    @Test(
        "the riders that the car serves first are shown with the number of their stops, also while the trip is new",
        arguments: [TripStatus.new, .enrouteToPickup])
    func others(status: TripStatus) throws {
        let size = Size(columns: 80, rows: 24)
        let finishing = Self.rows(try scenario(size, others: [.dropoff], status: status))
        #expect(finishing.contains { $0.hasSuffix("▸ Finishing another trip") }, "\(finishing)")
        #expect(finishing.contains { $0.hasSuffix("╎ 1 stop before yours") })
        #expect(finishing.contains { $0.contains("✓ Car assigned") })
        let pooled = Self.rows(try scenario(size, others: [.pickup, .dropoff], status: status))
        #expect(pooled.contains { $0.hasSuffix("▸ Picking up someone else") }, "\(pooled)")
        #expect(pooled.contains { $0.hasSuffix("╎ 2 stops before yours") })
        // The purpose of the other stop is unknown, so the words must be true for a pickup and for a drop-off.
        let unknown = Self.rows(try scenario(size, others: [.unknown], status: status))
        #expect(unknown.contains { $0.hasSuffix("▸ Serving another rider") }, "\(unknown)")
        let own = Self.rows(try scenario(size, others: [], status: status))
        #expect(!own.contains { $0.contains("before yours") || $0.contains("another") })
    }

    @Test("in a small corner the count is shown, and never cut")
    func small() throws {
        let corner = Self.rows(try scenario(Size(columns: 20, rows: 3), others: [.dropoff]))
        #expect(corner.contains { $0.contains("1 stop first") }, "\(corner)")
        let pane = Self.rows(try scenario(Size(columns: 40, rows: 15), others: [.dropoff]))
        #expect(pane.contains { $0.contains("▸ 1 stop before yours") }, "\(pane)")
        let wider = Self.rows(try scenario(Size(columns: 50, rows: 15), others: [.dropoff]))
        #expect(wider.contains { $0.contains("▸ Finishing another trip ∙ 1 stop before yours") }, "\(wider)")
        let two = Self.rows(try scenario(Size(columns: 40, rows: 15), others: [.pickup, .dropoff]))
        #expect(two.contains { $0.contains("▸ 2 stops before yours") }, "\(two)")
    }
}
