import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing
import TripWatchWords

@Suite("Plain lines")
struct PlainOutputTests {
    private let start = Date(timeIntervalSince1970: 1_935_756_130)

    /// Passes updates to the output, and collects the lines that the command prints.
    private struct Player {
        var journey: JourneyTracker
        var observer = TripObserver()
        var output = PlainOutput()
        var lines: [String] = []
        var trip: Trip
        var old: Trip?

        init() throws {
            let name = try TripName("providers/demo/trips/made-up-ride")
            journey = JourneyTracker(tripName: name)
            trip = Trip(name: name, status: .new)
        }

        mutating func answer(at now: Date, _ change: (inout Trip) -> Void) {
            change(&trip)
            play(.trip(trip, changed: TripPropertyFields(from: old, to: trip)), at: now)
            old = trip
        }

        mutating func fail(_ code: StatusCode, attempt: Int, at now: Date, origin: FleetEngineError.Origin = .network) {
            let error = FleetEngineError(code: code, message: "connection refused", origin: origin)
            let failure = PollFailure(
                error: error, errorClass: error.errorClass(), retryInSeconds: 5, attempt: attempt, serverWasHeard: old != nil)
            play(.failure(failure), at: now)
        }

        mutating func play(_ kind: TripUpdate.Kind, at now: Date) {
            let update = TripUpdate(name: journey.tripName, time: now, kind: kind)
            journey.observe(update)
            for fact in observer.observe(update, journey) { print(fact, now) }
        }

        mutating func tick(_ now: Date) {
            journey.tick(now: now)
            for fact in observer.tick(journey, now: now) { print(fact, now) }
        }

        private mutating func print(_ fact: TripFact, _ now: Date) {
            output.line(fact, journey: journey, time: now).map { lines.append($0) }
        }
    }

    @Test("a moved pickup has a line; an order has a shop", arguments: [("ride", "pickup      changed"), ("order", "shop        changed")])
    func movedPickup(kind: String, words: String) throws {
        var player = try Player()
        player.answer(at: start) {
            $0.attributes = ["kind": kind]
            $0.pickupPoint = Coordinate(latitude: 1, longitude: 1)
        }
        player.answer(at: start.addingTimeInterval(5)) { $0.pickupPoint = Coordinate(latitude: 1.001, longitude: 1) }
        #expect(player.lines.last?.hasSuffix(words) == true, "\(player.lines)")
    }

