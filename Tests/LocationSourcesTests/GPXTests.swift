import FoundationEssentials
import Geo
import Navigation
import Testing

@testable import LocationSources

@Suite("GPX files")
struct GPXTests {
    private static func track(_ body: String, version: String = "1.1") -> String {
        "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE gpx [<!ENTITY a \"aaa\">]>\n"
            + "<gpx version=\"\(version)\" xmlns=\"http://www.topografix.com/GPX/1/1\"><!-- <trkpt lat=\"1\" lon=\"1\"/> -->\(body)</gpx>\n"
    }

    private static func point(_ latitude: String, _ second: Int, _ more: String = "") -> String {
        "<trkpt lat=\"\(latitude)\" lon='-20.5'><time>2024-02-29T12:00:0\(second)Z</time>\(more)</trkpt>"
    }

    @Test(
        "a track with times keeps its pace and its accuracy, speed and course; everything else is unknown", arguments: [1, 7, 4_096])
    func timed(size: Int) throws {
        let more =
            "<ele>120.5</ele><hdop>1.2</hdop><extensions><x:TPX xmlns:x='u'><x:speed>8.25</x:speed><x:course>271.5</x:course></x:TPX></extensions>"
        let track = try gpx(
            Self.track("<trk><name>&lt;A&gt;</name><trkseg>\(Self.point("-36.0", 0))\(Self.point("-36.001", 4, more))</trkseg></trk>"),
            size: size)
        #expect(track.seconds == [0, 4])
        #expect(track.coordinates == [Coordinate(latitude: -36, longitude: -20.5), Coordinate(latitude: -36.001, longitude: -20.5)])
        let fixes = try (0..<2).map { try #require(track.point($0)).point.fix(at: Date(timeIntervalSince1970: 5)) }
        #expect(fixes[0].accuracyMeters == nil && fixes[0].speedMetersPerSecond == nil && fixes[0].courseDegrees == nil)
        #expect(fixes[1].speedMetersPerSecond == 8.25 && fixes[1].courseDegrees == 271.5)
        #expect(abs(try #require(fixes[1].accuracyMeters) - 6) < 0.001)
        #expect(fixes.allSatisfy { $0.altitudeMeters == nil })
    }

    @Test("speed and course of GPX 1.0 are read, and so are a height above the geoid and CDATA")
    func version10() throws {
        let more = "<ele>100</ele><geoidheight><![CDATA[42.5]]></geoidheight><speed> 12.5 </speed><course>90</course>"
        let track = try gpx(Self.track("<trk><trkseg>\(Self.point("1", 0, more))\(Self.point("1.1", 1))</trkseg></trk>", version: "1.0"))
        let fix = try #require(track.point(0)).point.fix(at: Date(timeIntervalSince1970: 0))
        #expect(fix.altitudeMeters == 142.5 && fix.speedMetersPerSecond == 12.5 && fix.courseDegrees == 90)
    }

    @Test(
        "segments are driven in the order of their times; late or invalid points are left out; points of one second follow one another"
    )
    func reordered() throws {
        let later = "<trkseg>\(Self.point("2", 6))\(Self.point("2", 5))\(Self.point("2.5", 6))\(Self.point("3", 8))</trkseg>"
        let earlier = "<trkseg>\(Self.point("1", 0))<trkpt lat='1.5' lon='-20.5'/>\(Self.point("91", 2))\(Self.point("1.75", 3))</trkseg>"
        let track = try gpx(Self.track("<trk>\(later)<trkseg/>\(earlier)</trk>"))
        #expect(track.coordinates.map(\.latitude) == [1, 1.5, 1.75, 2, 2.5, 3])
        #expect(track.seconds.map { $0.rounded() } == [0, 2, 3, 6, 7, 8])
        #expect(track.omittedCount == 2 && track.interpolatedCount == 2)
    }

    @Test("points without a time are reached at an even pace between points with one; at the ends they are left out")
    func fewTimes() throws {
        func bare(_ latitude: String) -> String { "<trkpt lat='\(latitude)' lon='-20.5'/>" }
        let points = [
            bare("0"), Self.point("1", 0), bare("1.25"), bare("2"), Self.point("3", 8), bare("3"), Self.point("3", 9), bare("9"),
        ]
        let track = try gpx(Self.track("<trk><trkseg>\(points.joined())</trkseg></trk>"))
        #expect(track.coordinates.map(\.latitude) == [1, 1.25, 2, 3, 3])
        #expect(track.seconds.map { $0.rounded() } == [0, 1, 4, 8, 9], "\(track.seconds)")
        #expect(track.interpolatedCount == 2 && track.omittedCount == 3)
    }

    @Test("if most points get no time from their neighbours, the track with the most points is driven as one without times")
    func hardlyAnyTimes() throws {
        let bare = (0..<9).map { "<trkpt lat='\(Double($0) / 1_000)' lon='-20.5'/>" }.joined()
        let timed = Self.point("2", 0) + Self.point("2.001", 4)
        let tracks = ["<trkpt lat='7' lon='7'/>", timed, bare, timed].map { "<trk><trkseg>\($0)</trkseg></trk>" }.joined()
        let track = try gpx(Self.track(tracks))
        #expect(track.coordinates.first?.latitude == 0 && track.coordinates.last?.latitude == 0.008)
        #expect(track.omittedCount == 5 && track.interpolatedCount == 0)
    }

    @Test("a time that is years off is dropped, and its point is reached between its neighbours")
    func absurdTimes() throws {
        let absurd =
            "<trkpt lat=\"2\" lon=\"3\"><time>2099-01-01T00:00:00Z</time></trkpt><trkpt lat=\"2\" lon=\"3\"><time>9999-99-01T00:00:00Z</time></trkpt>"
        let track = try gpx(
            Self.track("<trk><trkseg>\(Self.point("1", 0))\(absurd)\(Self.point("4", 3))\(Self.point("5", 5))</trkseg></trk>"))
        #expect(track.coordinates.map(\.latitude) == [1, 2, 4, 5] && track.seconds.map { $0.rounded() } == [0, 1, 3, 5])
        #expect(track.jumpCount == 0 && track.omittedCount == 1 && track.interpolatedCount == 1)
    }

    @Test("without times, the track (or else the route) with the most points is driven along its line at 50 km/h, with a fix a second")
    func untimed() throws {
        let route =
            "<rte><name>r</name><rtept lat=\"0\" lon=\"0.01\"/><rtept lat=\"0\" lon=\"0.02\"><name>x</name></rtept></rte><rte><rtept lat=\"9\" lon=\"9\"/></rte>"
        let track = try gpx(Self.track("<trk><trkseg/></trk>" + route))
        let length = Coordinate(latitude: 0, longitude: 0.01).distanceMeters(to: Coordinate(latitude: 0, longitude: 0.02))
        #expect(abs(track.durationSeconds - length * 3.6 / 50) < 0.001)
        let whole = (0..<track.count - 1).map { Double($0) }
        #expect(Array(track.seconds.dropLast()) == whole)
        let steps = zip(track.coordinates, track.coordinates.dropFirst()).map { $0.distanceMeters(to: $1) }
        #expect(steps.dropLast().allSatisfy { abs($0 - 50 / 3.6) < 0.05 }, "\(steps)")
        #expect(track.coordinates.last == Coordinate(latitude: 0, longitude: 0.02))
        #expect(track.omittedCount == 1)
        let fix = try #require(track.point(3)).point.fix(at: Date(timeIntervalSince1970: 0))
        #expect(fix.accuracyMeters == nil && abs((fix.courseDegrees ?? 0) - 90) < 0.1)
    }

    @Test("numbers with a decimal comma or spaces around them are read, also in lines that are only drawn")
    func writtenNumbers() throws {
        let comma = "<trkpt lat=\" 1,5 \" lon=\"+2,25\"><time>2024-02-29T12:00:01Z</time><speed>8,25</speed></trkpt>"
        let track = try gpx(Self.track("<trk><trkseg>\(Self.point("1", 0))\(comma)</trkseg></trk>"))
        #expect(track.coordinates.last == Coordinate(latitude: 1.5, longitude: 2.25) && track.omittedCount == 0)
        #expect(track.point(1)?.point.speed == 8.25)
        let outline = try GPXOutline(pieces(Array(Self.track("<trk><trkseg>\(comma)\(comma)</trkseg></trk>").utf8)))
        #expect(outline.lines.first?.path.first == Coordinate(latitude: 1.5, longitude: 2.25) && outline.omitted == 0)
        if let bytes = sharedFile("../field/sources/b08-comma.gpx") {
            let track = try GPXReader.track(pieces(bytes))
            #expect(track.count == 7 && track.omittedCount == 0 && track.coordinates.last == Coordinate(latitude: 48.506, longitude: 9.1))
        }
    }

    @Test("a point at exactly 0,0 is not driven, but counted; points on the equator are driven")
    func zeroPlace() throws {
        let zero = "<trkpt lat=\"0.0\" lon=\"-0.0\"><time>2024-02-29T12:00:01Z</time></trkpt>"
        let timed = try gpx(Self.track("<trk><trkseg>\(Self.point("0", 0))\(zero)\(Self.point("0.001", 2))</trkseg></trk>"))
        #expect(timed.coordinates.map(\.latitude) == [0, 0.001] && timed.seconds == [0, 2])
        #expect(timed.omittedCount == 1)
        let places = ["0,0", "0,7", "0,7.001"].map { $0.split(separator: ",") }.map { "<rtept lat='\($0[0])' lon='\($0[1])'/>" }
        let route = try gpx(Self.track("<rte>\(places.joined())</rte>"))
        #expect(route.coordinates.first == Coordinate(latitude: 0, longitude: 7) && route.omittedCount == 1)
        let none = LocationFileError.noPlaces("track or route with points")
        #expect(throws: none) { try gpx(Self.track("<trk><trkseg>\(zero)\(zero)</trkseg></trk>")) }
        if let bytes = sharedFile("../field/sources/b04-null-island.gpx") {
            let track = try GPXReader.track(pieces(bytes))
            #expect(track.count == 6 && track.omittedCount == 1 && track.coordinates.allSatisfy { $0.latitude > 48 })
        }
    }

    @Test(
        "a file that is not GPX is reported as such",
        arguments: ["", "  ", "hello", "PK\u{3}\u{4}", "<kml></kml>", "{\"a\":1}", "$GPRMC,061600.00,A", "\u{0}<\u{0}g", "<html><body>"])
    func somethingElse(text: String) {
        #expect(throws: LocationFileError.isNot("GPX file")) { try gpx(text) }
    }

    @Test("a file without points is reported as such")
    func empty() {
        let none = LocationFileError.noPlaces("track or route with points")
        for body in [
            "", "<wpt lat='1' lon='1'/>", "<trk/>", "<trk><trkseg/></trk><rte/>", "<trk><trkseg><trkpt lat='x' lon='1'/></trkseg></trk>",
            "<trkpt lat='1' lon='1'/>",
        ] {
            #expect(throws: none) { try gpx(Self.track(body)) }
        }
    }

    @Test("a truncated file is driven if two points are left, and the line of the cut is reported; otherwise it is refused")
    func truncated() throws {
        let points = (0...3).map { Self.point("\($0)", $0) }.joined(separator: "\n")
        let whole = Array(Self.track("<trk><trkseg>\(points)</trkseg></trk>").dropLast().utf8)
        let second = try #require(whole.firstRange(of: Array("</trkpt>\n<trkpt lat=\"2".utf8)).map { $0.lowerBound + 8 })
        for count in 0..<whole.count {
            do throws(LocationFileError) {
                let track = try GPXReader.track(pieces(Array(whole[..<count])))
                #expect(count >= second && track.count >= 2 && track.breakOff?.isBreak == true, "\(count)")
            } catch {
                #expect(count < second, "\(count)")
            }
        }
        #expect(try GPXReader.track(pieces(whole)).breakOff == nil)
        #expect(throws: LocationFileError.truncated(line: 3)) { try gpx("<gpx>\n\n<trk><trkseg") }
        let again = "<gpx><trk><trkseg>\(Self.point("1", 0))\n\(Self.point("2", 1))\n<?xml version='1.0'?><gpx><trk></gpx>"
        #expect(try gpx(again).count == 2 && gpx(again).breakOff == .malformed(line: 3))
        if let bytes = sharedFile("../field/sources/b10-cut.gpx") {
            let track = try GPXReader.track(pieces(bytes))
            #expect(track.count == 7 && track.breakOff?.isBreak == true)
        }
    }

    @Test(
        "invalid XML is refused",
        arguments: [
            "<gpx><trk></gpx>", "<gpx></gpx><gpx/>", "<gpx></gpx>x", "<gpx a></gpx>", "<gpx a=1></gpx>", "<gpx a='<'/>", "<gpx><></gpx>",
            "<gpx><![CDAT[</gpx>", "<gpx><!DOCTYPE a></gpx>",
        ])
    func malformed(text: String) {
        #expect(throws: LocationFileError.malformed(line: 1)) { try gpx(text) }
    }

    @Test("depth, names and counts are bounded, and long texts take no memory")
    func bounded() throws {
        #expect(throws: LocationFileError.malformed(line: 1)) { try gpx("<gpx>" + String(repeating: "<a>", count: 100_000), size: 4_096) }
        #expect(throws: LocationFileError.malformed(line: 1)) { try gpx("<gpx><" + String(repeating: "a", count: 100_000), size: 4_096) }
        let attributes = (0..<1_000).map { "a\($0)='1'" }.joined(separator: " ")
        #expect(throws: LocationFileError.malformed(line: 1)) { try gpx("<gpx><b \(attributes)/></gpx>", size: 4_096) }
        let long = "<name>" + String(repeating: "n", count: 300_000) + "</name>"
        let track = try gpx(Self.track("<trk>\(long)<trkseg>\(Self.point("1", 0, long))</trkseg></trk>"), size: 4_096)
        #expect(track.count == 1)
    }

    @Test("too many segments and routes are refused", arguments: ["<trkseg/>", "<rte/>"])
    func parts(tag: String) {
        let bytes = Array(("<gpx>" + String(repeating: tag, count: RecordedTrack.maximumPartCount + 1) + "</gpx>").utf8)
        #expect(throws: LocationFileError.tooManyParts) { try GPXReader.track(pieces(bytes, of: 100_000)) }
        #expect(throws: LocationFileError.tooManyParts) { try GPXOutline(pieces(bytes, of: 100_000)) }
    }

    @Test("damaged bytes anywhere give a result or an error message")
    func scrambled() {
        let whole = Array(Self.track("<trk><trkseg>\(Self.point("1", 0, "<hdop>1</hdop>"))\(Self.point("2", 1))</trkseg></trk>").utf8)
        var random = SeededRandom(seed: 7)
        for _ in 0..<500 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let track = try? GPXReader.track(pieces(bytes, of: 64)) {
                #expect(track.coordinates.allSatisfy { $0.isValid })
            }
        }
    }

    @Test(
        "files of other programs are read completely",
        arguments: [
            ("around-visnjan-with-car", 104), ("cerknicko-without-times", nil), ("route", nil), ("gpx1.0_with_all_fields", nil),
            ("gpx1.1_with_extensions", nil), ("unicode_with_bom", nil), ("track_with_speed", nil), ("custom_schema_locations", nil),
            ("track_with_dilution_errors", nil), ("gh-tour-with-loop", nil), ("leuven-route", nil),
        ])
    func others(name: String, count: Int?) throws {
        guard let bytes = sharedFile("gpx/\(name).gpx") else { return }
        do throws(LocationFileError) {
            let track = try GPXReader.track(pieces(bytes, of: 999))
            #expect(track.count > 0)
            #expect(track.coordinates.allSatisfy { $0.isValid })
            if let count { #expect(track.count == count && track.durationSeconds == 514) }
        } catch {
            #expect(error == .noPlaces("track or route with points"))
        }
    }
}
