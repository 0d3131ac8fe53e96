import FleetEngine
import FoundationEssentials
import Geo
import PhoneIntake
import Testing

@Suite("A phone's car")
struct CarTests {
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private static func fix(_ seconds: Double, east: Double = 0, speed: Double? = nil) -> PhoneFix {
        let home = Coordinate(latitude: 50, longitude: 8)
        var fix = PhoneFix(coordinate: home.offset(eastMeters: east, northMeters: 0), time: start.addingTimeInterval(seconds))
        fix.speedMetersPerSecond = speed
        return fix
    }

    @Test("the newest fix is the position; a late or repeated one changes nothing")
    func newest() {
        var car = PhoneCar()
        #expect(car.newest == nil && !car.isFresh(now: Self.start) && car.isNews(Self.fix(10)))
        car.add(Self.fix(10))
        car.add(Self.fix(30, east: 20))
        let known = car
        for old in [Self.fix(20, east: 10), Self.fix(5), Self.fix(20, east: 11), Self.fix(30, east: 99)] {
            #expect(!car.isNews(old))
            car.add(old)
        }
        #expect(car == known && car.newest == Self.fix(30, east: 20))
    }

    @Test("if the phone sends no speed, it follows from the distance, so a standing car is slow")
    func speed() throws {
        var car = PhoneCar()
        car.add(Self.fix(0))
        #expect(car.speedMetersPerSecond == nil)
        car.add(Self.fix(10, east: 100))
        #expect(abs(try #require(car.speedMetersPerSecond) - 10) < 0.01)
        car.add(Self.fix(20, east: 100))
        #expect(car.speedMetersPerSecond == 0)
        car.add(Self.fix(30, east: 100, speed: 3))
        #expect(car.speedMetersPerSecond == 3)
        // No car is this fast, so the positions must be wrong, and no speed can be computed.
        car.add(Self.fix(31, east: 400))
        #expect(car.speedMetersPerSecond == nil)
    }

    @Test("after five minutes without a fix, a car gets no new trip; the next fix brings it back")
    func freshness() {
        var car = PhoneCar()
        car.add(Self.fix(0))
        #expect(car.isFresh(now: Self.start.addingTimeInterval(300)) && !car.isFresh(now: Self.start.addingTimeInterval(301)))
        car.add(Self.fix(1_200))
        #expect(car.isFresh(now: Self.start.addingTimeInterval(1_201)))
    }

    @Test("the data of the phone's navigation lapse with the next fix, and after a minute")
    func navigation() {
        var car = PhoneCar()
        var guided = Self.fix(0)
        guided.navigation = PhoneNavigation(remainingMeters: 500)
        car.add(guided)
        #expect(car.navigation(now: Self.start.addingTimeInterval(60)) == guided.navigation)
        #expect(car.navigation(now: Self.start.addingTimeInterval(61)) == nil)
        car.add(Self.fix(10))
        #expect(car.navigation(now: Self.start.addingTimeInterval(11)) == nil)
    }

    @Test("an arrival in the past is ignored, when it comes and later")
    func pastArrival() {
        var car = PhoneCar()
        var guided = Self.fix(0)
        guided.navigation = PhoneNavigation(arrival: Self.start.addingTimeInterval(20), remainingMeters: 500)
        car.add(guided)
        #expect(car.navigation(now: Self.start.addingTimeInterval(20)) == guided.navigation)
        #expect(car.navigation(now: Self.start.addingTimeInterval(21)) == PhoneNavigation(remainingMeters: 500))
        var late = Self.fix(30)
        late.navigation = PhoneNavigation(arrival: Self.start)
        car.add(late)
        #expect(car.navigation(now: Self.start.addingTimeInterval(30)) == nil)
    }

    @Test("the same fixes give the same position in any order")
    func anyOrder() {
        var random = SeededRandom(seed: 3)
        let fixes = (0..<400).map { Self.fix(Double($0), east: Double($0), speed: 1) }
        var inOrder = PhoneCar(), shuffled = PhoneCar()
        for fix in fixes { inOrder.add(fix) }
        for fix in fixes.shuffled(using: &random) { shuffled.add(fix) }
        #expect(shuffled == inOrder)
    }
}

@Suite("The trips of a phone's car")
struct TripMoveTests {
    private static let home = Coordinate(latitude: 50, longitude: 8)

    private var trips = PhoneTrips()

    /// Returns the next step of a trip whose car is `metersAway` to the east of the stop; nil if nothing changes.
    private mutating func step(
        _ status: TripStatus, metersAway: Double? = nil, accuracy: Double? = nil, speed: Double? = 0, index: Int = 0, of count: Int = 0,
        dropoff: Bool = true, radius: Double = 50
    ) -> PhoneMove? {
        let stop = PhoneStop(
            tripID: "t", coordinate: Self.home, status: status, intermediateIndex: index, intermediateCount: count, hasDropoff: dropoff)
        let fix = metersAway.map { meters in
            var fix = PhoneFix(coordinate: Self.home.offset(eastMeters: meters, northMeters: 0), time: Date(timeIntervalSince1970: 0))
            fix.accuracyMeters = accuracy
            return fix
        }
        return trips.step(stop, fix: fix, speedMetersPerSecond: speed, radiusMeters: radius)
    }