    @Test("the line about a near car has the same minutes as the line before")
    func near() throws {
        var player = try Player()
        player.answer(at: start) {
            $0.status = .enrouteToPickup
            $0.vehicleID = "DEMO-7"
            // The time is 14:02:10, and the arrival is 14:03:59. Without the seconds, they are one minute apart.
            $0.pickupTime = start.addingTimeInterval(109)
            $0.lastLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: start)
        }
        player.answer(at: start.addingTimeInterval(1)) { $0.lastLocation?.serverTime = start.addingTimeInterval(1) }
        #expect(player.lines.contains { $0.contains("moving      pickup 14:03 (1 min") }, "\(player.lines)")
        #expect(player.lines.contains { $0.hasSuffix(" near        1 min away") }, "\(player.lines)")
    }

    @Test("a server that does not answer is offline; a server that answers with an error is not")
    func offline() throws {
        for (origin, code, word) in [
            (FleetEngineError.Origin.network, StatusCode.unavailable, "offline"), (.server, .unavailable, "error"),
            (.server, .deadlineExceeded, "error"), (.server, .internal, "error"),
        ] {
            var player = try Player()
            player.answer(at: start) { $0.status = .new }
            player.fail(code, attempt: 1, at: start.addingTimeInterval(5), origin: origin)
            #expect(player.lines.last?.hasPrefix("14:02:15 \(word) ") == true, "\(player.lines)")
        }
    }

    @Test("a car without a name, as behind a link that leaves it out, is still reported as assigned")
    func unnamedCar() throws {
        var output = PlainOutput()
        let name = try TripName("providers/demo/trips/made-up-ride")
        let line = output.line(.vehicle(""), journey: JourneyTracker(tripName: name), time: start)
        #expect(line?.hasSuffix("assigned    a car is assigned") == true, "\(line ?? "")")
    }

    @Test("a delay at the destination is a line although the pickup is next")
    func destination() throws {
        var player = try Player()
        for (seconds, end) in [(0.0, 1_190.0), (5, 1_370)] {
            player.answer(at: start.addingTimeInterval(seconds)) {
                $0.status = .enrouteToPickup
                $0.vehicleID = "car-1"
                $0.pickupTime = start.addingTimeInterval(290)
                $0.dropoffTime = start.addingTimeInterval(end)
            }
        }
        #expect(player.lines.last == "14:02:15 eta         arrival 14:25, was 14:22 (+3 min)", "\(player.lines)")
    }

    @Test("changed stops have lines, and a changed arrival at a stop has the stop's name")
    func stops() throws {
        var player = try Player()
        for (seconds, arrival) in [(0.0, 290.0), (5, 470)] {
            player.answer(at: start.addingTimeInterval(seconds)) {
                $0.status = .enrouteToIntermediateDestination
                $0.vehicleID = "car-1"
                $0.attributes = ["stop_1_name": "Chemist"]
                $0.intermediateDestinations = [Coordinate(latitude: 1, longitude: 1)]
                $0.dropoffPoint = Coordinate(latitude: 1, longitude: 2)
                $0.etaToNextWaypoint = start.addingTimeInterval(arrival)
            }
        }
        #expect(player.lines.last == "14:02:15 eta         Chemist 14:10 (8 min), was 14:07 (+3 min)", "\(player.lines)")
        player.answer(at: start.addingTimeInterval(10)) {
            $0.intermediateDestinations += [Coordinate(latitude: 1, longitude: 1.2), Coordinate(latitude: 1, longitude: 1.4)]
            $0.dropoffPoint = Coordinate(latitude: 1, longitude: 3)
        }
        #expect(player.lines.suffix(2) == ["14:02:20 stops       changed: 2 added", "14:02:20 drop-off    changed"], "\(player.lines)")
    }

    @Test("a ride, line by line")
    func ride() throws {
        var player = try Player()
        func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }
        player.answer(at: at(0)) { _ in }
        player.answer(at: at(10)) { $0.vehicleID = "DEMO-7\u{1b}[31m" }
        player.answer(at: at(20)) {
            $0.status = .enrouteToPickup
            $0.pickupTime = at(620)
            $0.remainingDistanceMeters = 4_300
            $0.lastLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: at(19))
        }
        player.answer(at: at(30)) { $0.pickupTime = at(750) }
        player.tick(at(60))
        player.fail(.unavailable, attempt: 1, at: at(61))
        player.fail(.unavailable, attempt: 2, at: at(66))
        player.play(.recovered(afterSeconds: 12), at: at(73))
        player.answer(at: at(73)) {
            $0.lastLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1.01), serverTime: at(72))
        }
        player.answer(at: at(640)) {
            $0.remainingDistanceMeters = 300
            $0.lastLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1.02), serverTime: at(639))
        }
        player.answer(at: at(750)) { $0.status = .arrivedAtPickup }
        player.answer(at: at(800)) {
            $0.status = .enrouteToIntermediateDestination
            $0.remainingDistanceMeters = 900
        }
        player.answer(at: at(900)) { $0.status = .arrivedAtIntermediateDestination }
        player.answer(at: at(950)) {
            $0.status = .enrouteToDropoff
            $0.dropoffTime = at(1_500)
        }
        player.answer(at: at(1_500)) { $0.status = .complete }
        #expect(
            player.lines == [
                "14:02:10 new         looking for a car",
                "14:02:20 assigned    DEMO-7[31m, pickup time not known yet",
                "14:02:30 moving      pickup 14:12 (10 min, 4 km)",
                "14:02:40 eta         pickup 14:14 (12 min, 4 km), was 14:12 (+2 min)",
                "14:03:10 quiet       no position for 41 s",
                "14:03:11 offline     Connection lost (connection refused). Trying again in 5 s.",
                "14:03:23 back        updates resumed after 12 s",
                "14:12:50 near        2 min away",
                "14:14:40 here        waiting at pickup",
                "14:14:40 quiet       no position for 1 min",
                "14:15:30 riding      to stop 1, stop time not known yet (900 m)",
                "14:15:30 not live    last position 2 min ago",
                "14:17:10 stop        waiting at stop 1",
                "14:18:00 riding      arrival 14:27 (about 9 min, 900 m)",
                "14:27:10 complete    arrived 14:27",
            ])
    }

    @Test("a car that is assigned before it sets out is reported with its arrival, or the arrival follows when it is known")
    func assigned() throws {
        var player = try Player()
        player.answer(at: start) { _ in }
        player.answer(at: start.addingTimeInterval(5)) {
            $0.vehicleID = "car-7"
            $0.pickupTime = start.addingTimeInterval(400)
        }
        #expect(player.lines.last == "14:02:15 assigned    car-7, pickup 14:08 (6 min)")
        var late = try Player()
        late.answer(at: start) { $0.vehicleID = "car-7" }
        late.answer(at: start.addingTimeInterval(5)) { $0.pickupTime = start.addingTimeInterval(400) }
        late.answer(at: start.addingTimeInterval(10)) { $0.remainingDistanceMeters = 1_200 }
        #expect(
            late.lines == ["14:02:10 assigned    car-7, pickup time not known yet", "14:02:15 eta         pickup 14:08 (6 min)"])
    }

    @Test("a lost position is reported, and so is its return")
    func lostPosition() throws {
        var player = try Player()
        func place(_ seconds: Double) -> VehicleLocation {
            VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: start.addingTimeInterval(seconds))
        }
        player.answer(at: start) {
            $0.status = .enrouteToPickup
            $0.vehicleID = "car-7"
            $0.lastLocation = place(0)
        }
        let told = player.lines.count
        player.answer(at: start.addingTimeInterval(5)) { $0.lastLocation = nil }
        player.answer(at: start.addingTimeInterval(10)) { $0.lastLocation = place(9) }
        player.answer(at: start.addingTimeInterval(15)) {
            $0.vehicleID = nil
            $0.lastLocation = nil
        }
        #expect(
            Array(player.lines.dropFirst(told)) == [
                "14:02:15 no position the car's position is not known", "14:02:20 live        position is back",
                "14:02:25 released    the car was taken off the trip",
            ])
    }

    @Test("a state that needs the user is reported with an instruction, without the server's code and text")
    func action() throws {
        var player = try Player()
        let error = FleetEngineError(code: .unauthenticated, message: "token expired")
        player.play(.failure(PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 30, attempt: 1)), at: start)
        #expect(
            player.lines.first
                == "14:02:10 stopped     The token is not valid or has expired. Get a new token. Trying again in 30 s.")
    }
}
