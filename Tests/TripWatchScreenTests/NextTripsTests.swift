import Driver
import FleetEngine
import Geo
import TerminalCanvas
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("The driver's next trips, and the notices about the driver's keys")
struct NextTripsTests {
    private static let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
    private static let zoo = MadeUpTrip.place(2_000, 2_500)
    private static let bakery = MadeUpTrip.place(2_600, 2_500)

    private func text(_ shift: MadeUpShift) -> String { AppView().canvas(shift.state, theme: Self.theme).text() }

    /// A trip from the zoo to the bakery, with a stop between them.
    private static func next() throws -> Trip {
        var trip = try MadeUpShift.trip("t2")
        (trip.pickupPoint, trip.dropoffPoint) = (zoo, bakery)
        trip.attributes = ["pickup_name": "Zoo", "dropoff_name": "Bakery"]
        return trip
    }

    private static func stops(of trip: Trip) -> [TripWaypoint] {
        func stop(_ type: WaypointType, _ place: Coordinate?) -> [TripWaypoint] {
            place.map { [TripWaypoint(coordinate: $0, tripID: trip.name.trip, type: type)] } ?? []
        }
        return stop(.pickup, trip.pickupPoint) + trip.intermediateDestinations.flatMap { stop(.intermediate, $0) }
            + stop(.dropoff, trip.dropoffPoint)
    }

    /// A car on the way to a pickup. Its driver has been offered another trip.
    private func offered(_ size: Size) throws -> MadeUpShift {
        var shift = try MadeUpShift(size: size)
        shift.wait()
        try shift.approach()
        let next = try Self.next()
        shift.tell { state, _ in
            state.offers = [next]
            state.stops = state.trip.map(Self.stops) ?? []
        }
        return shift
    }

    private func accept(_ shift: inout MadeUpShift) {
        shift.tell { state, _ in
            (state.later, state.offers) = (state.offers, [])
            state.stops += state.later.flatMap(Self.stops)
        }
    }

    @Test("an accepted trip is an event, the next rider and part of the stops", arguments: [(80, 24), (120, 40)])
    func accepted(columns: Int, rows: Int) throws {
        var shift = try offered(Size(columns: columns, rows: rows))
        try shift.press("a")
        // News about the base map must not be taken as news about the trip.
        shift.send(.mapTrouble(nil))
        #expect(text(shift).contains("Accepting the trip"), "\(text(shift))")
        accept(&shift)
        let page = text(shift)
        #expect(page.contains("Trip accepted") && !page.contains("Accepting the trip"), "\(page)")
        #expect(page.contains("NEXT RIDER") && page.contains("Pickup ∙ Zoo"), "\(page)")
        // The narrow panel has only five rows for the six stops.
        #expect(page.contains("2 more stops") == (columns == 80), "\(page)")
        try shift.press("w")
        for words in ["Pickup      Zoo", "Drop-off    Bakery"] { #expect(text(shift).contains(words), "\(words) in\n\(text(shift))") }
    }

    @Test("until an accepted first trip begins, it is the next trip, and the car does not wait for one")
    func beginning() throws {
        var shift = try MadeUpShift()
        shift.wait()
        try shift.offer()
        shift.tell { state, _ in (state.later, state.offers) = (state.offers, []) }
        let page = text(shift)
        #expect(page.contains("NEXT TRIP") && page.contains("asking the server") && !page.contains("WAITING FOR A TRIP"), "\(page)")
    }

    @Test("the distance of an offered trip is the server's, by road")
    func roadDistance() throws {
        var shift = try MadeUpShift()
        shift.wait()
        var trip = try MadeUpShift.trip("t1")
        trip.remainingWaypoints = [
            TripWaypoint(coordinate: MadeUpTrip.pickup, tripID: "t1", type: .pickup, distanceMeters: 6_000)
        ]
        shift.tell { [trip] state, _ in state.offers = [trip] }
        #expect(text(shift).contains("A trip is offered, pickup 6 km away"), "\(text(shift))")
        trip.remainingWaypoints = []
        shift.tell { [trip] state, _ in state.offers = [trip] }
        let page = try #require(shift.state.drive)
        #expect(DriveWords(page, shift.state).eta.short == "New trip 4 km")
    }

    @Test("a notice about a key ends when the car's work changes, or when the call fails")
    func notices() throws {
        var shift = try MadeUpShift()
        shift.wait()
        try shift.approach()
        shift.arrive()
        try shift.press("v")
        shift.tell()
        #expect(text(shift).contains("Reporting your arrival"), "\(text(shift))")
        try shift.stand()
        #expect(!text(shift).contains("Reporting your arrival"), "\(text(shift))")
        try shift.press("n")
        #expect(text(shift).contains("Reporting your departure"), "\(text(shift))")
        let failure = TripDriverFailure.fleetEngine(FleetEngineError(code: .unavailable, message: "down", origin: .network))
        shift.send(.driver(.retrying(failure, afterSeconds: 6), at: shift.state.now))
        #expect(!text(shift).contains("Reporting your departure") && text(shift).contains("The server cannot be reached"), "\(text(shift))")
    }

    @Test("on the smallest terminal an offer is named, with the key that accepts it")
    func tiny() throws {
        let size = Size(columns: 15, rows: 5)
        var shift = try MadeUpShift(size: size)
        shift.wait()
        try shift.offer()
        for words in ["New trip 4 km", "a accept", "online"] { #expect(text(shift).contains(words), "\(words) in\n\(text(shift))") }
        shift = try offered(size)
        for words in ["5 min", "NEW TRIP: a", "online"] { #expect(text(shift).contains(words), "\(words) in\n\(text(shift))") }
    }

    @Test("the number of stops of an offered trip fits beside the map, and another rider's stop is whole in the list of stops")
    func longLines() throws {
        var shift = try MadeUpShift()
        shift.wait()
        try shift.offer()
        #expect(text(shift).contains("1 stop"), "\(text(shift))")
        try shift.approach()
        let hayQuay = MadeUpTrip.place(0, 2_500)
        shift.send(.streets([hayQuay: "Hay Quay"]))
        shift.tell { state, _ in
            state.stops = state.trip.map(Self.stops) ?? []
            state.stops.insert(TripWaypoint(coordinate: hayQuay, tripID: "t9", type: .pickup), at: 1)
        }
        try shift.press("w")
        #expect(text(shift).contains("Pickup of another rider  Hay Quay"), "\(text(shift))")
    }
}
