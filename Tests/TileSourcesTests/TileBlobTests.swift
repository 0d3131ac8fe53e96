import Testing

@testable import TileFuzz
@testable import TileSources

@Suite struct TileBlobTests {
    private let text = Array("The quick brown fox jumps over the lazy dog, and over the lazy dog again.".utf8)

    private func problem(_ bytes: [UInt8], limit: Int = TileBlob.maximumByteCount) -> TileBlob.Problem? {
        do throws(TileBlob.Problem) {
            _ = try TileBlob.plain(bytes, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test("gzip, gzip of several members, zlib and bare bytes are distinguished")
    func formats() throws {
        let gzip = GzipWriter.stored(text)
        #expect(try TileBlob.plain(gzip) == text)
        #expect(try TileBlob.plain(gzip + gzip) == text + text)
        // Some tools compress data that is already compressed.
        #expect(try TileBlob.plain(GzipWriter.stored(gzip)) == text)
        #expect(try TileBlob.plain(GzipWriter.stored(GzipWriter.stored(gzip))) == text)
        #expect(try TileBlob.plain(text) == text)
        #expect(try TileBlob.plain([]) == [])
        #expect(try TileBlob.plain(GzipWriter.stored([])) == [])
        // The bytes are "abc", compressed by zlib.
        #expect(try TileBlob.plain([0x78, 0x9c, 0x4b, 0x4c, 0x4a, 0x06, 0x00, 0x02, 0x4d, 0x01, 0x27]) == Array("abc".utf8))
        // A tile can begin with these bytes. They must not be mistaken for compressed data.
        #expect(!TileBlob.isCompressed([0x1a, 0x8b]) && !TileBlob.isCompressed([0x78]) && !TileBlob.isCompressed([0x78, 0x02]))
    }

    @Test("bytes after the end are ignored")
    func trailing() throws {
        #expect(try TileBlob.plain(GzipWriter.stored(text) + [0, 0, 0, 0, 9, 9]) == text)
        // A gzip file ends with the size of its plain data, but the last four bytes of these inputs are something else.
        #expect(try TileBlob.plain(GzipWriter.stored(text) + [0xff, 0xff, 0xff, 0xff]) == text)
        #expect(try TileBlob.plain(GzipWriter.stored(text) + [1, 0, 0, 0]) == text)
    }

    @Test("damage is distinguished from a missing end")
    func damage() {
        let gzip = GzipWriter.stored(text)
        for length in [2, 9, 15, gzip.count / 2, gzip.count - 1] { #expect(problem(Array(gzip[..<length])) == .truncated, "\(length)") }
        var wrong = gzip
        wrong[20] ^= 1
        #expect(problem(wrong) == .damaged)
        #expect(problem(gzip + [0x1f, 0x8b, 1]) == .damaged || problem(gzip + [0x1f, 0x8b, 1]) == .truncated)
    }

    @Test("data that would become too large are refused without being unpacked")
    func bombs() throws {
        let limit = TileBlob.maximumByteCount
        let bomb = GzipWriter.zeros(limit + 1000)
        #expect(bomb.count < limit / 100)
        #expect(problem(bomb) == .tooLarge)
        for announced in [0, 1, 1000, 0xffff_ffff] as [UInt32] {
            let size = (0..<4).map { UInt8(truncatingIfNeeded: announced >> (8 * $0)) }
            #expect(problem(bomb.dropLast(4) + size) == .tooLarge)
        }
        #expect(problem(Array(repeating: 0, count: limit + 1)) == .tooLarge)
        #expect(problem(GzipWriter.stored(text), limit: text.count - 1) == .tooLarge)
        #expect(problem(GzipWriter.stored(text), limit: text.count) == nil)
    }

    @Test("compressed bytes of any kind are read or refused", arguments: 0..<8)
    func cuts(start: Int) {
        let gzip = GzipWriter.stored(text)
        for place in stride(from: start, to: gzip.count, by: 8) {
            for bit in 0..<8 {
                var bytes = gzip
                bytes[place] ^= 1 << UInt8(bit)
                if let plain = try? TileBlob.plain(bytes) { #expect(plain == text || place < 10) }
            }
        }
    }
}
