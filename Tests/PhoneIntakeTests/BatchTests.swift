import FoundationEssentials
import Geo
import PhoneIntake
import Testing

@Suite("Batches, JSON and addresses as today's clients send them")
struct BatchTests {
    private static let now = FormatTests.now
    private static let first = #""lat":48.5,"lon":9.1,"timestamp":1699999980,"speed":9"#
    private static let second = #""lat":48.501,"lon":9.101,"timestamp":1699999990,"speed":10,"batt":50,"charge":true"#

    @Test(
        "a list of fixes, a single one, and locations of any nesting are read; knots only if the app uses them",
        arguments: [
            (PhoneFormat.traccar, "[{\(first)},{\(second)}]", 2, 5.144), (.traccar, "{\"id\":\"car-7\",\(second)}", 1, 5.144),
            (.gpslogger, "{\(second)}", 1, 10), (.osmand, " [{\(first)},{\(second)}]", 2, 10),
            (.osmand, #"{"location":"48.501, 9.101","timestamp":"2023-11-14T22:13:10Z","speed":"10"}"#, 1, 10),
            (.gpslogger, #"{"latitude":48.501,"longitude":9.101,"time":"1699999990","spd":10,"valid":true,"more":{}}"#, 1, 10),
            (.traccar, #"{"locations":[{"timestamp":1699999990,"coords":{"latitude":48.501,"longitude":9.101,"speed":10}}]}"#, 1, 10),
            (.traccar, #"{"locations":[{"location":{"timestamp":1699999990,"coords":{"latitude":48.501,"longitude":9.101}}}]}"#, 1, nil),
            (.traccar, #"[{"timestamp":1699999990,"coords":{"latitude":48.501,"longitude":9.101,"speed":10}}]"#, 1, 10),
        ] as [(PhoneFormat, String, Int, Double?)])
    func shapes(format: PhoneFormat, body: String, count: Int, speed: Double?) throws {
        let post = try FormatTests.read(format, body)
        let last = try #require(post.fixes.last)
        #expect(post.fixes.count == count && post.omissions.isEmpty)
        #expect(last.coordinate == Coordinate(latitude: 48.501, longitude: 9.101) && last.time == Self.now.addingTimeInterval(-10))
        #expect(last.speedMetersPerSecond.map { ($0 * 1_000).rounded() / 1_000 } == speed)
    }

    @Test("the wrong records of a list are left out, each with its reason")
    func wrongRecords() throws {
        let list = #"[{\#(Self.first)},{"id":"a","batt":4},{"lat":0,"lon":0},7,{},{"lat":1},{"lat":1,"lon":2,"valid":false}]"#
        let post = try FormatTests.read(.traccar, list)
        #expect(post.fixes.count == 1 && post.omissions == [.heartbeat: 1, .zeroPlace: 1, .noPlace: 3, .invalid: 1])
        #expect(try FormatTests.read(.traccar, "[]").omissions == [.heartbeat: 1])
        #expect(try FormatTests.read(.osmand, #"{"id":"a","batt":0.4}"#).omissions == [.heartbeat: 1])
        #expect(throws: PhonePostError.self) { try FormatTests.read(.gpslogger, #"{"y":48.5,"x":9.1}"#) }
    }

    @Test("a position in the address is used, whatever JSON comes with it")
    func addressFirst() throws {
        for body in ["{}", "[", #"{"lat":1,"lon":2}"#] {
            let post = try FormatTests.read(.gpslogger, query: "lat=48.5&lon=9.1", body)
            #expect(post.fixes.map(\.coordinate) == [Coordinate(latitude: 48.5, longitude: 9.1)])
        }
    }

    @Test(
        "NaN, Infinity and None, which JSON does not have, are ignored, and the rest is used",
        arguments: [
            (
                PhoneFormat.overland,
                #"{"locations":[{"geometry":{"coordinates":[9.1,48.5]},"properties":{"speed":NaN,"course":-Infinity}}]}"#
            ),
            (.owntracks, #"{"_type":"location","lat":48.5,"lon":9.1,"tst":1700000000,"vel":NaN,"cog":Infinity}"#),
            (.traccar, #"{"location":{"coords":{"latitude":48.5,"longitude":9.1,"speed":NaN}}}"#),
            (.gpslogger, #"{"lat":48.5,"lon":9.1,"speed":nan,"bearing":-inf,"altitude":None,"note":"\" NaN"}"#),
            (.forward, #"{"position":{"latitude":48.5,"longitude":9.1,"course":NaN,"speed":undefined}}"#),
        ])
    func notNumbers(format: PhoneFormat, body: String) throws {
        #expect(
            try FormatTests.read(format, body).fixes == [PhoneFix(coordinate: Coordinate(latitude: 48.5, longitude: 9.1), time: Self.now)])
    }

    @Test("a record whose degrees are NaN is left out alone")
    func lostRecord() throws {
        let body = #"{"locations":[{"geometry":{"coordinates":[NaN,NaN]}},{"geometry":{"coordinates":[9.1,48.5]}}]}"#
        let post = try FormatTests.read(.overland, body)
        #expect(post.fixes.count == 1 && post.omissions == [.place: 1])
    }

    @Test(
        "addresses written by hand are read: question marks between pairs, an ampersand in HTML, whole words for the degrees",
        arguments: [
            "lat=48.5?lon=9.1?timestamp=1699999990000?speed=3.5", "lat=48.5&amp;lon=9.1&amp;timestamp=1699999990&amp;speed=3.5",
            "latitude=48.5&longitude=9.1&timestamp=1699999990&speed=3.5", "?lat=48.5&lon=9.1?timestamp=1699999990&speed=3.5",
        ])
    func byHand(query: String) throws {
        let fix = try #require(try FormatTests.read(.osmand, query: query).fixes.first)
        #expect(fix.coordinate == Coordinate(latitude: 48.5, longitude: 9.1) && fix.speedMetersPerSecond == 3.5)
        #expect(fix.time == Self.now.addingTimeInterval(-10))
    }

    @Test("a body for OwnTracks needs no type if it has a position")
    func withoutType() throws {
        for type in ["", #""_type":null,"#, #""_type":5,"#] {
            let post = try FormatTests.read(.owntracks, #"{\#(type)"lat":48.5,"lon":9.1,"tst":1699999990,"vel":36}"#)
            #expect(post.fixes.map(\.speedMetersPerSecond) == [10])
        }
    }

    @Test(
        "requests of clients from the field are read", .enabled(if: FieldRequest.arePresent),
        arguments: [
            ("a03-traccar-sdk-json-array", 48.501, 5.144), ("a12-gpslogger-json-body", 48.5, 3.5), ("a15-nan-literal", 48.5, nil),
            ("a17-osmand-question-marks", 48.5, 3.5), ("a23-owntracks-no-type", 48.5, 0), ("a25-traccar-batch", 48.502, nil),
            ("a01-traccar10-form", 48.5, 5), ("a21-owntracks-ms", 48.5, nil), ("a27-local-time-form", 48.5, 0),
            ("a28-overland-offset", 48.5, 4),
        ] as [(String, Double, Double?)])
    func fromTheField(name: String, latitude: Double, speed: Double?) throws {
        let request = try #require(try FieldRequest.read(name, now: Self.now).first)
        let post = try FormatTests.read(request.format, query: request.query, request.body)
        let newest = try #require(post.fixes.max { $0.time < $1.time })
        #expect(newest.coordinate.latitude == latitude && newest.time == Self.now && post.omissions.isEmpty)
        #expect(newest.speedMetersPerSecond.map { ($0 * 1_000).rounded() / 1_000 } == speed)
    }
}
