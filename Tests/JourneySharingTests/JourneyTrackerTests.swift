import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

@Suite("The state of a journey")
struct JourneyTrackerTests {
    private static let start = Date(timeIntervalSince1970: 1_935_756_130)

    /// Passes a model's updates to a tracker. After each answer, advances the tracker to the time of the answer, as a screen would.
    private struct Feed {
        var journey: JourneyTracker

        init(progress: Progress.Mark? = nil) throws {
            journey = JourneyTracker(tripName: try TripName(provider: "nobody", trip: "made-up"), progress: progress)
        }

        mutating func tell(_ kind: TripUpdate.Kind, _ seconds: Double) {
            let now = JourneyTrackerTests.start.addingTimeInterval(seconds)
            journey.observe(TripUpdate(name: journey.tripName, time: now, kind: kind))
        }

        /// Observes an answer `seconds` after the start. The vehicle has just reported a position `meters` along its line.
        mutating func answer(
            _ seconds: Double, along meters: Double, of vehicle: String = "cart-1", _ change: (inout Trip) -> Void = { _ in }
        ) throws {
            let now = JourneyTrackerTests.start.addingTimeInterval(seconds)
            var trip = try Corner.trip(along: meters, vehicle: vehicle, at: now)
            change(&trip)
            tell(.trip(trip, changed: TripPropertyFields(from: journey.trip, to: trip)), seconds)
            journey.advance(to: now)
        }
    }

