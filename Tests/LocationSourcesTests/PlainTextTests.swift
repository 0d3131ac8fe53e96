import CZlib
import Geo
import Testing

@testable import LocationSources

@Suite("Text files in gzip and UTF-16")
struct PlainTextTests {
    private static let text = "<gpx><!-- é 🚕 --><trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1.001' lon='2'/></trkseg></trk></gpx>"

    private func read(_ bytes: [UInt8], size: Int = 3) throws(LocationFileError) -> [UInt8] {
        let plain = PlainText(pieces(bytes, of: size))
        var all: [UInt8] = []
        while let piece = try plain.next() { all += piece }
        return all
    }

    private static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return bigEndian ? bytes.reversed() : bytes
        }
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes.count + 100) { buffer, count in
            let result = bytes.withUnsafeBufferPointer {
                czlib_gzip($0.baseAddress, $0.count, buffer.baseAddress, buffer.count, &count)
            }
            #expect(result == CZLIB_DONE)
        }
    }

    @Test(
        "UTF-16 in either byte order, with or without a byte order mark, and gzip are read, in pieces of any size",
        arguments: [1, 2, 3, 4_096])
    func forms(size: Int) throws {
        let plain = Array(Self.text.utf8)
        let little = Self.utf16(Self.text, bigEndian: false)
        let big = Self.utf16(Self.text, bigEndian: true)
        for bytes in [plain, little, big, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big, Self.gzip(plain), Self.gzip([0xFF, 0xFE] + little)] {
            #expect(try read(bytes, size: size) == plain)
        }
        #expect(try read([], size: size).isEmpty && read([7], size: size) == [7])
    }

    @Test("sentences in UTF-16, as a Windows shell writes them, are read")
    func sentences() throws {
        let body = ["100000", "100001"].map { sentence("GPRMC,\($0).00,A,4516.0,N,01342.0,E,9,7.0,290224,,,A") }.joined()
        let plain = PlainText(pieces([0xFF, 0xFE] + Self.utf16(body, bigEndian: false)))
        #expect(try NMEAReader.track { () throws(LocationFileError) in try plain.next() }.seconds == [0, 1])
    }

    @Test("truncated gzip gives the part before the cut; damaged gzip is refused")
    func broken() throws {
        let long = (0..<2_000).map { "<trkpt lat='\(Double($0 * 7_919 % 2_003) / 100)' lon='2'/>" }.joined()
        let packed = Self.gzip(Array(long.utf8))
        let half = try read(Array(packed.prefix(packed.count / 2)), size: 999)
        #expect(half.count > 100 && Array(long.utf8).starts(with: half))
        for bytes: [UInt8] in [[0x1F, 0x8B], [0x1F, 0x8B, 8, 0, 0, 0], [0x1F, 0x8B] + Array(Self.text.utf8)] {
            #expect(throws: LocationFileError.unreadable("its gzip data is damaged")) { try read(bytes) }
        }
    }

    @Test("unpacked text is returned in pieces; text beyond the limit is refused")
    func large() throws {
        let plain = PlainText(pieces(Self.gzip([UInt8](repeating: 0x20, count: 1 << 20)), of: 4_096))
        var sizes: [Int] = []
        while let piece = try plain.next() { sizes.append(piece.count) }
        #expect(sizes.count > 1 && sizes.reduce(0, +) == 1 << 20)
        let packed = Self.gzip([UInt8](repeating: 0x20, count: (64 << 20) + 1))
        #expect(throws: LocationFileError.unreadable("it is larger than 64 MiB when unpacked")) { try read(packed, size: 100_000) }
    }

    @Test("files from the field are driven", arguments: ["b05-utf16.gpx", "b11-gz.gpx"])
    func field(name: String) throws {
        guard let bytes = sharedFile("../field/sources/\(name)") else { return }
        let plain = PlainText(pieces(bytes, of: 100))
        let track = try GPXReader.track { () throws(LocationFileError) in try plain.next() }
        #expect(track.count == 7 && track.durationSeconds == 60)
    }
}
