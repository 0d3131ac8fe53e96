import FleetEngine
import TerminalCanvas
import Testing

@testable import TripWatchScreen

@Suite("The additional contents of a wide screen")
struct WideScreenTests {
    private static func rows(_ scenario: Scenario, in view: AppView = AppView()) -> [String] {
        view.canvas(scenario.state, theme: BundledThemes.theme("harbour-dark", depth: .palette256)).text()
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the rows below the map.
    private static func below(_ rows: [String]) -> [String] { Array(rows.suffix(10)) }

    @Test("the car, the delay and the stops are below the map, without anything about the connection", arguments: [(120, 40), (200, 50)])
    func facts(columns: Int, rows: Int) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: columns, rows: rows)))
        let below = Self.below(Self.rows(scenario))
        for wanted in [
            #/ Car +KVX 204 ∙ teal Fabia$/#, #/ Delay +1 min late, first ETA 14:12$/#, #/ Pickup +Elm St 12 +1\.8 km +14:13$/#,
            #/ Stop 1 +Mill Lane +.* 14:22$/#, #/ Drop-off +Northgate Station +.* 14:31$/#,
        ] {
            #expect(below.contains { $0.firstMatch(of: wanted) != nil }, "\(below)")
        }
        let all = Self.rows(scenario).joined(separator: "\n")
        for foreign in ["7f3a-northgate", "127.0.0.1", "every 5 s", "harbour-dark", "256 colours", "zoom 1"] {
            #expect(!all.contains(foreign), "\(foreign)")
        }
        scenario.press("d")
        let details = Self.rows(scenario).joined(separator: "\n")
        for known in ["7f3a-northgate", "127.0.0.1:50051", "every 5 s", "harbour-dark", "256 colours", "zoom 1"] {
            #expect(details.contains(known), "\(known)")
        }
    }

    @Test("a place without a name has coordinates only in the list of stops")
    func nameless() throws {
        var scenario = try #require(Scenario(size: Size(columns: 120, rows: 40)))
        scenario.answer("14:07:12") {
            var trip = MadeUpTrip.approaching($0, metersToGo: 1_700, arrival: "14:13:00", at: $1)
            trip.attributes = [:]
            return trip
        }
        let below = Self.below(Self.rows(scenario))
        #expect(below.contains { $0.contains(#/ Pickup +1\.7 km +14:13$/#) }, "\(below)")
        scenario.press("w")
        #expect(Self.rows(scenario).contains { $0.contains("10.000, -30.000 ") }, "\(Self.rows(scenario))")
    }

    @Test("the car stays there during the ride, and the next stop comes first if there is no room for all")
    func riding() throws {
        let wide = try #require(Scenario.named("riding", size: Size(columns: 120, rows: 40)))
        #expect(Self.below(Self.rows(wide)).contains { $0.contains("KVX 204 ∙ teal Fabia") })
        #expect(Self.below(Self.rows(wide)).contains { $0.hasSuffix("on time") })
        let small = try #require(Scenario.named("riding", size: Size(columns: 100, rows: 32)))
        let below = Self.below(Self.rows(small))
        #expect(below.contains { $0.contains("Mill Lane") && $0.contains("Stop 1") }, "\(below)")
        #expect(below.contains { $0.contains("Northgate Station") && $0.contains("Drop-off") }, "\(below)")
        #expect(!below.contains { $0.contains("Elm St 12") }, "\(below)")
    }

    @Test(
        "a mark at the map's edge shows that it does not follow; it disappears with the key beside it",
        arguments: [(80, 24), (120, 40), (60, 16), (40, 15), (60, 10), (40, 10)])
    func follow(columns: Int, rows: Int) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: columns, rows: rows)))
        let view = AppView()
        #expect(!Self.rows(scenario, in: view).contains { $0.contains("follow o") })
        scenario.press("right")
        #expect(Self.rows(scenario, in: view).contains { $0.hasPrefix(" follow off ∙ f") })
        scenario.press("f")
        scenario.tick("14:07:40")
        #expect(!Self.rows(scenario, in: view).contains { $0.contains("follow off") })
    }

    @Test("no line of the map touches that mark")
    func followBesideRoute() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        scenario.press("right +")
        scenario.send(.mouse(MouseEvent(.press(.left), at: Position(column: 45, row: 18))))
        // The route crosses the left edge of the map. While the map is dragged, this crossing passes through the row that has the words
        // “follow off”.
        for row in stride(from: 17, through: 10, by: -1) {
            scenario.send(.mouse(MouseEvent(.drag(.left), at: Position(column: 45, row: row))))
            let rows = Self.rows(scenario, in: AppView())
            #expect(rows.contains { $0.hasPrefix(" follow off ∙ f ") }, "\(rows)")
        }
    }

    @Test("no promised arrival is shown after the car was taken off the trip")
    func carTakenOff() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 120, rows: 40)))
        #expect(Self.rows(scenario).contains { $0.contains("PROMISED ARRIVAL") })
        scenario.answer("14:07:22") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 1_700, arrival: "14:13:00", at: time)
            (trip.vehicleID, trip.lastLocation) = (nil, nil)
            return trip
        }
        let rows = Self.rows(scenario)
        #expect(rows.contains { $0.contains("LOOKING FOR A CAR") } && !rows.contains { $0.contains("PROMISED ARRIVAL") }, "\(rows)")
    }
}
