import FleetEngine
import JourneySharing
import TerminalCanvas
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings

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
            (40, "Needs attention: press Enter, then d."), (52, "1 shipment needs attention: press Enter, then d."),
            (80, "Shipment 1Z-4471 needs attention: press Enter, then d."),
        ])
    func stoppedShipment(columns: Int, summary: String) throws {
        let scenario = try listed("shipment-near", columns: columns) {
            $0.fail("14:58:55", shipment: FleetEngineError(code: .permissionDenied, message: "made up"))
        }
        #expect(words(scenario).summary == summary)
        let refused = try listed("shipment-near") { $0.fail("14:58:55", shipment: Scenario.refused) }
        #expect(words(refused).summary == "Cannot update 1 shipment now.")
    }

    @Test("trips and shipments that need the user are counted together")
    func stoppedPages() throws {
        let scenario = try listed("shipment-beside", columns: 72) {
            $0.fail("14:58:55", shipment: Scenario.expired)
            $0.fail("14:58:56", Scenario.expired, retryIn: 30, attempt: 1)
        }
        #expect(words(scenario).summary == "1 trip and 1 shipment need attention: press Enter, then d.")
    }

    @Test("the corner has the word of the page with the worst data, also if it is a shipment")
    func shipmentCorner() throws {
        let fault = FleetEngineError(code: .internal, message: "made up")
        for (error, word) in [(Scenario.refused, "offline"), (Scenario.expired, "stopped"), (fault, "server error")] {
            let scenario = try listed("shipment-beside") {
                $0.answer("14:58:53") { MadeUpTrip.approaching($0, metersToGo: 900, arrival: "15:05:00", at: $1) }
                $0.fail("14:58:55", shipment: error)
            }
            #expect(words(scenario).corner == word)
        }
        let worse = try listed("shipment-beside") {
            $0.fail("14:58:55", shipment: Scenario.refused)
            $0.fail("14:58:56", Scenario.expired, retryIn: 30, attempt: 1)
        }
        #expect(words(worse).corner == "stopped")
    }

    @Test("a trip that needs the user decides the corner, and not one that waits for a quota", arguments: [true, false])
    func quotaCorner(isFirst: Bool) throws {
        let quota = FleetEngineError(code: .resourceExhausted, message: "made up")
        func failure(_ error: FleetEngineError) -> PollFailure {
            PollFailure(error: error, errorClass: error.errorClass(tripWasSeen: true), retryInSeconds: 30, attempt: 1)
        }
        let scenario = try listed("several") {
            $0.tell(failure(isFirst ? quota : Scenario.expired), at: "14:07:31")
            $0.tell(failure(isFirst ? Scenario.expired : quota), at: "14:07:32", of: "groceries")
        }
        #expect(words(scenario).corner == "stopped")
        let waiting = try listed("several") { $0.tell(failure(quota), at: "14:07:31") }
        #expect(words(waiting).corner == "paused")
    }

    private func row(_ scenario: Scenario, _ number: Int) throws -> String {
        let text = AppView().canvas(scenario.state, theme: Theme(name: "plain", looks: [:], depth: .none)).text()
        return String(try #require(text.split(separator: "\n").first { $0.hasPrefix(" \(number) ") }))
    }

    @Test("the remaining time of a shipment that is not live has the word about", arguments: ["shipment-not-live", "shipment-offline"])
    func aboutShipment(word: String) throws {
        #expect(try row(listed(word), 1).contains("  about "))
        #expect(try !row(listed("shipment-near"), 1).contains("about"))
    }

    @Test("a remaining time of hours is whole, and takes its room from the bar", arguments: [50, 60, 80, 110])
    func hours(columns: Int) throws {
        let scenario = try listed("several", columns: columns) {
            $0.answer("14:07:20", { MadeUpTrip.approaching($0, metersToGo: 3_900, arrival: "16:21:00", at: $1) }, of: "parcel-00418")
        }
        let row = try row(scenario, 3)
        #expect(row.contains(" 2 h 14 min "), "\(row)")
    }

    @Test("at 80 columns, an old remaining time of hours is whole beside a title and a bar")
    func oldHours() throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), now: "14:07:00"))
        scenario.answer("14:07:12") { MadeUpTrip.approaching($0, metersToGo: 1_800, arrival: "16:21:00", at: $1) }
        scenario.fail("14:07:31", Scenario.refused, retryIn: 20, attempt: 3)
        scenario.press("L")
        let row = try row(scenario, 1)
        #expect(row.contains("Northgate Station") && row.contains(" about 2 h 14 min ") && row.contains("offline"), "\(row)")
    }
}
