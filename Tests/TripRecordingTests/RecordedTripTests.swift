import FleetEngine
import FoundationEssentials
import Geo
import Testing

@testable import TripRecording

@Suite("The recorded answers of GetTrip")
struct RecordedTripTests {
    @Test("every status and every fix is a moment, at its time")
    func moments() throws {
        let trip = try Entry.recordedRide
        #expect(trip.moments == [1, 2, 3, 10, 20, 30, 31, 60, 90].map(Entry.date))
        #expect(trip.start == Entry.date(1) && trip.end == Entry.date(90) && trip.isFinished)
        let statuses = trip.moments.compactMap { trip.snapshot(at: $0)?.status }
        #expect(
            statuses == [
                .new, .new, .enrouteToPickup, .enrouteToPickup, .enrouteToPickup, .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff,
                .complete,
            ])
    }

    @Test("the trip is not there before it was created, and stays as it was at the end")
    func outside() throws {
        let trip = try Entry.recordedRide
        #expect(trip.snapshot(at: Entry.date(0.999)) == nil)
        #expect(trip.snapshot(at: Entry.date(3000)) == trip.snapshot(at: Entry.date(90)))
        let answers = trip.moments.map { trip.snapshot(at: $0) }
        #expect(answers.reversed() == trip.moments.reversed().map { trip.snapshot(at: $0) }, "the answers do not depend on their order")
        #expect(trip.nextMoment(after: .distantPast) == Entry.date(1))
        #expect(trip.nextMoment(after: Entry.date(30)) == Entry.date(31))
        #expect(trip.nextMoment(after: Entry.date(90)) == nil)
        #expect(trip.snapshot(at: Date(timeIntervalSinceReferenceDate: .nan)) == nil)
    }

    @Test("the vehicle's updates change location, distance, time and route, and the later estimates with them")
    func live() throws {
        let trip = try Entry.recordedRide
        let first = try #require(trip.snapshot(at: Entry.date(12)))
        #expect(first.lastLocation?.coordinate == Entry.way[0])
        #expect(first.lastLocation?.serverTime == Entry.date(9.9))
        #expect(first.activeRoute.coordinates.count == 3)
        #expect(first.remainingTimeToNextWaypointSeconds == Entry.date(130).timeIntervalSince(Entry.date(12)))
        let second = try #require(trip.snapshot(at: Entry.date(20)))
        #expect(second.lastLocation?.coordinate == Entry.way[1])
        #expect(second.remainingDistanceMeters == 556)
        #expect(second.etaToNextWaypoint == Entry.date(140) && second.pickupTime == Entry.date(140))
        #expect(second.dropoffTime == Entry.date(440))
        #expect(second.remainingWaypoints.map(\.type) == [.pickup, .dropoff])
        #expect(second.remainingWaypoints.map(\.eta) == [140, 440].map(Entry.date))
        #expect(trip.snapshot(at: Entry.date(200))?.remainingTimeToNextWaypointSeconds == nil)
    }

    @Test("leaving the pickup removes it from the stops and fixes its time")
    func pickup() throws {
        let trip = try #require(try Entry.recordedRide.snapshot(at: Entry.date(60)))
        #expect(trip.remainingWaypoints.map(\.type) == [.dropoff])
        #expect(trip.pickupTime == Entry.date(59))
        #expect(trip.etaToNextWaypoint == Entry.date(440))
    }

    @Test("COMPLETE clears the live fields; of the location, only the place stays")
    func complete() throws {
        let trip = try #require(try Entry.recordedRide.snapshot(at: Entry.date(90)))
        #expect(trip.lastLocation == VehicleLocation(coordinate: Entry.pickup))
        #expect(trip.pickupTime == Entry.date(59) && trip.dropoffTime == Entry.date(89))
        #expect(trip.activeRoute.isEmpty && trip.activeRoute.traffic.isEmpty && trip.remainingWaypoints.isEmpty)
        #expect(trip.etaToNextWaypoint == nil && trip.remainingDistanceMeters == nil && trip.remainingTimeToNextWaypointSeconds == nil)
        #expect(trip.activeRouteVersion == nil && trip.remainingWaypointsRouteVersion == nil)
    }

    @Test("CANCELED clears the location and the drop-off time too, and nothing comes after it")
    func canceled() throws {
        let entries = Array(Entry.ride.prefix(5)) + [Entry.updateTrip(at: 25, status: "CANCELED"), Entry.fix(at: 30, Entry.pickup)]
        let trip = try readLog(entries).recordedTrip(matching: "t1")
        let last = try #require(trip.snapshot(at: trip.end))
        #expect(trip.end == Entry.date(25) && last.status == .canceled)
        #expect(last.lastLocation == nil && last.dropoffTime == nil)
    }

    @Test("un-assigning clears the live fields, with a new version")
    func unassigned() throws {
        let entries = Array(Entry.ride.prefix(5)) + [Entry.updateTrip(at: 25, mask: "vehicleId"), Entry.fix(at: 30, Entry.pickup)]
        let trip = try readLog(entries).recordedTrip(matching: "t1")
        let before = try #require(trip.snapshot(at: Entry.date(24)))
        let after = try #require(trip.snapshot(at: Entry.date(31)))
        #expect(trip.end == Entry.date(25))
        #expect(after.vehicleID == nil && after.lastLocation == nil && after.activeRoute.isEmpty)
        #expect(try #require(after.activeRouteVersion) > #require(before.activeRouteVersion))
    }

    @Test("changes at the same time follow one another, a microsecond apart")
    func sameInstant() throws {
        let entries =
            [Entry.createTrip(at: 1), Entry.assign(at: 1)]
            + (0..<5).map { Entry.fix(at: 1, Entry.way[0].offset(eastMeters: Double($0), northMeters: 0)) }
        let trip = try readLog(entries).recordedTrip(matching: "t1")
        #expect(trip.moments.count == 7)
        #expect(zip(trip.moments, trip.moments.dropFirst()).allSatisfy { $0 < $1 })
        #expect(trip.end.timeIntervalSince(trip.start) < 1e-5)
        #expect(Set(trip.moments.compactMap { trip.snapshot(at: $0)?.lastLocation?.coordinate }).count == 5)
    }

    @Test("one fix is one moment, however often the log shows it")
    func repeatedFix() throws {
        let fix = Entry.fix(at: 10, Entry.way[0])
        let shown: [(String, LogDocument)] = [
            ("lastLocation", ["location": Entry.point(Entry.way[0]), "serverTime": .text(Entry.time(9.9))])
        ]
        let older: [(String, LogDocument)] = [
            ("lastLocation", ["location": Entry.point(Entry.pickup), "serverTime": .text(Entry.time(5))])
        ]
        let entries = [
            Entry.createTrip(at: 1), Entry.assign(at: 2), fix, fix, Entry.updateTrip(at: 11, shown), Entry.updateTrip(at: 12, older),
            Entry.updateTrip(at: 13, status: "ENROUTE_TO_PICKUP", shown),
        ]
        let trip = try readLog(entries).recordedTrip(matching: "t1")
        #expect(trip.moments == [1, 2, 10, 13].map(Entry.date))
        #expect(trip.snapshot(at: trip.end)?.lastLocation?.coordinate == Entry.way[0])
    }

    @Test("a fix that the trip's entry shows before the vehicle's own entry is counted once")
    func fixShownEarlier() throws {
        let shown: LogDocument = ["location": Entry.point(Entry.way[0]), "serverTime": .text(Entry.time(9.9))]
        let later: LogDocument = [
            "location": Entry.point(Entry.way[0]), "serverTime": .text(Entry.time(9.9)), "rawLocationTime": .text(Entry.time(9.5)),
        ]
        let answer: LogDocument = ["name": "providers/demo/vehicles/CAR-1", "lastLocation": later]
        let entries = [
            Entry.createTrip(at: 1), Entry.assign(at: 2),
            Entry.updateTrip(at: 9.95, status: "ARRIVED_AT_PICKUP", [("lastLocation", shown)]),
            Entry.entry("UpdateVehicle", at: 10, [("request", ["updateMask": "lastLocation"]), ("response", answer)]),
        ]
        let trip = try readLog(entries).recordedTrip(matching: "t1")
        #expect(trip.moments == [1, 2, 9.95].map(Entry.date))
    }

    @Test("only the trip's own vehicle moves it, and only while it has the trip")
    func vehicles() throws {
        let entries = [
            Entry.createTrip(at: 1), Entry.fix(at: 2, Entry.way[0]), Entry.assign(at: 3), Entry.fix(at: 4, Entry.way[1], vehicle: "CAR-2"),
            Entry.fix(at: 5, Entry.way[1]), Entry.updateTrip(at: 6, mask: "vehicleId", [("vehicleId", "CAR-2")]),
            Entry.fix(at: 7, Entry.pickup),
            Entry.fix(at: 8, Entry.dropoff, vehicle: "CAR-2"),
        ]
        let trip = try readLog(entries).recordedTrip(matching: "t1")
        #expect(trip.moments == [1, 3, 5, 6, 8].map(Entry.date))
        let places = trip.moments.map { trip.snapshot(at: $0)?.lastLocation?.coordinate }
        #expect(places == [nil, Entry.way[0], Entry.way[1], Entry.way[1], Entry.dropoff])
        #expect(trip.vehicle(at: Entry.date(3))?.name.vehicle == "CAR-1")
        #expect(trip.vehicle(at: Entry.date(6))?.name.vehicle == "CAR-2")
        #expect(trip.vehicle(at: Entry.date(6))?.state == .online)
    }

    @Test("several trips in one log do not affect each other")
    func severalTrips() throws {
        let entries = [
            Entry.createTrip(at: 1, trip: "a"), Entry.createTrip(at: 2, trip: "b"), Entry.assign(at: 3, trip: "a"),
            Entry.fix(at: 4, Entry.way[0]),
            Entry.updateTrip(at: 5, trip: "a", status: "COMPLETE"), Entry.assign(at: 6, trip: "b"), Entry.fix(at: 7, Entry.way[1]),
        ]
        let log = try readLog(entries)
        #expect(try log.recordedTrip(matching: "a").moments == [1, 3, 4, 5].map(Entry.date))
        #expect(try log.recordedTrip(matching: "b").moments == [2, 6, 7].map(Entry.date))
    }

    @Test("another rider's stops keep their owner and end with the trip's own last stop")
    func sharedVehicle() throws {
        func stop(_ place: Coordinate) -> LogDocument { ["location": ["point": Entry.point(place)]] }
        let foreign = Coordinate(latitude: -47.02, longitude: -20.02)
        let stops = ("waypoints", LogDocument.list([stop(foreign), stop(Entry.pickup), stop(Entry.dropoff), stop(foreign)]))
        let entries = [
            Entry.createTrip(at: 1), Entry.assign(at: 2),
            Entry.fix(at: 3, Entry.way[0], answered: [("currentTrips", ["other", "t1"]), stops]),
        ]
        let trip = try #require(try readLog(entries).recordedTrip(matching: "t1").snapshot(at: Entry.date(3)))
        #expect(trip.remainingWaypoints.map(\.tripID) == ["other", "t1", "t1"])
        #expect(trip.remainingWaypoints.map(\.type) == [.unknown, .pickup, .dropoff])
        #expect(trip.stopsBefore == 1)
    }

    @Test("stops of a trip with intermediate destinations follow its status")
    func intermediates() throws {
        let stops = [Coordinate(latitude: -47.001, longitude: -19.99), Coordinate(latitude: -47.002, longitude: -19.985)]
        func status(_ seconds: Double, _ name: String, _ index: Int) -> LogDocument {
            Entry.updateTrip(at: seconds, status: name, [("intermediateDestinationIndex", .number(Double(index)))])
        }
        let entries = [
            Entry.createTrip(at: 1, stops: stops), Entry.assign(at: 2), status(3, "ENROUTE_TO_INTERMEDIATE_DESTINATION", 0),
            status(4, "ARRIVED_AT_INTERMEDIATE_DESTINATION", 0), status(5, "ENROUTE_TO_INTERMEDIATE_DESTINATION", 1),
            status(6, "ENROUTE_TO_DROPOFF", 1),
        ]
        let trip = try readLog(entries).recordedTrip(matching: "t1")
        let counts = trip.moments.map { trip.snapshot(at: $0)?.remainingWaypoints.count }
        #expect(counts == [0, 4, 3, 3, 2, 1])
        #expect(trip.snapshot(at: Entry.date(4))?.remainingWaypoints.map(\.type) == [.intermediate, .intermediate, .dropoff])
    }

    @Test("the drop-off stays ahead if the log counts more stops than the trip has")
    func indexBeyond() throws {
        let stop = Coordinate(latitude: -47.001, longitude: -19.99)
        let beyond = Entry.updateTrip(
            at: 3, status: "ENROUTE_TO_INTERMEDIATE_DESTINATION", [("intermediateDestinationIndex", .number(7))])
        let trip = try readLog([Entry.createTrip(at: 1, stops: [stop]), Entry.assign(at: 2), beyond]).recordedTrip(matching: "t1")
        #expect(trip.snapshot(at: trip.end)?.remainingWaypoints.map(\.type) == [.dropoff])
    }

    @Test("the vehicle has its latest attributes")
    func attributes() throws {
        let given = Entry.entry(
            "UpdateVehicleAttributes", at: 3,
            [
                ("request", ["name": "providers/demo/vehicles/CAR-1"]),
                ("response", ["attributes": [["key": "colour", "value": "teal"]]]),
            ])
        let trip = try readLog([Entry.createTrip(at: 1), Entry.assign(at: 2), given, Entry.fix(at: 4, Entry.way[0])])
            .recordedTrip(matching: "t1")
        #expect(trip.vehicle(at: trip.end)?.attributes == ["colour": "teal"])
    }

    @Test("a version changes only with its own part")
    func versions() throws {
        let jam: LogDocument = [
            "trafficRendering": ["roadStretch": [["style": "STYLE_TRAFFIC_JAM", "offsetMeters": 200, "lengthMeters": 300]]]
        ]
        let entries =
            Array(Entry.ride.prefix(5)) + [
                Entry.fix(
                    at: 22, Entry.way[1], mask: "lastLocation,currentRouteSegmentTraffic", sent: [("currentRouteSegmentTraffic", jam)])
            ]
        let trip = try readLog(entries).recordedTrip(matching: "t1")
        let route = trip.moments.map { trip.snapshot(at: $0)?.activeRouteVersion?.seconds }
        let start = try #require(LogInstant(text: Entry.time(0))).seconds
        #expect(route == [nil, nil, nil, start + 10, start + 10, start + 10])
        let last = try #require(trip.snapshot(at: trip.end))
        #expect(last.activeRouteTrafficVersion == DataVersion(seconds: start + 22, nanoseconds: 0))
        #expect(last.activeRoute.traffic.map(\.speed) == [.normal, .trafficJam, .normal])
    }

    @Test("a log with only answers of GetTrip is a recording too")
    func answersOnly() throws {
        func answer(_ seconds: Double, _ members: [(String, LogDocument)]) -> LogDocument {
            Entry.entry(
                "GetTrip", at: seconds,
                [("request", ["name": .text(Entry.tripName)]), ("response", .members([("name", .text(Entry.tripName))] + members))])
        }
        func place(_ seconds: Double, _ place: Coordinate) -> (String, LogDocument) {
            ("lastLocation", ["location": Entry.point(place), "updateTime": .text(Entry.time(seconds))])
        }
        let entries = [
            answer(
                1,
                [
                    ("tripStatus", "ENROUTE_TO_PICKUP"), ("vehicleId", "CAR-1"), place(0.5, Entry.way[0]),
                    ("route", .list(Entry.way.map(Entry.point))),
                ]),
            answer(6, [("tripStatus", "ENROUTE_TO_PICKUP"), place(0.5, Entry.way[0])]), answer(11, [place(10, Entry.way[1])]),
            answer(16, [("tripStatus", "COMPLETE")]),
        ]
        let trip = try readLog(entries).recordedTrip(matching: nil)
        #expect(trip.moments == [1, 11, 16].map(Entry.date))
        #expect(trip.snapshot(at: Entry.date(11))?.activeRoute.coordinates == Entry.way)
        #expect(trip.snapshot(at: Entry.date(11))?.lastLocation?.coordinate == Entry.way[1])
    }
}
