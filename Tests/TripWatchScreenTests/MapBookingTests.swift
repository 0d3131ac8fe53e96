import ConsumerMap
import FleetEngine
import Geo
import TerminalCanvas
import TerminalMap
import Testing
import TripWatchWords
import VectorTiles

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("A ride that is booked by pointing on the map")
struct MapBookingTests {
    private static let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme

    private static func map(_ columns: Int = 80, _ rows: Int = 24, booking: AppOptions.Booking = .available) throws -> Scenario {
        let options = Scenario.options { $0.booking = booking }
        return try #require(Scenario.named("map", size: Size(columns: columns, rows: rows), options: options))
    }

    private static func text(_ scenario: Scenario) -> String { AppView().canvas(scenario.state, theme: theme).text() }

    /// Returns the last ride that the screen requested from the provider.
    private static func ride(_ scenario: Scenario) -> MapRide? {
        scenario.effects.compactMap { if case .book(let ride) = $0 { ride } else { nil } }.last
    }

    @Test("Enter takes the pickup and then the drop-off at the crosshair, then books, and the booked trip is followed")
    func booked() throws {
        var scenario = try Self.map()
        #expect(Self.text(scenario).contains("B book a ride"))
        let pickup = scenario.state.map.camera.center
        scenario.press("B")
        #expect(scenario.state.booking == .choosingPickup)
        #expect(Self.text(scenario).contains("Move the map until the crosshair is on the pickup") && Self.text(scenario).contains("✛"))
        scenario.press("enter")
        #expect(scenario.state.booking == .choosingDropoff(pickup: pickup))
        scenario.press("l j")
        let dropoff = scenario.state.map.camera.center
        #expect(Self.text(scenario).contains("is on the drop-off") && Self.text(scenario).contains("pickup"))
        scenario.press("enter")
        let ride = MapRide(pickup: pickup, dropoff: dropoff)
        #expect(scenario.state.booking == .confirming(ride, problem: nil) && Self.ride(scenario) == nil)
        #expect(Self.text(scenario).contains("Book this ride? Enter books it, Esc goes back.") && !Self.text(scenario).contains("✛"))
        #expect(scenario.state.window.contains(pickup) && scenario.state.window.contains(dropoff), "both places are shown")
        scenario.press("enter enter")
        #expect(scenario.state.booking == .sending(ride) && Self.ride(scenario) == ride)
        #expect(scenario.effects.count { if case .book = $0 { true } else { false } } == 1, "the provider is asked once")
        let name = try #require(MadeUpTrip.name())
        scenario.send(.bookingResult(.booked(name)))
        #expect(scenario.effects.contains(.followBooked(name)) && scenario.state.booking == nil)
    }

    @Test("Esc goes one step back, with the crosshair on the chosen place")
    func back() throws {
        var scenario = try Self.map()
        let pickup = scenario.state.map.camera.center
        scenario.press("B enter l l")
        let dropoff = scenario.state.map.camera.center
        scenario.press("enter h esc")
        #expect(scenario.state.booking == .choosingDropoff(pickup: pickup) && scenario.state.map.dropoffLocation == nil)
        #expect(scenario.state.map.camera.center.distanceMeters(to: dropoff) < 1)
        scenario.press("esc")
        #expect(scenario.state.booking == .choosingPickup && scenario.state.map.pickupLocation == nil)
        #expect(scenario.state.map.camera.center.distanceMeters(to: pickup) < 1)
        scenario.press("esc")
        #expect(scenario.state.booking == nil && Self.ride(scenario) == nil)
        #expect(!Self.text(scenario).contains("Choose") && !Self.text(scenario).contains("✛"))
    }

