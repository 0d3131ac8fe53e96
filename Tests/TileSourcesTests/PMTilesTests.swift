import Geo
import Glibc
import Testing
import VectorTiles

@testable import TileFuzz
@testable import TileSources

@Suite struct PMTilesTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func writer(_ zooms: ClosedRange<Int> = 0...3) -> PMTilesWriter { PMTilesWriter(tiles: FuzzKind.village(zooms: zooms)) }

    /// Writes an archive in which some bytes are replaced, and returns its path.
    private func changed(_ writer: PMTilesWriter, at offset: Int, to bytes: [UInt8]) throws -> String {
        var archive = writer.bytes()
        archive.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return try scratch.file("changed.pmtiles", archive)
    }

    @Test("every tile of an archive is returned, however the archive was made")
    func makes() async throws {
        var makes: [PMTilesWriter] = []
        for (leafSize, levels) in [(nil, 1), (7, 1), (3, 2), (2, 3)] as [(Int?, Int)] {
            for isCompressed in [true, false] {
                for isClustered in [true, false] {
                    var make = writer(0...2)
                    (make.leafSize, make.leafLevels) = (leafSize, levels)
                    (make.isInternallyCompressed, make.isClustered) = (isCompressed, isClustered)
                    make.sharesTiles = isClustered
                    makes.append(make)
                }
            }
        }
        let villages = (0..<3).map { MadeUpTile.village($0).bytes }
        for make in makes {
            let map = try BaseMapFile(path: scratch.archive(make))
            #expect(map.format == .pmtiles && map.zoomRange == 0...2)
            for id in allTiles(0...2) {
                #expect(try await map.tile(id) == VectorTileDecoder().decode(villages[id.x % 3], id: id))
            }
            #expect(try await map.tile(tileID(3, 0, 0)) == nil)
        }
    }

    @Test("equal neighbours share an entry, and gaps stay gaps")
    func runs() async throws {
        let ocean = GzipWriter.stored(MadeUpTile.village(9).bytes)
        let ids = HilbertCurve.places(zoom: 3).map { tileID(3, $0.0, $0.1) }
        var make = PMTilesWriter(tiles: ids.enumerated().filter { $0.offset % 10 != 0 }.map { ($0.element, ocean) })
        make.leafSize = 2
        let map = try BaseMapFile(path: scratch.archive(make))
        for (index, id) in ids.enumerated() {
            let tile = try await map.tile(id)
            #expect((tile == nil) == (index % 10 == 0))
        }
    }

    @Test("a last zoom that the header does not know is corrected; where tiles end earlier, those above are used", arguments: [nil, 4])
    func lastZoom(leafSize: Int?) async throws {
        var make = PMTilesWriter(tiles: FuzzKind.village(zooms: 0...3))
        make.leafSize = leafSize
        for (stated, expected) in [(UInt8(9), leafSize == nil ? 0...3 : 0...9), (1, 0...3)] {
            let map = try BaseMapFile(path: changed(make, at: 101, to: [stated]))
            #expect(map.zoomRange == expected)
            #expect(await map.nearest(to: tileID(9, 511, 0)).tile?.id == tileID(3, 7, 0))
        }
    }

    @Test("the zoom of a tile is known by its number", arguments: 0...30)
    func zoomOfNumber(zoom: Int) {
        let last = (1 << zoom) - 1
        for (x, y) in [(0, 0), (last, 0), (last, last), (last / 2, last)] {
            #expect(TileID.zoom(ofHilbertNumber: tileID(zoom, x, y).hilbertNumber) == zoom)
        }
    }

    @Test("header and metadata become the map's details, with plain texts")
    func details() throws {
        var make = writer()
        make.metadata = """
            {"name":"Made\\u001b[31m Up","attribution":"&copy; <b>nobody</b>","vector_layers":[{"id":"streets"},{"id":"land"}]}
            """
        make.bounds = [100_000_000, 200_000_000, 120_000_000, 210_000_000]
        make.center = (14, 110_000_000, 205_000_000)
        let details = try BaseMapFile(path: scratch.archive(make)).details
        #expect(details.name == "Made[31m Up" && details.attribution == "© nobody" && details.schema == .shortbread)
        #expect(details.bounds == BoundingBox(south: 20, west: 10, north: 21, east: 12))
        // The centre's zoom, 14, is clamped to the map's highest zoom.
        #expect(details.center == Coordinate(latitude: 20.5, longitude: 11) && details.centerZoom == 3)
    }

    @Test("invalid numbers are not a place; without an attribution, the schema's is shown")
    func defaults() throws {
        var make = writer()
        make.metadata = "{\"vector_layers\":[{\"id\":\"transportation\"}]}"
        make.bounds = [0, 0, 0, 0]
        make.center = (0, 0, 1_900_000_000)
        var details = try BaseMapFile(path: scratch.archive(make)).details
        #expect(details.attribution == "© OpenMapTiles © OpenStreetMap contributors" && details.name.isEmpty)
        #expect(details.bounds == nil && details.center == nil && details.centerZoom == nil)
        make.metadata = "not json"
        // A centre outside the bounds is ignored, so the middle of the bounds is used.
        make.bounds = [100_000_000, 200_000_000, 120_000_000, 210_000_000]
        make.center = (0, 0, 0)
        details = try BaseMapFile(path: scratch.archive(make)).details
        #expect(details.attribution == "© OpenStreetMap contributors" && details.schema == nil)
        #expect(details.center == Coordinate(latitude: 20.5, longitude: 11) && details.centerZoom == nil)
    }

    @Test("each field of the header is checked")
    func header() throws {
        let small = writer(0...1)
        let count = UInt64(small.bytes().count)
        func number(_ value: UInt64) -> [UInt8] { PMTilesWriter.littleEndian(value, 8) }
        func found(_ offset: Int, _ bytes: [UInt8]) throws -> BaseMapFileError.Problem? {
            problem(try changed(small, at: offset, to: bytes))
        }
        #expect(try found(7, [2]) == .version(2) && found(7, [4]) == .version(4))
        // The root directory begins before the header's end, or has length 0.
        #expect(try found(8, number(126)) == .damaged("header") && found(16, number(0)) == .damaged("header"))
        // Each section ends beyond the file's end, or has the largest possible offset or length.
        for offset in [8, 24, 40, 56] {
            #expect(try found(offset + 8, number(count + 1)).map { if case .truncated = $0 { true } else { false } } == true)
            #expect(try found(offset, number(.max)) != nil)
            #expect(try found(offset + 8, number(.max)) == .damaged("header"))
        }
        #expect(try found(97, [3]) == .compression("Brotli") && found(97, [4]) == .compression("Zstandard"))
        #expect(try found(98, [3]) == .compression("Brotli") && found(98, [9]) == .damaged("header"))
        #expect(try found(99, [2]) == .contents("pictures (PNG)") && found(99, [6]) == .contents("MapLibre tiles (MLT)"))
        #expect(try found(99, [7]) == .damaged("header") && found(99, [0]) == nil)
        #expect(try found(100, [2]) == .damaged("header") && found(101, [31]) == .damaged("header"))
        #expect(try found(127, [0, 0]) == .damaged("root directory"))
        #expect(try found(97, [1]) == .damaged("root directory") && found(97, [0]) == nil)
    }

    @Test("a root directory beyond the first 16 KiB is refused")
    func lateRoot() throws {
        var make = writer()
        make.isInternallyCompressed = false
        var archive = make.bytes() + Array(repeating: 0, count: 40_000)
        archive.replaceSubrange(8..<16, with: PMTilesWriter.littleEndian(20_000, 8))
        #expect(problem(try scratch.file("late.pmtiles", archive)) == .damaged("header"))
    }

    @Test("an archive that is cut off anywhere is refused or read, and the message says how much is missing")
    func cut() throws {
        let archive = writer().bytes()
        for length in stride(from: 0, to: archive.count, by: 37) {
            let found = problem(try scratch.file("cut.pmtiles", Array(archive[..<length])))
            #expect(found != nil, "\(length)")
        }
        let found = problem(try scratch.file("cut.pmtiles", archive.dropLast()))
        #expect(found == .truncated(expectedByteCount: UInt64(archive.count), byteCount: UInt64(archive.count - 1)))
    }

    @Test("leaf directories that form a circle come to an end")
    func circle() async throws {
        var make = writer(1...1)
        make.isInternallyCompressed = false
        let itself = PMTilesWriter.directory([.init(first: 1, offset: 0, length: 5, run: 0)])
        #expect(itself.count == 5)
        let archive = make.archive(root: itself, leaves: itself, data: [1, 2, 3])
        let map = try BaseMapFile(path: scratch.file("circle.pmtiles", archive))
        #expect(await reason(map, tileID(1, 0, 0)) == "the index that points to it is damaged")
    }

    @Test("entries that point outside their section make only their tile unreadable")
    func outside() async throws {
        var make = writer(1...1)
        make.isInternallyCompressed = false
        let root = PMTilesWriter.directory([
            .init(first: 1, offset: 0, length: 3, run: 1), .init(first: 2, offset: 1, length: 3, run: 1),
            .init(first: 3, offset: 1 << 60, length: 3, run: 1), .init(first: 4, offset: 2, length: 9, run: 0),
        ])
        let map = try BaseMapFile(path: scratch.file("out.pmtiles", make.archive(root: root, data: [0x7a, 1, 0])))
        #expect(try await map.tile(tileID(1, 0, 0))?.featureCount == 0)
        for (x, y) in [(0, 1), (1, 1), (1, 0)] {
            #expect(await reason(map, tileID(1, x, y)) == "the index that points to it is damaged")
        }
    }

    @Test("a directory that would become too large is refused without being unpacked")
    func bomb() throws {
        let make = writer(0...0)
        let archive = make.archive(root: Array(GzipWriter.zeros(PMTilesDirectory.maximumByteCount).prefix(16_000)), data: [1])
        #expect(problem(try scratch.file("bomb.pmtiles", archive)) == .damaged("root directory"))
    }

    @Test("a tile that is not a vector tile is unreadable, with a message")
    func damagedTile() async throws {
        let tiles: [(id: TileID, bytes: [UInt8])] = [
            (tileID(1, 0, 0), [0x1a, 0x7f]), (tileID(1, 0, 1), GzipWriter.stored([0x1a, 0x7f])), (tileID(1, 1, 1), [0x1f, 0x8b, 8]),
            (tileID(1, 1, 0), GzipWriter.zeros(20 << 20)),
        ]
        let map = try BaseMapFile(path: scratch.archive(PMTilesWriter(tiles: tiles)))
        #expect(await reason(map, tileID(1, 0, 0)) == "not a usable vector tile: it ends too early (byte 2)")
        #expect(await reason(map, tileID(1, 0, 1)) == "not a usable vector tile: it ends too early (byte 2)")
        #expect(await reason(map, tileID(1, 1, 1)) == "its compressed data ends too early")
        #expect(await reason(map, tileID(1, 1, 0)) == "it is too large")
        guard case .unreadable(let sentence) = await map.answer(for: tileID(1, 1, 0)) else {
            Issue.record("it was read")
            return
        }
        #expect(sentence == "Tile 1/1/0 is left blank: it is too large.")
    }

    @Test("if a file becomes shorter while it is open, tiles are lost and the program goes on")
    func shrinking() async throws {
        let path = try scratch.archive(writer())
        let map = try BaseMapFile(path: path)
        #expect(try await map.tile(tileID(3, 1, 1)) != nil)
        #expect(truncate(path, 700) == 0)
        let reasons = await withTaskGroup(of: String?.self) { group in
            for id in allTiles(3...3) { group.addTask { await reason(map, id) } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(reasons.subtracting([nil]) == ["the file has become shorter"])
        #expect(truncate(path, 0) == 0)
        #expect(await reason(map, tileID(0, 0, 0)) == "the file has become shorter")
    }
}
