import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

private let noon = Date(timeIntervalSince1970: 1_935_792_000)

/// A vehicle that reports, a server that answers, and a screen that asks for the freshness every second.
private struct Watch {
    /// A report: the time at which it was made, and the time at which the server received it.
    struct Report {
        var made: Double
        var received: Double
    }

    var reports: [Report]
    /// Returns the sensor's clock minus the true time at a moment, in seconds.
    var sensorOffset: (Double) -> Double = { _ in 0 }
    /// The local clock minus the true time, in seconds.
    var localOffset = 0.0
    var pollSeconds = 5.0
    var tellsAnswerTime = true
    var hasServerTime = true

    static func every(_ seconds: Double, until end: Double) -> [Report] {
        stride(from: 0, through: end, by: seconds).map { Report(made: $0, received: $0 + 0.5) }
    }

    /// Returns the freshness and the age at each whole second, with the true age of the shown position.
    func words(until end: Int) throws -> [(word: Freshness?, age: Double, trueAge: Double)] {
        var tracker = FreshnessTracker(pollIntervalSeconds: pollSeconds)
        var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: .enrouteToPickup)
        var shown: Report?
        var nextPoll = 0.0
        return (0...end).map { second in
            let moment = Double(second)
            let local = noon.addingTimeInterval(moment + localOffset)
            if moment >= nextPoll {
                nextPoll = moment + pollSeconds
                if let report = reports.last(where: { $0.received <= moment }) {
                    trip.lastLocation = VehicleLocation(
                        coordinate: Coordinate(latitude: 1, longitude: 1 + report.made * 1e-5),
                        updateTime: noon.addingTimeInterval(report.made + sensorOffset(report.made)),
                        serverTime: hasServerTime ? noon.addingTimeInterval(report.received) : nil)
                    if tellsAnswerTime {
                        trip.etaToNextWaypoint = noon.addingTimeInterval(moment + 300)
                        trip.remainingTimeToNextWaypointSeconds = 300
                    }
                    if tracker.observe(trip, now: local) { shown = report }
                }
            }
            let word = tracker.state(now: local, status: trip.status, failure: nil)
            return (word, tracker.ageSeconds(now: local) ?? .nan, moment - (shown?.made ?? moment))
        }
    }
}

@Suite("Freshness, by table")
struct FreshnessTableTests {
    @Test(
        "the words during a silence, for reporters at each interval",
        arguments: [
            // The columns are times in seconds: between reports, until the position is quiet, and until it is not live.
            (1.0, 20.0, 60.0), (5, 20, 60), (10, 20, 60), (20, 35, 60), (30, 50, 90), (60, 95, 180),
        ])
    func silence(gap: Double, quietAfter: Double, notLiveAfter: Double) throws {
        let end = 10 * gap
        let words = try Watch(reports: Watch.every(gap, until: end)).words(until: Int(end + notLiveAfter) + 60)
        for (second, seen) in words.enumerated() where Double(second) > 2 * gap + 10 {
            let expected: Freshness = seen.age > notLiveAfter ? .notLive : seen.age > quietAfter ? .quiet : .live
            #expect(seen.word == expected, "second \(second), age \(seen.age)")
            if Double(second) <= end { #expect(seen.word == .live, "a regular reporter is live, second \(second)") }
            #expect(abs(seen.age - seen.trueAge) <= 1, "second \(second)")
        }
        #expect(words.last?.word == .notLive)
    }

    @Test(
        "no clock error makes a regular reporter old or a silent one live",
        arguments: [-86_400.0, -7_200, -70, 0, 70, 7_200, 86_400], [-86_400.0, -3_600, -40, 0, 40, 3_600, 86_400])
    func wrongClocks(sensor: Double, local: Double) throws {
        var watch = Watch(reports: Watch.every(10, until: 200))
        watch.sensorOffset = { _ in sensor }
        watch.localOffset = local
        let words = try watch.words(until: 400)
        for (second, seen) in words.enumerated() {
            // If the sensor's clock is behind, reports look late. After two minutes, the program knows the error of the clock.
            let settled = sensor < 0 ? 140 : 15
            if (settled...200).contains(second) { #expect(seen.word == .live, "second \(second)") }
            if seen.trueAge > 75 { #expect(seen.word == .notLive, "second \(second)") }
        }
    }

    @Test(
        "if any clock jumps in the middle, the position is live for at most a moment too long, and soon correct again",
        arguments: [-7_200.0, -90, 90, 7_200])
    func sensorJump(offset: Double) throws {
        var watch = Watch(reports: Watch.every(10, until: 600))
        watch.sensorOffset = { $0 < 300 ? 0 : offset }
        let words = try watch.words(until: 800)
        for (second, seen) in words.enumerated() {
            if (15...299).contains(second) || (480...600).contains(second) { #expect(seen.word == .live, "second \(second)") }
            if seen.trueAge > 75 { #expect(seen.word != .live, "second \(second)") }
        }
    }

    @Test("the age of late, buffered reports includes their delay", arguments: [30.0, 90, 300])
    func buffered(delay: Double) throws {
        var reports = Watch.every(10, until: 100)
        // After a tunnel, all reports arrive at once, oldest first.
        reports += stride(from: 110.0, through: 110 + delay, by: 10).map { Watch.Report(made: $0, received: 110 + delay + ($0 - 110) / 10) }
        let words = try Watch(reports: reports).words(until: Int(100 + 3 * delay) + 60)
        for (second, seen) in words.enumerated() where second > 15 {
            #expect(seen.age >= seen.trueAge - 1, "shown younger than it is, second \(second)")
            if seen.trueAge > 60 { #expect(seen.word == .notLive, "second \(second)") }
        }
    }

    @Test("an answer in which nothing changes any more, not even its times, becomes old nevertheless")
    func frozenServer() throws {
        var tracker = FreshnessTracker()
        var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: .enrouteToPickup)
        trip.lastLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1), updateTime: noon, serverTime: noon)
        trip.etaToNextWaypoint = noon.addingTimeInterval(300)
        trip.remainingTimeToNextWaypointSeconds = 300
        for second in stride(from: 0.0, through: 300, by: 5) {
            let now = noon.addingTimeInterval(second)
            tracker.observe(trip, now: now)
            #expect(tracker.ageSeconds(now: now) == second)
            let expected: Freshness = second > 60 ? .notLive : second > 20 ? .quiet : .live
            #expect(tracker.state(now: now, status: trip.status, failure: nil) == expected)
        }
    }

    @Test("without any time, a new position counts as a new report")
    func noTimes() throws {
        var tracker = FreshnessTracker()
        var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: .enrouteToPickup)
        trip.lastLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1))
        let isFirstNew = tracker.observe(trip, now: noon)
        let isSameNew = tracker.observe(trip, now: noon.addingTimeInterval(30))
        #expect(isFirstNew && !isSameNew)
        #expect(tracker.ageSeconds(now: noon.addingTimeInterval(30)) == 30)
        trip.lastLocation?.coordinate.latitude = 1.001
        let isMovedNew = tracker.observe(trip, now: noon.addingTimeInterval(35))
        #expect(isMovedNew)
        #expect(tracker.ageSeconds(now: noon.addingTimeInterval(35)) == 0)
    }

