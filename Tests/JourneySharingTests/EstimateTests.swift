import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

private let noon = Date(timeIntervalSince1970: 1_935_792_000)

private func trip(_ status: TripStatus, _ change: (inout Trip) -> Void = { _ in }) throws -> Trip {
    var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: status)
    change(&trip)
    return trip
}

private func stop(_ type: WaypointType, tripID: String = "t1", eta: Date? = nil, meters: Double? = nil) -> TripWaypoint {
    TripWaypoint(coordinate: Coordinate(latitude: 1, longitude: 1), tripID: tripID, type: type, distanceMeters: meters, eta: eta)
}

@Suite("Arrival estimates")
struct ArrivalEstimateTests {
    @Test("before the pickup the pickup time counts, on the ride the drop-off time")
    func nextStop() throws {
        let pickup = ArrivalEstimate(try trip(.enrouteToPickup) { $0.pickupTime = noon })
        #expect(pickup?.waypoint == .pickup)
        #expect(pickup?.time == noon)
        let dropoff = ArrivalEstimate(try trip(.enrouteToDropoff) { $0.dropoffTime = noon })
        #expect(dropoff?.waypoint == .dropoff)
        #expect(dropoff?.time == noon)
        #expect(ArrivalEstimate(try trip(.complete)) == nil)
        #expect(ArrivalEstimate(try trip(.canceled)) == nil)
    }

    @Test("if another rider's stop comes first, the time is that of the own stop, and the distance includes all legs")
    func othersStop() throws {
        let shared = try trip(.enrouteToPickup) {
            $0.etaToNextWaypoint = noon
            $0.remainingDistanceMeters = 300
            $0.remainingWaypoints = [
                stop(.dropoff, tripID: "other"), stop(.pickup, eta: noon.addingTimeInterval(400), meters: 1_200),
                stop(.dropoff, meters: 5_000),
            ]
        }
        let estimate = try #require(ArrivalEstimate(shared))
        #expect(estimate.time == noon.addingTimeInterval(400))
        #expect(estimate.remainingMeters == 1_500)
        #expect(estimate.stopsBefore == 1)
    }

    @Test("an unknown leg makes the whole distance unknown")
    func unknownLeg() throws {
        let shared = try trip(.enrouteToPickup) {
            $0.remainingDistanceMeters = 300
            $0.remainingWaypoints = [stop(.dropoff, tripID: "other"), stop(.pickup)]
        }
        #expect(ArrivalEstimate(shared)?.remainingMeters == nil)
    }
}

@Suite("The shown arrival")
struct ArrivalForecastTests {
    private func estimate(_ seconds: Double) throws -> ArrivalEstimate? {
        ArrivalEstimate(try trip(.enrouteToPickup) { $0.pickupTime = noon.addingTimeInterval(seconds) })
    }

    @Test("a small change is shown if it lasts for two polls")
    func calm() throws {
        var forecast = ArrivalForecast()
        let isNew8 = forecast.observe(try estimate(300), now: noon)
        #expect(isNew8)
        let isNew9 = forecast.observe(try estimate(390), now: noon)
        #expect(!isNew9)
        #expect(forecast.shown == noon.addingTimeInterval(300))
        let isNew10 = forecast.observe(try estimate(390), now: noon)
        #expect(isNew10)
        #expect(forecast.shown == noon.addingTimeInterval(390))
    }

    @Test("a brief change is never shown")
    func flicker() throws {
        var forecast = ArrivalForecast()
        forecast.observe(try estimate(300), now: noon)
        for _ in 0..<5 {
            forecast.observe(try estimate(390), now: noon)
            forecast.observe(try estimate(300), now: noon)
            #expect(forecast.shown == noon.addingTimeInterval(300))
        }
    }

    @Test("a change of two minutes is shown at once, and is a new promise")
    func jump() throws {
        var forecast = ArrivalForecast()
        forecast.observe(try estimate(300), now: noon)
        let isNew11 = forecast.observe(try estimate(420), now: noon)
        #expect(isNew11)
        #expect(forecast.promises.count == 2)
        #expect(forecast.moves == 1)
        #expect(forecast.driftSeconds == 120)
    }

    @Test("the history is bounded and keeps the first promise")
    func bounded() throws {
        var forecast = ArrivalForecast()
        for index in 0..<2_000 { forecast.observe(try estimate(Double(index % 7) * 200), now: noon) }
        #expect(forecast.promises.count <= 256)
        #expect(forecast.promises.first?.arrival == noon)
    }
}

