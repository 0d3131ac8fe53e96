import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing
import TripWatchWords

@Suite("News about a trip")
struct TripObserverTests {
    private static let start = Date(timeIntervalSince1970: 1_935_756_130)

    /// Passes answers and failures to a tracker, and the tracker to an observer.
    private struct Feed {
        var journey: JourneyTracker
        private var observer = TripObserver()
        private var known: Trip?
        private var trip: Trip

        init() throws {
            let name = try TripName("providers/demo/trips/made-up-ride")
            journey = JourneyTracker(tripName: name)
            trip = Trip(name: name, status: .new)
        }

        mutating func answer(_ seconds: Double, _ change: (inout Trip) -> Void = { _ in }) -> [TripFact] {
            change(&trip)
            defer { known = trip }
            return play(.trip(trip, changed: TripPropertyFields(from: known, to: trip)), seconds)
        }

        mutating func fail(_ seconds: Double, _ code: StatusCode) -> [TripFact] {
            let error = FleetEngineError(code: code, message: "made up")
            return play(.failure(PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 5, attempt: 1)), seconds)
        }

        mutating func recover(_ seconds: Double) -> [TripFact] { play(.recovered(afterSeconds: 5), seconds) }

        private mutating func play(_ kind: TripUpdate.Kind, _ seconds: Double) -> [TripFact] {
            let update = TripUpdate(name: journey.tripName, time: TripObserverTests.start.addingTimeInterval(seconds), kind: kind)
            journey.observe(update)
            return observer.observe(update, journey)
        }

        mutating func tick(_ seconds: Double) -> [TripFact] {
            let now = TripObserverTests.start.addingTimeInterval(seconds)
            journey.tick(now: now)
            return observer.tick(journey, now: now)
        }

