import FoundationEssentials
import JourneySharing
import Testing
import TripWatchWords

@Suite("Times in words")
struct TripWordsTests {
    @Test(
        "a time span is shown in the largest unit in which it is a whole number",
        arguments: [
            (1.0, "1 s"), (60, "1 min"), (90, "90 s"), (120, "2 min"), (3_600, "1 h"), (5_400, "90 min"), (86_400, "24 h"), (0, "0 s"),
        ])
    func span(seconds: Double, words: String) { #expect(TripWords.span(seconds) == words) }

    @Test(
        "a clock time has its day in front if it is on another day and half a day away, and its year if it is about a year away",
        arguments: [
            (0.0, "14:07"), (9.8, "23:55"), (11.5, "01:37"), (12.5, "5 May 02:37"), (-12.5, "01:37"), (-15, "3 May 23:07"),
            (448.5, "23 May 06:37"), (8_760, "2032-05-03 14:07"), (Double.infinity, "--:--"), (Double.nan, "--:--"),
        ])
    func clock(hours: Double, words: String) {
        let now = Date(timeIntervalSince1970: 1_935_619_200 + 50_820)
        #expect(Timestamps.clock(now.addingTimeInterval(hours * 3_600), now: now, secondsFromGMT: { _ in 0 }) == words)
    }

    @Test(
        "a difference between two times has its two largest units",
        arguments: [
            (0, "on time"), (9, "9 min late"), (-60, "1 h early"), (200, "3 h 20 min late"), (-1_439, "23 h 59 min early"),
            (2_224, "1 d 13 h late"), (2_890, "2 d late"), (483_970, "336 d 2 h late"),
        ])
    func punctuality(minutes: Int, words: String) { #expect(TripWords.punctuality(minutesLate: minutes) == words) }

    @Test("a vehicle whose arrival is due while it is still far away is not arriving", arguments: [(40.0, "arriving"), (950, "about now")])
    func away(meters: Double, words: String) {
        #expect(TripWords.away(ETAText(remainingSeconds: 0, remainingMeters: meters)) == words)
    }

    @Test("the day is the one in the time zone that is shown")
    func zone() {
        let now = Date(timeIntervalSince1970: 1_935_619_200 + 50_820)
        let next = now.addingTimeInterval(13 * 3_600)
        #expect(Timestamps.clock(next, now: now, secondsFromGMT: { _ in -36_000 }) == "17:07")
        #expect(Timestamps.clock(next, now: now, secondsFromGMT: { _ in 36_000 }) == "13:07")
    }
}