    @Test("a failed booking says what happened and can be tried again")
    func failed() throws {
        var scenario = try Self.map()
        scenario.press("B enter l enter enter")
        let ride = try #require(Self.ride(scenario))
        scenario.send(.bookingResult(.failed("the provider said no\u{1b}[31m (HTTP 400).")))
        #expect(Self.text(scenario).contains("Not booked: the provider said no") && Self.text(scenario).contains("Book this ride?"))
        #expect(!Self.text(scenario).contains("\u{1b}"))
        scenario.press("enter")
        #expect(scenario.state.booking == .sending(ride) && !Self.text(scenario).contains("Not booked"))
        scenario.send(.bookingResult(.failed("the provider said no (HTTP 400).")))
        scenario.press("esc")
        guard case .choosingDropoff = scenario.state.booking else {
            Issue.record("\(String(describing: scenario.state.booking))")
            return
        }
        // An answer that no request waits for must change nothing.
        scenario.send(.bookingResult(.booked(try #require(MadeUpTrip.name()))))
        #expect(!scenario.effects.contains { if case .followBooked = $0 { true } else { false } })
    }

    @Test(
        "after a lost answer the user is told to ask the provider, and only y, after one more question, books again",
        arguments: [
            (
                80, 24, "A ride may have been booked: ask the provider before you book again.",
                "Maybe booked already. y books again, Esc goes back"
            ),
            (
                40, 15, "A ride may have been booked: ask the provider before you book again.",
                "Maybe booked already. y books again, Esc goes back"
            ),
            (20, 3, "Maybe booked: ask the provider.", "Maybe booked. Book again? y/Esc"),
        ])
    func uncertain(columns: Int, rows: Int, sentence: String, question: String) throws {
        var scenario = try Self.map(columns, rows)
        func shows(_ words: String) -> Bool {
            Self.text(scenario).split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words)
        }
        scenario.press("B enter l enter enter")
        let ride = try #require(Self.ride(scenario))
        let reason = "the provider at http://127.0.0.1:8080 failed (HTTP 500); the request was not repeated."
        scenario.send(.bookingResult(.unknown(reason)))
        #expect(shows(sentence), "\(Self.text(scenario))")
        #expect(columns < 80 || shows("The provider at http://127.0.0.1:8080 failed (HTTP 500)"), "\(Self.text(scenario))")
        scenario.press("enter")
        #expect(shows(question), "\(Self.text(scenario))")
        scenario.press("esc")
        #expect(shows(sentence), "\(Self.text(scenario))")
        // Users press Enter while they wait for the answer.
        scenario.press("enter enter enter")
        #expect(shows(question) && scenario.effects.count { $0 == .book(ride) } == 1, "\(Self.text(scenario))")
        scenario.press("y")
        #expect(scenario.effects.count { $0 == .book(ride) } == 2 && scenario.state.awaitsBooking)
        scenario.send(.bookingResult(.unknown(reason)))
        scenario.press("esc")
        #expect(scenario.state.booking == .choosingDropoff(pickup: ride.pickup))
    }

    @Test("the doubt about a possible booking stays through a refused request and new places, until a booking succeeds")
    func doubt() throws {
        var scenario = try Self.map()
        func sent() -> Int { scenario.effects.count { if case .book = $0 { true } else { false } } }
        scenario.press("B enter l enter enter")
        #expect(scenario.state.unclearBookingWords?.contains("the provider has not answered.") == true)
        scenario.send(.bookingResult(.unknown("the provider failed (HTTP 500).")))
        scenario.press("enter y")
        scenario.send(.bookingResult(.failed("the provider cannot be reached.")))
        let text = Self.text(scenario)
        #expect(text.contains("A ride may have been booked") && text.contains("The last request failed: the provider cannot be"), "\(text)")
        #expect(!text.contains("Not booked"))
        // The user chooses another drop-off, and then another ride.
        for keys in ["esc enter enter", "esc esc esc esc B enter l l l l enter enter"] {
            scenario.press(keys)
            #expect(sent() == 2 && Self.text(scenario).contains("Maybe booked already. y books again"), "\(Self.text(scenario))")
        }
        #expect(
            scenario.state.unclearBookingWords
                == "A ride may have been booked: the provider failed (HTTP 500). Ask the provider whether the ride was booked.")
        scenario.press("y")
        scenario.send(.bookingResult(.booked(try #require(MadeUpTrip.name()))))
        #expect(sent() == 3 && scenario.state.unclearBookingWords == nil)
    }

    @Test("y answers the question of whether to book again, also while a street map is offered")
    func oneQuestion() throws {
        let options = Scenario.options { ($0.booking, $0.asksForMap) = (.available, true) }
        var scenario = try #require(Scenario.named("map", size: Size(columns: 80, rows: 24), options: options))
        scenario.press("B enter l enter enter")
        scenario.send(.bookingResult(.unknown("the provider failed (HTTP 500).")))
        scenario.press("enter y")
        #expect(scenario.state.awaitsBooking && scenario.state.asksForMap)
    }

    @Test("a small screen shows the beginning of the reason for a refusal")
    func longReason() throws {
        var scenario = try Self.map(30, 8)
        scenario.press("B enter l enter enter")
        let reason = "the provider at http://127.0.0.1:8080 refused the request (HTTP 400: the pickup is outside of the area)."
        scenario.send(.bookingResult(.failed(reason)))
        let text = Self.text(scenario)
        #expect(text.contains("Not booked: the provider at") && text.contains("Book? Enter: yes, Esc: back"), "\(text)")
    }

    @Test("at 20x3, each step is whole")
    func steps() throws {
        var scenario = try Self.map(20, 3)
        func rows() -> [String] { Self.text(scenario).split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } }
        scenario.press("B")
        #expect(rows().prefix(2) == ["Pickup: move the", "map, then Enter."], "\(rows())")
        scenario.press("enter l")
        #expect(rows().prefix(2) == ["Drop-off: move the", "map, then Enter."], "\(rows())")
        scenario.press("enter")
        #expect(rows().prefix(2) == ["Book? Enter / Esc", "Pickup: 10, -30"], "\(rows())")
        scenario.press("enter enter")
        #expect(rows() == ["The provider has", "not answered yet.", "Ctrl-C quits."], "\(rows())")
    }

    @Test("a place that was found by name keeps its name, on the screen and for the provider")
    func names() throws {
        var scenario = try Self.map()
        scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "made up")))
        scenario.press("B /")
        let station = scenario.state.map.camera.center.offset(eastMeters: 900, northMeters: 400)
        var index = PlaceIndex()
        index.addTripStop("Minster Station", at: station)
        scenario.send(.names(index, near: scenario.state.map.camera.center, isComplete: true))
        scenario.press("M i n s t e r enter enter")
        scenario.send(.streets([scenario.state.map.camera.center: "Station Parade"]))
        #expect(Self.text(scenario).contains("Pickup: Minster Station ("), "\(Self.text(scenario))")
        scenario.press("l l enter")
        #expect(Self.text(scenario).contains("Pickup: Minster Station ("), "\(Self.text(scenario))")
        scenario.press("enter")
        let ride = try #require(Self.ride(scenario))
        #expect(ride.pickupName == "Minster Station" && ride.dropoffName == nil)
        #expect(ride.pickup.distanceMeters(to: station) < 1)
    }

