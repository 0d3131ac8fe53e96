import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf
import Testing

@testable import TripRecording

@Suite("Values in logs")
struct LogValueTests {
    @Test(
        "an invalid time is no time",
        arguments: [
            "", "2025", "2025-02-05", "2025-02-05T17:02:31", "2025-13-05T17:02:31Z", "2025-02-05T24:02:31Z", "2025-02-05T17:02:31.Z",
            "2025-02-05T17:02:31Zx", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "0000-00-00T00:00:00Z", "2025-02-05T17:02:31+99:00",
            "NaN",
        ])
    func noTimes(text: String) { #expect(LogInstant(text: text) == nil) }

    @Test("a time that is a microsecond later is later as a date, too")
    func nextInstant() throws {
        for text in ["1970-01-01T00:00:00Z", "2025-02-05T17:02:31.999999999Z", "2105-12-31T23:59:59.9999995Z"] {
            let instant = try #require(LogInstant(text: text))
            #expect(instant.next > instant)
            #expect(instant.next.date > instant.date)
        }
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
