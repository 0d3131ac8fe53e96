import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing
import TripWatchSettings
import TripWatchWords

@Suite("The moments of a trip")
struct MomentWatchTests {
    private static let start = Date(timeIntervalSince1970: 1_935_756_130)

    /// Passes answers to a tracker, and the tracker to a watch. Each answer has a position.
    private struct Feed {
        var journey: JourneyTracker
        var watch: MomentWatch
        private var known: Trip?
        private var trip: Trip
        private(set) var now = MomentWatchTests.start

        init(_ rules: MomentRules = .hooks, kind: TripKind? = nil) throws {
            let name = try TripName("providers/demo/trips/made-up-ride")
            journey = JourneyTracker(tripName: name, fallbackKind: kind)
            trip = Trip(name: name, status: .new)
            watch = MomentWatch(rules)
        }

        /// - Parameters:
        ///   - arrivesIn: seconds until the pickup; after the pickup, seconds until the drop-off.
        ///   - endsIn: before the pickup, seconds until the drop-off.
        mutating func answer(
            _ seconds: Double, _ status: TripStatus = .enrouteToPickup, arrivesIn: Double? = nil, endsIn: Double? = nil,
            meters: Double? = nil, isLive: Bool = true, hasCar: Bool? = nil
        ) -> [Moment] {
            now = MomentWatchTests.start.addingTimeInterval(seconds)
            trip.status = status
            trip.vehicleID = hasCar ?? (status != .new) ? "car-1" : nil
            let arrival = arrivesIn.map(now.addingTimeInterval)
            if status.isBeforePickup { trip.pickupTime = arrival } else { trip.dropoffTime = arrival }
            if let endsIn { trip.dropoffTime = now.addingTimeInterval(endsIn) }
            trip.remainingDistanceMeters = meters
            if isLive, trip.vehicleID != nil {
                trip.lastLocation = VehicleLocation(
                    coordinate: Coordinate(latitude: 1, longitude: 1 + seconds / 1e5), serverTime: now)
            }
            defer { known = trip }
            return play(.trip(trip, changed: TripPropertyFields(from: known, to: trip)))
        }

        /// Answers twice with the same arrival, because a shown arrival changes only after the second answer.
        mutating func settle(
            _ seconds: Double, _ status: TripStatus = .enrouteToPickup, arrivesIn: Double, meters: Double? = nil, hasCar: Bool? = nil
        ) -> [Moment] {
            answer(seconds, status, arrivesIn: arrivesIn, meters: meters, hasCar: hasCar)
                + answer(seconds + 1, status, arrivesIn: arrivesIn - 1, meters: meters, hasCar: hasCar)
        }

        mutating func fail(_ seconds: Double) -> [Moment] {
            now = MomentWatchTests.start.addingTimeInterval(seconds)
            let error = FleetEngineError(code: .unavailable, message: "made up")
            return play(.failure(PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 5, attempt: 1)))
        }

        private mutating func play(_ kind: TripUpdate.Kind) -> [Moment] {
            journey.observe(TripUpdate(name: journey.tripName, time: now, kind: kind))
            return watch.observe(journey, now: now)
        }

