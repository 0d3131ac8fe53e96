import FoundationEssentials
import Geo
import PhoneIntake
import Testing

@Suite("The formats of phone apps")
struct FormatTests {
    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    static func read(_ format: PhoneFormat, query: String = "", _ body: String = "") throws -> PhonePost {
        try format.read(query: query, body: Array(body.utf8), now: now)
    }

    private static let ownTracks = """
        {"_type":"location","lat":48.85833,"lon":2.29513,"tst":1699999990,"acc":5,"alt":167,"cog":271,"vel":61,"batt":41,"t":"u",\
        "tid":"JJ","topic":"owntracks/jane/phone","conn":"m","m":2,"created_at":1699999991}
        """
    private static let traccar = """
        {"device_id":"48241179","location":{"timestamp":"2023-11-14T22:13:10.000Z","coords":{"latitude":48.85833,"longitude":2.29513,\
        "accuracy":5,"speed":17,"heading":271,"altitude":167},"is_moving":false,"odometer":0,"event":"motionchange",\
        "battery":{"level":1,"is_charging":false},"activity":{"type":"still"},"extras":{}}}
        """
    private static let overland = """
        {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[2.29513,48.85833]},"properties":{"timestamp":\
        "2023-11-14T14:13:10-0800","altitude":167,"speed":17,"course":271,"horizontal_accuracy":5,"motion":["driving"],"battery_level":0.8}}]}
        """
    private static let forward = """
        {"position":{"id":7,"deviceId":1,"protocol":"h02","serverTime":"2023-11-14T22:13:12.000+00:00","deviceTime":\
        "2023-11-14T22:13:10.000+00:00","fixTime":"2023-11-14T22:13:10.000+00:00","outdated":false,"valid":true,"latitude":48.85833,\
        "longitude":2.29513,"altitude":167,"speed":33,"course":271,"accuracy":5,"attributes":{}},"device":{"uniqueId":"car-7"}}
        """
    private static let form = "lat=48.85833&lon=2.29513&altitude=167&bearing=271&accuracy=5"

    @Test(
        "61 km/h, 17 m/s and 33 knots are one speed, seconds and milliseconds one time",
        arguments: [
            (PhoneFormat.owntracks, "", ownTracks), (.traccar, "", traccar), (.overland, "", overland), (.forward, "", forward),
            (.osmand, form + "&timestamp=1699999990000&speed=17", ""), (.gpslogger, form + "&timestamp=1699999990&speed=17", ""),
            (.traccar, form + "&timestamp=1699999990&speed=33", ""), (.osmand, "", form + "&timestamp=2023-11-14+22:13:10&speed=17"),
            (.gpslogger, "", "lat=48.85833&lon=2.29513&alt=167&dir=271&acc=5&spd=17&time=2023-11-14T22:13:10.000Z"),
            (.osmand, "location=48.85833,2.29513&altitude=167&bearing=271&accuracy=5&timestamp=1699999990&speed=17", ""),
        ])
    func units(format: PhoneFormat, query: String, body: String) throws {
        let post = try Self.read(format, query: query, body)
        let fix = try #require(post.fixes.first)
        #expect(post.fixes.count == 1 && post.omissions.isEmpty)
        #expect(fix.coordinate == Coordinate(latitude: 48.85833, longitude: 2.29513))
        #expect(fix.time == Self.now.addingTimeInterval(-10))
        #expect(abs((fix.speedMetersPerSecond ?? 0) - 17) < 0.06)
        #expect(fix.bearingDegrees == 271 && fix.accuracyMeters == 5 && fix.altitudeMeters == 167)
    }