@Suite("ETA words")
struct ETATextTests {
    @Test(
        "the same rule applies to every view",
        arguments: [
            (nil, nil, "no ETA yet"), (nil, 50, "arriving"), (nil, 51, "no ETA yet"), (0, nil, "arriving"), (0.1, nil, "<1 min"),
            (59.9, nil, "<1 min"),
            (60, nil, "1 min"), (61, nil, "2 min"), (347, nil, "6 min"), (3_540, nil, "59 min"), (3_541, nil, "1 h 00 min"),
            (3_900, nil, "1 h 05 min"), (600, 40, "10 min"), (-10, 300, "arriving"), (-10, 301, "about now"), (-61, 300, "about now"),
            (-61, 51, "about now"), (-61, 50, "arriving"), (-1e9, nil, "about now"),
            (Double.nan, nil, "no ETA yet"), (1e300, nil, "27777 h 47 min"),
        ] as [(Double?, Double?, String)])
    func short(seconds: Double?, meters: Double?, expected: String) {
        #expect(ETAText(remainingSeconds: seconds, remainingMeters: meters).short == expected)
    }

    @Test("in each second of a minute, the countdown is the difference of the two shown clock times")
    func clocks() {
        func minute(_ date: Date) -> Int { Int(date.timeIntervalSince1970) / 60 }
        let pairs: [(Double, Int)] = (0..<60).flatMap { second in [0.5, 30, 59, 61, 90, 347, 360, 3_599].map { ($0, second) } }
        for (ahead, second) in pairs {
            let now = noon.addingTimeInterval(Double(second))
            let arrival = now.addingTimeInterval(ahead)
            let difference = minute(arrival) - minute(now)
            let expected = difference == 0 ? ETAText.Value.lessThanAMinute : difference < 60 ? .minutes(difference) : .hours(1, minutes: 0)
            #expect(ETAText(arrival: arrival, now: now, remainingMeters: 20).value == expected, "\(ahead) s from second \(second) on")
            #expect(ClockMinutes.count(from: now, to: arrival) == difference && ClockMinutes.count(from: arrival, to: now) == -difference)
            #expect(ETAText(arrival: now, now: now).value == .arriving)
        }
        #expect(ClockMinutes.count(from: noon, to: Date(timeIntervalSince1970: .nan)) == 0)
    }

    @Test("a car that stands at the stop keeps arriving, however long ago its arrival was due", arguments: [10.0, 70, 3_600])
    func standing(secondsAgo: Double) {
        let arrival = noon.addingTimeInterval(-secondsAgo)
        #expect(ETAText(arrival: arrival, now: noon, remainingMeters: 20).value == .arriving)
        #expect(ETAText.secondsToNext(arrival: arrival, now: noon, remainingMeters: 20) == nil)
        #expect(ETAText.secondsToNext(arrival: arrival, now: noon, remainingMeters: 200) == (secondsAgo < 60 ? 60 - secondsAgo : nil))
    }

