import CZlib
import FleetEngine
import FoundationEssentials
import Testing

@testable import TripRecording

@Suite("Recordings in gzip")
struct GzipTextTests {
    private func packed(_ data: Data) -> Data {
        let bytes = Array(data)
        let room = bytes.count + 1_024
        return Data(
            [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                #expect(czlib_gzip(bytes, bytes.count, buffer.baseAddress, room, &count) == CZLIB_DONE)
            })
    }

    @Test("a packed log is the same log, as a recording and as a fleet")
    func log() throws {
        let plain = try TestFile.madeUpRide
        let (one, other) = (try FleetEngineLog(plain), try FleetEngineLog(packed(plain)))
        #expect(other.entryCount == one.entryCount && other.tripNames == one.tripNames && !one.tripNames.isEmpty)
        #expect(try RecordedTrip(packed(plain)).moments == RecordedTrip(plain).moments)
    }

    @Test("a packed .trip file is played as well")
    func tripFile() throws {
        let text =
            #"{"tripwatch":"trip","version":1,"t":"2026-01-01T00:00:00Z","trip":"providers/p/trips/t"}"#
            + "\n" + #"{"t":"2026-01-01T00:00:01Z","error":{"code":"UNAVAILABLE"}}"# + "\n"
        #expect(try RecordedTrip(packed(Data(text.utf8))).name.trip == "t")
    }

    @Test("damaged gzip is reported as such; a truncated file is read up to the cut")
    func damaged() throws {
        let plain = try TestFile.madeUpRide
        var broken = packed(plain)
        broken[broken.count / 2] ^= 0xFF
        broken[broken.count - 8] ^= 0xFF
        #expect(throws: TripRecordingError.damagedGzip) { try RecordedTrip(broken) }
        #expect(throws: TripRecordingError.damagedGzip) { try RecordedTrip(Data([0x1F, 0x8B, 0, 0])) }
        let half = Array(packed(plain))
        let start = try GzipText.plain(Array(half.prefix(half.count / 2)), limit: 1 << 20)
        #expect(!start.isEmpty && plain.starts(with: start))
    }

    @Test("text that is larger than the limit when unpacked is not read, and takes no more room than the limit")
    func bomb() throws {
        let zeros = Array(packed(Data(repeating: 0x20, count: 1 << 20)))
        #expect(zeros.count < 1 << 14)
        #expect(throws: GzipText.Fault.tooLarge) { try GzipText.plain(zeros, limit: (1 << 20) - 1) }
        #expect(try GzipText.plain(zeros, limit: 1 << 20).count == 1 << 20)
    }

    @Test("text that is not packed is passed on unchanged")
    func plain() throws {
        for text in ["", "{", "\u{1F}"] { #expect(try GzipText.plain(Array(text.utf8), limit: 10) == Array(text.utf8)) }
    }
}
