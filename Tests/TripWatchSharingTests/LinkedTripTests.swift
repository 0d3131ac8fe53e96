import FleetEngine
import Foundation
import Geo
import JourneySharing
import Testing

@testable import TripWatchSharing
@testable import TripWatchWords

@Suite("A trip at the other end of a link")
struct LinkedTripTests {
    private static let start = MadeUpLink.start

    private static func read(_ link: SharedLink, at now: Date) -> LinkedTrip { read(link.events.standingText, at: now) }

    private static func read(_ events: String, at now: Date) -> LinkedTrip {
        var linked = LinkedTrip()
        linked.note(serverTime: now, at: now)
        for line in events.split(separator: "\n", omittingEmptySubsequences: false) { _ = linked.apply(String(line), at: now) }
        return linked
    }

    private static func journey(_ trip: Trip, at now: Date) -> JourneyTracker {
        var journey = JourneyTracker(tripName: trip.name)
        journey.observe(TripUpdate(name: trip.name, time: now, kind: .trip(trip, changed: [])))
        journey.advance(to: now)
        return journey
    }

    @Test("oversized events and numbers are skipped, and the next one is used")
    func limits() {
        var reader = EventTextReader()
        #expect(reader.add("id: 7") == nil && reader.add("id: " + String(repeating: "9", count: 65)) == nil)
        for _ in 0...(EventTextReader.largestEvent / 4_096) { #expect(reader.add("data: " + String(repeating: "x", count: 4_096)) == nil) }
        #expect(reader.add("") == nil)
        #expect(reader.add("data: {}") == nil)
        let event = reader.add("")
        #expect(event?.id == "7" && event?.data == "{}")
    }

    @Test("the end of a link is reported for the link, not for the trip", arguments: [LinkPage.ended, LinkPage.noLink])
    func end(sentence: String) {
        let error = FleetEngineError(code: .notFound, message: sentence, origin: .local)
        #expect(FailureWords(error, error.errorClass(tripWasSeen: true)).sentence == "\(sentence) Ask for a new link.")
    }

    @Test("the data of a link are read back: arrival, position and its age, route, stops, names")
    func roundTrip() throws {
        let made = try MadeUpLink { $0.intermediateDestinations = [Coordinate(latitude: 48.53, longitude: 9.15)] }
        let now = Self.start.addingTimeInterval(2)
        let linked = Self.read(made.link, at: now)
        #expect(linked.knownName?.trip == "ride-7")
        let trip = try linked.trip(at: now)
        #expect(trip.status == .enrouteToPickup && trip.vehicleID == "car-7")
        #expect(trip.lastLocation?.coordinate == MadeUpLink.way[0] && trip.activeRoute.coordinates.count == 3)
        #expect(trip.pickupPoint == MadeUpLink.way.last && trip.stopsBefore == 0)
        #expect(trip.attributes["license_plate"] == "KVX 204")
        let journey = Self.journey(trip, at: now)
        #expect(journey.forecast.shown == made.link.journey.forecast.shown)
        #expect(journey.estimate?.remainingMeters == 1_804)
        let age = try #require(journey.ageSeconds(now: now))
        #expect(abs(age - 5) < 1)
    }

    @Test("a car that is taken off the trip is not taken for a car whose id the link hides")
    func lostVehicle() throws {
        let made = try MadeUpLink()
        let now = Self.start.addingTimeInterval(2)
        var linked = Self.read(made.link, at: now)
        #expect(try linked.trip(at: now).vehicleID == "car-7")
        for line in [#"data: {"trip":"ride-7","event":"vehicle","vehicle":null}"#, ""] { _ = linked.apply(line, at: now) }
        let trip = try linked.trip(at: now)
        #expect(trip.vehicleID == nil && trip.lastLocation == nil && trip.status == .enrouteToPickup)
        var hidden = LinkedTrip()
        for line in [#"data: {"trip":"ride-7","event":"status","status":"ENROUTE_TO_PICKUP"}"#, ""] { _ = hidden.apply(line, at: now) }
        #expect(try hidden.trip(at: now).vehicleID?.isEmpty == true)
    }

    @Test("an order stays an order: its arrival is the one at the drop-off, and the shop has its own")
    func order() throws {
        let made = try MadeUpLink {
            $0.attributes["kind"] = "order"
            $0.dropoffTime = Self.start.addingTimeInterval(900)
        }
        let trip = try Self.read(made.link, at: Self.start).trip(at: Self.start)
        let journey = Self.journey(trip, at: Self.start)
        #expect(journey.kind == .order && journey.estimate?.waypoint == .dropoff)
        #expect(journey.forecast.shown == Self.start.addingTimeInterval(900))
        #expect(journey.arrivals[.pickup].shown == made.link.journey.arrivals[.pickup].shown)
        #expect(trip.remainingDistanceMeters == 1_804)
    }

    @Test("the deliveries to others before an order's drop-off are counted, before the shop and after it", arguments: [true, false])
    func deliveries(isShopAhead: Bool) throws {
        func stop(_ trip: String, _ type: WaypointType) -> TripWaypoint {
            TripWaypoint(coordinate: MadeUpLink.way[2], tripID: trip, type: type, distanceMeters: 500)
        }
        let made = try MadeUpLink {
            $0.attributes["kind"] = "order"
            $0.status = isShopAhead ? .enrouteToPickup : .enrouteToDropoff
            $0.remainingWaypoints =
                (isShopAhead ? [stop("ride-7", .pickup)] : []) + [stop("x", .pickup), stop("x", .dropoff), stop("ride-7", .dropoff)]
        }
        let trip = try Self.read(made.link, at: Self.start).trip(at: Self.start)
        let journey = Self.journey(trip, at: Self.start)
        #expect(journey.estimate?.stopsBefore == 1 && made.link.journey.estimate?.stopsBefore == 1)
        #expect(journey.estimate?.remainingMeters == made.link.journey.estimate?.remainingMeters)
    }

    @Test("an order's distance goes on falling between two lists of stops, to the shop and to the drop-off")
    func orderDistance() throws {
        var made = try MadeUpLink {
            $0.attributes["kind"] = "order"
            $0.remainingWaypoints.append(
                TripWaypoint(coordinate: MadeUpLink.way[2], tripID: "ride-7", type: .dropoff, distanceMeters: 2_000))
        }
        made.trip.remainingDistanceMeters = 904
        made.tell(.trip(made.trip, changed: []), afterSeconds: 60)
        let trip = try Self.read(made.link, at: Self.start).trip(at: Self.start)
        #expect(trip.remainingDistanceMeters == 904)
        #expect(Self.journey(trip, at: Self.start).estimate?.remainingMeters == 2_904)
    }

    @Test("the names and places of the stops between pickup and drop-off are told, also after the first of them", arguments: [2, 1])
    func stopNames(stopsAhead: Int) throws {
        let places = [Coordinate(latitude: 48.53, longitude: 9.15), Coordinate(latitude: 48.54, longitude: 9.15)]
        let made = try MadeUpLink {
            $0.status = .enrouteToIntermediateDestination
            $0.intermediateDestinations = places
            $0.intermediateDestinationIndex = places.count - stopsAhead
            $0.attributes["stop_names"] = #"["Mill Lane","Bakery"]"#
            $0.remainingWaypoints = places.suffix(stopsAhead).map { TripWaypoint(coordinate: $0, tripID: "ride-7", type: .intermediate) }
        }
        let trip = try Self.read(made.link, at: Self.start).trip(at: Self.start)
        #expect(TripNames.stops(of: trip) == ["Mill Lane", "Bakery"])
        #expect(trip.intermediateDestinations == places && trip.stopIndex == 2 - stopsAhead)
    }

    @Test("a trip without a vehicle has its places, although its server lists no stops ahead")
    func places() throws {
        let place = Coordinate(latitude: 48.53, longitude: 9.15)
        for privacy in [LinkPrivacy(), LinkPrivacy(showsRoute: false), LinkPrivacy(blurMeters: 200)] {
            let made = try MadeUpLink(privacy) {
                $0.status = .new
                $0.vehicleID = nil
                $0.lastLocation = nil
                $0.remainingWaypoints = []
                $0.intermediateDestinations = [place]
                $0.attributes["stop_names"] = #"["Mill Lane"]"#
            }
            #expect(made.event("waypoints") == nil)
            let trip = try Self.read(made.link, at: Self.start).trip(at: Self.start)
            #expect(trip.pickupPoint == made.trip.pickupPoint && trip.dropoffPoint == made.trip.dropoffPoint)
            #expect(trip.intermediateDestinations == [place] && trip.stopIndex == 0 && TripNames.stops(of: trip) == ["Mill Lane"])
            #expect(made.link.json(at: Self.start).contains(#""stops":[{"type":"PICKUP","latitude":48.52,"#))
        }
    }

    @Test("a trip that loses its vehicle has passed no stop, also if it is then cancelled", arguments: [false, true])
    func released(isCancelled: Bool) throws {
        var made = try MadeUpLink {
            $0.intermediateDestinations = [MadeUpLink.way[1]]
            $0.remainingWaypoints.append(TripWaypoint(coordinate: MadeUpLink.way[1], tripID: "ride-7", type: .intermediate))
        }
        (made.trip.status, made.trip.vehicleID, made.trip.remainingWaypoints) = (.new, nil, [])
        made.tell(.trip(made.trip, changed: [.tripStatus, .vehicleID]), afterSeconds: 5)
        if isCancelled {
            made.trip.status = .canceled
            made.tell(.trip(made.trip, changed: [.tripStatus]), afterSeconds: 10)
        }
        #expect(try Self.read(made.link, at: Self.start).trip(at: Self.start).intermediateDestinationIndex == 0)
    }

    @Test("a viewer who comes after the end gets the times of pickup and drop-off", arguments: [nil, 200.0])
    func afterTheEnd(blur: Double?) throws {
        var made = try MadeUpLink(LinkPrivacy(blurMeters: blur)) { $0.intermediateDestinations = [MadeUpLink.way[1]] }
        made.trip.status = .complete
        made.trip.remainingWaypoints = []
        made.trip.pickupTime = Self.start.addingTimeInterval(95)
        made.trip.dropoffTime = Self.start.addingTimeInterval(185)
        made.tell(.trip(made.trip, changed: [.tripStatus]), afterSeconds: 200)
        made.tell(.ended(.complete), afterSeconds: 200)
        let now = Self.start.addingTimeInterval(260)
        let trip = try Self.read(made.link, at: now).trip(at: now)
        #expect(trip.pickupPoint == MadeUpLink.way[2] && trip.dropoffPoint == made.trip.dropoffPoint)
        let journey = Self.journey(trip, at: now)
        let (pickup, dropoff) = blur == nil ? (95.0, 185.0) : (120, 200)
        #expect(trip.pickupTime == Self.start.addingTimeInterval(pickup))
        #expect(journey.arrivedAt(now: now) == Self.start.addingTimeInterval(dropoff))
        let time = Timestamps.rfc3339(Self.start.addingTimeInterval(dropoff))
        #expect(made.link.json(at: now).contains("\"dropped_off_at\":\"\(time)\""))
        var history = TripHistory()
        history.observe(trip, at: now)
        #expect(history.droppedOffAt(trip) == Self.start.addingTimeInterval(dropoff) && history.leftStopAt.isEmpty)
    }

    @Test("a viewer who comes after a cancellation gets the time of the pickup")
    func cancelledAfterPickup() throws {
        var made = try MadeUpLink()
        made.trip.remainingWaypoints = []
        for (status, seconds) in [(TripStatus.enrouteToDropoff, 60.0), (TripStatus.canceled, 90.0)] {
            made.trip.status = status
            made.tell(.trip(made.trip, changed: [.tripStatus]), afterSeconds: seconds)
        }
        let now = Self.start.addingTimeInterval(120)
        let trip = try Self.read(made.link, at: now).trip(at: now)
        var history = TripHistory()
        history.observe(trip, at: now)
        #expect(trip.status == .canceled && history.pickedUpAt(trip) == Self.start.addingTimeInterval(60))
    }

    @Test("on the way to the drop-off all stops are passed, also after the trip is told again")
    func lastLeg() throws {
        let made = try MadeUpLink {
            $0.status = .enrouteToDropoff
            $0.intermediateDestinations = [MadeUpLink.way[1]]
            $0.remainingWaypoints = [TripWaypoint(coordinate: MadeUpLink.way[2], tripID: "ride-7", type: .dropoff)]
        }
        var linked = Self.read(made.link, at: Self.start)
        let told = try #require(made.event("trip"))
        #expect(told.contains(#""stop_index":1"#))
        for line in ["data: " + told, ""] { _ = linked.apply(line, at: Self.start) }
        #expect(try linked.trip(at: Self.start).intermediateDestinationIndex == 1)
    }

    @Test("impossible places are skipped, and a wrong number of passed stops is bounded", arguments: [-1, 1, Int.max])
    func oddPlaces(stopIndex: Int) throws {
        func place(_ type: String, _ latitude: Int) -> String { #"{"type":"\#(type)","latitude":\#(latitude),"longitude":9}"# }
        let places = [place("PICKUP", 91)] + Array(repeating: place("INTERMEDIATE", 48), count: 5_000)
        let members = #""places":[\#(places.joined(separator: ","))],"stop_index":\#(stopIndex)"#
        let events = [#""status","status":"ENROUTE_TO_PICKUP""#, #""trip",\#(members)"#].map {
            #"data: {"trip":"t1","event":\#($0)}"# + "\n\n"
        }
        let trip = try Self.read(events.joined(), at: Self.start).trip(at: Self.start)
        #expect(trip.pickupPoint == nil && trip.intermediateDestinations.count == 1_001)
        #expect(trip.intermediateDestinationIndex == min(max(stopIndex, 0), 1_001))
    }

    @Test("in a link of an earlier version, a cancelled trip has not passed the stops that were ahead", arguments: [true, false])
    func cancelled(isCancelled: Bool) throws {
        let place = Coordinate(latitude: 48.53, longitude: 9.15)
        let made = try MadeUpLink {
            $0.status = .enrouteToIntermediateDestination
            $0.intermediateDestinations = [place]
            $0.remainingWaypoints = [TripWaypoint(coordinate: place, tripID: "ride-7", type: .intermediate)]
        }
        var linked = Self.read(made.link.events.standingText.replacing("\"places\"", with: "\"other\""), at: Self.start)
        let status = isCancelled ? "CANCELED" : "ENROUTE_TO_DROPOFF"
        for event in [#""status","status":"\#(status)""#, #""waypoints","remaining":[]"#] {
            for line in [#"data: {"trip":"ride-7","event":\#(event)}"#, ""] { _ = linked.apply(line, at: Self.start) }
        }
        #expect(try linked.trip(at: Self.start).intermediateDestinationIndex == (isCancelled ? 0 : 1))
    }

    @Test("before the last event of the current state there is no trip to show, also if the connection was lost in that event")
    func whole() throws {
        let made = try MadeUpLink()
        var linked = LinkedTrip()
        let lines = made.link.events.standingText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let last = try #require(lines.firstIndex { $0.hasPrefix("id: ") })
        for line in lines[...last] { _ = linked.apply(line, at: Self.start) }
        linked.beginStream()
        for line in lines[..<last] { _ = linked.apply(line, at: Self.start) }
        #expect(linked.knownName == nil)
        for line in lines[last...] { _ = linked.apply(line, at: Self.start) }
        #expect(linked.knownName?.trip == "ride-7")
    }

    @Test("an event that names another trip changes nothing")
    func otherTrip() throws {
        var linked = LinkedTrip()
        func take(_ trip: String, _ status: String) {
            for line in ["id: 1", #"data: {"event":"status","trip":"\#(trip)","status":"\#(status)"}"#, ""] {
                _ = linked.apply(line, at: Self.start)
            }
        }
        take("t1", "NEW")
        take("t2", "COMPLETE")
        #expect(try linked.trip(at: Self.start).status == .new && linked.knownName?.trip == "t1")
        take("t1", "COMPLETE")
        #expect(try linked.trip(at: Self.start).status == .complete)
    }

    @Test("a time that is years away from the time of its event is unknown, and the other members of the event are used")
    func farTimes() throws {
        var linked = LinkedTrip()
        func take(_ event: String) {
            let members = #""t":"2026-11-28T10:00:00Z","trip":"t1""#
            for line in [#"data: {"event":"\#(event),\#(members)}"#, ""] { _ = linked.apply(line, at: Self.start) }
        }
        func stops(_ eta: String) -> String {
            #"waypoints","remaining":[{"type":"PICKUP","latitude":48.5,"longitude":9.1,"eta":"\#(eta)"}]"#
        }
        take(#"status","status":"ENROUTE_TO_PICKUP""#)
        for eta in ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2028-11-28T10:00:00Z"] {
            take(stops(eta))
            take(#"eta","waypoint":"pickup","eta":"\#(eta)","remaining_m":900"#)
            let trip = try linked.trip(at: Self.start)
            #expect(trip.remainingWaypoints.map(\.eta) == [nil] && trip.pickupTime == nil && trip.etaToNextWaypoint == nil, "\(eta)")
            #expect(trip.remainingDistanceMeters == 900)
        }
        take(stops("2026-11-28T10:05:00Z"))
        #expect(try linked.trip(at: Self.start).remainingWaypoints.first?.eta == Date.read("2026-11-28T10:05:00Z"))
    }

    @Test("other riders' stops stay a number, and do not shorten the route")
    func others() throws {
        let made = try MadeUpLink {
            let foreign = TripWaypoint(
                coordinate: Coordinate(latitude: 48.6, longitude: 9.3), tripID: "x", type: .dropoff, distanceMeters: 1_804)
            $0.remainingWaypoints = [foreign] + $0.remainingWaypoints
            $0.remainingWaypoints[1].distanceMeters = 1_000
        }
        let trip = try Self.read(made.link, at: Self.start).trip(at: Self.start)
        let journey = Self.journey(trip, at: Self.start)
        #expect(journey.estimate?.stopsBefore == 1 && journey.estimate?.remainingMeters == 2_804)
    }

    @Test("what the car does at another rider's stop is told, and unknown in a link of an earlier version", arguments: [true, false])
    func nextType(isTold: Bool) throws {
        let made = try MadeUpLink {
            $0.remainingWaypoints.insert(TripWaypoint(coordinate: MadeUpLink.way[1], tripID: "x", type: .pickup), at: 0)
        }
        let key = #","next_type":"PICKUP""#
        let text = made.link.events.standingText
        #expect(text.contains(key))
        let trip = try Self.read(isTold ? text : text.replacing(key, with: ""), at: Self.start).trip(at: Self.start)
        #expect(trip.stopsBefore == 1 && trip.remainingWaypoints.first?.type == (isTold ? .pickup : .unknown))
    }

    @Test("a failure behind the link, and the link's end, are failures here; lines that are not events are skipped")
    func troubles() throws {
        var made = try MadeUpLink()
        let error = FleetEngineError(code: .unavailable, message: "")
        made.tell(.failure(PollFailure(error: error, errorClass: .retryable, retryInSeconds: 5, attempt: 1)), afterSeconds: 5)
        #expect(throws: FleetEngineError.self) { try Self.read(made.link, at: Self.start).trip(at: Self.start) }
        made.tell(.recovered(afterSeconds: 1), afterSeconds: 6)
        let silence = FleetEngineError(code: .unavailable, message: "connection refused", origin: .network)
        made.tell(.failure(PollFailure(error: silence, errorClass: .retryable, retryInSeconds: 5, attempt: 1)), afterSeconds: 7)
        #expect(throws: FleetEngineError(code: .unavailable, message: "", origin: .local)) {
            try Self.read(made.link, at: Self.start).trip(at: Self.start)
        }
        made.tell(.recovered(afterSeconds: 2), afterSeconds: 9)
        var linked = Self.read(made.link, at: Self.start)
        #expect(try linked.trip(at: Self.start).status == .enrouteToPickup)
        for line in [":", "", "data: {", "", "data", "x: y", "data: {\"event\":\"location\",\"latitude\":1e99,\"longitude\":null}", ""] {
            _ = linked.apply(line, at: Self.start)
        }
        #expect(try linked.trip(at: Self.start).status == .enrouteToPickup)
        made.link.end(at: Self.start)
        #expect(throws: FleetEngineError.self) { try Self.read(made.link, at: Self.start).trip(at: Self.start) }
    }
}
