import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchWords

@Suite("Names and cards")
struct NameTests {
    @Test("attributes have priority over the user's title, that over the street, that over the id")
    func order() throws {
        let name = try #require(MadeUpTrip.name())
        var trip = MadeUpTrip.new(name)
        let streets = [try #require(trip.dropoffPoint): "Fish Street"]
        #expect(TripNames(name, trip: trip, title: "Mine", streets: streets).title == "Ride to Northgate Station")
        trip.attributes = [:]
        #expect(TripNames(name, trip: trip, title: "Mine", streets: streets).title == "Mine")
        #expect(TripNames(name, trip: trip, title: nil, streets: streets).title == "Ride to Fish Street")
        #expect(TripNames(name, trip: trip, title: nil).title == "Trip 7f3a-northgate")
        #expect(TripNames(name, trip: trip, title: " \u{7} ").title == "Trip 7f3a-northgate")
    }

    @Test("stops without a name of their own are looked up in the base map, once, and again in a new one")
    func streets() throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24)))
        scenario.answer("14:01:55") { name, _ in
            var trip = MadeUpTrip.new(name)
            trip.attributes = ["pickup_name": "Ferry Landing"]
            return trip
        }
        #expect(!scenario.effects.contains { if case .findStreets = $0 { true } else { false } })
        let trip = try #require(scenario.state.page?.trip)
        let dropoff = try #require(trip.dropoffPoint)
        let wanted = AppEffect.findStreets([dropoff] + trip.intermediateDestinations)
        let map = BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "")
        scenario.send(.baseMap(map))
        scenario.tick("14:01:56")
        #expect(scenario.effects.filter { $0 == wanted }.count == 1)
        scenario.send(.streets([dropoff: "Fish\u{202e} Street"]))
        #expect(scenario.state.page?.names.title == "Ride to Fish Street")
        #expect(scenario.state.page?.names.pickup == "Ferry Landing")
        scenario.send(.baseMap(map))
        #expect(scenario.effects.contains(.findStreets(trip.intermediateDestinations)) == !trip.intermediateDestinations.isEmpty)
    }

    @Test("a stop without a name has its number on the screen and in lines; a street is only its place", arguments: [(80, 24), (120, 40)])
    func oneName(columns: Int, rows: Int) throws {
        func nameless(_ trip: Trip) -> Trip {
            var trip = trip
            trip.attributes = [:]
            return trip
        }
        var scenario = try #require(Scenario(size: Size(columns: columns, rows: rows), now: "14:16:00"))
        func words() -> (screen: String, lines: String) {
            let screen = AppView().canvas(scenario.state, theme: Theme(name: "plain", looks: [:], depth: .none)).text()
            guard let page = scenario.state.page else { return (screen, "") }
            var (plain, spoken) = (PlainOutput(), SpokenOutput())
            let told = TripFact.status(page.status, previous: nil)
            let lines = [
                plain.line(told, journey: page.journey, time: scenario.state.now),
                spoken.line(told, journey: page.journey, time: scenario.state.now),
            ]
            return (screen, lines.compactMap { $0 }.joined(separator: "\n"))
        }
        scenario.answer("14:16:05") { nameless(MadeUpTrip.ridingToStop($0, metersToGo: 1_000, at: $1)) }
        scenario.send(.streets([MadeUpTrip.stop: "Glacis Boulevard"]))
        let riding = words()
        #expect(riding.screen.contains("STOP 1 IN") && !riding.screen.contains("to Glacis Boulevard"), "\(riding.screen)")
        #expect(riding.lines.contains("to stop 1") && riding.lines.contains("You are on the way to stop 1."), "\(riding.lines)")
        scenario.answer("14:22:05") {
            var trip = nameless(MadeUpTrip.ridingToStop($0, metersToGo: 0, at: $1))
            trip.status = .arrivedAtIntermediateDestination
            return trip
        }
        let there = words()
        #expect(there.screen.contains("AT STOP 1") && !there.screen.contains("AT GLACIS"), "\(there.screen)")
        #expect(there.lines.contains("waiting at stop 1") && there.lines.contains("The car is waiting at stop 1."), "\(there.lines)")
        // The list of stops shows the number in front of the street.
        if columns == 120 { #expect(there.screen.contains(#/Stop 1 +Glacis Boulevard/#), "\(there.screen)") }
    }

    @Test("if there are several trips, each is named after its destination, also those in the background")
    func severalNames() throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), trips: ["front", "behind"], now: "14:07:00"))
        for trip in ["front", "behind"] {
            scenario.answer(
                "14:07:12",
                {
                    var trip = MadeUpTrip.approaching($0, metersToGo: 900, arrival: "14:12:00", at: $1)
                    trip.attributes = [:]
                    if $0.trip == "behind" { trip.dropoffPoint = MadeUpTrip.place(900, 900) }
                    return trip
                }, of: trip)
        }
        scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "")))
        let asked = scenario.effects.flatMap { (effect) -> [Coordinate] in
            if case .findStreets(let places) = effect { places } else { [] }
        }
        #expect(asked.contains(MadeUpTrip.place(900, 900)), "\(asked)")
        scenario.send(.streets([MadeUpTrip.place(900, 900): "Fish Street"]))
        #expect(scenario.state.pages.map(\.names.title).last == "Ride to Fish Street")
    }

    @Test("after a reassignment, the event of the former car keeps its description")
    func formerCar() throws {
        var scenario = try #require(Scenario(size: Size(columns: 120, rows: 40)))
        let name = try #require(scenario.state.page?.name)
        scenario.answer("14:02:00", { name, _ in MadeUpTrip.new(name) })
        for (clock, car) in [("14:03:00", "car-1"), ("14:04:00", "car-2")] {
            scenario.answer(clock) { name, time in
                var trip = MadeUpTrip.approaching(name, metersToGo: 4_000, arrival: "14:12:00", at: time)
                (trip.vehicleID, trip.attributes) = (car, [:])
                return trip
            }
            guard car == "car-1" else { continue }
            let vehicle = try VehicleName(provider: name.provider, vehicle: car)
            scenario.send(.vehicle(Vehicle(name: vehicle, attributes: MadeUpTrip.attributes), for: name))
        }
        let words = scenario.state.loggedEvents.map { scenario.state.words($0) }
        #expect(words.contains("Car assigned: teal Fabia, KVX 204"), "\(words)")
        #expect(words.contains("Car assigned: car-2"), "\(words)")
    }

    @Test("a card shows only what is known")
    func card() throws {
        #expect(!VehicleCard(id: "cab-1").isKnown)
        let name = try VehicleName(provider: "p", vehicle: "cab-1")
        let ends = VehicleCard(id: "cab-1", vehicle: Vehicle(name: name, category: .taxi, licensePlateLastCharacter: "4"))
        #expect(ends.looks == "taxi ∙ plate ends in 4")
        #expect(VehicleCard(id: "cab-1", attributes: ["plate": "KVX 204"]).spacedPlate == "K V X  2 0 4")
        let own = Vehicle(name: name, attributes: ["plate": "OLD 1", "driver": "Ada"])
        let both = VehicleCard(id: "cab-1", vehicle: own, attributes: ["license_plate": "KVX 204"])
        #expect(both.plate == "KVX 204" && both.driver == "Ada")
    }
}
