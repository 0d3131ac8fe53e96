import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchWords

@Suite("The first minute")
struct FirstMinuteTests {
    private let uuid = "trip-0f3a1b2c-1111-4222-8333-444455556666"

    private func names(_ id: String, _ change: (inout Trip) -> Void) throws -> TripNames {
        let name = try TripName(provider: "p", trip: id)
        var trip = MadeUpTrip.new(name, stops: [])
        trip.attributes = [:]
        change(&trip)
        return TripNames(name, trip: trip, title: nil, streets: [MadeUpTrip.pickup: "Elm Street"])
    }

    @Test("a title uses what is known of the trip rather than an id, and shows only the beginning of a long id")
    func titles() throws {
        #expect(try names(uuid) { _ in }.title == "Ride from Elm Street")
        let place = try names(uuid) { $0.pickupPoint = nil }.title
        #expect(place.hasPrefix("Ride to 10.01") && place.contains(", -29.97"), "\(place)")
        let round = try names(uuid) { ($0.pickupPoint, $0.dropoffPoint) = (nil, Coordinate(latitude: 10, longitude: -29.9)) }.title
        #expect(round == "Ride to 10.000, -29.900")
        let nothing = try names(uuid) { ($0.pickupPoint, $0.dropoffPoint) = (nil, nil) }
        #expect(nothing.title == "Trip 0f3a1b2c" && nothing.ownTitle == nil)
        #expect(try names("school run") { ($0.pickupPoint, $0.dropoffPoint) = (nil, nil) }.title == "Trip school run")
    }

    @Test("the destination is short, even if only the trip's title states it")
    func places() throws {
        let name = try TripName(provider: "p", trip: uuid)
        for (title, place) in [("Ride to Public Library", "Public Library"), ("Groceries", "Groceries"), ("Ride to ", "Ride to ")] {
            #expect(TripNames(name, trip: nil, title: title).place == place)
        }
    }

    @Test("a trip that already has a car when it is first seen was created earlier, and its creation comes first")
    func created() throws {
        func events(_ change: (inout AppOptions) -> Void) throws -> [String] {
            var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), options: Scenario.options(change), now: "14:06:50"))
            scenario.answer("14:07:12") { MadeUpTrip.approaching($0, metersToGo: 1_700, arrival: "14:13:00", at: $1) }
            return scenario.state.loggedEvents.map { scenario.state.clock($0.time, withSeconds: true) + " " + scenario.state.words($0) }
        }
        let booked = try events { $0.bookedAt = MadeUpTrip.time("14:07:10") }
        #expect(booked.first == "14:07:10 Trip created" && booked.dropFirst().allSatisfy { $0.hasPrefix("14:07:12 ") }, "\(booked)")
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), now: "14:06:50"))
        scenario.answer("14:07:12") {
            var trip = MadeUpTrip.approaching($0, metersToGo: 1_700, arrival: "14:13:00", at: $1)
            trip.status = .new
            return trip
        }
        let seen = scenario.state.loggedEvents.map { scenario.state.words($0) }
        #expect(seen.first == "Booked earlier" && seen.dropFirst().first?.hasPrefix("Car assigned") == true, "\(seen)")
        #expect(try !events { _ in }.contains { $0.hasSuffix("Trip created") })
    }

    @Test("titles next to each other leave out their common first words")
    func distinct() {
        let titles = ["Ride to Northgate", "Ride to Harbour", "Groceries", "Ride to"]
        #expect(TripNames.distinct(titles) == ["Northgate", "Harbour", "Groceries", "to"])
        #expect(TripNames.distinct(["Parcel", "Parcel"]) == ["Parcel", "Parcel"])
    }

    @Test("the answer replaces the line that waits for it")
    func waiting() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        scenario.press("r")
        #expect(scenario.state.notice?.text == "Asking the server …")
        scenario.answer("14:07:22") { MadeUpTrip.approaching($0, metersToGo: 1_700, arrival: "14:13:00", at: $1) }
        #expect(scenario.state.notice?.text == "The server answered at 14:07:22.")
        scenario.press("r")
        scenario.fail("14:07:31", Scenario.refused, retryIn: 27, attempt: 1)
        #expect(scenario.state.notice == nil)
    }

    @Test("for a car that was already there, the time is the latest possible; after our own booking, the car came just then")
    func assigned() throws {
        func step(_ change: (inout AppOptions) -> Void) throws -> [String]? {
            var scenario = try #require(
                Scenario(size: Size(columns: 80, rows: 24), options: Scenario.options(change), now: "14:06:50"))
            scenario.answer("14:07:12") { MadeUpTrip.approaching($0, metersToGo: 1_700, arrival: "14:13:00", at: $1) }
            return Timeline(try #require(scenario.state.page), scenario.state, isWide: false).steps.first.map { [$0.text, $0.right] }
        }
        #expect(try step { _ in } == ["Car assigned", "before 14:07"])
        #expect(
            try step { $0.bookedAt = MadeUpTrip.time("14:07:10") } == ["Car assigned", "14:07"])
    }

    @Test("the help is complete at every width from 24 columns", arguments: [24, 30, 40, 43, 44, 50, 60, 80])
    func help(columns: Int) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: columns, rows: 60)))
        scenario.press("?")
        let text = try #require(OverlayText(scenario.state))
        let inside = OverlayText.hasFrame(scenario.state.size) ? min(text.columns, columns - 10) : columns
        for line in text.lines {
            let used = line.middle.isEmpty ? displayWidth(line.left) : text.middleColumn + displayWidth(line.middle)
            #expect(used <= inside && (line.middle.isEmpty || displayWidth(line.left) < text.middleColumn), "\(line)")
        }
        let told = text.lines.map { $0.left + " " + $0.middle }.joined(separator: " ").split(separator: " ")
        for binding in scenario.state.options.keyMap.bindings {
            for word in (binding.keysText + " " + binding.words).split(whereSeparator: { " ,".contains($0) }) {
                #expect(told.contains { $0.contains(word) }, "\(word) of \(binding.words)")
            }
        }
    }

    @Test("the finished map shows the ride: as near as its stops allow, and at the pickup only its own name")
    func finished() throws {
        var scenario = try #require(
            Scenario.named("complete", size: Size(columns: 80, rows: 24), options: Scenario.options { $0.ownPosition = MadeUpTrip.pickup }))
        let map = scenario.state.map
        for place in [MadeUpTrip.pickup, MadeUpTrip.stop, MadeUpTrip.station] { #expect(map.camera.cell(at: place) != nil) }
        let closer = map.camera.zoomed(to: map.camera.zoom + 1.5)
        #expect([MadeUpTrip.pickup, MadeUpTrip.station].contains { closer.cell(at: $0) == nil })
        let labels = map.overlays(for: scenario.state.journeys).markers.map(\.label)
        #expect(labels.contains("pickup 14:13") && !labels.contains("me"), "\(labels)")
        scenario.press("0")
        #expect(scenario.state.map.camera.zoom <= map.camera.zoom)
    }
}
