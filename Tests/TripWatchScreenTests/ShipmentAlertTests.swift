import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import Testing
import TripWatchSettings
import TripWatchWords

@testable import TripWatchScreen

@Suite("Alerts about a shipment")
struct ShipmentAlertTests {
    private static let all: Set<Alerts.Word> = [.assigned, .minutes(5), .here, .arrived, .delay, .lost]

    private func scenario(_ word: String, _ words: Set<Alerts.Word> = Self.all) throws -> Scenario {
        let options = Scenario.options { $0.alerts.words = words }
        return try #require(Scenario.named(word, size: Size(columns: 80, rows: 24), options: options))
    }

    private func alerts(_ scenario: Scenario) -> [String] {
        scenario.effects.compactMap { effect in if case .alert(_, let text) = effect { text } else { nil } }
    }

    /// Sends an answer with a recent position to the screen.
    private func hear(_ clock: String, stops: Int, arrival: String, in scenario: inout Scenario) {
        scenario.hear(clock) {
            $0.remainingStopCount = stops
            $0.estimatedArrivalTime = MadeUpTrip.time(arrival)
            $0.vehicleLocation = MadeUpTrip.location(on: MadeUpTrip.approach, metersToGo: 1_000, at: MadeUpTrip.time(clock))
        }
    }

    @Test("Each chosen moment rings once: on its way, minutes before the stop, next, later than announced, outcome")
    func course() throws {
        var scenario = try scenario("shipment-near")
        hear("15:04:02", stops: 1, arrival: "15:09:00", in: &scenario)
        hear("15:04:07", stops: 1, arrival: "15:13:00", in: &scenario)
        hear("15:08:30", stops: 1, arrival: "15:13:00", in: &scenario)
        scenario.hear("15:13:30") {
            Scenario.withdraw(&$0)
            $0.state = .closed
            $0.outcome = .succeeded
        }
        let expected = ["On its way", "5 min away", "You are next", "Later than announced: now 15:13", "Done"]
        #expect(alerts(scenario) == expected)
        #expect(scenario.effects.contains(.alert(title: "Shipment 1Z-4471", text: "Done")))
    }

    @Test("A failed attempt rings; an alert that was not chosen does not", arguments: [true, false])
    func failed(isChosen: Bool) throws {
        let scenario = try scenario("shipment-failed", isChosen ? [.arrived] : [.lost])
        #expect(alerts(scenario) == (isChosen ? ["Not completed: the attempt failed"] : []))
    }

    @Test("The state at the start rings no bell")
    func start() throws {
        var scenario = try scenario("shipment-connecting")
        scenario.hear("15:09:30") {
            $0.state = .closed
            $0.outcome = .succeeded
        }
        #expect(alerts(scenario).isEmpty)
    }

    @Test("A shipment that is near at the start rings only at the next moment", arguments: [false, true])
    func nearAtTheStart(isReplaced: Bool) throws {
        var scenario = try scenario(isReplaced ? "shipment-near" : "shipment-connecting", [.minutes(5), .minutes(2), .here])
        if isReplaced { scenario.tell(.replaced, at: "15:04:01") }
        hear("15:04:02", stops: 1, arrival: "15:08:00", in: &scenario)
        scenario.tick("15:04:03")
        hear("15:04:07", stops: 1, arrival: "15:08:00", in: &scenario)
        #expect(alerts(scenario).isEmpty)
        hear("15:06:30", stops: 1, arrival: "15:08:00", in: &scenario)
        #expect(alerts(scenario) == ["2 min away"])
    }

    @Test(
        "The minutes of an alert are those between the two shown clock times, as on the page",
        arguments: [("15:06:30", "1 min"), ("15:07:10", "<1 min")])
    func minutes(clock: String, shown: String) throws {
        var scenario = try scenario("shipment-connecting", [.minutes(2)])
        hear("15:04:02", stops: 1, arrival: "15:07:50", in: &scenario)
        hear(clock, stops: 1, arrival: "15:07:50", in: &scenario)
        #expect(alerts(scenario) == ["\(shown) away"])
        let page = try #require(scenario.state.shipments.first)
        #expect(ShipmentState(page.tracker, now: scenario.state.now)?.value == shown)
    }

    @Test("A position that is old, or no longer shared, rings no bell", arguments: ["withdrawn", "not-live", "offline"])
    func absent(word: String) throws {
        #expect(alerts(try scenario("shipment-\(word)", [.lost, .here, .arrived, .delay])).isEmpty)
    }

    @Test("A new configuration applies from the next moment on")
    func renewed() throws {
        var scenario = try scenario("shipment-near", [])
        scenario.send(.renewed(keys: [], alerts: Alerts(words: [.here]), faults: []))
        hear("15:04:02", stops: 1, arrival: "15:09:00", in: &scenario)
        #expect(alerts(scenario) == ["You are next"])
    }
}
