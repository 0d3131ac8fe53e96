import FoundationEssentials
import Geo
import Navigation
import Testing

@testable import LocationSources

@Suite("Tracks and sentences as other programs and receivers write them")
struct OddTracksTests {
    private static func point(_ index: Int, _ time: String, tag: String = "trkpt") -> String {
        "<\(tag) lat='\(48.5 + Double(index) / 10_000)' lon='9.1'><time>\(time)</time></\(tag)>"
    }

    private static func points(_ clocks: [String]) -> String {
        clocks.enumerated().map { point($0, "2024-05-03T\($1)Z") }.joined()
    }

    private static func track(_ points: String) throws -> RecordedTrack { try gpx("<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>") }

    private static func isLine(_ track: RecordedTrack) -> Bool { if case .line = track.places { true } else { false } }

    @Test("if a tracker writes several points with the same second, none of them is lost")
    func sameSecond() throws {
        let track = try Self.track(Self.points(["20:15:34", "20:15:39", "20:15:39", "20:15:39", "20:15:39", "20:15:42", "20:15:42"]))
        #expect(track.count == 6 && track.omittedCount == 1 && track.durationSeconds == 8)
        #expect(zip(track.seconds, track.seconds.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("if a logger's clock goes back by three seconds and continues, all points are kept")
    func clockStepsBack() throws {
        let clocks = ["07:51:06", "07:51:07", "07:51:08", "07:51:09", "07:51:07", "07:51:08", "07:51:09", "07:51:10"]
        let track = try Self.track(Self.points(clocks))
        #expect(track.seconds == [0, 1, 2, 3, 4, 5, 6, 7] && track.jumpCount == 1 && track.omittedCount == 0)
    }

    @Test("a file with 1970 in each point has no times, and that is reported")
    func epoch() throws {
        let track = try Self.track((0..<4).map { Self.point($0, "1970-01-01T00:00:00Z") }.joined())
        #expect(Self.isLine(track) && track.unusedTimes == .unreadable("1970-01-01T00:00:00Z"))
    }

    @Test("dates that do not exist are not used; their points are reached between the others", arguments: ["00", "31", "32", "0x"])
    func impossibleDays(day: String) throws {
        let wrong = Self.point(1, "2024-06-\(day)T10:00:10Z")
        let track = try Self.track(Self.point(0, "2024-06-30T10:00:00Z") + wrong + Self.point(2, "2024-06-30T10:00:20Z"))
        #expect(track.seconds.map { $0.rounded() } == [0, 10, 20] && track.interpolatedCount == 1)
        let leap = try Self.track(Self.point(0, "2024-02-29T23:59:55Z") + Self.point(1, "2024-03-01T00:00:05Z"))
        #expect(leap.seconds == [0, 10])
        let none = try Self.track(Self.point(0, "2023-02-29T10:00:00Z") + Self.point(1, "2023-02-30T10:00:00Z"))
        #expect(Self.isLine(none) && none.unusedTimes == .unreadable("2023-02-29T10:00:00Z"))
    }

    @Test("a name with a bare ampersand, and space before the declaration, do no harm")
    func almostXML() throws {
        let text =
            "          <?xml version=\"1.0\"?><gpx><trk><name>Park & Ride 4A</name><trkseg>\(Self.points(["10:00:00", "10:00:09"]))</trkseg></trk></gpx>"
        #expect(try gpx(text).seconds == [0, 9])
        let outline = try GPXOutline(pieces(Array(text.utf8)))
        #expect(outline.lines.map(\.name) == ["Park & Ride 4A"])
    }

    @Test("without a track, waypoints with times are used as one, in the order of their times; waypoints without times are left out")
    func waypoints() throws {
        let clocks = ["10:00:20", "10:00:00", "10:00:10"]
        let places = clocks.enumerated().map { Self.point($0, "2024-05-03T\($1)Z", tag: "wpt") }.joined()
        let track = try gpx("<gpx>\(places)<wpt lat='1' lon='1'/></gpx>")
        #expect(track.seconds == [0, 10, 20] && track.coordinates.map { Int(($0.latitude * 10_000).rounded()) % 10 } == [1, 2, 0])
        let both = try gpx("<gpx>\(places)<wpt lat='0' lon='0'/><trk><trkseg>\(Self.points(["11:00:00", "11:00:05"]))</trkseg></trk></gpx>")
        #expect(both.seconds == [0, 5] && both.omittedCount == 0)
    }

    private static func good(_ time: String) -> String { sentence("GPRMC,\(time).00,A,4830.0,N,00906.0,E,9,7.0,290224,,,A") }

    @Test("a position 0,0 with an old date, as some devices write without a fix, does no harm")
    func zeroBetween() throws {
        let zero = sentence("GPRMC,000000.00,A,0.000,N,0.000,E,0.0,0.0,050505,0.0,E") + sentence("GPRMC,,V,,,,,,,,,,N")
        let track = try nmea(zero + Self.good("141300") + zero + Self.good("141305") + zero + Self.good("141310"))
        #expect(track.seconds == [0, 5, 10] && track.coordinates.allSatisfy { $0.latitude > 48 })
    }

    @Test(
        "sentences that lost their middle or their end give no position, with a matching checksum or without one",
        arguments: [
            sentence("GPGGA,141301.00,3249.20458,N,1,-25.6,M,,"), sentence("GPRMC,141301.000,A,5936.79K,D"),
            "$GNRMC,141301.00,A,4109.7,N,00838.2,W,0.120,,170320,,,A*" + sentence("GNVTG,,T,,M,0.120,N,0.222,K,A"),
            "1225,N,08835.9985,W,000.0,000.0,200420,003.4,W*79\r\n",
            "$GPRMC,14130100-A,3454.8,S,13850.0,E,2.4,77.9,120622,8.0,E,A,V*67\r\n",
        ])
    func damaged(line: String) throws {
        let track = try nmea(Self.good("141300") + line + Self.good("141302"))
        #expect(track.seconds == [0, 2] && track.coordinates.allSatisfy { $0.latitude > 48 })
    }

    @Test("fields of later versions, and a speed that no car reaches, do not cost the position")
    func laterVersions() throws {
        let text =
            sentence("GPRMC,120738.50,A,4518.253171,N,00310.861253,E,3.254,239.42,280321,2.00,E,F,S")
            + sentence("GPRMC,120739.50,A,4518.253171,N,00310.861253,E,12195.6,341.5,280321,5,E,A")
        let track = try nmea(text)
        #expect(track.seconds == [0, 1])
        let fixes = try (0..<2).map { try #require(track.point($0)).point.fix(at: Date(timeIntervalSince1970: 0)) }
        #expect(fixes[0].speedMetersPerSecond != nil && fixes[1].speedMetersPerSecond == nil)
    }

    @Test("a late sentence from the last second before midnight belongs to the day before")
    func lateMidnight() throws {
        func gga(_ time: String) -> String { sentence("GPGGA,\(time).00,4830.0,N,00906.0,E,1,08,1.5,211.6,M,42.4,M,,") }
        let track = try nmea(
            Self.good("235958") + sentence("GPRMC,000000.00,A,4830.0,N,00906.0,E,9,7.0,010324,,,A") + gga("235959") + gga("000002"))
        #expect(track.seconds == [0, 2, 4] && track.omittedCount == 1)
    }
}
