import FoundationEssentials
import Geo
import PhoneIntake
import Testing

@Suite("Requests of particular clients")
struct ClientTests {
    private static let now = FormatTests.now
    private static let place = Coordinate(latitude: 48.5, longitude: 9.1)

    @Test(
        "undocumented names that clients use keep the time of the fix and its figures",
        arguments: [
            (PhoneFormat.traccar, "lat=48.5&lon=9.1&acc=3&alt=35&vel=0.1&batt=100&bs=1&tst=1699999990", nil, 3, nil),
            (.gpslogger, "lat=48.5&long=9.1&time=2023-11-14T22:13:10.000Z&alt=35&acc=3&dir=DIR&spd=2.5&batt=80", 2.5, 3, nil),
            (.osmand, "username=a&pin=0000&latitude=48.5&longitude=9.1&requestTimestamp=1699999990", nil, nil, nil),
            (.osmand, "lat=48.5&lon=9.1&timestamp=1699999990000&hdop=1&speed=2.5&%20bearing=90&+altitude=35", 2.5, nil, 90),
            (.traccar, "id=7&timestamp=1699999990&lat=48.5&lon=9.1&speed=&bearing=&altitude=&accuracy=3.0&batt=", nil, 3, nil),
            (.forward, "id=7&lat=48.5&lon=9.1&speed=0.0&course=90.0&accuracy=3.0&valid=true&fixTime=1699999990000", 0, 3, 90),
        ] as [(PhoneFormat, String, Double?, Double?, Double?)])
    func names(format: PhoneFormat, query: String, speed: Double?, accuracy: Double?, bearing: Double?) throws {
        let post = try FormatTests.read(format, query: query)
        let fix = try #require(post.fixes.first)
        #expect(post.fixes.count == 1 && fix.coordinate == Self.place && fix.time == Self.now.addingTimeInterval(-10))
        #expect(fix.speedMetersPerSecond == speed && fix.accuracyMeters == accuracy && fix.bearingDegrees == bearing)
    }

    @Test("Colota writes OwnTracks' message with its own name for the course, and then the speed is in metres per second")
    func colota() throws {
        func read(_ rest: String) throws -> PhoneFix? {
            try FormatTests.read(.owntracks, #"{"_type":"location","lat":48.5,"lon":9.1,"acc":12,"tst":1699999990,"bs":2,\#(rest)}"#).fixes
                .first
        }
        let moving = try read(#""vel":7.5,"bear":180.5"#)
        #expect(moving?.speedMetersPerSecond == 7.5 && moving?.bearingDegrees == 180.5)
        let other = try read(#""vel":36,"cog":180"#)
        #expect(other.flatMap(\.speedMetersPerSecond)?.rounded() == 10 && other?.bearingDegrees == 180)
    }

    @Test("Overland's records from Home Assistant have unknown words and microseconds")
    func homeAssistant() throws {
        let properties = """
            {"wifi":"unknown","speed":0,"motion":[],"pauses":false,"activity":"unknown","altitude":104.0,"deferred":0,"device_id":"x",\
            "timestamp":"2023-11-14T23:13:10.500000+01:00","battery_level":0,"battery_state":"unknown","desired_accuracy":0,\
            "vertical_accuracy":1,"significant_change":"unknown","horizontal_accuracy":11,"locations_in_payload":1}
            """
        let geometry = #"{"type":"Point","coordinates":[9.1,48.5]}"#
        let post = try FormatTests.read(
            .overland, #"{"locations":[{"type":"Feature","geometry":\#(geometry),"properties":\#(properties)}]}"#)
        #expect(post.fixes.map(\.time) == [Self.now.addingTimeInterval(-9.5)] && post.fixes.first?.coordinate == Self.place)
        #expect(post.fixes.first?.speedMetersPerSecond == 0 && post.fixes.first?.accuracyMeters == 11)
    }

    @Test(
        "messages that clients would send again and again are left out",
        arguments: [
            #"{"_type":"dump","configuration":{"mode":3}}"#, #"{"_type":"card","name":"x"}"#, #"{"_type":"cmd","action":"dump"}"#,
            #"{"_type":"request","request":"tours"}"#,
        ])
    func otherTypes(body: String) throws { #expect(try FormatTests.read(.owntracks, body).omissions == [.otherMessage: 1]) }

    @Test("a forwarded event without a position, or with an unfilled address, is understood or refused")
    func forwarded() throws {
        let online = #"{"event":{"id":0,"type":"deviceOnline","eventTime":"2023-11-14T22:13:10Z"},"device":{"id":1,"status":"online"}}"#
        #expect(try FormatTests.read(.forward, online).omissions == [.otherMessage: 1])
        #expect(throws: PhonePostError.self) { try FormatTests.read(.forward, query: "lat={latitude}&lon={longitude}") }
        #expect(try FormatTests.read(.forward, query: "lat=48.5&lon=9.1&valid=false").omissions == [.invalid: 1])
    }
}