    @Test("a tracker that continues another's promise shows the same minutes from then on", arguments: [0.0, 10, 29, 31, 50])
    func shownElsewhere(promised: Double) throws {
        let minute = Date(timeIntervalSince1970: (Self.start.timeIntervalSince1970 / 60).rounded(.up) * 60 + 600)
        func clock(_ feed: Feed) throws -> Int { ClockMinutes.count(from: minute, to: try #require(feed.journey.forecast.shown)) }
        var first = try Feed()
        try first.answer(0, along: 100) { $0.pickupTime = minute.addingTimeInterval(promised) }
        for estimate in stride(from: -60.0, through: 120, by: 6) {
            var (one, two) = (first, try Feed())
            let times = [estimate, estimate, estimate + 20, estimate + 20, estimate + 40, estimate + 40]
            for (index, time) in times.enumerated() {
                let answer = { (trip: inout Trip) in trip.pickupTime = minute.addingTimeInterval(time) }
                try one.answer(Double(index + 1) * 5, along: 100, answer)
                // The second tracker starts when the first one shows the new estimate, that is, at the second equal answer.
                if index == 0 { continue }
                if index == 1 { two.journey.arrivalShownElsewhere = one.journey.forecast.promises.last?.arrival }
                try two.answer(Double(index + 1) * 5, along: 100, answer)
                if index % 2 == 1 { #expect(try clock(one) == clock(two), "\(promised) \(estimate) \(index)") }
            }
        }
    }

    @Test("another program's promise that is 30 s or more away is not continued")
    func otherEstimate() throws {
        for (seconds, isKept) in [(29.0, true), (31, false)] {
            var feed = try Feed()
            let end = Date(timeIntervalSince1970: (Self.start.timeIntervalSince1970 / 60).rounded(.up) * 60 + 600)
            feed.journey.arrivalShownElsewhere = end.addingTimeInterval(-1)
            try feed.answer(0, along: 100) { $0.pickupTime = end.addingTimeInterval(seconds - 1) }
            #expect((try #require(feed.journey.forecast.shown) < end) == isKept)
        }
    }

    @Test("a trip whose vehicle is taken off has no arrival, keeps its promises, and gets an arrival with the next vehicle")
    func lostVehicle() throws {
        var feed = try Feed()
        let arrival = Self.start.addingTimeInterval(300)
        try feed.answer(0, along: 100) { $0.pickupTime = arrival }
        #expect(feed.journey.forecast.shown == arrival)
        try feed.answer(5, along: 100) { ($0.vehicleID, $0.pickupTime, $0.etaToNextWaypoint) = (nil, nil, nil) }
        #expect(feed.journey.forecast.shown == nil)
        #expect(feed.journey.forecast.promises.map(\.arrival) == [arrival])
        try feed.answer(10, along: 50, of: "cart-2") { $0.pickupTime = arrival.addingTimeInterval(400) }
        #expect(feed.journey.forecast.shown == arrival.addingTimeInterval(400))
    }

    @Test("failures make the state old at once, an answer live again, and a recovery alone changes nothing")
    func liveness() throws {
        var feed = try Feed()
        #expect(feed.journey.isLive && !feed.journey.hasLivePosition && feed.journey.freshness == nil)
        try feed.answer(0, along: 100)
        #expect(feed.journey.isLive && feed.journey.hasLivePosition && feed.journey.freshness == .live)
        let error = FleetEngineError(code: .unavailable, message: "")
        feed.tell(.failure(PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 5, attempt: 1)), 5)
        #expect(!feed.journey.isLive && !feed.journey.hasLivePosition && feed.journey.freshness == .offline)
        feed.tell(.recovered(afterSeconds: 5), 10)
        #expect(!feed.journey.isLive && feed.journey.failure == nil)
        try feed.answer(10, along: 180)
        #expect(feed.journey.isLive && feed.journey.hasLivePosition && feed.journey.isNewFix)
        feed.journey.tick(now: Self.start.addingTimeInterval(100))
        #expect(!feed.journey.isLive && feed.journey.freshness == .notLive)
    }

    @Test("an answer that changes nothing still counts, and sets the server's clock")
    func unchangedAnswer() throws {
        var feed = try Feed()
        let arrival = Self.start.addingTimeInterval(300)
        for (seconds, remaining) in [(0.0, 300.0), (5, 297)] {
            try feed.answer(seconds, along: 100) {
                $0.lastLocation?.serverTime = Self.start
                $0.etaToNextWaypoint = arrival
                $0.remainingTimeToNextWaypointSeconds = remaining
            }
        }
        let now = Self.start.addingTimeInterval(5)
        #expect(feed.journey.lastAnswerAt == now && !feed.journey.isNewFix)
        #expect(feed.journey.serverNow(now) == Self.start.addingTimeInterval(3), "the local clock is 2 s ahead")
        #expect(feed.journey.remainingSeconds(now: now) == 297)
    }

    @Test("the vehicle is drawn on its route, and the driven route is kept until another vehicle comes")
    func drivenWay() throws {
        var feed = try Feed()
        for step in 0...10 { try feed.answer(Double(step) * 60, along: 700 + Double(step) * 60) }
        #expect(abs(feed.journey.taken.lengthMeters - 600) < 1)
        #expect(abs(feed.journey.activeRoute.lengthMeters - 2_000) < 1)
        #expect(feed.journey.vehicle?.alongMeters.map { abs($0 - 1_300) < 1 } == true)
        var over = feed
        try over.answer(700, along: 1_300) { $0.status = .complete }
        #expect(over.journey.vehicle == nil && over.journey.freshness == .ended && over.journey.estimate == nil)
        #expect(abs(over.journey.taken.lengthMeters - 600) < 1)
        try feed.answer(700, along: 300, of: "cart-2")
        #expect(feed.journey.taken.lengthMeters == 0)
    }

    @Test("a vehicle that stands at a stop no longer changes any arrival, whatever its route back to the stop")
    func arrived() throws {
        var feed = try Feed()
        func answer(_ seconds: Double, _ status: TripStatus, arrivesIn rest: Double) throws {
            let arrival = Self.start.addingTimeInterval(seconds + rest)
            try feed.answer(seconds, along: 700 + seconds) { ($0.status, $0.pickupTime) = (status, arrival) }
        }
        for seconds in [0.0, 5, 10] { try answer(seconds, .enrouteToPickup, arrivesIn: 15 - seconds) }
        let shown = try #require(feed.journey.forecast.shown)
        for seconds in [20.0, 25, 30, 35] { try answer(seconds, .arrivedAtPickup, arrivesIn: 200) }
        #expect(feed.journey.forecast.shown == shown && feed.journey.forecast.moves == 0)
        #expect(feed.journey.estimate?.time == Self.start.addingTimeInterval(235))
    }

    @Test("a vehicle that was first seen at a stop has no arrival there, whatever another program shows")
    func firstSeenAtStop() throws {
        for elsewhere in [nil, Self.start.addingTimeInterval(-40)] {
            var feed = try Feed()
            feed.journey.arrivalShownElsewhere = elsewhere
            for seconds in [0.0, 5, 10] {
                try feed.answer(seconds, along: 700) {
                    ($0.status, $0.pickupTime) = (.arrivedAtPickup, Self.start.addingTimeInterval(seconds))
                }
                #expect(feed.journey.forecast.shown == nil)
            }
        }
    }

    @Test("each stop has one steady arrival from the first time on, and its promise remains when another stop is next")
    func everyStop() throws {
        var feed = try Feed()
        func time(_ seconds: Double) -> Date { Self.start.addingTimeInterval(seconds) }
        func answer(_ seconds: Double, _ status: TripStatus = .enrouteToPickup, dropoff: Double) throws {
            try feed.answer(seconds, along: 700 + seconds) { trip in
                trip.status = status
                trip.pickupTime = time(300)
                trip.dropoffTime = time(dropoff)
                trip.intermediateDestinations = [Corner.place(0, 0)]
                let stops: [(WaypointType, Double)] = [(.pickup, 300), (.intermediate, dropoff - 400), (.dropoff, dropoff)]
                let passed = status == .enrouteToPickup ? 0 : status == .enrouteToIntermediateDestination ? 1 : 2
                trip.remainingWaypoints = stops.dropFirst(passed).map { type, eta in
                    TripWaypoint(coordinate: Corner.place(0, 0), tripID: "", type: type, eta: time(eta))
                }
            }
        }
        func shown() -> [Date?] { [.pickup, .intermediate(0), .dropoff].map { feed.journey.arrivals[$0].shown } }
        try answer(0, dropoff: 1_000)
        #expect(shown() == [time(300), time(600), time(1_000)])
        try answer(5, dropoff: 1_090)
        #expect(shown() == [time(300), time(600), time(1_000)], "one answer of its own is held back at every stop")
        try answer(10, dropoff: 1_090)
        #expect(shown() == [time(300), time(690), time(1_090)])
        try answer(310, .enrouteToIntermediateDestination, dropoff: 1_090)
        #expect(feed.journey.forecast == feed.journey.arrivals[.intermediate(0)] && feed.journey.forecast.moves == 1)
        try answer(700, .enrouteToDropoff, dropoff: 1_250)
        #expect(feed.journey.forecast == feed.journey.arrivals[.dropoff] && shown() == [time(300), time(690), time(1_250)])
        #expect(feed.journey.forecast.promises.map(\.arrival) == [time(1_000), time(1_090), time(1_250)])
        try answer(1_250, .complete, dropoff: 1_250)
        #expect(feed.journey.forecast.shown == nil && feed.journey.arrivals[.dropoff].moves == 2)
    }

    @Test("progress continues where an earlier run stopped")
    func progress() throws {
        let mark = Progress.Mark(waypoint: .pickup, intermediateIndex: nil, drivenMeters: 300, remainingMeters: 900)
        var feed = try Feed(progress: mark)
        try feed.answer(0, along: 100) { $0.remainingDistanceMeters = 600 }
        #expect(feed.journey.progress.fraction == 0.5)
    }

    @Test("progress begins again with another vehicle, also if an earlier run saw the former one")
    func progressOfAnotherVehicle() throws {
        var feed = try Feed()
        try feed.answer(0, along: 100) { $0.remainingDistanceMeters = 7_000 }
        try feed.answer(5, along: 100) { $0.remainingDistanceMeters = 1_000 }
        let mark = try #require(feed.journey.progress.mark)
        try feed.answer(10, along: 100) { ($0.vehicleID, $0.remainingDistanceMeters) = (nil, nil) }
        try feed.answer(15, along: 100, of: "cart-2") { $0.remainingDistanceMeters = 1_400 }
        #expect(feed.journey.progress.fraction == 0)
        try feed.answer(20, along: 100, of: "cart-2") { $0.remainingDistanceMeters = 700 }
        #expect(feed.journey.progress.fraction == 0.5)
        for (vehicle, fraction) in [("cart-1", 0.9), ("cart-2", 0)] {
            var later = try Feed(progress: mark)
            try later.answer(0, along: 100, of: vehicle) { $0.remainingDistanceMeters = 700 }
            #expect(later.journey.progress.fraction == fraction, "\(vehicle)")
        }
    }
}