    @Test("one report from the far future does not block later reports; another vehicle starts afresh")
    func recovers() throws {
        var tracker = FreshnessTracker()
        var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: .enrouteToPickup)
        func answer(_ second: Double, server: Double) -> Bool {
            trip.lastLocation = VehicleLocation(
                coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: noon.addingTimeInterval(server))
            trip.etaToNextWaypoint = noon.addingTimeInterval(second + 300)
            trip.remainingTimeToNextWaypointSeconds = 300
            return tracker.observe(trip, now: noon.addingTimeInterval(second))
        }
        #expect(answer(0, server: 0))
        #expect(!answer(5, server: 1e9))
        #expect(answer(10, server: 10))
        #expect(tracker.ageSeconds(now: noon.addingTimeInterval(12)) == 2)
        let setBack = (1...4).map { answer(10 + 10 * Double($0), server: -5_000 + 10 * Double($0)) }
        #expect(setBack.contains(true), "the server's clock was set back for good")
        trip.vehicleID = "other"
        #expect(answer(60, server: -9_000), "another vehicle's report is not compared with the last one's")
    }

    @Test("for random clocks, delays and gaps, the age is a number, not negative, and not below the time since the report arrived")
    func random() throws {
        var dice = SeededRandom(seed: 8)
        for _ in 0..<200 {
            var tracker = FreshnessTracker(pollIntervalSeconds: dice.double(in: 1...60))
            var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: .enrouteToPickup)
            var now = 0.0
            var seenAt: Double?
            for _ in 0..<60 {
                now += dice.double(in: 0...40)
                func date(_ chance: Double) -> Date? {
                    dice.chance(chance) ? noon.addingTimeInterval(now + dice.normal() * dice.double(in: 0...1e5)) : nil
                }
                trip.lastLocation = VehicleLocation(
                    coordinate: Coordinate(latitude: 1, longitude: dice.unit()), updateTime: date(0.8), serverTime: date(0.8))
                trip.etaToNextWaypoint = date(0.5)
                trip.remainingTimeToNextWaypointSeconds = dice.chance(0.5) ? dice.double(in: -1e4...1e4) : nil
                if tracker.observe(trip, now: noon.addingTimeInterval(now)) { seenAt = now }
                let age = tracker.ageSeconds(now: noon.addingTimeInterval(now))
                #expect(age.map { $0.isFinite && $0 >= 0 && $0 >= now - (seenAt ?? now) - 1e-3 } ?? (seenAt == nil))
            }
        }
    }
}
