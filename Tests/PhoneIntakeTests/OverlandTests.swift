import FoundationEssentials
import Geo
import PhoneIntake
import Testing

@Suite("Overland's records that are not fixes")
struct OverlandTests {
    private static let now = FormatTests.now

    private static func record(_ longitude: Double, _ second: Int, _ rest: String = "") -> String {
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(longitude),48.5]},"#
            + #""properties":{"timestamp":"2023-11-14T22:13:\#(second)Z"\#(rest)}}"#
    }

    private static func read(_ records: [String], _ rest: String = "") throws -> PhonePost {
        try FormatTests.read(.overland, #"{"locations":[\#(records.joined(separator: ","))]\#(rest)}"#)
    }

    @Test(
        "a record of a trip, a visit or an event of the app has a new time and an old position, so it is not a fix",
        arguments: [
            #","type":"trip","mode":"car","start":"2023-11-14T21:00:00Z","end":"2023-11-14T22:13:19Z""#, #","type":"visit""#,
            #","action":"visit","arrival_date":"2023-11-14T21:00:00Z","departure_date":null"#, #","action":"paused_location_updates""#,
        ])
    func events(of properties: String) throws {
        let post = try Self.read([Self.record(9.1, 10), Self.record(9.1, 19, properties)])
        #expect(post.fixes.map(\.time) == [Self.now.addingTimeInterval(-10)] && post.omissions == [.otherMessage: 1])
    }

    @Test("a record that calls itself a location, and one with an empty or unreadable action, is a fix")
    func locations() throws {
        let kinds = [#","type":"location""#, #","action":"""#, #","action":null,"type":null"#, #","action":7"#]
        let post = try Self.read(kinds.enumerated().map { Self.record(9.1, 10 + $0.offset, $0.element) })
        #expect(post.fixes.count == kinds.count && post.omissions.isEmpty)
    }

    @Test("the record of a trip from the field does not make the position newer", .enabled(if: FieldRequest.arePresent))
    func tripFromTheField() throws {
        let request = try #require(try FieldRequest.read("a06-overland-trip-record", now: Self.now).first)
        let post = try FormatTests.read(request.format, request.body)
        #expect(post.fixes.map(\.time) == [Self.now.addingTimeInterval(-600)] && post.omissions == [.otherMessage: 1])
    }

    @Test("the current position comes with earlier records, or alone; a wrong record affects no other")
    func current() throws {
        let old = Self.record(9.1, 10)
        let both = try Self.read([old], #","current":\#(Self.record(9.2, 19))"#)
        #expect(both.fixes.map(\.coordinate.longitude) == [9.1, 9.2] && both.omissions.isEmpty)
        let alone = try FormatTests.read(.overland, #"{"current":\#(Self.record(9.2, 19))}"#)
        #expect(alone.fixes.map(\.time) == [Self.now.addingTimeInterval(-1)] && alone.omissions.isEmpty)
        for wrong in ["null", "7", "[]"] {
            let post = try Self.read([old], #","current":\#(wrong)"#)
            #expect(post.fixes.count == 1 && post.omissions.isEmpty)
        }
        #expect(try Self.read([], #","current":null"#).omissions == [.heartbeat: 1])
    }

    @Test("a phone from the field that sends an hour of records is at its newest position", .enabled(if: FieldRequest.arePresent))
    func currentFromTheField() throws {
        let request = try #require(try FieldRequest.read("a08-overland-current", now: Self.now).first)
        var car = PhoneCar()
        let fixes = try FormatTests.read(request.format, request.body).fixes
        for fix in fixes.sorted(by: { $0.time < $1.time }) { car.add(fix) }
        #expect(fixes.count == 3 && car.newest?.time == Self.now.addingTimeInterval(-1))
        #expect(car.newest?.coordinate == Coordinate(latitude: 48.6, longitude: 9.2))
    }

    @Test("a Traccar server's outdated position keeps the time of its fix; without that time, it is not a fix")
    func outdated() throws {
        func read(_ rest: String) throws -> PhonePost {
            try FormatTests.read(
                .forward, #"{"position":{"latitude":1,"longitude":2,"deviceTime":"2023-11-14T22:13:10Z","outdated":\#(rest)}}"#)
        }
        #expect(try read(#"true,"fixTime":"2023-11-14T22:03:20Z""#).fixes.map(\.time) == [Self.now.addingTimeInterval(-600)])
        #expect(try read("true").omissions == [.invalid: 1])
        #expect(try read("false").fixes.map(\.time) == [Self.now.addingTimeInterval(-10)])
    }
}
