import FleetEngine
import Geo
import TerminalCanvas
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("Where to stand, and which car to look for")
struct StandingPlaceTests {
    private static let theme = Theme(name: "plain", looks: [:], depth: .none)

    private func text(_ scenario: Scenario) -> String { AppView().canvas(scenario.state, theme: Self.theme).text() }

    private func text(_ name: String, columns: Int, rows: Int, own: Coordinate? = nil) throws -> String {
        let options = own.map { place in Scenario.options { $0.ownPosition = place } }
        return text(try #require(Scenario.named(name, size: Size(columns: columns, rows: rows), options: options)))
    }

    @Test("the pickup's name is shown on the way to it and there, from 80x24 on", arguments: [(80, 24), (100, 32), (120, 40), (200, 50)])
    func name(columns: Int, rows: Int) throws {
        #expect(try text("approaching", columns: columns, rows: rows).contains("Pickup  Elm St 12"))
        #expect(try text("here", columns: columns, rows: rows).contains("At Elm St 12") == (columns == 80))
        #expect(try text("here", columns: columns, rows: rows).contains("Waiting at Elm St 12") == (columns > 80))
    }

    /// Renames the pickup or the stop of a trip.
    private func renamed(_ trip: Trip, _ attribute: String, _ name: String) -> Trip {
        var trip = trip
        trip.attributes[attribute] = name
        return trip
    }

    @Test(
        "a pickup's name of up to 20 columns is whole, on the way to it and there",
        arguments: [(80, 24), (60, 16), (100, 32), (120, 40), (200, 60)])
    func longName(columns: Int, rows: Int) throws {
        for name in ["Platform 2, exit B", "Platform 12, exit BC"] {
            var scenario = try #require(Scenario(size: Size(columns: columns, rows: rows)))
            scenario.answer("14:07:02") {
                renamed(MadeUpTrip.approaching($0, metersToGo: 1_890, arrival: "14:13:00", at: $1), "pickup_name", name)
            }
            let coming = text(scenario)
            #expect(coming.contains("◦ \(name)") || coming.contains("◦ Pickup  \(name)"), "\(coming)")
            #expect(coming.contains("at 14:13") && (name.count > 18 || coming.contains(#/exit B +14:13/#)), "\(coming)")
            // A car that is very near leaves the least room in the list of stops. From 100 columns on, the name must still fit there.
            scenario.answer("14:12:50") {
                renamed(MadeUpTrip.approaching($0, metersToGo: 60, arrival: "14:13:00", at: $1), "pickup_name", name)
            }
            let near = text(scenario)
            #expect(columns < 100 || near.contains("Pickup   \(name) "), "\(near)")
            scenario.answer("14:13:08") { renamed(MadeUpTrip.waiting($0, at: $1), "pickup_name", name) }
            #expect(text(scenario).contains("▸ \(columns < 100 ? "At" : "Waiting at") \(name)"), "\(text(scenario))")
        }
    }

    @Test("beside a map of 80 columns, a pickup's name that is cut in any case leaves room for its time")
    func cutName() throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24)))
        scenario.answer("14:07:02") {
            renamed(
                MadeUpTrip.approaching($0, metersToGo: 1_890, arrival: "14:13:00", at: $1), "pickup_name", "Northgate Station, platform 12")
        }
        #expect(text(scenario).contains(#/◦ Northgate.*⋯ +14:13/#), "\(text(scenario))")
    }

    @Test("a plate that does not fit with spaces between its characters is shown without them")
    func longPlate() throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24)))
        scenario.answer("14:07:02") {
            renamed(MadeUpTrip.approaching($0, metersToGo: 1_890, arrival: "14:13:00", at: $1), "license_plate", "SHG 500 ABC 12-34")
        }
        #expect(text(scenario).contains("SHG 500 ABC 12-34"), "\(text(scenario))")
    }

    @Test("on a very wide screen, a name of 42 columns is whole in the panel and below the map")
    func longestName() throws {
        let name = "Northgate Station, platform 12, exit B bay"
        var scenario = try #require(Scenario(size: Size(columns: 200, rows: 60)))
        scenario.answer("14:07:02") {
            renamed(MadeUpTrip.approaching($0, metersToGo: 1_890, arrival: "14:13:00", at: $1), "pickup_name", name)
        }
        let coming = text(scenario)
        #expect(coming.contains("◦ \(name) ") && coming.contains("Pickup   \(name) "), "\(coming)")
        scenario.answer("14:13:08") { renamed(MadeUpTrip.waiting($0, at: $1), "pickup_name", name) }
        #expect(text(scenario).contains("▸ Waiting at \(name)"), "\(text(scenario))")
    }

    @Test("on a wide screen, the distance gives way to a stop's name")
    func longStop() throws {
        var scenario = try #require(Scenario(size: Size(columns: 120, rows: 40)))
        scenario.answer("14:16:00") { renamed(MadeUpTrip.ridingToStop($0, metersToGo: 800, at: $1), "stop_1_name", "Glacis Boulevard") }
        #expect(text(scenario).contains("▸ On the way to Glacis Boulevard"), "\(text(scenario))")
    }

    @Test(
        "with a position of the user, the walk is shown from 48 columns on, but only before the pickup",
        arguments: [(80, 24), (120, 40), (60, 16), (59, 14), (48, 12), (48, 9)])
    func walk(columns: Int, rows: Int) throws {
        let own = MadeUpTrip.place(-106, -106)
        let shown = try text("approaching", columns: columns, rows: rows, own: own)
        #expect(shown.contains(columns == 120 ? "Walk     150 m north-east" : "pickup is 150 m north-east"), "\(shown)")
        #expect(try !text("approaching", columns: columns, rows: rows).contains("150 m north-east"))
        #expect(try !text("riding", columns: columns, rows: rows, own: own).contains("150 m north-east"))
        #expect(try !text("approaching", columns: 47, rows: rows, own: own).contains("north-east"))
    }

    @Test("the walk is rounded to 10 m; on a wide screen, it is shown once, below the map if a row is free there and the car is not here")
    func fine() throws {
        let own = MadeUpTrip.place(0, -122)
        #expect(try text("approaching", columns: 80, rows: 24, own: own).contains("pickup is 120 m north"))
        for (name, columns, rows, words) in [
            ("approaching", 120, 40, "Walk     120 m north"), ("approaching", 200, 50, "Walk     120 m north"),
            ("approaching", 100, 32, "pickup is 120 m north"), ("here", 120, 40, "pickup is 120 m north"),
        ] {
            let wide = try text(name, columns: columns, rows: rows, own: own)
            #expect(wide.contains(words) && wide.ranges(of: "120 m north").count == 1, "\(wide)")
        }
        let there = try text("here", columns: 120, rows: 40, own: MadeUpTrip.place(3, 3))
        #expect(there.ranges(of: "you are at the pickup").count == 1, "\(there)")
    }

    @Test("where the car waits, small screens use fewer words, and a rider at the pickup is told so")
    func near() throws {
        #expect(try text("here", columns: 60, rows: 16, own: MadeUpTrip.place(0, -122)).contains("pickup is 120 m north"))
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
