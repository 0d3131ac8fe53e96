import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

private let noon = Date(timeIntervalSince1970: 1_935_792_000)

/// A series of answers that have one position each.
private struct Feed {
    var tracker = FreshnessTracker()
    var trip: Trip

    init() throws { trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: .enrouteToPickup) }

    /// Observes an answer. Times are seconds after noon by the server's clock. `localOffset` is the error of the local clock, in seconds.
    @discardableResult
    mutating func answer(at now: Double, server: Double?, sensor: Double?, localOffset: Double = 0) -> Bool {
        trip.lastLocation = VehicleLocation(
            coordinate: Coordinate(latitude: 1, longitude: 1), updateTime: sensor.map(noon.addingTimeInterval),
            serverTime: server.map(noon.addingTimeInterval))
        trip.etaToNextWaypoint = noon.addingTimeInterval(now + 100)
        trip.remainingTimeToNextWaypointSeconds = 100
        return tracker.observe(trip, now: noon.addingTimeInterval(now + localOffset))
    }

    func age(at now: Double, localOffset: Double = 0) -> Double? { tracker.ageSeconds(now: noon.addingTimeInterval(now + localOffset)) }

    func state(at now: Double, failure: PollFailure? = nil) -> Freshness? {
        tracker.state(now: noon.addingTimeInterval(now), status: .enrouteToPickup, failure: failure)
    }
}

@Suite("Freshness")
struct FreshnessTests {
    @Test("after a trip is over, a position without a time is no fix: its age is unknown, or the earlier fix remains")
    func placeOfWhatIsOver() throws {
        var late = try Feed()
        late.trip.status = .complete
        #expect(!late.answer(at: 0, server: nil, sensor: nil) && late.age(at: 60) == nil)
        var followed = try Feed()
        followed.answer(at: 0, server: -3, sensor: nil)
        followed.trip.status = .complete
        #expect(!followed.answer(at: 5, server: nil, sensor: nil) && followed.age(at: 60) == 63)
    }

    @Test(
        "if the server's clock and the car's are set before the program knows the server's clock, nothing becomes old",
        arguments: [-3_600.0, 3_600])
    func setBeforeItIsTold(jump: Double) throws {
        var feed = try Feed()
        // The first answer does not reveal the server's clock.
        feed.trip.lastLocation = VehicleLocation(
            coordinate: Coordinate(latitude: 1, longitude: 1), updateTime: noon.addingTimeInterval(-15),
            serverTime: noon.addingTimeInterval(-14))
        feed.tracker.observe(feed.trip, now: noon)
        for second in stride(from: 5.0, through: 60, by: 5) {
            feed.answer(at: second + jump, server: second - 1 + jump, sensor: second - 2 + jump, localOffset: -jump)
            let age = try #require(feed.age(at: second + jump, localOffset: -jump))
            #expect((0...20).contains(age), "after \(second) s: \(age)")
        }
    }

    @Test("live, quiet and not live by age")
    func words() throws {
        var feed = try Feed()
        for second in stride(from: 0.0, through: 60, by: 10) { feed.answer(at: second, server: second, sensor: second) }
        #expect(feed.state(at: 65) == .live)
        #expect(feed.state(at: 80) == .live)
        #expect(feed.state(at: 81) == .quiet)
        #expect(feed.state(at: 120) == .quiet)
        #expect(feed.state(at: 121) == .notLive)
    }

    @Test("a wrong local clock changes nothing", arguments: [-7_200.0, -90, 90, 86_400])
    func localClock(offset: Double) throws {
        var feed = try Feed()
        for second in stride(from: 0.0, through: 60, by: 10) {
            feed.answer(at: second, server: second, sensor: second, localOffset: offset)
        }
        #expect(feed.age(at: 63, localOffset: offset).map { abs($0 - 3) < 0.001 } == true)
    }

    @Test("a sensor clock that is hours ahead does not make live fixes old", arguments: [3_600.0, 7_200, 86_400])
    func sensorAhead(offset: Double) throws {
        var feed = try Feed()
        for second in stride(from: 0.0, through: 60, by: 10) { feed.answer(at: second, server: second, sensor: second + offset) }
        #expect(feed.state(at: 63) == .live)
        #expect(feed.age(at: 63).map { $0 < 4 } == true)
    }

    @Test(
        "a sensor clock that is behind makes fixes old until two minutes of them show the error",
        arguments: [-86_400.0, -7_200, -3_600, -90])
    func sensorBehind(offset: Double) throws {
        var feed = try Feed()
        for second in stride(from: 0.0, through: 110, by: 10) {
            feed.answer(at: second, server: second, sensor: second + offset)
            #expect(feed.state(at: second) == .notLive && feed.age(at: second) == -offset)
        }
        feed.answer(at: 120, server: 120, sensor: 120 + offset)
        #expect(feed.state(at: 123) == .live && feed.age(at: 123) == 3)
    }

    @Test("a late, buffered fix is old although it has just arrived")
    func buffered() throws {
        var feed = try Feed()
        for second in stride(from: 0.0, through: 60, by: 10) { feed.answer(at: second, server: second, sensor: second) }
        feed.answer(at: 70, server: 70, sensor: -50)
        #expect(feed.age(at: 70) == 120)
        #expect(feed.state(at: 70) == .notLive)
    }

    @Test("fixes 300 s old are never live", arguments: [true, false])
    func old(hasServerTime: Bool) throws {
        var feed = try Feed()
        for second in stride(from: 0.0, through: 60, by: 5) {
            feed.answer(at: second, server: hasServerTime ? second : nil, sensor: second - 300)
            #expect(feed.state(at: second) != .live)
        }
    }

    @Test("a fix from the future does not count as newer")
    func future() throws {
        var feed = try Feed()
        for second in stride(from: 0.0, through: 60, by: 10) { feed.answer(at: second, server: second, sensor: second) }
        let isNew12 = feed.answer(at: 70, server: 70, sensor: 4_000)
        #expect(!isNew12)
        #expect(feed.age(at: 75) == 15)
        let isNew13 = feed.answer(at: 80, server: 80, sensor: 80)
        #expect(isNew13)
        #expect(feed.age(at: 81) == 1)
    }

    @Test("an older report does not replace a newer one")
    func outOfOrder() throws {
        var feed = try Feed()
        feed.answer(at: 10, server: 10, sensor: 10)
        let isNew14 = feed.answer(at: 12, server: 5, sensor: 5)
        #expect(!isNew14)
        #expect(feed.age(at: 12) == 2)
    }

    @Test("a failing connection is offline, a required action is stopped, the end is ended")
    func failures() throws {
        var feed = try Feed()
        feed.answer(at: 0, server: 0, sensor: 0)
        func failure(_ code: StatusCode) -> PollFailure {
            let error = FleetEngineError(code: code, message: "")
            return PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 5, attempt: 1)
        }
        #expect(feed.state(at: 1, failure: failure(.unavailable)) == .offline)
        #expect(feed.state(at: 1, failure: failure(.unauthenticated)) == .stopped)
        #expect(feed.tracker.state(now: noon, status: .complete, failure: failure(.unavailable)) == .ended)
    }

    @Test("a slow reporter gets more time")
    func slowReporter() throws {
        var feed = try Feed()
        for second in stride(from: 0.0, through: 600, by: 60) { feed.answer(at: second, server: second, sensor: second) }
        #expect(feed.tracker.reportGapSeconds == 60)
        #expect(feed.state(at: 690) == .live)
        #expect(feed.state(at: 781) == .notLive)
    }
}
