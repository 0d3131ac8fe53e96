import FoundationEssentials
import Geo
import PhoneIntake
import Testing

@Suite("Phones with a wrong clock")
struct ClockTests {
    private static let now = FormatTests.now
    private static let round = 1_024 * 7 * 86_400

    private static func ownTracks(_ ahead: Int) -> String {
        #"{"_type":"location","lat":48.5,"lon":9.1,"tst":\#(1_700_000_000 + ahead)}"#
    }

    @Test("a time that is one or two GPS week rollovers behind is corrected, and keeps its age", arguments: [0, 5, 3_600, 86_400])
    func rollover(age: Int) throws {
        for rounds in 0...2 {
            let post = try FormatTests.read(.owntracks, Self.ownTracks(-age - rounds * Self.round))
            #expect(post.fixes.map(\.time) == [Self.now.addingTimeInterval(Double(-age))] && post.clockAheadSeconds == nil)
        }
        let text = try FormatTests.read(.osmand, query: "lat=48.5&lon=9.1&timestamp=2004-03-30T22:13:15Z")
        #expect(text.fixes.map(\.time) == [Self.now.addingTimeInterval(-5)])
    }

    @Test("a time that is a week off a rollover, or a month late, is not changed")
    func noRollover() throws {
        for ahead in [7 * 86_400 - Self.round, -31 * 86_400 - Self.round, -Self.round / 2] {
            let post = try FormatTests.read(.owntracks, Self.ownTracks(ahead))
            #expect(post.fixes.map(\.time) == [Self.now.addingTimeInterval(Double(ahead))])
        }
    }

    @Test("a request with an impossible time says by how much the clock is off", arguments: [61, 95, 86_400 * 365, -1_600_000_000])
    func told(ahead: Int) throws {
        let post = try FormatTests.read(.owntracks, Self.ownTracks(ahead))
        #expect(post.fixes.isEmpty && post.clockAheadSeconds == ahead)
        #expect(post.omissions == [ahead < 0 ? .time : .future: 1])
    }

    @Test("an unreadable time, and a plausible one, say nothing about the clock")
    func untold() throws {
        for time in ["\"soon\"", "1700000060", "1600000000"] {
            let post = try FormatTests.read(.owntracks, #"{"_type":"location","lat":48.5,"lon":9.1,"tst":\#(time)}"#)
            #expect(post.clockAheadSeconds == nil)
        }
    }

    @Test("phones from the field", .enabled(if: FieldRequest.arePresent))
    func fromTheField() throws {
        func read(_ name: String) throws -> PhonePost {
            let request = try #require(try FieldRequest.read(name, now: Self.now).first)
            return try FormatTests.read(request.format, request.body)
        }
        #expect(try read("a10-week-rollover").fixes.map(\.time) == [Self.now])
        let ahead = try read("a11-phone-clock-ahead")
        #expect(ahead.fixes.isEmpty && ahead.clockAheadSeconds == 95)
    }
}
