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
}