    @Test("the steps are: assigned, on the way, arrived, gone again, complete")
    mutating func wholeTrip() {
        #expect(step(.new)?.status == .enrouteToPickup)
        #expect(step(.enrouteToPickup, metersAway: 500) == nil)
        #expect(step(.enrouteToPickup, metersAway: 51) == nil)
        #expect(step(.enrouteToPickup, metersAway: 40, speed: 2) == nil)
        #expect(step(.enrouteToPickup, metersAway: 40, speed: nil) == nil)
        #expect(step(.enrouteToPickup, metersAway: 40, speed: 1.9)?.status == .arrivedAtPickup)
        #expect(step(.arrivedAtPickup, metersAway: 99) == nil)
        #expect(step(.arrivedAtPickup) == nil)
        #expect(step(.arrivedAtPickup, metersAway: 101)?.status == .enrouteToDropoff)
        #expect(step(.enrouteToDropoff, metersAway: 300) == nil)
        #expect(step(.enrouteToDropoff, metersAway: 10)?.status == .complete)
    }

    @Test("stops on the way have their index; a trip without a drop-off ends when the car leaves the last stop")
    mutating func intermediates() {
        #expect(step(.arrivedAtPickup, metersAway: 10, of: 2) == nil)
        let first = step(.arrivedAtPickup, metersAway: 200, of: 2)
        #expect(first?.status == .enrouteToIntermediateDestination && first?.intermediateIndex == 0)
        #expect(step(.enrouteToIntermediateDestination, metersAway: 10, of: 2)?.status == .arrivedAtIntermediateDestination)
        let second = step(.arrivedAtIntermediateDestination, metersAway: 200, of: 2)
        #expect(second?.status == .enrouteToIntermediateDestination && second?.intermediateIndex == 1)
        #expect(step(.enrouteToIntermediateDestination, metersAway: 1, index: 1, of: 2)?.status == .arrivedAtIntermediateDestination)
        #expect(step(.arrivedAtIntermediateDestination, metersAway: 200, index: 1, of: 2, dropoff: false)?.status == .complete)
    }

    @Test("a car on its way to a stop that was removed goes on to the drop-off")
    mutating func removedStop() {
        #expect(step(.enrouteToPickup, metersAway: 10, of: 1)?.status == .arrivedAtPickup)
        #expect(step(.arrivedAtPickup, metersAway: 200, of: 1)?.status == .enrouteToIntermediateDestination)
        #expect(step(.enrouteToIntermediateDestination, metersAway: 10)?.status == .enrouteToDropoff)
    }

    @Test("a status that anyone else sets has priority: nothing moves until the car has been at the next stop")
    mutating func othersWin() {
        #expect(step(.new)?.status == .enrouteToPickup)
        #expect(step(.new) == nil && step(.new, metersAway: 500) == nil)
        #expect(step(.new, metersAway: 50)?.status == .enrouteToPickup)
        // The provider backend has reported the arrival, although the car is far away.
        #expect(step(.arrivedAtPickup, metersAway: 1_000) == nil && step(.arrivedAtPickup, metersAway: 2_000) == nil)
        #expect(step(.arrivedAtPickup, metersAway: 20, speed: 9) == nil)
        #expect(step(.arrivedAtPickup, metersAway: 120)?.status == .enrouteToDropoff)
    }

    @Test("without a stop nothing moves, and nothing is kept")
    mutating func nothingAhead() {
        #expect(step(.new)?.status == .enrouteToPickup)
        let fix = PhoneFix(coordinate: Self.home, time: Date(timeIntervalSince1970: 0))
        #expect(trips.step(nil, fix: fix, speedMetersPerSecond: 0, radiusMeters: 50) == nil)
        #expect(step(.new)?.status == .enrouteToPickup)
    }

    @Test("a fix that is less accurate than the radius changes no status: neither to arrived, nor to gone again, nor to complete")
    mutating func inaccurate() {
        #expect(step(.new)?.status == .enrouteToPickup)
        #expect(step(.enrouteToPickup, metersAway: 30, accuracy: 2_200) == nil)
        #expect(step(.enrouteToPickup, metersAway: 0, accuracy: 51) == nil)
        #expect(step(.enrouteToPickup, metersAway: 30, accuracy: 50)?.status == .arrivedAtPickup)
        #expect(step(.arrivedAtPickup, metersAway: 500, accuracy: 3_000) == nil)
        #expect(step(.arrivedAtPickup, metersAway: 500, accuracy: 10)?.status == .enrouteToDropoff)
        #expect(step(.enrouteToDropoff, metersAway: 5, accuracy: 3_000) == nil)
        #expect(step(.enrouteToDropoff, metersAway: 5, accuracy: 5)?.status == .complete)
    }

    @Test("an unknown accuracy counts as 50 m, and an inaccurate fix does not take a trip back from the provider API")
    mutating func unknownAccuracy() {
        #expect(step(.enrouteToPickup, metersAway: 1, radius: 49) == nil)
        #expect(step(.enrouteToPickup, metersAway: 1, accuracy: 8, radius: 49)?.status == .arrivedAtPickup)
        #expect(step(.enrouteToDropoff, metersAway: 1, accuracy: 900) == nil)
        #expect(step(.enrouteToDropoff, metersAway: 1)?.status == .complete)
        trips = PhoneTrips()
        #expect(step(.new)?.status == .enrouteToPickup)
        #expect(step(.new, metersAway: 1, accuracy: 900) == nil)
        #expect(step(.new, metersAway: 1, accuracy: 9)?.status == .enrouteToPickup)
    }
}