    @Test("the name of a town is not the name of a pickup; of two places on one spot, the last one gives its name")
    func otherNames() throws {
        var scenario = try Self.map()
        scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "made up")))
        let middle = scenario.state.map.camera.center
        scenario.press("/")
        var builder = VectorTileBuilder(id: TileID.containing(WebMercator.project(middle), zoom: 14))
        builder.addFeature(.town, kind: .point, name: "Hull", vertices: [(2000, 2000)])
        var index = PlaceIndex()
        index.add(builder.finish(), kinds: Set(NamedPlace.Kind.allCases), near: middle)
        index.addTripStop("Ash", at: middle)
        index.addTripStop("Birch", at: middle)
        scenario.send(.names(index, near: middle, isComplete: true))
        scenario.press("A s h enter / B i r c h enter / A s h enter")
        #expect(scenario.state.foundName(at: middle) == "Ash")
        scenario.press("/ H u l l enter")
        let town = scenario.state.map.camera.center
        #expect(town.distanceMeters(to: middle) > 1 && scenario.state.foundName(at: town) == nil)
    }

    @Test("while the screen waits for the answer, Enter, Esc, q and B say so, and Ctrl-C leaves")
    func waiting() throws {
        var scenario = try Self.map()
        scenario.press("B enter l enter enter")
        for key in ["esc", "enter", "q", "B"] {
            scenario.press(key)
            #expect(scenario.state.awaitsBooking && Self.text(scenario).contains("The provider has not answered yet."), "\(key)")
        }
        #expect(!scenario.effects.contains(.quit(code: 0)))
        scenario.press("ctrl-c")
        #expect(scenario.effects.contains(.quit(code: 0)))
    }

    @Test("the pickup cannot be the drop-off, and a second B says what is going on")
    func samePlace() throws {
        var scenario = try Self.map()
        scenario.press("B enter enter")
        #expect(Self.text(scenario).contains("This is the pickup: move the map to the drop-off first."))
        guard case .choosingDropoff = scenario.state.booking else {
            Issue.record("\(String(describing: scenario.state.booking))")
            return
        }
        scenario.press("B")
        #expect(Self.text(scenario).contains("You are already booking a ride; press Esc to go back."))
    }

    @Test("without a provider, and on a read-only screen, B says why it does nothing")
    func unavailable() throws {
        for (booking, words) in [
            (AppOptions.Booking.noProvider, "Set --provider-url, or provider_url in the configuration, to book a ride."),
            (.readOnly, "This screen is read-only."),
        ] {
            var scenario = try Self.map(booking: booking)
            #expect(!Self.text(scenario).contains("B book"))
            scenario.press("B")
            #expect(scenario.state.booking == nil && Self.text(scenario).contains(words), "\(Self.text(scenario))")
        }
        var follow = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        follow.press("B")
        #expect(follow.state.booking == nil)
    }

    @Test("streets that the base map knows are shown with the coordinates, and markers are reported")
    func streets() throws {
        var scenario = try Self.map()
        scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "made up")))
        let pickup = scenario.state.map.camera.center
        scenario.press("B enter")
        #expect(scenario.effects.contains(.findStreets([pickup])))
        scenario.send(.streets([pickup: "Fish\u{202e} Street"]))
        #expect(Self.text(scenario).contains("Pickup: Fish Street ("), "\(Self.text(scenario))")
        scenario.press("n")
        #expect(Self.text(scenario).contains("Pickup ∙ Fish Street"))
    }

    @Test("at 30 columns, both places of the ride are shown, and the title is whole")
    func small() throws {
        var scenario = try Self.map(30, 8)
        scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "made up")))
        let pickup = scenario.state.map.camera.center
        scenario.press("B enter l")
        let dropoff = scenario.state.map.camera.center
        scenario.press("enter")
        scenario.send(.streets([pickup: "Avenue of the Long Fish Market", dropoff: "Fish Street"]))
        let text = Self.text(scenario)
        for line in ["Book? Enter: yes, Esc: back", "Pickup: Avenue of the", "Drop-off: Fish Street"] {
            #expect(text.contains(line), "\(text)")
        }
        var narrow = try Self.map(40, 12)
        narrow.press("l j")
        #expect(Self.text(narrow).hasPrefix(" tripwatch "), "\(Self.text(narrow))")
    }

    @Test("in the smallest terminals, the question names its keys, and places without a street keep all digits")
    func smallest() throws {
        var scenario = try Self.map(20, 5)
        scenario.press("B enter l")
        let dropoff = scenario.state.map.camera.center
        scenario.press("enter")
        #expect(Self.text(scenario).contains("Book? Enter / Esc"), "\(Self.text(scenario))")
        // A taller terminal has room for all lines.
        scenario.send(.resize(Size(columns: 20, rows: 24)))
        let numbers = "\(dropoff.latitude.fixed(decimals: 5)), \(dropoff.longitude.fixed(decimals: 5))"
        for columns in [12, 18, 22, 40] {
            let words = scenario.state.bookingLines(columns: columns).joined(separator: " ")
            #expect(words.hasSuffix("Drop-off: \(numbers)"), "\(words)")
        }
    }

    @Test("Enter is one key in the footer, wherever it is clicked")
    func click() throws {
        var scenario = try Self.map()
        scenario.press("B")
        let footer = try #require(
            Self.text(scenario).split(separator: "\n", omittingEmptySubsequences: false).last { $0.contains("? help") })
        let start = try #require(footer.firstRange(of: "Enter set pickup"))
        let column = footer.distance(from: footer.startIndex, to: start.lowerBound) + 1
        scenario.send(.mouse(MouseEvent(.press(.left), at: Position(column: column, row: 23))))
        #expect(scenario.state.map.pickupLocation != nil)
    }
}