    @Test("OsmAnd's navigation: the next stop's figures, or else the destination's; 0 means none")
    func navigation() throws {
        let place = "lat=1&lon=2&timestamp=1699999990"
        func navigation(_ rest: String) throws -> PhoneNavigation? { try Self.read(.osmand, query: place + rest).fixes.first?.navigation }
        let whole = try navigation("&eta=1700000600000&eta_next=1700000300000&left_m=9000&left_next_m=4000")
        #expect(whole == PhoneNavigation(arrival: Self.now.addingTimeInterval(300), remainingMeters: 4_000))
        let destination = try navigation("&eta=1700000600000&eta_next=0&left_m=9000&left_next_m=0")
        #expect(destination == PhoneNavigation(arrival: Self.now.addingTimeInterval(600), remainingMeters: 9_000))
        #expect(try navigation("&eta=0&eta_next=0&left_m=0&left_next_m=0") == nil)
        #expect(try navigation("") == nil)
        #expect(try navigation("&eta=nan&left_m=-5&left_next_m=1e99") == nil)
    }

    @Test(
        "a well-formed message without a usable fix is left out, with its reason",
        arguments: [
            (PhoneFormat.owntracks, "", #"{"_type":"lwt","tst":1}"#, PhoneOmission.otherMessage),
            (.owntracks, "", #"{"_type":"encrypted","data":"AA=="}"#, .encrypted),
            (.owntracks, "", "", .heartbeat),
            (.owntracks, "", #"{"_type":"location","lat":999,"lon":2,"tst":1699999990}"#, .place),
            (.owntracks, "", #"{"_type":"location","lat":1e999,"lon":2,"tst":1699999990}"#, .place),
            (.owntracks, "", #"{"_type":"location","lat":1,"lon":2,"tst":4070908800}"#, .time),
            (.owntracks, "", #"{"_type":"location","lat":1,"lon":2,"tst":1700000061}"#, .future),
            (.traccar, "", #"{"location":{"timestamp":"2099-01-01T00:00:00Z","coords":{"latitude":1,"longitude":2}}}"#, .future),
            (.traccar, "", #"{"device_id":"a","location":{"timestamp":"2023-11-14T22:13:10Z","is_moving":false}}"#, .heartbeat),
            (.osmand, "lat=NaN&lon=2", "", .place), (.osmand, "lat=1&lon=181", "", .place),
            (.osmand, "lat=1&lon=2&timestamp=soon", "", .time), (.osmand, "lat=1&lon=2&timestamp=-5", "", .time),
            (.osmand, "lat=1&lon=2&valid=false", "", .invalid),
            (.forward, "", #"{"position":{"latitude":1,"longitude":2,"valid":false}}"#, .invalid),
            (.overland, "", #"{"locations":[{"geometry":{"coordinates":[200,2]}}]}"#, .place),
            (.gpslogger, "lat=0.0&lon=0.0&timestamp=1699999990&speed=0.0&accuracy=", "", .zeroPlace),
            (.osmand, "location=0,-0.0", "", .zeroPlace), (.traccar, "", "id=7&lat=0&lon=0&timestamp=1699999990", .zeroPlace),
            (.traccar, "", #"{"location":{"coords":{"latitude":0,"longitude":0}}}"#, .zeroPlace),
            (.owntracks, "", #"{"_type":"location","lat":0,"lon":"0.00","tst":1699999990,"acc":5}"#, .zeroPlace),
            (.overland, "", #"{"locations":[{"geometry":{"coordinates":[0,0]}}]}"#, .zeroPlace),
            (.forward, "", #"{"position":{"latitude":0.0,"longitude":0.0,"valid":true}}"#, .zeroPlace),
        ])
    func leftOut(format: PhoneFormat, query: String, body: String, reason: PhoneOmission) throws {
        let post = try Self.read(format, query: query, body)
        #expect(post.fixes.isEmpty && post.omissions == [reason: 1])
    }

    @Test("of several positions, the one at 0,0 is left out and counted, and one on the equator stays")
    func zeroAmongOthers() throws {
        let features = ["0,0", "0,1.5", "2.5,0"].map { #"{"geometry":{"coordinates":[\#($0)]}}"# }
        let post = try Self.read(.overland, #"{"locations":[\#(features.joined(separator: ","))]}"#)
        #expect(post.fixes.map(\.coordinate.latitude) == [1.5, 0] && post.omissions == [.zeroPlace: 1])
    }

    @Test("an app without a fix sends 0,0", .enabled(if: FieldRequest.arePresent))
    func zeroFromTheField() throws {
        let requests = try FieldRequest.read("a04-null-island-first", now: Self.now)
        #expect(requests.count == 1)
        for request in requests {
            let post = try Self.read(request.format, query: request.query, request.body)
            #expect(post.fixes.isEmpty && post.omissions == [.zeroPlace: 1])
        }
    }

    @Test(
        "a text that is not the app's message is refused in one sentence that says what is expected",
        arguments: [
            (PhoneFormat.owntracks, "", "{"), (.owntracks, "", "[]"), (.owntracks, "", #"{"lat":1}"#), (.owntracks, "", "lat=1&lon=2"),
            (.traccar, "", "{"), (.traccar, "", "{}"), (.traccar, "", #"{"location":7}"#), (.traccar, "", ""),
            (.traccar, "", #"{"device_id":"a","lat":48.8}"#), (.overland, "", ""), (.overland, "", #"{"locations":7}"#),
            (.overland, "", "{}"), (.forward, "", "{}"), (.forward, "", #"{"position":7}"#), (.osmand, "", ""),
            (.osmand, "id=7&lat=48.8", ""), (.gpslogger, "lat=%25LAT&lon=%25LON&time=%25TIME", ""),
            (.osmand, "id=7&latitude=48.8&longitude=E", ""), (.osmand, "y=48.8&x=2.3", ""), (.osmand, "lat=48,8,1&lon=2,3&id=7", ""),
            (.osmand, "location=48.8&timestamp=1699999990", ""), (.osmand, "&&==&=&lat", "\u{0}"),
        ])
    func refused(format: PhoneFormat, query: String, body: String) throws {
        let error = #expect(throws: PhonePostError.self) { try Self.read(format, query: query, body) }
        #expect(error?.description.contains("it needs ") == true && error?.description.contains("\n") == false)
    }

    @Test(
        "messages without a position are accepted, so apps do not repeat them: heartbeats, events and empty batches",
        arguments: [
            (PhoneFormat.traccar, "id=7&timestamp=1699999990&batt=41&charge=true", "", PhoneOmission.heartbeat),
            (.traccar, "", "id=7&event=alarm", .heartbeat), (.osmand, "id=7", "", .heartbeat),
            (.gpslogger, "lat=&lon=&timestamp=1699999990", "", .heartbeat), (.traccar, "", #"{"device_id":"a"}"#, .heartbeat),
            (.traccar, "", #"{"device_id":"a","location":{"event":"heartbeat","battery":{"level":0.4}}}"#, .heartbeat),
            (.traccar, "", #"{"location":[]}"#, .heartbeat), (.traccar, "", #"{"location":null}"#, .heartbeat),
            (.traccar, "", #"{"location":{"coords":{}}}"#, .noPlace), (.overland, "", #"{"locations":[]}"#, .heartbeat),
            (.overland, "", #"{"locations":[{"geometry":null,"properties":{}}],"trip":{}}"#, .noPlace),
            (.forward, "", #"{"position":{}}"#, .noPlace), (.forward, "", #"{"position":null,"device":{"id":1}}"#, .otherMessage),
            (.forward, "", #"{"event":{"type":"deviceOnline"},"device":{"id":1}}"#, .otherMessage),
            (.owntracks, "", #"{"_type":"location","tst":1699999990}"#, .noPlace), (.owntracks, "", #"{"_type":"steps"}"#, .otherMessage),
            (.owntracks, "", #"{"_type":"transition","lat":1,"lon":2,"event":"enter"}"#, .otherMessage), (.owntracks, "", "\n", .heartbeat),
        ])
    func withoutPosition(format: PhoneFormat, query: String, body: String, reason: PhoneOmission) throws {
        let post = try Self.read(format, query: query, body)
        #expect(post.fixes.isEmpty && post.omissions == [reason: 1])
    }

    @Test(
        "messages without a position from apps in the field are accepted", .enabled(if: FieldRequest.arePresent),
        arguments: [
            ("a02-traccar10-heartbeat", 1, [.heartbeat: 1]), ("a24-traccar-heartbeat-only-json", 0, [.heartbeat: 1]),
            ("a29-android-status", 0, [.otherMessage: 3, .encrypted: 1, .heartbeat: 1]), ("a19-forward-no-fix", 0, [.invalid: 1]),
        ] as [(String, Int, [PhoneOmission: Int])])
    func fromTheField(name: String, fixes: Int, omissions: [PhoneOmission: Int]) throws {
        let posts = try FieldRequest.read(name, now: Self.now).map { try Self.read($0.format, query: $0.query, $0.body) }
        #expect(posts.reduce(0) { $0 + $1.fixes.count } == fixes)
        let leftOut = posts.reduce(into: [PhoneOmission: Int]()) { $0.merge($1.omissions, uniquingKeysWith: +) }
        #expect(leftOut == omissions)
    }

    @Test("a batch without a position is left out as a whole")
    func batchWithoutPosition() throws {
        let post = try Self.read(.overland, #"{"locations":[{},5]}"#)
        #expect(post.fixes.isEmpty && post.omissions == [.noPlace: 2])
    }

    @Test("an impossible figure is dropped, and the position stays")
    func absurdFigures() throws {
        let body = #"{"_type":"location","lat":"1.5","lon":2,"tst":"1699999990","vel":-1,"cog":720,"acc":-3,"alt":1e9}"#
        let fix = try #require(try Self.read(.owntracks, body).fixes.first)
        #expect(fix == PhoneFix(coordinate: Coordinate(latitude: 1.5, longitude: 2), time: Self.now.addingTimeInterval(-10)))
        let unknown = #"{"location":{"coords":{"latitude":1,"longitude":2,"speed":-1,"heading":-1,"accuracy":0,"altitude":[]}}}"#
        #expect(try Self.read(.traccar, unknown).fixes == [PhoneFix(coordinate: Coordinate(latitude: 1, longitude: 2), time: Self.now)])
        #expect(try Self.read(.osmand, query: "lat=1&lon=2&bearing=360").fixes.first?.bearingDegrees == 0)
    }

    @Test(
        "numbers with spaces, a plus, a decimal comma or other digits are read, in forms and in JSON",
        arguments: [
            (PhoneFormat.osmand, "lat=48,5&lon=9,1&timestamp=1699999990000&speed=3,5", ""),
            (.traccar, "lat=48.5&lon=+9.1&timestamp=+1699999990&speed=6.803456", ""),
            (.osmand, "location=48.5,%209.1&timestamp=1699999990&speed=%2B3.5", ""),
            (.osmand, "location=48,5,9,1&timestamp=2023-11-14T22:13:10Z%20&speed=3.5", ""),
            (.osmand, "location=48,5,9,1,310&timestamp=1699999990&speed=3.5", ""),
            (.osmand, "location=48,5,9,1,310,2&timestamp=1699999990&speed=3.5", ""),
            (.gpslogger, "location=48.5,9.1,310.2&timestamp=1699999990&speed=3.5", ""),
            (.gpslogger, "", "lat=%D9%A4%D9%A8%D9%AB%D9%A5&lon=%DB%B9%D9%AB%DB%B1&timestamp=1699999990&speed=3.5"),
            (.owntracks, "", #"{"_type":"location","lat":"48,5","lon":" 9.1 ","tst":" 1699999990","vel":"12,6"}"#),
            (
                .overland, "",
                #"{"locations":[{"geometry":{"coordinates":["+9.1","48,5"]},"properties":{"timestamp":1699999990,"speed":"3,5"}}]}"#
            ),
        ])
    func writtenNumbers(format: PhoneFormat, query: String, body: String) throws {
        let fix = try #require(try Self.read(format, query: query, body).fixes.first)
        #expect(fix.coordinate == Coordinate(latitude: 48.5, longitude: 9.1) && fix.time == Self.now.addingTimeInterval(-10))
        #expect(abs((fix.speedMetersPerSecond ?? 0) - 3.5) < 1e-6)
    }

    @Test("an app from the field that writes decimal commas", .enabled(if: FieldRequest.arePresent))
    func commaFromTheField() throws {
        let request = try #require(try FieldRequest.read("a16-comma-decimals", now: Self.now).first)
        let fix = try #require(try Self.read(request.format, query: request.query, request.body).fixes.first)
        #expect(fix.coordinate == Coordinate(latitude: 48.5, longitude: 9.1) && fix.speedMetersPerSecond == 3.5)
    }

    @Test("several records at once, of which some are not fixes")
    func batches() throws {
        let overland = """
            {"locations":[{"geometry":{"coordinates":[2,1]},"properties":{"timestamp":"2023-11-14T22:13:00Z"}},7,\
            {"geometry":{"coordinates":[2]}},{"geometry":{"coordinates":[2,91]}},{"geometry":{"coordinates":[3,1]},"properties":[]}]}
            """
        let post = try Self.read(.overland, overland)
        #expect(post.fixes.map(\.coordinate.longitude) == [2, 3])
        #expect(post.fixes.map(\.time) == [Self.now.addingTimeInterval(-20), Self.now])
        #expect(post.omissions == [.noPlace: 2, .place: 1])
        let traccar = #"{"location":[{"coords":{"latitude":1,"longitude":2}},{"timestamp":1},{"coords":{"latitude":3,"longitude":4}}]}"#
        let several = try Self.read(.traccar, traccar)
        #expect(several.fixes.map(\.coordinate.latitude) == [1, 3] && several.omissions == [.heartbeat: 1])
    }

    @Test("each app gets the answer that it accepts as delivered")
    func answers() {
        #expect(PhoneFormat.owntracks.answer == "[]" && PhoneFormat.overland.answer == #"{"result":"ok"}"#)
        #expect([PhoneFormat.osmand, .traccar, .gpslogger, .forward].allSatisfy { $0.answer.isEmpty })
    }

    private static let figures = [
        "1e999", "-0", "99999999999999999999", "9.3e18", "-1e308", "null", "\"\"", "NaN", "\u{0}", "\"\\ud800\"", "[[[[", "{\"a\":",
    ]

    #if DEBUG || UNOPTIMIZED
        private static let changesPerText = 150
    #else
        private static let changesPerText = 2_000
    #endif

    /// Tries truncated inputs, and inputs with changed bytes, swapped parts, deeply nested brackets, or numbers that are too large for
    /// every number type.
    @Test("nothing that a phone can send stops the program", arguments: PhoneFormat.allCases)
    func fuzz(format: PhoneFormat) {
        let form = Self.form + "&timestamp=1699999990&speed=17&eta=1&left_m=2"
        let seeds = [Self.ownTracks, Self.traccar, Self.overland, Self.forward, form]
        var random = SeededRandom(seed: 7)
        func check(_ bytes: [UInt8]) {
            for (query, body) in [("", bytes), (String(decoding: bytes, as: UTF8.self), [])] {
                guard let post = try? format.read(query: query, body: body, now: Self.now) else { continue }
                #expect(post.fixes.allSatisfy { $0.coordinate.isValid && $0.time <= Self.now.addingTimeInterval(60) })
            }
        }
        for seed in seeds {
            let bytes = Array(seed.utf8)
            for count in 0..<bytes.count { check(Array(bytes.prefix(count))) }
            for _ in 0..<Self.changesPerText {
                var changed = bytes
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    let place = Int.random(in: 0..<changed.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: changed.swapAt(place, Int.random(in: 0..<changed.count, using: &random))
                    default:
                        let figure = Self.figures.randomElement(using: &random) ?? ""
                        changed.replaceSubrange(place..<min(place + 6, changed.count), with: figure.utf8)
                    }
                }
                check(changed)
            }
        }
        check(Array(repeating: UInt8(ascii: "["), count: 100_000))
        check(Array(String(repeating: #"{"location":"#, count: 20_000).utf8))
        check(Array((#"{"locations":[0"# + String(repeating: ",0", count: 20_000) + "]}").utf8))
    }
}
