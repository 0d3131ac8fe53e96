import FoundationEssentials
import Geo
import Glibc
import Testing
import VectorTiles

@testable import TileFuzz
@testable import TileSources

@Suite struct BaseMapFileTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test("the kind of a file is known from its content, not from its name")
    func detection() throws {
        let tiles = FuzzKind.village(zooms: 0...1)
        #expect(try BaseMapFile(path: scratch.archive(PMTilesWriter(tiles: tiles), "a.mbtiles")).format == .pmtiles)
        #expect(try BaseMapFile(path: scratch.archive(MBTilesWriter(tiles: tiles), "b-1-0-0.mvt")).format == .mbtiles)
        #expect(try BaseMapFile(path: scratch.file("1-0-0", MadeUpTile.village().bytes)).format == .tile)
    }

    @Test("one tile is a map of its own area", arguments: [false, true])
    func looseTile(isCompressed: Bool) async throws {
        let bytes = MadeUpTile.village(3).bytes
        let path = try scratch.file("made-up_14-8803-5376.mvt.gz", isCompressed ? GzipWriter.stored(bytes) : bytes)
        let map = try BaseMapFile(path: path)
        let id = tileID(14, 8803, 5376)
        #expect(map.zoomRange == 14...14 && map.attribution == "© OpenMapTiles © OpenStreetMap contributors")
        #expect(try await map.tile(id) == VectorTileDecoder().decode(bytes, id: id))
        #expect(try await map.tile(tileID(14, 8803, 5377)) == nil)
        let below = tileID(16, 8803 * 4 + 3, 5376 * 4)
        #expect(await map.nearest(to: below).tile?.id == id)
        let bounds = try #require(map.details.bounds)
        let center = try #require(map.details.center)
        #expect(TileID.containing(WebMercator.project(center), zoom: 14) == id && bounds.contains(center))
        #expect(abs(bounds.longitudeSpan - 360.0 / 16_384) < 1e-12)
    }

    @Test(
        "the tile's address is at the end of the name, or of the path",
        arguments: [
            ("/x/14-8803-5376.mvt", "14/8803/5376"), ("/x/town_14-8803-5376.pbf", "14/8803/5376"), ("/x/town-14-8803-5376", "14/8803/5376"),
            ("/x/14/8803/5376.mvt.gz", "14/8803/5376"), ("/x/0-0-0.pbf.gz", "0/0/0"), ("/x/y14/8803/5376.mvt", nil),
            ("/x/5376.mvt", nil), ("/x/8803-5376.mvt", nil), ("/x/2-4-0.mvt", nil), ("/x/31-0-0.mvt", nil), ("/x/-1-0-0.mvt", "1/0/0"),
            ("/x/14--8803-5376.mvt", nil), ("/x/99999999999999999999-1-1.mvt", nil), ("/x/１-0-0.mvt", nil), ("/", nil),
            ("/x/1-0-0.png", nil),
        ] as [(String, String?)])
    func addresses(path: String, expected: String?) {
        #expect(LooseTileReader.address(in: path)?.description == expected)
    }

    @Test("the message about a broken file is one sentence: what happened, why, and what to do")
    func sentences() throws {
        func sentence(_ path: String) -> String? {
            do throws(BaseMapFileError) {
                _ = try BaseMapFile(path: path)
                return nil
            } catch {
                return error.description
            }
        }
        let missing = scratch.path + "/none.pmtiles"
        #expect(sentence(missing) == "\(missing) cannot be used as a map: there is no such file; check the path.")
        #expect(sentence(scratch.path) == "\(scratch.path) cannot be used as a map: it is a directory; give the path of a file.")
        let pipe = scratch.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(sentence(pipe)?.contains("it is not a regular file") == true)
        #expect(sentence("/dev/null")?.contains("it is not a regular file") == true)
        #expect(problem(try scratch.file("empty.mvt", [])) == .empty)
        #expect(problem(try scratch.file("text", Array("Hello, world.".utf8))) == .unknownFormat)
        #expect(problem(try scratch.file("1-0-0.mvt", Array("Hello, world.".utf8))) == .damaged("tile"))
        #expect(problem(try scratch.file("1-0-0.mvt", MadeUpTile.village().bytes.dropLast() + [0xff])) == .damaged("tile"))
        #expect(problem(try scratch.file("no-address.mvt", MadeUpTile.village().bytes)) == .noAddress)
        #expect(problem(try scratch.file("old.pmtiles", Array("PM".utf8) + [2, 0, 9, 9])) == .version(2))
        #expect(problem(scratch.path + "/empty.mvt/deeper") == .missing)
        #expect(problem(String(repeating: "x", count: 5000)).map { if case .unreadable = $0 { true } else { false } } == true)
        #expect(sentence("/no\u{1b}[2J\nsuch\u{202e}file")?.contains("/no[2J suchfile cannot be used") == true)
    }

    @Test("every problem has its own sentence")
    func words() {
        let problems: [BaseMapFileError.Problem] = [
            .missing, .forbidden, .directory, .notAFile, .unreadable("Input/output error"), .empty, .unknownFormat, .noAddress,
            .truncated(expectedByteCount: 9, byteCount: 4), .version(2), .damaged("header"), .compression("Brotli"),
            .contents("pictures (PNG)"), .noTiles,
        ]
        let sentences = problems.map { BaseMapFileError("a.pmtiles", $0).description }
        #expect(Set(sentences).count == problems.count)
        for sentence in sentences {
            #expect(sentence.hasPrefix("a.pmtiles cannot be used as a map: ") && sentence.hasSuffix("."))
            #expect(sentence.contains("; ") && !sentence.contains("\n"))
        }
    }

    @Test("both kinds of archive give the same tiles")
    func pair() async throws {
        var tiles = FuzzKind.village(zooms: 0...4)
        tiles.removeAll { $0.id.x == 3 }
        var make = PMTilesWriter(tiles: tiles)
        make.leafSize = 20
        let first = try BaseMapFile(path: scratch.archive(make))
        let second = try BaseMapFile(path: scratch.archive(MBTilesWriter(tiles: tiles, isView: true)))
        #expect(first.zoomRange == second.zoomRange)
        for id in allTiles(0...4) {
            let (left, right) = (try await first.tile(id), try await second.tile(id))
            #expect(left == right && (left == nil) == (id.x == 3))
        }
    }

    @Test("many simultaneous readers get the same as one")
    func concurrency() async throws {
        var make = PMTilesWriter(tiles: FuzzKind.village(zooms: 0...4))
        make.leafSize = 5
        let maps = [try BaseMapFile(path: scratch.archive(make)), try BaseMapFile(path: scratch.archive(MBTilesWriter(tiles: make.tiles)))]
        for map in maps {
            let counts = await withTaskGroup(of: Int.self) { group in
                for id in allTiles(0...4) { group.addTask { await map.nearest(to: id).tile?.featureCount ?? 0 } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts.count == 341 && Set(counts) == [7])
        }
    }

    @Test("names are in the reader's language")
    func languages() async throws {
        var tile = MadeUpTile()
        tile.add("place", .point, [("class", "city"), ("name", "Здесь"), ("name:latin", "Zdes"), ("name:de", "Hier")], [(5, 5)])
        let path = try scratch.file("0-0-0.mvt", tile.bytes)
        for (languages, name) in [(["de"], "Hier"), (["fr"], "Zdes"), ([], "Zdes")] {
            #expect(try await BaseMapFile(path: path, languages: languages).tile(.world)?.name(of: 0) == name)
        }
    }
}
