import FleetEngine
import FoundationEssentials
import Geo
import Testing

@testable import TripRecording

@Suite("Values in logs")
struct LogValueTests {
    @Test("times are read to the nanosecond, with offsets and in every precision")
    func times() {
        let cases: [(String, Int64, Int32)] = [
            ("2025-02-05T17:02:31.483732Z", 1_738_774_951, 483_732_000), ("2025-02-05T17:02:31Z", 1_738_774_951, 0),
            ("2025-02-05T18:02:31.930882511+01:00", 1_738_774_951, 930_882_511),
            ("2025-02-05t11:32:31.5-05:30", 1_738_774_951, 500_000_000),
            ("1970-01-01T00:00:00Z", 0, 0), ("2024-02-29T23:59:59.9999999999Z", 1_709_251_199, 999_999_999),
            ("2000-03-01T00:00:00Z", 951_868_800, 0), ("2016-12-31T23:59:60Z", 1_483_228_800, 0),
            ("2100-03-01T00:00:00Z", 4_107_542_400, 0),
        ]
        for (text, seconds, nanoseconds) in cases {
            let instant = LogInstant(text)
            #expect(instant?.seconds == seconds && instant?.nanoseconds == nanoseconds, "\(text)")
        }
    }

    @Test(
        "what is no time is none",
        arguments: [
            "", "2025", "2025-02-05", "2025-02-05T17:02:31", "2025-13-05T17:02:31Z", "2025-02-05T24:02:31Z", "2025-02-05T17:02:31.Z",
            "2025-02-05T17:02:31Zx", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "0000-00-00T00:00:00Z", "2025-02-05T17:02:31+99:00",
            "NaN",
        ])
    func noTimes(text: String) { #expect(LogInstant(text) == nil) }

    @Test("a time may be an object of seconds and nanoseconds, if it can be a time")
    func timeObjects() {
        func instant(_ members: [String: JSONValue]) -> LogInstant? { JSONValue.object(members).instant }
        #expect(instant(["seconds": .string("1738774951"), "nanos": .number(5)])?.nanoseconds == 5)
        #expect(instant(["seconds": .number(1_738_774_951)])?.seconds == 1_738_774_951)
        for (seconds, nanos) in [(-1.0, 0.0), (1e300, 0), (.nan, 0), (0, -1), (0, 1e9), (253_402_300_800, 0)] {
            #expect(instant(["seconds": .number(seconds), "nanos": .number(nanos)]) == nil, "\(seconds) \(nanos)")
        }
        #expect(instant([:]) == nil && JSONValue.array([]).instant == nil)
    }

    @Test("a standing vehicle whose receiver says it goes backwards stands", arguments: [(-0.016, 0.0), (0, 0), (8.5, 8.5)])
    func speeds(recorded: Double, taken: Double) {
        let place = JSONValue.object(["latitude": .number(1), "longitude": .number(2)])
        let location = JSONValue.object(["location": place, "speed": .number(recorded)]).vehicleLocation
        #expect(location?.speedMetersPerSecond == taken)
        let older = JSONValue.object(["location": place, "speedkmph": .number(recorded * 3.6)]).vehicleLocation
        #expect(older?.speedMetersPerSecond.map { abs($0 - taken) < 1e-9 } == true)
    }

    @Test("of endless lists only so much is taken")
    func longLists() {
        let place = JSONValue.object(["point": .object(["latitude": .number(1), "longitude": .number(2)])])
        let list = JSONValue.array(Array(repeating: place, count: 100_000))
        #expect(list.terminalCoordinates?.count == JSONValue.maximumListCount && JSONValue.maximumListCount < 1_000)
    }

    @Test("a microsecond later is later as a date too")
    func nextInstant() throws {
        for text in ["1970-01-01T00:00:00Z", "2025-02-05T17:02:31.999999999Z", "2105-12-31T23:59:59.9999995Z"] {
            let instant = try #require(LogInstant(text))
            #expect(instant.next > instant)
            #expect(instant.next.date > instant.date)
        }
    }

    @Test("durations")
    func durations() {
        #expect(JSONValue.string("53.076652s").durationSeconds == 53.076652)
        #expect(JSONValue.number(9).durationSeconds == 9)
        #expect(JSONValue.object(["seconds": .string("3"), "nanos": .number(500_000_000)]).durationSeconds == 3.5)
        for text in ["", "s", "nans", "infs", "1e300s", "3 s", "0x"] { #expect(JSONValue.string(text).durationSeconds == nil, "\(text)") }
    }

    @Test("places must be places; a missing number is 0")
    func places() {
        func place(_ latitude: JSONValue?, _ longitude: JSONValue?) -> Coordinate? {
            var members: [String: JSONValue] = [:]
            members["latitude"] = latitude
            members["longitude"] = longitude
            return JSONValue.object(members).coordinate
        }
        #expect(place(.number(-47), .number(-20)) == Coordinate(latitude: -47, longitude: -20))
        #expect(place(.number(-47), nil) == Coordinate(latitude: -47, longitude: 0))
        #expect(place(.string("1.5"), .string("2")) == Coordinate(latitude: 1.5, longitude: 2))
        #expect(place(nil, nil) == nil)
        #expect(place(.number(91), .number(0)) == nil)
        #expect(place(.string("NaN"), .number(0)) == nil)
        #expect(place(.string("1e999"), .number(0)) == nil)
        #expect(place(.bool(true), .number(0)) == nil)
    }

    @Test("names of statuses in all their forms", arguments: TripStatus.allCases)
    func statuses(status: TripStatus) {
        for text in [status.name, "TRIP_STATUS_\(status.name)", "TRIP_STATUS_LOG_\(status.name)", status.name.lowercased()] {
            #expect(JSONValue.string(text).tripStatus == status, "\(text)")
        }
        #expect(JSONValue.number(Double(status.wireNumber)).tripStatus == status)
    }

    @Test("names of other values in all their forms")
    func names() {
        #expect(
            ["EXCLUSIVE", "EXCLUSIVE_TRIP", "TRIP_TYPE_LOG_SHARED"].map { JSONValue.string($0).tripType } == [
                .exclusive, .exclusive, .shared,
            ])
        #expect(
            ["ONLINE", "VEHICLE_STATE_OFFLINE", "VEHICLE_STATE_LOG_ONLINE"].map { JSONValue.string($0).vehicleState } == [
                .online, .offline, .online,
            ])
        let types = [
            "PICKUP_WAYPOINT_TYPE", "WAYPOINT_TYPE_DROP_OFF", "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE", "WAYPOINT_TYPE_LOG_PICKUP", "?",
        ]
        #expect(types.map { JSONValue.string($0).waypointType } == [.pickup, .dropoff, .intermediate, .pickup, .unknown])
        #expect(JSONValue.string("NAVIGATION_STATUS_LOG_OFF_ROUTE").navigationStatus == .offRoute)
        #expect(JSONValue.string("TWO_WHEELER").vehicleCategory == .twoWheeler)
        #expect(
            ["SPEED_NORMAL", "SLOW", "TRAFFIC_JAM", "x"].map { JSONValue.string($0).trafficSpeed } == [
                .normal, .slow, .trafficJam, .noData,
            ])
        #expect(
            ["STYLE_LOG_SLOWER_TRAFFIC", "TRAFFIC_JAM", "x"].map { JSONValue.string($0).stretchSpeed } == [
                .slow, .trafficJam, nil,
            ])
        #expect(JSONValue.number(1e300).tripStatus == nil)
        #expect(JSONValue.number(-1).vehicleCategory == .unknown)
    }

    @Test("masks as text, list and object")
    func masks() {
        let masks: [JSONValue] = [
            .string("vehicleState, lastLocation"), .array([.string("last_location")]),
            .object(["paths": .array([.string("lastLocation")])]),
        ]
        #expect(masks.allSatisfy { FieldMask($0)?.contains("lastlocation") == true })
        #expect(FieldMask(.number(3)) == nil)
        #expect(FieldMask(nil) == nil)
    }
}
