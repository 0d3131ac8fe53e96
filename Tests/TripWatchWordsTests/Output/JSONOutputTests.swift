import FleetEngine
import Foundation
import Geo
import JourneySharing
import Testing
import TripWatchWords

@Suite("JSON lines")
struct JSONOutputTests {
    private let noon = Date(timeIntervalSince1970: 1_935_799_632.25)

    private func line(_ fact: TripFact) throws -> [String: Any] {
        let text = try #require(JSONOutput().line(fact, trip: try TripName("providers/demo/trips/t1"), time: noon))
        #expect(!text.contains("\n"))
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("every line has time, trip and event; unknown is null, not left out")
    func location() throws {
        let fix = VehicleLocation(coordinate: Coordinate(latitude: -31.123456789, longitude: 0))
        let object = try line(.location(fix, ageSeconds: nil))
        #expect(object["t"] as? String == "2031-05-06T02:07:12.250Z")
        #expect(object["trip"] as? String == "providers/demo/trips/t1")
        #expect(object["event"] as? String == "location")
        #expect(object["latitude"] as? Double == -31.1234568)
        for key in ["heading", "speed_mps", "fix_time", "age_s"] { #expect(object[key] is NSNull, "\(key)") }
    }

    @Test("both kinds of errors have the same keys, and say where they come from", arguments: FleetEngineError.Origin.allCases)
    func errors(origin: FleetEngineError.Origin) throws {
        for code in StatusCode.allCases where code != .ok {
            let error = FleetEngineError(code: code, message: "a \"quoted\"\u{1b}[31m text\nwith \u{2028} traps", origin: origin)
            let object = try line(.failure(PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 5.24, attempt: 2)))
            #expect(Set(object.keys) == ["t", "trip", "event", "code", "class", "action", "origin", "retry_in_s", "attempt", "message"])
            #expect(object["code"] as? String == code.name)
            #expect(object["origin"] as? String == origin.rawValue)
            #expect(object["retry_in_s"] as? Double == 5.2)
            #expect((object["action"] is NSNull) == (object["class"] as? String == "retryable"))
            #expect((object["message"] as? String)?.contains("\u{1b}") == false)
        }
    }

    @Test("texts from outside stay one valid line", arguments: ["", "\"", "\\", "\u{0}\u{1f}\u{7f}\u{85}", "日本 🚕", "\r\n\t", "\u{202e}x"])
    func texts(id: String) throws { #expect(try line(.vehicle(id))["vehicle"] as? String == (id.isEmpty ? nil : id)) }

    @Test(
        "numbers have no exponent and no trailing zeros",
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1, "1"), (1.5, "1.5"), (-1.25, "-1.3"), (1e-9, "0"), (1_234_567.04, "1234567"),
        ] as [(Double, String)])
    func numbers(value: Double, expected: String) throws {
        let text = try #require(
            JSONOutput().line(.recovered(afterSeconds: value), trip: try TripName("providers/demo/trips/t1"), time: noon))
        #expect(text.hasSuffix("\"after_s\":\(expected)}"), "\(text)")
    }

    @Test(
        "times before 1970 and far ahead are still times",
        arguments: [
            (0.0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.000Z"), (951_782_400, "2000-02-29T00:00:00.000Z"),
            (4_102_444_799.999, "2099-12-31T23:59:59.999Z"), (253_402_300_799, "9999-12-31T23:59:59.000Z"),
            (1e300, "1970-01-01T00:00:00.000Z"),
        ])
    func times(seconds: Double, expected: String) { #expect(Timestamps.rfc3339(Date(timeIntervalSince1970: seconds)) == expected) }
}
