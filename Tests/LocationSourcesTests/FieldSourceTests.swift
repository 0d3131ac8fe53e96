import FoundationEssentials
import Geo
import Navigation
import Testing

@testable import LocationSources

@Suite("Tracks from the field", .enabled(if: sharedFile("../field/sources/b06-bom.gpx") != nil))
struct FieldSourceTests {
    private static func bytes(_ name: String) throws -> [UInt8] { try #require(sharedFile("../field/sources/\(name)")) }

    @Test(
        "unusual GPX files are driven by their times",
        arguments: ["b06-bom.gpx", "b07-time-whitespace.gpx", "b14-no-namespace.gpx", "b15-prefix-doctype.gpx"])
    func gpx(name: String) throws {
        let track = try GPXReader.track(pieces(Self.bytes(name), of: 999))
        #expect(track.count == 7 && track.durationSeconds == 60 && track.omittedCount == 0 && track.unusedTimes == nil)
    }

    @Test(
        "unusual sentences are driven by their times: checksums, talkers, noise, a missing date, midnight, and 1,024 weeks in the past",
        arguments: [
            ("b21-one-digit-checksum", 7, 60.0), ("b23-two-talkers", 7, 60), ("b24-midnight", 5, 20), ("b25-lower-case-checksum", 7, 60),
            ("b26-noise", 7, 60), ("b27-v41", 7, 60), ("b28-1hz-rmc-10hz-gga", 70, 60.9), ("b29-week-rollover", 7, 60),
            ("b30-void-then-good", 7, 60), ("b31-mode-N-status-A", 7, 60), ("b32-rmc-only-no-date", 7, 60), ("b33-date-000000", 7, 60),
        ])
    func nmea(name: String, count: Int, seconds: Double) throws {
        let track = try NMEAReader.track(pieces(Self.bytes("\(name).nmea"), of: 999))
        #expect(track.count == count && abs(track.durationSeconds - seconds) < 1e-6 && track.unusedTimes == nil)
    }
}
