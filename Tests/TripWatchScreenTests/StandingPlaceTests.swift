import Geo
import TerminalCanvas
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("Where to stand, and which car to look for")
struct StandingPlaceTests {
    private static let theme = Theme(name: "plain", looks: [:], depth: .none)

    private func text(_ name: String, columns: Int, rows: Int, own: Coordinate? = nil) throws -> String {
        let options = own.map { place in Scenario.options { $0.ownPosition = place } }
        let scenario = try #require(Scenario.named(name, size: Size(columns: columns, rows: rows), options: options))
        return AppView().canvas(scenario.state, theme: Self.theme).text()
    }

    @Test("the pickup's name is shown on the way to it and there, from 80x24 on", arguments: [(80, 24), (100, 32), (120, 40), (200, 50)])
    func name(columns: Int, rows: Int) throws {
        #expect(try text("approaching", columns: columns, rows: rows).contains("Pickup  Elm St 12"))
        #expect(try text("here", columns: columns, rows: rows).contains("At Elm St 12") == (columns == 80))
        #expect(try text("here", columns: columns, rows: rows).contains("Waiting at Elm St 12") == (columns > 80))
    }

    @Test(
        "with a position of the user, the walk is shown from 48 columns on, but only before the pickup",
        arguments: [(80, 24), (120, 40), (59, 14), (48, 12), (48, 9)])
    func walk(columns: Int, rows: Int) throws {
        let own = MadeUpTrip.place(-106, -106)
        let shown = try text("approaching", columns: columns, rows: rows, own: own)
        #expect(shown.contains("pickup is 150 m north-east"), "\(shown)")
        #expect(try !text("approaching", columns: columns, rows: rows).contains("pickup is"))
        #expect(try !text("riding", columns: columns, rows: rows, own: own).contains("pickup is"))
        #expect(try !text("approaching", columns: 47, rows: rows, own: own).contains("north-east"))
    }

    @Test("where the car waits, small screens use fewer words, and a rider at the pickup is told so")
    func near() throws {
        let far = try text("here", columns: 48, rows: 12, own: MadeUpTrip.place(2_000, 2_000))
        #expect(far.contains("2.8 km south-west") && !far.contains("pickup is"), "\(far)")
        #expect(try text("here", columns: 80, rows: 24, own: MadeUpTrip.place(3, 3)).contains("you are at the pickup"))
    }

    @Test("the plate stays during the ride, on large and small screens", arguments: ["riding", "at-stop", "last-leg"])
    func plate(name: String) throws {
        #expect(try text(name, columns: 80, rows: 24).contains("K V X  2 0 4"))
        #expect(try text(name, columns: 40, rows: 15).contains("KVX 204"))
        #expect(try !text("complete", columns: 40, rows: 15).contains("KVX 204"))
    }
}
