import Geo
import Testing
import VectorTiles

@testable import TileFuzz
@testable import TileSources

@Suite struct PMTilesDirectoryTests {
    private typealias Entry = PMTilesWriter.Entry

    @Test("tiles are numbered along the curve that is drawn step by step")
    func numbers() {
        for zoom in 0...6 {
            let above = (0..<zoom).reduce(0) { $0 + (1 << (2 * $1)) }
            for (index, place) in HilbertCurve.places(zoom: zoom).enumerated() {
                #expect(tileID(zoom, place.0, place.1).hilbertNumber == UInt64(above + index))
            }
        }
        #expect(tileID(12, 3423, 1763).hilbertNumber == 19_078_479)
        // The last tile of the deepest zoom has the last number of all tiles.
        #expect(tileID(30, (1 << 30) - 1, 0).hilbertNumber == PMTilesDirectory.tileNumberEnd - 1)
    }

    @Test("a directory finds its entries, and nothing else", arguments: 0..<20)
    func lookup(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var entries: [Entry] = []
        var next: UInt64 = 0
        for _ in 0..<random.int(in: 1...60) {
            next += UInt64(random.int(in: 0...3))
            let run = UInt64(random.int(in: 0...5))
            entries.append(
                Entry(first: next, offset: UInt64(random.int(in: 0...500)), length: UInt64(random.int(in: 1...300)), run: run))
            next += max(1, run)
        }
        let directory = try PMTilesDirectory(PMTilesWriter.directory(entries))
        for tile in 0..<next + 4 {
            let found = directory.entry(for: tile)
            let last = entries.last { $0.first <= tile }
            let expected = last.flatMap { $0.run == 0 || tile < $0.first + $0.run ? $0 : nil }
            #expect(found?.first == expected?.first && found?.offset == expected?.offset)
            #expect(found.map { UInt64($0.length) } == expected?.length && found.map { UInt64($0.run) } == expected?.run)
        }
    }

    @Test("directories that break a rule are refused")
    func rules() {
        func isBroken(_ entries: [Entry]) -> Bool { (try? PMTilesDirectory(PMTilesWriter.directory(entries))) == nil }
        let whole = [Entry(first: 1, offset: 0, length: 5, run: 2), Entry(first: 3, offset: 5, length: 5, run: 1)]
        #expect(!isBroken(whole))
        #expect(isBroken([]))
        // These directories have overlapping runs, tiles out of order, or a leaf that covers no tiles.
        #expect(isBroken([Entry(first: 1, offset: 0, length: 5, run: 3), whole[1]]))
        #expect(isBroken([whole[1], whole[0]]))
        #expect(isBroken([Entry(first: 3, offset: 0, length: 5, run: 0), whole[1]]))
        // These entries have numbers that are too large for their fields.
        #expect(isBroken([Entry(first: PMTilesDirectory.tileNumberEnd, offset: 0, length: 5, run: 1)]))
        #expect(isBroken([Entry(first: 1, offset: 0, length: 1 << 32, run: 1)]))
        #expect(isBroken([Entry(first: 1, offset: 0, length: 5, run: 1 << 32)]))
        #expect(isBroken([Entry(first: 1, offset: .max - 1, length: 5, run: 1)]))
        #expect(isBroken([Entry(first: .max, offset: 0, length: 5, run: 1), whole[1]]))
        let bytes = PMTilesWriter.directory(whole)
        for length in 0..<bytes.count { #expect((try? PMTilesDirectory(Array(bytes[..<length]))) == nil) }
        // The faults: a first entry whose offset refers to a previous entry, a count that is too large, and a number that does not end.
        #expect((try? PMTilesDirectory([1, 0, 1, 1, 0])) == nil)
        #expect((try? PMTilesDirectory([0xff, 0xff, 0xff, 0x7f, 0, 1, 1, 1])) == nil)
        #expect((try? PMTilesDirectory(Array(repeating: 0xff, count: 30))) == nil)
    }

    @Test("an entry of no length is a missing tile, and affects no other")
    func noLength() throws {
        let entries = [
            Entry(first: 1, offset: 0, length: 5, run: 2), Entry(first: 3, offset: 5, length: 0, run: 1),
            Entry(first: 4, offset: 5, length: 0, run: 0), Entry(first: 7, offset: 5, length: 9, run: 1),
        ]
        let directory = try PMTilesDirectory(PMTilesWriter.directory(entries))
        #expect((0...8).map { directory.entry(for: $0)?.length ?? 0 } == [0, 5, 5, 0, 0, 0, 0, 9, 0])
        #expect(directory.entry(for: 7)?.offset == 5)
        #expect(try PMTilesDirectory(PMTilesWriter.directory([entries[1]])).entry(for: 3) == nil)
    }

    @Test("the most recently used leaf directories are kept")
    func leaves() throws {
        func directory(_ count: Int) throws -> PMTilesDirectory {
            try PMTilesDirectory(
                PMTilesWriter.directory((0..<count).map { Entry(first: UInt64($0), offset: UInt64($0) * 9, length: 5, run: 1) }))
        }
        var leaves = LeafDirectories(entryLimit: 10)
        leaves.keep(try directory(4), at: 0)
        leaves.keep(try directory(4), at: 1)
        #expect(leaves.directory(at: 0)?.entries.count == 4)
        leaves.keep(try directory(4), at: 2)
        #expect(leaves.directory(at: 1) == nil && leaves.directory(at: 0) != nil && leaves.count == 2)
        leaves.keep(try directory(50), at: 3)
        #expect(leaves.count == 1 && leaves.directory(at: 3) != nil)
        leaves.keep(try directory(3), at: 3)
        leaves.keep(try directory(3), at: 4)
        #expect(leaves.count == 2)
    }
}