        mutating func tick(_ seconds: Double) -> [Moment] {
            now = MomentWatchTests.start.addingTimeInterval(seconds)
            journey.tick(now: now)
            return watch.observe(journey, now: now)
        }
    }

    private func words(_ moments: some Sequence<Moment>) -> [String] { moments.map(\.event.rawValue) }

    @Test("the first state is one status, whatever it is", arguments: TripStatus.allCases)
    func first(status: TripStatus) throws {
        var feed = try Feed()
        #expect(words(feed.answer(0, status, arrivesIn: 60, meters: 100)) == (status.isFinal ? ["status", "end"] : ["status"]))
    }

    @Test("nothing is reported before the first answer")
    func silence() throws {
        var feed = try Feed()
        #expect(feed.fail(0).isEmpty)
        #expect(feed.tick(300).isEmpty)
        #expect(words(feed.answer(301, .new)) == ["status"])
    }

    @Test("during a whole ride, each moment is reported once")
    func ride() throws {
        var feed = try Feed()
        var told = words(feed.answer(0, .new))
        told += words(feed.answer(5, arrivesIn: 600, meters: 4_000))
        for second in stride(from: 10.0, through: 600, by: 5) {
            told += words(feed.answer(second, arrivesIn: 605 - second, meters: max(0, 605 - second) * 6.5))
            told += words(feed.tick(second + 1))
        }
        told += words(feed.answer(610, .arrivedAtPickup))
        told += words(feed.answer(620, .enrouteToDropoff, arrivesIn: 300, meters: 2_000))
        for second in stride(from: 625.0, through: 900, by: 5) {
            told += words(feed.answer(second, .enrouteToDropoff, arrivesIn: 920 - second, meters: (920 - second) * 6.5))
        }
        told += words(feed.answer(921, .complete))
        told += words(feed.answer(930, .complete)) + words(feed.tick(1_000))
        #expect(
            told == [
                "status", "status", "time_left", "distance_left", "status", "here", "status", "time_left", "distance_left", "status", "end",
            ])
    }

    @Test("an order's time and distance count to the drop-off from the start, and it has no moment at the shop")
    func order() throws {
        var feed = try Feed(kind: .order)
        var told = feed.answer(0, .new)
        told += feed.answer(5, arrivesIn: 60, endsIn: 600)
        told += feed.answer(65, .arrivedAtPickup, arrivesIn: 0, endsIn: 540)
        #expect(words(told) == ["status", "status", "status"], "the shop is near, the drop-off is not")
        told += feed.answer(490, .enrouteToDropoff, arrivesIn: 115, meters: 480)
        told += feed.answer(600, .complete)
        #expect(words(told.suffix(5)) == ["status", "time_left", "distance_left", "status", "end"])
        #expect(told.allSatisfy { $0.kind == .order })
        #expect(told.dropFirst().prefix(5).allSatisfy { $0.waypoint == .dropoff && $0.arrival == Self.start.addingTimeInterval(605) })
    }

    @Test("a later arrival of an order is the one at the drop-off, even on the way to the shop")
    func laterOrder() throws {
        var feed = try Feed(kind: .order)
        _ = feed.answer(0, arrivesIn: 300, endsIn: 900)
        #expect(feed.answer(5, arrivesIn: 595, endsIn: 895).isEmpty, "the shop alone is later")
        let moved = feed.answer(10, arrivesIn: 590, endsIn: 1_090)
        #expect(words(moved) == ["eta_changed"] && moved.first?.changedBySeconds == 200 && moved.first?.waypoint == .dropoff)
    }

    @Test("a changed arrival is compared with the last reported one, in both directions, but not across stops")
    func changes() throws {
        var feed = try Feed()
        _ = feed.settle(0, arrivesIn: 1_000)
        #expect(feed.settle(10, arrivesIn: 1_090).isEmpty, "100 s later than told")
        let late = feed.settle(20, arrivesIn: 1_110)
        #expect(words(late) == ["eta_changed"])
        #expect(late.first?.changedBySeconds == 130)
        #expect(feed.settle(30, arrivesIn: 1_000).isEmpty, "100 s earlier than told")
        let early = feed.settle(40, arrivesIn: 960)
        #expect(early.map(\.changedBySeconds) == [-130])
        #expect(early.first?.arrival == Self.start.addingTimeInterval(1_000))
        #expect(words(feed.settle(50, .enrouteToDropoff, arrivesIn: 3_000)) == ["status"])
    }

    @Test("a car that stands at the stop does not become later with each second; one that drives on does")
    func standing() throws {
        var feed = try Feed()
        _ = feed.settle(0, arrivesIn: 100, meters: 400)
        for second in stride(from: 100.0, through: 900, by: 5) {
            #expect(feed.answer(second, arrivesIn: 0, meters: 0).isEmpty)
            #expect(feed.tick(second + 1).isEmpty)
        }
        #expect(words(feed.settle(905, arrivesIn: 300, meters: 2_000)) == ["eta_changed"])
    }

    @Test("a car that has not set out yet can come nearer, too")
    func waiting() throws {
        var feed = try Feed()
        #expect(words(feed.answer(0, .new, hasCar: false)) == ["status"])
        #expect(feed.settle(5, .new, arrivesIn: 300, meters: 3_000, hasCar: true).isEmpty)
        #expect(words(feed.settle(200, .new, arrivesIn: 105, meters: 900, hasCar: true)) == ["time_left"])
        #expect(words(feed.settle(260, .new, arrivesIn: 45, meters: 400, hasCar: true)) == ["distance_left"])
        #expect(words(feed.settle(270, arrivesIn: 35, meters: 300)) == ["status"])
    }

    @Test("a share of the remaining time can be a threshold, too")
    func shares() throws {
        var feed = try Feed(try MomentRules.hooks.reading("eta_changed=20%"))
        _ = feed.settle(0, arrivesIn: 1_000)
        #expect(feed.settle(10, arrivesIn: 1_150).isEmpty)
        #expect(feed.settle(20, arrivesIn: 1_200).map(\.changedBySeconds) == [220])
    }

    @Test("a threshold is reported again only after the figure was a fifth above it")
    func hysteresis() throws {
        var feed = try Feed(try MomentRules.hooks.reading("eta_changed=off"))
        _ = feed.settle(0, arrivesIn: 1_000, meters: 5_000)
        #expect(words(feed.settle(10, arrivesIn: 110, meters: 5_000)) == ["time_left"])
        #expect(feed.settle(20, arrivesIn: 140, meters: 5_000).isEmpty)
        #expect(feed.settle(30, arrivesIn: 100, meters: 490).map(\.event) == [.distanceLeft])
        #expect(feed.settle(40, arrivesIn: 200, meters: 590).isEmpty)
        #expect(words(feed.settle(50, arrivesIn: 90, meters: 480)) == ["time_left"])
        #expect(feed.settle(60, arrivesIn: 80, meters: 700).isEmpty)
        #expect(words(feed.settle(70, arrivesIn: 70, meters: 400)) == ["distance_left"])
    }

    @Test("if several thresholds are passed at once, the smallest is reported; if requested, each only once in a trip")
    func several() throws {
        var rules = MomentRules(events: [.timeLeft])
        rules.timesLeft = [600, 300, 120]
        rules.isOncePerTrip = true
        var feed = try Feed(rules)
        _ = feed.settle(0, arrivesIn: 1_000)
        #expect(feed.settle(10, arrivesIn: 280).map(\.threshold) == [300])
        #expect(feed.settle(20, arrivesIn: 900).isEmpty)
        #expect(feed.settle(30, arrivesIn: 290).isEmpty)
        #expect(feed.settle(40, arrivesIn: 100).map(\.threshold) == [120])
        #expect(feed.settle(50, .enrouteToDropoff, arrivesIn: 100).isEmpty)
    }

    @Test("a threshold that is reached at the start is reported to hooks, but causes no alert")
    func nearAtTheStart() throws {
        var hook = try Feed()
        _ = hook.answer(0, arrivesIn: 60)
        #expect(words(hook.tick(1)) == ["time_left"])
        var alert = try Feed(Alerts(words: [.minutes(5), .minutes(1)]).rules)
        _ = alert.answer(0, arrivesIn: 240)
        #expect(alert.tick(1).isEmpty)
        #expect(alert.settle(190, arrivesIn: 50).map(\.threshold) == [60])
    }

    @Test("a countdown alerts with a quiet position, but not with an old one")
    func notLive() throws {
        var quiet = try Feed()
        _ = quiet.answer(0, arrivesIn: 1_000)
        #expect(words(quiet.answer(30, arrivesIn: 60, isLive: false)).contains("time_left") && quiet.journey.freshness == .quiet)
        var feed = try Feed()
        _ = feed.answer(0, arrivesIn: 1_000)
        _ = feed.fail(1)
        #expect(feed.tick(5).isEmpty)
        var other = try Feed()
        _ = other.answer(0, arrivesIn: 1_000, isLive: false)
        #expect(other.answer(5, arrivesIn: 60, isLive: false).isEmpty || !words(other.tick(6)).contains("time_left"))
    }

    @Test("a lost position is reported after a minute, and its return once")
    func lost() throws {
        var feed = try Feed()
        _ = feed.answer(0, arrivesIn: 1_000)
        #expect(feed.fail(5).isEmpty)
        #expect(feed.tick(64).isEmpty)
        let due = try #require(feed.watch.due(feed.journey, after: feed.now))
        #expect(due == Self.start.addingTimeInterval(65))
        #expect(words(feed.tick(65)) == ["position_lost"])
        #expect(feed.tick(200).isEmpty)
        #expect(words(feed.answer(201, arrivesIn: 799)) == ["position_back"])
        #expect(feed.answer(206, arrivesIn: 794).isEmpty)
        #expect(feed.fail(210).isEmpty && feed.answer(230, arrivesIn: 770).isEmpty, "an outage of 20 s is nothing")
    }

    @Test("delays only: the arrival is later than last reported or, if an earlier one has lasted since then, than that")
    func delays() throws {
        var rules = MomentRules(events: [.etaChanged])
        (rules.etaChange, rules.isOnlyDelay) = (.seconds(180), true)
        var feed = try Feed(rules)
        _ = feed.settle(0, arrivesIn: 1_000)
        #expect(feed.settle(10, arrivesIn: 1_090).isEmpty)
        #expect(feed.settle(20, arrivesIn: 1_200).map(\.changedBySeconds) == [220])
        #expect(feed.settle(30, arrivesIn: 1_300).isEmpty)
        // An arrival that moves back and forth is not reported again.
        for swing in 0..<20 {
            let seconds = 40 + Double(swing) * 10
            #expect(feed.settle(seconds, arrivesIn: (swing.isMultiple(of: 2) ? 1_000 : 1_200) - seconds).isEmpty, "\(seconds)")
        }
        #expect(feed.settle(300, arrivesIn: 700).isEmpty && feed.settle(430, arrivesIn: 570).isEmpty)
        #expect(feed.settle(440, arrivesIn: 740).map(\.changedBySeconds) == [180])
    }

    @Test("a delay at the destination counts from its first time, once for all stops, and not for hooks")
    func destination() throws {
        var feed = try Feed(Alerts(words: [.delay]).rules)
        #expect(feed.answer(0, arrivesIn: 600, endsIn: 1_500).isEmpty)
        #expect(feed.answer(10, arrivesIn: 590, endsIn: 1_669).isEmpty, "179 s later")
        #expect(feed.answer(20, arrivesIn: 580, endsIn: 1_680).isEmpty, "one answer is held back")
        let late = feed.answer(30, arrivesIn: 570, endsIn: 1_670)
        #expect(late.map(\.waypoint) == [.dropoff] && late.map(\.changedBySeconds) == [200])
        #expect(late.first?.arrival == Self.start.addingTimeInterval(1_700) && late.first?.remainingSeconds == 1_670)
        // Both stops become late. Only the delay of the pickup is reported, because that of the drop-off follows from it.
        #expect(feed.answer(40, arrivesIn: 760, endsIn: 1_860).map(\.waypoint) == [.pickup])
        #expect(feed.answer(50, arrivesIn: 750, endsIn: 1_850).isEmpty)
        _ = feed.answer(800, .arrivedAtPickup, endsIn: 1_000)
        #expect(feed.answer(810, .enrouteToDropoff, arrivesIn: 1_269).isEmpty, "179 s later than told")
        #expect(feed.answer(820, .enrouteToDropoff, arrivesIn: 1_400).map(\.changedBySeconds) == [320])
        var hook = try Feed()
        _ = hook.answer(0, arrivesIn: 600, endsIn: 1_500)
        #expect(hook.answer(10, arrivesIn: 590, endsIn: 2_500).isEmpty)
    }

    @Test("a car is assigned once, and not at first sight")
    func assigned() throws {
        var feed = try Feed(MomentRules(events: [.assigned]))
        #expect(feed.answer(0, .new).isEmpty)
        #expect(words(feed.answer(5)) == ["assigned"])
        #expect(feed.answer(10, .new).isEmpty && feed.answer(15).isEmpty)
        var late = try Feed(MomentRules(events: [.assigned]))
        #expect(late.answer(0).isEmpty && late.answer(5).isEmpty)
    }

    // MARK: Rules

    @Test("rules are read, and those left out keep their values")
    func rules() throws {
        let rules = try MomentRules.hooks.reading("eta_changed=90s, time_left=5min,distance_left=1.5km,position_lost=2min,here=off")
        #expect(rules.etaChange == .seconds(90))
        #expect(rules.timesLeft == [300] && rules.distancesLeft == [1_500] && rules.lostAfterSeconds == 120)
        #expect(rules.events == MomentRules.hooks.events.subtracting([.here]))
        let without = try MomentRules.hooks.reading("time_left=off,replaced=off,stops_left=5")
        #expect(!without.events.contains(.timeLeft) && without.stopsLeft == 5)
        #expect(without.shipmentEvents == Set(ShipmentMoment.Event.allCases).subtracting([.timeLeft, .replaced]))
        #expect(try without.reading("time_left=90s,replaced=on").shipmentEvents == Set(ShipmentMoment.Event.allCases))
    }

    @Test(
        "rules that cannot be read say why",
        arguments: [
            ("", "must have the form EVENT=THRESHOLD"), ("eta_changed", "must have the form EVENT=THRESHOLD"),
            ("eta=2min", "there is no event"),
            ("assigned=on", "there is no event"), ("time_left=2", "must be a time"), ("distance_left=2min", "must be a distance"),
            ("stops_left=2min", "must be a number of stops"), ("stops_left=-1", "must be a number of stops"), ("outcome=1", "\"off\""),
            ("eta_changed=-2min", "a percentage (such as"), ("time_left=1e9h", "must be a time"), ("status=2min", "\"off\""),
            ("time_left=nan", "must be a time"),
        ])
    func badRules(text: String, why: String) {
        let error = #expect(throws: MomentRules.RuleError.self) { try MomentRules.hooks.reading(text) }
        #expect("\(error.map(\.description) ?? "")".contains(why))
    }
}