        /// Returns the seconds until there may be news even without an answer; nil if only an answer can bring news.
        func newsDue(_ seconds: Double) -> Double? {
            let now = TripObserverTests.start.addingTimeInterval(seconds)
            return observer.newsDue(journey, after: now).map { $0.timeIntervalSince(now) }
        }
    }

    /// Returns the value of each `.freshness` fact, which can be nil. Other facts are left out.
    private func told(_ facts: [TripFact]) -> [Freshness?] {
        facts.compactMap { fact -> Freshness?? in
            guard case .freshness(let state, _, _) = fact else { return nil }
            return .some(state)
        }
    }

    private func place(_ seconds: Double, vehicle: Double = 0) -> VehicleLocation {
        VehicleLocation(
            coordinate: Coordinate(latitude: 1, longitude: 1 + vehicle), serverTime: Self.start.addingTimeInterval(seconds))
    }

    @Test("the first answer always reports the freshness; before it, the clock alone reports nothing")
    func firstAnswer() throws {
        var feed = try Feed()
        #expect(feed.tick(0).isEmpty)
        #expect(told(feed.answer(1)) == [nil])
        #expect(told(feed.answer(6)) == [])
        #expect(feed.tick(60).isEmpty)
    }

    @Test(
        "a failure before the first position is taken back by the next answer",
        arguments: [StatusCode.unavailable, .permissionDenied, .notFound])
    func failureWithoutPosition(code: StatusCode) throws {
        var feed = try Feed()
        _ = feed.answer(0)
        #expect(told(feed.fail(5, code)) == [code == .unavailable ? .offline : .stopped])
        _ = feed.recover(10)
        #expect(told(feed.answer(10)) == [nil])
        #expect(feed.journey.freshness == nil && feed.journey.isLive)
        var first = try Feed()
        #expect(told(first.fail(0, code)).count == 1)
        #expect(told(first.answer(5)) == [nil])
    }

    @Test("a car that was removed, lost its position, or was replaced by one that never reported, is not live")
    func lostPosition() throws {
        for change: (inout Trip) -> Void in [
            {
                $0.vehicleID = nil
                $0.lastLocation = nil
            }, { $0.lastLocation = nil },
            {
                $0.vehicleID = "car-2"
                $0.lastLocation = nil
            },
        ] {
            var feed = try Feed()
            let first = feed.answer(0) {
                $0.status = .enrouteToPickup
                $0.vehicleID = "car-1"
                $0.lastLocation = place(0)
            }
            #expect(told(first) == [.live])
            #expect(told(feed.answer(5, change)) == [nil])
            #expect(feed.journey.freshness == nil && feed.journey.ageSeconds(now: Self.start.addingTimeInterval(5)) == nil)
        }
    }

    @Test("an arrival that the server takes back is reported as unknown, once")
    func withdrawnArrival() throws {
        var feed = try Feed()
        _ = feed.answer(0) {
            $0.status = .enrouteToPickup
            $0.vehicleID = "car-1"
            $0.pickupTime = Self.start.addingTimeInterval(300)
            $0.remainingDistanceMeters = 900
        }
        var told: [ETAFact] = []
        for poll in 1...4 {
            let facts = feed.answer(Double(poll) * 5) {
                $0.pickupTime = nil
                $0.remainingDistanceMeters = nil
            }
            told += facts.compactMap { if case .eta(let eta) = $0 { eta } else { nil } }
        }
        let last = try #require(told.last)
        #expect(last.arrival == nil && last.remainingSeconds == nil && last.remainingMeters == nil)
        #expect(told.count(where: { $0.arrival == nil }) == 1)
    }

    @Test("the destination's promise is kept from the first answer; changes of three minutes are reported, and of one once it is next")
    func destination() throws {
        var feed = try Feed()
        func promises(_ seconds: Double, _ status: TripStatus, endsAt end: Double) -> [[Double]] {
            let facts = feed.answer(seconds) {
                $0.status = status
                $0.vehicleID = "car-1"
                $0.pickupTime = Self.start.addingTimeInterval(300)
                $0.dropoffTime = Self.start.addingTimeInterval(end)
            }
            return facts.compactMap { fact -> [Double]? in
                guard case .promise(.dropoff, let arrival, let previous) = fact else { return nil }
                return [previous, arrival].map { $0.timeIntervalSince(Self.start) }
            }
        }
        #expect(promises(0, .enrouteToPickup, endsAt: 1_000).isEmpty)
        #expect(promises(5, .enrouteToPickup, endsAt: 1_109).isEmpty)
        #expect(promises(10, .enrouteToPickup, endsAt: 1_300) == [[1_000, 1_300]])
        #expect(promises(15, .arrivedAtPickup, endsAt: 1_420).isEmpty)
        #expect(promises(310, .enrouteToDropoff, endsAt: 1_420) == [[1_300, 1_420]])
        #expect(promises(315, .enrouteToDropoff, endsAt: 1_300) == [[1_420, 1_300]])
        #expect(promises(320, .enrouteToDropoff, endsAt: 1_300).isEmpty)
    }

    @Test("added, removed and moved stops are news, and so is a moved drop-off; passing a stop and rounding are not")
    func changedStops() throws {
        func place(_ meters: Double) -> Coordinate { Coordinate(latitude: 1 + meters / 111_195, longitude: 1) }
        var feed = try Feed()
        func changes(_ seconds: Double, _ stops: [Double], dropoff: Double? = 5_000, _ status: TripStatus = .enrouteToPickup) -> [TripFact]
        {
            let facts = feed.answer(seconds) {
                $0.status = status
                $0.intermediateDestinations = stops.map(place)
                $0.intermediateDestinationIndex = Int(seconds / 10)
                $0.dropoffPoint = dropoff.map(place)
            }
            return facts.filter { if case .stopsChanged = $0 { true } else { $0 == .dropoffChanged } }
        }
        #expect(changes(0, [], dropoff: nil).isEmpty)
        #expect(changes(1, [1_000]).isEmpty, "a link tells the stops after its first answer")
        #expect(changes(2, [1_000, 2_000, 3_000]) == [.stopsChanged(added: 2, removed: 0)])
        #expect(changes(12, [1_020, 2_000, 2_980], dropoff: 5_020).isEmpty)
        #expect(changes(13, [1_020, 2_000, 2_500], dropoff: 6_000) == [.stopsChanged(added: 0, removed: 0), .dropoffChanged])
        #expect(changes(14, [2_000, 1_020, 2_500], dropoff: 6_000) == [.stopsChanged(added: 0, removed: 0)])
        #expect(changes(15, [1_020, 4_000, 2_500, 3_500], dropoff: 6_000) == [.stopsChanged(added: 2, removed: 1)])
        #expect(changes(16, [], dropoff: 7_000, .canceled).isEmpty)
    }

    @Test("a moved pickup is news until the rider is in the car; rounding is not, nor a pickup that becomes known")
    func changedPickup() throws {
        var feed = try Feed()
        func isNews(_ seconds: Double, _ meters: Double?, _ status: TripStatus) -> Bool {
            feed.answer(seconds) {
                $0.status = status
                $0.pickupPoint = meters.map { Coordinate(latitude: 1 + $0 / 111_195, longitude: 1) }
            }
            .contains(.pickupChanged)
        }
        #expect(!isNews(0, nil, .new))
        #expect(!isNews(1, 0, .new))
        #expect(isNews(2, 100, .new))
        #expect(!isNews(3, 120, .enrouteToPickup))
        #expect(isNews(4, 300, .enrouteToPickup))
        #expect(isNews(5, 400, .arrivedAtPickup))
        #expect(!isNews(6, 600, .enrouteToDropoff))
        #expect(!isNews(7, 800, .canceled))
    }

    @Test("the countdown of a car without a position sends nobody out")
    func nearWithoutPosition() throws {
        var feed = try Feed()
        var facts = feed.answer(0) {
            $0.status = .enrouteToPickup
            $0.vehicleID = "car-1"
            $0.pickupTime = Self.start.addingTimeInterval(90)
        }
        #expect(!facts.contains { if case .near = $0 { true } else { false } })
        #expect(!WaitGoal.near(seconds: 120).isReached(by: feed.journey, now: Self.start))
        facts = feed.answer(5) { $0.lastLocation = place(5) }
        let tick = feed.tick(6)
        #expect((facts + tick).contains { if case .near = $0 { true } else { false } })
        #expect(WaitGoal.near(seconds: 120).isReached(by: feed.journey, now: Self.start.addingTimeInterval(6)))
    }

    @Test("the next time at which time alone makes news is known, and no news comes before it")
    func due() throws {
        var feed = try Feed()
        #expect(feed.newsDue(0) == nil)
        _ = feed.answer(0)
        #expect(feed.newsDue(0) == nil, "without a position nothing grows old")
        _ = feed.answer(5) {
            $0.status = .enrouteToPickup
            $0.vehicleID = "car-1"
            $0.pickupTime = Self.start.addingTimeInterval(130)
            $0.lastLocation = place(5)
        }
        #expect(try #require(feed.newsDue(5)) == 5, "in 5 s the car is 2 min away")
        #expect(feed.tick(9.5).isEmpty)
        #expect(feed.tick(10).contains { if case .near = $0 { true } else { false } })
        var now = 10.0
        for word in [Freshness.quiet, .notLive] {
            let wait = try #require(feed.newsDue(now))
            #expect(feed.tick(now + wait - 0.01).isEmpty)
            now += wait + 0.01
            #expect(told(feed.tick(now)) == [word])
        }
        #expect(feed.newsDue(200) == nil)
        _ = feed.fail(200, .unavailable)
        #expect(feed.newsDue(200) == nil)
    }
}
