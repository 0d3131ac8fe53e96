import FleetEngine
import TerminalCanvas
import Testing

@testable import TripWatchScreen

@Suite("Faults of trips and shipments in the list")
struct ListTroubleTests {
    private func listed(_ word: String, columns: Int = 80, _ change: (inout Scenario) -> Void = { _ in }) throws -> Scenario {
        var scenario = try #require(Scenario.named(word, size: Size(columns: columns, rows: 24)))
        change(&scenario)
        scenario.press("L")
        return scenario
    }

    private func words(_ scenario: Scenario) -> ListWords { ListWords(scenario.state, rows: 10) }

    @Test(
        "a shipment that needs the user is not counted among those that are being updated",
        arguments: [
            (40, "Attention: press Enter, then d."), (52, "1 shipment needs attention: press Enter, then d."),
            (80, "Shipment 1Z-4471 needs attention: press Enter, then d."),
        ])
    func stoppedShipment(columns: Int, summary: String) throws {
        let scenario = try listed("shipment-near", columns: columns) {
            $0.fail("14:58:55", shipment: FleetEngineError(code: .permissionDenied, message: "made up"))
        }
        #expect(words(scenario).summary == summary)
        let refused = try listed("shipment-near") { $0.fail("14:58:55", shipment: Scenario.refused) }
        #expect(words(refused).summary == "Trying to update 1 shipment.")
    }

    @Test("trips and shipments that need the user are counted together")
    func stoppedPages() throws {
        let scenario = try listed("shipment-beside", columns: 72) {
            $0.fail("14:58:55", shipment: Scenario.expired)
            $0.fail("14:58:56", Scenario.expired, retryIn: 30, attempt: 1)
        }
        #expect(words(scenario).summary == "1 trip and 1 shipment need attention: press Enter, then d.")
    }
}
