import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

private let noon = Date(timeIntervalSince1970: 1_935_792_000)

@Suite("The shown arrival, with random answers")
struct ForecastPropertyTests {
    private func estimate(_ seconds: Double?, _ status: TripStatus = .enrouteToPickup) throws -> ArrivalEstimate? {
        var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: status)
        trip.pickupTime = seconds.map(noon.addingTimeInterval)
        return ArrivalEstimate(trip)
    }

    @Test("the shown time moves by under two minutes only as far as two successive answers agree")
    func twoPolls() throws {
        var dice = SeededRandom(seed: 4)
        for _ in 0..<200 {
            var forecast = ArrivalForecast()
            var (before, value) = (300.0, 300.0)
            forecast.observe(try estimate(300), now: noon)
            for poll in 1...50 {
                value = dice.chance(0.3) ? before : value + dice.normal() * dice.double(in: 0...60)
                let shown = try #require(forecast.shown).timeIntervalSince(noon)
                let changed = forecast.observe(try estimate(value), now: noon.addingTimeInterval(Double(poll) * 5))
                let new = try #require(forecast.shown).timeIntervalSince(noon)
                #expect(changed == (new != shown))
                if abs(value - shown) >= 120 {
                    #expect(abs(new - value) < 1e-6, "two minutes are shown at once")
                } else if abs(new - shown) >= 1 {
                    let agreed = new > shown ? min(before, value) : max(before, value)
                    let isHeld = abs(new - agreed) < ArrivalForecast.promiseToleranceSeconds
                    #expect(abs(new - agreed) < 1e-6 || isHeld, "shown \(shown), answers \(before), \(value), now \(new)")
                }
                let promise = try #require(forecast.promises.last).arrival
                #expect(ClockMinutes.count(from: promise, to: try #require(forecast.shown)) == 0, "clocks show the promise")
                before = value
            }
        }
    }

    @Test("a steady drift is followed one answer late; a lasting change is shown with the second answer")
    func drift() throws {
        var forecast = ArrivalForecast()
        for poll in 0..<30 {
            forecast.observe(try estimate(300 + 5 * Double(poll)), now: noon)
            let shown = try #require(forecast.shown).timeIntervalSince(noon)
            #expect(abs(shown - (300 + 5 * Double(max(0, poll - 1)))) < ArrivalForecast.promiseToleranceSeconds)
        }
        #expect(forecast.driftSeconds > 60)
        #expect(forecast.moves >= 1)
    }

    @Test("an estimate near a full minute keeps its minute; 30 s after the promise, the minute and the promise change")
    func fullMinute() throws {
        for (estimates, moves, last) in [
            ([358.0, 365, 355, 387, 358], 0, 358.0), ([358, 388], 1, 388), ([362, 333], 0, 360), ([362, 332], 1, 332),
            ([300, 359], 0, 359), ([300, 361], 1, 361),
            // Small steps in one direction add up to one change.
            ([300, 320, 340, 360, 380, 400], 1, 400),
        ] {
            var forecast = ArrivalForecast()
            // A change is shown only when a second answer confirms it, so the forecast observes each estimate twice.
            for value in estimates.flatMap({ [$0, $0] }) { forecast.observe(try estimate(value), now: noon) }
            #expect(forecast.moves == moves, "\(estimates)")
            #expect(forecast.shown == noon.addingTimeInterval(last), "\(estimates)")
        }
    }

    @Test("one answer without an estimate is ignored, a second one removes the arrival; another stop starts a new promise")
    func missing() throws {
        var forecast = ArrivalForecast()
        forecast.observe(try estimate(300), now: noon)
        let isGapNews = forecast.observe(try estimate(nil), now: noon)
        #expect(!isGapNews && forecast.shown != nil)
        let isSecondNews = forecast.observe(try estimate(nil), now: noon)
        #expect(isSecondNews && forecast.shown == nil)
        let isBackNews = forecast.observe(try estimate(310), now: noon)
        #expect(isBackNews && forecast.promises.count == 1)
        let isLossNews = forecast.observe(try estimate(nil, .enrouteToDropoff), now: noon)
        #expect(isLossNews && forecast.shown == nil && forecast.promises.isEmpty)
        let isRepeatNews = forecast.observe(try estimate(nil, .enrouteToDropoff), now: noon)
        #expect(!isRepeatNews)
    }

    @Test("the end of a trip removes the arrival, and this is reported as a change")
    func ended() throws {
        var forecast = ArrivalForecast()
        forecast.observe(try estimate(300), now: noon)
        let isNews = forecast.observe(try estimate(nil, .complete), now: noon)
        #expect(isNews && forecast.shown == nil)
    }

    @Test("the history says when each promise was made, oldest first, and by how much it slipped")
    func history() throws {
        var forecast = ArrivalForecast()
        for (poll, value) in [300.0, 300, 480, 480, 500, 500, 420, 420].enumerated() {
            forecast.observe(try estimate(value), now: noon.addingTimeInterval(Double(poll) * 5))
        }
        #expect(forecast.promises.map { $0.arrival.timeIntervalSince(noon) } == [300, 480, 420])
        #expect(forecast.promises.map { $0.madeAt.timeIntervalSince(noon) } == [0, 10, 35])
        #expect(forecast.driftSeconds == 120)
        #expect(forecast.moves == 2)
    }

    @Test("when its time has passed, an estimate becomes a word and never a negative number")
    func overdue() throws {
        var forecast = ArrivalForecast()
        for second in stride(from: 0.0, through: 600, by: 5) {
            forecast.observe(try estimate(120), now: noon.addingTimeInterval(second))
            let shown = try #require(forecast.shown)
            let text = ETAText(arrival: shown, now: noon.addingTimeInterval(second), remainingMeters: 300)
            let expected =
                second < 120 ? "\(second < 60 ? 2 : 1) min" : second <= 180 ? "arriving" : "about now"
            #expect(text.text == expected, "second \(second)")
        }
    }
}