    @Test("no number is ever negative")
    func neverNegative() {
        for seconds in stride(from: -10_000.0, through: 10_000, by: 7) {
            for isLive in [true, false] { #expect(!ETAText(remainingSeconds: seconds, isLive: isLive).text.contains("-")) }
        }
    }

    @Test("a time that is not live is marked as approximate")
    func about() {
        #expect(ETAText(remainingSeconds: 347, isLive: false).text == "about 6 min")
        #expect(ETAText(remainingSeconds: 50, isLive: false).text == "about 1 min")
        #expect(ETAText(remainingSeconds: 50, isLive: false).short == "1 min")
        #expect(ETAText(remainingSeconds: 50, isLive: false).spoken == "about a minute")
        #expect(ETAText(remainingSeconds: -10, isLive: false).text == "about now")
        #expect(ETAText(remainingSeconds: 3_900).spoken == "1 hour and 5 minutes")
        #expect(ETAText(remainingSeconds: 60).spoken == "1 minute")
    }
}

@Suite("Distance words")
struct DistanceTextTests {
    @Test(
        "metric",
        arguments: [
            (0, "0 m"), (13, "15 m"), (24, "25 m"), (60, "50 m"), (90, "100 m"), (804, "800 m"), (974, "950 m"), (976, "1.0 km"),
            (1_804, "1.8 km"), (2_940, "2.9 km"), (2_960, "3 km"), (12_345, "12 km"), (-5, "0 m"), (Double.infinity, "?"),
        ] as [(Double, String)])
    func metric(meters: Double, expected: String) { #expect(DistanceText.text(meters: meters) == expected) }

    @Test(
        "a walk is rounded to tens of metres or yards",
        arguments: [
            (24, MeasurementSystem.metric, "20 m"), (117, .metric, "120 m"), (122, .metric, "120 m"), (994, .metric, "990 m"),
            (996, .metric, "1.0 km"), (122, .uk, "130 yd"), (122, .us, "400 ft"), (-1, .metric, "0 m"), (Double.nan, .uk, "?"),
        ] as [(Double, MeasurementSystem, String)])
    func walk(meters: Double, system: MeasurementSystem, expected: String) {
        #expect(DistanceText.walk(meters: meters, system: system) == expected)
    }

    @Test("a remaining way under 100 m is shown as very near")
    func left() {
        #expect(DistanceText.left(meters: 99) == "very near" && DistanceText.left(meters: -1, system: .us) == "very near")
        #expect(DistanceText.left(meters: 100) == "100 m" && DistanceText.left(meters: .nan) == "?")
        #expect(DistanceText.left(meters: 1_804, system: .us) == "1.1 mi")
    }

    @Test(
        "US and UK measures",
        arguments: [
            (10, MeasurementSystem.us, "50 ft"), (100, .us, "350 ft"), (1_804, .us, "1.1 mi"), (8_000, .us, "5 mi"), (10, .uk, "10 yd"),
            (60, .uk, "75 yd"), (120, .uk, "150 yd"), (1_804, .uk, "1.1 mi"),
        ])
    func imperial(meters: Double, system: MeasurementSystem, expected: String) {
        #expect(DistanceText.text(meters: meters, system: system) == expected)
    }

    @Test(
        "the units follow the region",
        arguments: [
            ("en_US.UTF-8", MeasurementSystem.us), ("en_GB", .uk), ("de_DE.UTF-8", .metric), ("C", .metric), ("", .metric), ("my_MM", .us),
        ])
    func system(locale: String, expected: MeasurementSystem) { #expect(MeasurementSystem(posixLocale: locale) == expected) }
}

@Suite("Progress")
struct ProgressTests {
    private func estimate(_ status: TripStatus, _ meters: Double?) throws -> ArrivalEstimate? {
        ArrivalEstimate(try trip(status) { $0.remainingDistanceMeters = meters })
    }

    @Test("progress is the driven distance over driven plus remaining, per leg; a longer detour does not count as driven")
    func fraction() throws {
        var progress = Progress()
        #expect(progress.fraction == nil)
        progress.observe(try estimate(.enrouteToPickup, 1_000))
        #expect(progress.fraction == 0)
        progress.observe(try estimate(.enrouteToPickup, 750))
        #expect(progress.fraction == 0.25)
        progress.observe(try estimate(.enrouteToPickup, 1_750))
        #expect(progress.fraction == 0.125)
        progress.observe(try estimate(.enrouteToPickup, nil))
        #expect(progress.fraction == 0.125)
        progress.observe(try estimate(.enrouteToDropoff, 400))
        #expect(progress.fraction == 0)
        progress.observe(try estimate(.enrouteToDropoff, 0))
        #expect(progress.fraction == 1)
    }
}

@Suite("Trip merging")
struct PropertyFieldTests {
    @Test("bits have the numbers of the SDK: positions in its list, without gaps")
    func bits() {
        let list: [TripPropertyFields] = [
            .tripName, .vehicleID, .tripType, .tripStatus, .pickupLocation, .pickupTime, .dropoffLocation, .dropoffTime,
            .routeLastVehicleLocation, .numberOfPassengers, .remainingWaypoints, .intermediateDestinations, .intermediateDestinationIndex,
            .remainingDistanceOfActiveRoute, .distanceOfRemainingRoute, .activeRoute, .activeRouteTraffic, .remainingRoute,
            .remainingRouteTraffic,
        ]
        for (place, field) in list.enumerated() { #expect(field.rawValue == 1 << UInt32(place)) }
        #expect(TripPropertyFields().rawValue == 0)
    }

    @Test("only different fields are marked")
    func differences() throws {
        let old = try trip(.enrouteToPickup) { $0.pickupTime = noon }
        var new = old
        #expect(TripPropertyFields(from: old, to: new).isEmpty)
        new.pickupTime = noon.addingTimeInterval(1)
        new.activeRoute = RouteLine([Coordinate(latitude: 0, longitude: 0)])
        #expect(TripPropertyFields(from: old, to: new) == [.pickupTime, .activeRoute])
        #expect(TripPropertyFields(from: nil, to: old) == [.tripName, .vehicleID, .tripStatus, .pickupTime])
    }
}
