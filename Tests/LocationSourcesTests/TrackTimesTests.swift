import FoundationEssentials
import Geo
import Navigation
import Testing

@testable import LocationSources

@Suite("Times of recorded tracks")
struct TrackTimesTests {
    /// Returns a GPX file with these times. Its points are 111 m apart, from south to north.
    private static func file(_ times: [String]) -> String {
        let points = times.enumerated().map { index, time in
            "<trkpt lat='\(48.5 + Double(index) / 1_000)' lon='9.1'>\(time.isEmpty ? "" : "<time>\(time)</time>")</trkpt>"
        }
        return "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    private static func clock(_ times: String...) -> [String] { times.map { "2024-02-28T\($0)Z" } }

    /// Returns the track in a faulty file that a real device wrote; nil if the file is missing.
    private static func field(_ name: String) throws -> RecordedTrack? {
        guard let bytes = sharedFile("../field/sources/\(name)") else { return nil }
        return try GPXReader.track(pieces(bytes, of: 999))
    }

    private static func isLine(_ track: RecordedTrack) -> Bool { if case .line = track.places { true } else { false } }

    @Test("a wrong date between right ones does not shorten the track, and neither do several in a row")
    func strayDates() throws {
        let wrong = [
            "2024-02-28T10:00:00Z", "2043-01-01T10:00:00Z", "1999-01-01T00:00:00Z", "1999-01-01T00:00:05Z", "2024-02-28T10:00:40Z",
        ]
        let track = try gpx(Self.file(wrong))
        #expect(track.seconds.map { $0.rounded() } == [0, 10, 20, 30, 40] && track.jumpCount == 0 && track.interpolatedCount == 3)
        #expect(track.unusedTimes == nil)
        let cold = try gpx(Self.file(["1999-08-22T00:00:00Z"] + Self.clock("10:00:00", "10:00:10", "10:00:20")))
        #expect(cold.seconds == [0, 1, 11, 21] && cold.jumpCount == 1)
        if let field = try Self.field("b02-one-date-wrong.gpx") { #expect(field.count == 10 && field.durationSeconds == 90) }
    }

    @Test("times that decrease, stand still or are months apart are not used: every point is driven at 50 km/h")
    func useless() throws {
        let falling = try gpx(Self.file(Self.clock("10:00:30", "10:00:20", "10:00:10", "10:00:00")))
        let two = try gpx(Self.file(Self.clock("10:00:10", "10:00:00")))
        let still = try gpx(Self.file(Self.clock("10:00:00", "10:00:00", "10:00:00", "10:00:00")))
        for track in [falling, two, still] {
            #expect(Self.isLine(track) && track.unusedTimes == .notRising && track.omittedCount == 0)
        }
        #expect(abs(falling.durationSeconds - 333.6 / RecordedTrack.lineMetersPerSecond) < 0.2)
        let months = try gpx(Self.file((1...6).map { "2024-0\($0)-28T10:00:00Z" }))
        #expect(Self.isLine(months) && months.unusedTimes == .daysApart)
        if let field = try Self.field("b03-times-fall.gpx") { #expect(Self.isLine(field) && field.unusedTimes == .notRising) }
        if let field = try Self.field("b09-months.gpx") { #expect(Self.isLine(field) && field.unusedTimes == .daysApart) }
    }

    @Test("a clock that is set back goes on a second later, and no point is lost; a single late point is left out")
    func setBack() throws {
        let summer = Self.clock("02:59:40", "02:59:50", "02:00:00", "02:00:10", "02:00:20", "02:00:30")
        let track = try gpx(Self.file(summer))
        #expect(track.seconds == [0, 10, 11, 21, 31, 41] && track.jumpCount == 1 && track.omittedCount == 0)
        let late = try gpx(Self.file(Self.clock("10:00:00", "10:00:20", "10:00:10", "10:00:30")))
        #expect(late.seconds == [0, 20, 30] && late.omittedCount == 1 && late.jumpCount == 0)
    }

    @Test("points with the same second or minute are spread up to the next one, in a file of sentences too")
    func coarse() throws {
        let track = try gpx(Self.file(Self.clock("10:00:00", "10:00:00", "10:00:00", "10:03:00", "10:03:00", "10:05:00")))
        #expect(track.seconds.map { $0.rounded() } == [0, 60, 120, 180, 240, 300] && track.omittedCount == 0)
        #expect(track.interpolatedCount == 3)
        let back = ["100010", "100005", "100000"].enumerated().map { index, time in
            sentence("GPRMC,\(time).00,A,483\(index).0,N,00906.0,E,9,7.0,290224,,,A")
        }
        let line = try nmea(back.joined())
        #expect(Self.isLine(line) && line.unusedTimes == .notRising)
    }

    @Test("in a stream, a clock that is set back is accepted with its third fix; single late fixes are left out")
    func stream() {
        var timing = StreamTiming()
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        func due(_ seconds: Double) -> [Double] {
            let fix = LocationFix(coordinate: Coordinate(latitude: 1, longitude: 2), time: now.addingTimeInterval(seconds - 90_000))
            return timing.add(fix, at: now).entries.compactMap { $0.due?.timeIntervalSince(now) }
        }
        #expect([3_600, 3_610, 3_605, 3_620].map(due) == [[], [0, 10], [], [20]])
        #expect([20, 30, 40, 50].map(due) == [[], [], [21], [31]])
        #expect([40, 30, 20].map(due) == [[], [], []])
    }

    @Test(
        "times are read as other programs write them",
        arguments: [
            ("2024-02-28T14:13:00.500+01:00[Europe/Brussels]", "2024-02-28T14:13:30.500+01:00[America/Argentina/ComodRivadavia]"),
            ("2024-02-28 14:13:00", " 2024-02-28 14:13:30 UTC "), ("2024-02-28T14:13Z", "2024-02-28T14:13:30"),
            ("2024-02-28 15:13:00 +0100", "2024-02-28T15:13:30+01"), ("2024-02-28T14:13:00 GMT", "2024-02-28T15:13:30 GMT+01:00"),
        ])
    func variants(first: String, second: String) throws {
        let track = try gpx(Self.file([first, second]))
        #expect(track.seconds == [0, 30] && track.unusedTimes == nil)
    }

    @Test("unreadable times are reported, with the first one; a file without times reports nothing")
    func unreadable() throws {
        let texts = ["28.02.2024 14:13", "yesterday\u{202E}", "0001-01-01T00:00:00Z", "2024-02-28T25:00:00Z"]
        for text in texts {
            let track = try gpx(Self.file(["", text, "x"]))
            guard case .unreadable(let shown) = track.unusedTimes else {
                Issue.record("\(text)")
                continue
            }
            #expect(Self.isLine(track) && shown == text.filter { $0 != "\u{202E}" })
        }
        #expect(try gpx(Self.file(["", "", ""])).unusedTimes == nil)
        #expect(try gpx(Self.file(Self.clock("10:00:00") + ["", ""])).unusedTimes == .few)
    }

    @Test("variants of times from the field are driven at their pace, or reported")
    func field() throws {
        for (name, seconds) in [("b01-zone-name.gpx", 60.0), ("b12-space-time.gpx", 60), ("b16-no-seconds.gpx", 3_600)] {
            if let track = try Self.field(name) { #expect(track.durationSeconds == seconds && track.count == 7, "\(name)") }
        }
        if let track = try Self.field("b19b-year-1.gpx") {
            #expect(track.unusedTimes == .unreadable("0001-01-01T00:00:00Z") && Self.isLine(track))
        }
    }
}
