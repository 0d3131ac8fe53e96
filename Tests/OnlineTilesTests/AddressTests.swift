import FleetEngine
import FoundationEssentials
import Geo
import HTTPCalls
import Testing
import VectorTiles

@testable import OnlineTiles

@Suite("Addresses of maps")
struct AddressTests {
    @Test("a template, a TileJSON and an archive are distinguished, and no part of a key is shown")
    func kinds() throws {
        let template = try MapAddress("https://tiles.example:8443/v1/{z}/{x}/{y}.pbf?key=geheim")
        #expect(template.description == "https://tiles.example:8443" && template.host == "tiles.example:8443")
        guard case .template(let tiles) = template.kind else { Issue.record("no template"); return }
        let id = try #require(TileID(zoom: 3, x: 5, y: 1))
        #expect(tiles.url(of: id)?.text == "https://tiles.example:8443/v1/3/5/1.pbf?key=geheim")
        guard case .tileJSON = try MapAddress("http://127.0.0.1:1/a/tiles.json?key=geheim").kind else {
            Issue.record("no TileJSON"); return
        }
        for text in ["http://127.0.0.1:1/data/v3?key=geheim", "https://a.example/", "https://a.example/style"] {
            guard case .tileJSON = try MapAddress(text).kind else { Issue.record("no TileJSON: \(text)"); return }
        }
        for text in ["https://a.example/{z}/{x}/{y}{r}.pbf", "https://a.example/%7Bz%7D/%7bx%7d/%7By%7D.pbf"] {
            guard case .template(let tiles) = try MapAddress(text).kind else { Issue.record("no template: \(text)"); return }
            #expect(tiles.url(of: id)?.text == "https://a.example/3/5/1.pbf")
        }
        guard case .archive = try MapAddress("https://a.example/world.pmtiles").kind else { Issue.record("no archive"); return }
        #expect(try MapAddress(MapAddress.openStreetMap).host == "vector.openstreetmap.org")
    }

    @Test(
        "an invalid map address is refused, and the refusal does not repeat it",
        arguments: [
            "https://me:geheim@a.example/{z}/{x}/{y}", "ftp://geheim/{z}/{x}/{y}", "https:///{z}/{x}/{y}",
            "https://geheim{z}.example/{x}/{y}", "https://a.example/{z}/{x}", "https://a.example/{z}/{x}/{y}/{geheim}",
            "https://a.example:99999/{z}/{x}/{y}", "https://a.example/geheim {z}/{x}/{y}", "geheim",
        ])
    func refused(text: String) throws {
        let error = try #require(throws: MapAddressError.self) { try MapAddress(text) }
        #expect(!error.description.contains("geheim"))
    }

    @Test("rows count from the south if the address says so")
    func south() throws {
        let id = try #require(TileID(zoom: 3, x: 5, y: 1))
        #expect(TileTemplate("http://a/{z}/{x}/{-y}")?.url(of: id)?.text == "http://a/3/5/6")
        #expect(TileTemplate("http://a/{z}/{x}/{y}", isTMS: true)?.url(of: id)?.text == "http://a/3/5/6")
    }

    @Test("a redirect goes to http or https, and never from https to http")
    func redirects() throws {
        let safe = try #require(WebURL("https://a.example/x/y"))
        let plain = try #require(WebURL("http://a.example/x/y"))
        #expect(safe.redirected(to: "../z")?.text == "https://a.example/z")
        #expect(safe.redirected(to: "https://b.example/")?.host == "b.example")
        #expect(safe.redirected(to: "http://a.example/x/y") == nil && safe.redirected(to: "file:///etc/passwd") == nil)
        #expect(plain.redirected(to: "https://a.example/")?.scheme == "https")
        #expect(plain.redirected(to: "http://b.example/")?.scheme == "http")
    }

    @Test("a TileJSON gives addresses, zooms, bounds and the attribution")
    func tileJSON() throws {
        let url = try #require(WebURL("https://a.example/tiles.json"))
        func read(_ text: String) -> TileJSON? { TileJSON(Array(text.utf8), from: url) }
        let full = try #require(
            read(
                """
                {"tiles":["http://no.example/{z}/{x}/{y}","https://1.example/{z}/{x}/{y}","https://2.example/{z}/{x}/{y}"],"scheme":"tms",
                "minzoom":2,"maxzoom":9,"bounds":[7,43,8,44],"center":[7.4,43.7,8],"attribution":"<a href='x'>&copy; Somebody</a>",
                "vector_layers":[{"id":"streets"}]}
                """))
        #expect(full.details.attribution == "© Somebody" && full.details.zoomRange == 2...9 && full.details.centerZoom == 8)
        #expect(full.details.schema == .shortbread)
        let (first, second) = (try #require(TileID(zoom: 2, x: 1, y: 1)), try #require(TileID(zoom: 2, x: 2, y: 1)))
        #expect(full.template(of: first).url(of: first)?.text == "https://1.example/2/1/2")
        #expect(full.template(of: second).url(of: second)?.text == "https://2.example/2/2/2")
        let inside = try #require(TileID(zoom: 8, x: 133, y: 93))
        let outside = try #require(TileID(zoom: 8, x: 10, y: 93))
        #expect(full.details.mayHave(inside) && !full.details.mayHave(outside))
        #expect(!full.details.mayHave(try #require(TileID(zoom: 10, x: 533, y: 373))))
        // Missing and invalid members get their defaults.
        let bare = try #require(read(#"{"tiles":["https://a/{z}/{x}/{y}"],"minzoom":"two","bounds":[1]}"#))
        #expect(bare.details.zoomRange == 0...14 && bare.details.bounds == nil)
        #expect(bare.details.attribution == "© OpenStreetMap contributors")
        for text in ["", "[]", "{}", #"{"tiles":[]}"#, #"{"tiles":["file:///{z}/{x}/{y}"]}"#, #"{"tiles":["https://a/b"]}"#, "<html>"] {
            #expect(read(text) == nil, "\(text)")
        }
        #expect(try #require(read(#"{"tiles":["https://a/{z}/{x}/{y}"],"minzoom":-4,"maxzoom":-9}"#)).details.zoomRange == 0...0)
        #expect(try #require(read(#"{"tiles":["https://a/{z}/{x}/{y}"],"minzoom":99,"maxzoom":99}"#)).details.zoomRange == 30...30)
    }

    @Test(
        "addresses of tiles may be relative, and as servers behind a proxy write them",
        arguments: [
            ("/t/{z}/{x}/{y}.pbf", "https://a.example:8443/t/3/5/1.pbf"), ("{z}/{x}/{y}", "https://a.example:8443/v/3/5/1"),
            ("../{z}/{x}/{y}?a=b", "https://a.example:8443/3/5/1?a=b"), ("//b.example/{z}/{x}/{y}", "https://b.example/3/5/1"),
            ("https://b.example/%7Bz%7D/%7Bx%7D/%7By%7D.mvt", "https://b.example/3/5/1.mvt"),
            ("https://b.example/{z}/{x}/{y}{r}.pbf", "https://b.example/3/5/1.pbf"),
            ("http://A.example/{z}/{x}/{y}", "https://a.example:8443/3/5/1"), ("http://b.example/{z}/{x}/{y}", nil),
            ("http://a.example:8080/{z}/{x}/{y}", nil), ("file:///{z}/{x}/{y}", nil), ("/t/{z}/{x}", nil), ("/{z}/{x}/{y}/{quadkey}", nil),
            ("https://me:pass@b.example/{z}/{x}/{y}", nil), ("", nil),
        ] as [(String, String?)])
    func relative(text: String, expected: String?) throws {
        let url = try #require(WebURL("https://a.example:8443/v/tiles.json?key=geheim"))
        let id = try #require(TileID(zoom: 3, x: 5, y: 1))
        #expect(url.template(text, isTMS: false)?.url(of: id)?.text == expected)
    }

    @Test("a TileJSON is read as servers write it: zooms and bounds as texts, one address, a byte order mark before it")
    func leniency() throws {
        let url = try #require(WebURL("https://a.example/data/v3"))
        func read(_ text: String) -> TileJSON? { TileJSON(Array(text.utf8), from: url) }
        let texts = try #require(
            read(
                "\u{feff}" + #"{"tiles":"/t/{z}/{x}/{y}","minzoom":"2","maxzoom":" 9 ","bounds":"7, 43,8,44","center":["7.5","43.5",8.2]}"#)
        )
        #expect(texts.details.zoomRange == 2...9 && texts.details.bounds == BoundingBox(south: 43, west: 7, north: 44, east: 8))
        #expect(texts.details.center == Coordinate(latitude: 43.5, longitude: 7.5) && texts.details.centerZoom == 8)
        #expect(try #require(read(#"{"tiles":["/{z}/{x}/{y}"],"minzoom":0.0,"maxzoom":12.9}"#)).details.zoomRange == 0...12)
        #expect(try #require(read(#"{"tiles":["/{z}/{x}/{y}"],"minzoom":null,"maxzoom":1e99}"#)).details.zoomRange == 0...14)
        #expect(read(#"{"tiles":7}"#) == nil)
    }

    @Test("a style is reported as one, with the place of the tile address in it, but without the address")
    func style() throws {
        let url = try #require(WebURL("https://a.example/t.json"))
        func fault(_ text: String) -> String { TileJSON.fault(of: Array(text.utf8), from: url) }
        #expect(
            fault(#"{"tiles":["http://a.example:9090/geheim/{z}/{x}/{y}"]}"#).hasPrefix("its TileJSON has http addresses for tiles"))
        let style = #"{"version":8,"sources":{"b":{"type":"raster"},"omt":{"type":"vector","url":"https://geheim"}},"layers":[{"id":"x"}]}"#
        #expect(fault(style) == "it returns a style, not a TileJSON; use the tile address inside the style, under \"sources\", \"omt\"")
        #expect(fault(#"{"sources":{},"layers":[]}"#).hasSuffix("use the tile address inside the style"))
        for text in ["", "{}", "[]", #"{"layers":[]}"#, "<html>"] { #expect(fault(text).hasPrefix("it does not return a TileJSON")) }
    }

    @Test(
        "bounds over the antimeridian include both sides",
        arguments: [[170.0, -50, -170, -30], [170, -50, 190, -30], [-180, -50, 180, -30], [-190, -50, -170, -30]])
    func antimeridian(edges: [Double]) throws {
        let url = try #require(WebURL("https://a.example/t.json"))
        let json = try #require(TileJSON(Array(#"{"tiles":["/{z}/{x}/{y}"],"bounds":\#(edges)}"#.utf8), from: url))
        for (longitude, isInside) in [(175.0, true), (-175, true), (0, false), (160, false)] {
            let place = WebMercator.project(Coordinate(latitude: -40, longitude: longitude))
            // If the bounds are unreadable or go round the globe, all tiles are requested.
            let isWhole = edges[0] <= -180
            #expect(json.details.mayHave(TileID.containing(place, zoom: 8)) == (isInside || isWhole), "\(longitude)")
        }
    }

    @Test("headers with times and ranges are read, and no others")
    func headers() {
        let now = Date(timeIntervalSince1970: 784_111_777)
        #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == now)
        #expect(HTTPDate.seconds(untilRetryAfter: "7", now: now) == 7)
        #expect(HTTPDate.seconds(untilRetryAfter: "Sun, 06 Nov 1994 08:50:37 GMT", now: now) == 60)
        #expect(HTTPDate.seconds(untilRetryAfter: "Sun, 06 Nov 1994 08:00:00 GMT", now: now) == 0)
        for text in ["", "-1", "nan", "soon", "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT"] {
            #expect(HTTPDate.seconds(untilRetryAfter: text, now: now) == nil, "\(text)")
        }
        #expect(ContentRange("bytes 5-9/20")?.count == 5 && ContentRange("bytes 5-9/20")?.total == 20)
        #expect(ContentRange("bytes 0-0/*")?.total == nil && ContentRange("bytes 0-0/*")?.first == 0)
        for text in ["", "bytes 9-5/20", "bytes */20", "5-9/20", "bytes 0-18446744073709551615/*", "bytes 1/2"] {
            #expect(ContentRange(text) == nil, "\(text)")
        }
    }
}

@Suite("The pace of requests to a map's server")
struct HostPaceTests {
    private let start = Date(timeIntervalSince1970: 1_900_000_000)

    private func begins(_ pace: inout HostPace, _ now: Date) -> Bool { pace.begin("", at: now) }

    @Test(
        "the pause is 5 s, 8 s and so on up to a minute, or the server's own wish, or two minutes after a refusal",
        arguments: [
            (TileTrouble.Kind.offline, nil, [5.0, 8, 12.8, 20.48, 32.768, 52.4288, 60, 60]), (.failed(500), nil, [5, 8]),
            (.noRanges, nil, [5, 8]), (.notATileServer, nil, [5, 8]), (.busy(429), nil, [30, 30]), (.busy(503), 7, [7, 7]),
            (.busy(503), 1e9, [3_600]), (.refused(403), nil, [120, 120]), (.failed(502), 11, [11, 11, 12.8]),
        ] as [(TileTrouble.Kind, Double?, [Double])])
    func pauses(kind: TileTrouble.Kind, asked: Double?, seconds: [Double]) {
        var (pace, now) = (HostPace(), start)
        for pause in seconds {
            #expect(begins(&pace, now))
            pace.fail(kind, host: "a", words: "w", askedSeconds: asked, at: now)
            #expect(abs((pace.trouble?.retrySeconds ?? 0) - pause) < 1e-9)
            #expect(!begins(&pace, now.addingTimeInterval(pause - 0.001)))
            now = now.addingTimeInterval(pause + 0.001)
        }
    }

    @Test("after a failure, one request goes first; requests that failed together are one failure; a success resets all")
    func probing() {
        var pace = HostPace()
        #expect(begins(&pace, start) && begins(&pace, start))
        pace.fail(.failed(500), host: "a", words: "w", at: start)
        pace.fail(.failed(500), host: "a", words: "w", at: start.addingTimeInterval(1))
        #expect(pace.pausedUntil == start.addingTimeInterval(5))
        let later = start.addingTimeInterval(6)
        #expect(begins(&pace, later) && !begins(&pace, later))
        let wasProbing = pace.giveUp()
        #expect(wasProbing && begins(&pace, later))
        pace.succeed(isTile: true, at: start)
        #expect(pace.trouble == nil && pace.hasGivenTiles && begins(&pace, later) && begins(&pace, later))
        pace.fail(.refused(401), host: "a", words: "w", at: later)
        pace.askNow()
        #expect(begins(&pace, later) && pace.hasGivenTiles)
    }

    @Test("a request that has let others go first is sent when no other comes")
    func yielding() {
        var pace = HostPace()
        pace.fail(.failed(500), host: "a", words: "w", of: "one", at: start)
        let waits = pace.begin("two", at: start.addingTimeInterval(1))
        let later = start.addingTimeInterval(6)
        let goesAtOnce = pace.begin("one", at: later)
        #expect(!waits && !goesAtOnce && pace.hasYielded)
        let goes = pace.begin("one", at: later)
        #expect(goes && !pace.hasYielded)
    }

    @Test("a failure counts for one tile if the host sent others within five minutes, until three different ones fail in a row")
    func oneTile() {
        var pace = HostPace()
        let before = pace.isOneTile("a", at: start)
        pace.succeed(isTile: true, at: start)
        let found = ["a", "a", "b", "a", "c"].map { pace.isOneTile($0, at: start) }
        #expect(!before && found == [true, true, true, true, false])
        pace.succeed(isTile: true, at: start)
        let (late, tooLate) = (
            pace.isOneTile("a", at: start.addingTimeInterval(299)), pace.isOneTile("a", at: start.addingTimeInterval(301))
        )
        #expect(late && !tooLate)
    }

    @Test(
        "a refused tile is missing, unless no tile was good and three zooms, the world or three lowest tiles were refused",
        arguments: [
            (0, [14, 14, 13, 13, 12], [true, true, true, true, false]), (0, [1, 0], [true, false]),
            (13, [14, 13, 13, 13], [true, true, true, false]), (4, [4, 4, 4], [true, true, false]),
        ] as [(Int, [Int], [Bool])])
    func refusals(lowestZoom: Int, zooms: [Int], expected: [Bool]) {
        var pace = HostPace()
        let found = zooms.map { pace.isMissing(zoom: $0, lowestZoom: lowestZoom) }
        #expect(found == expected)
        // A successful answer without a tile does not change what a further refusal means. After a tile has arrived, a refusal at any zoom
        // means only that this tile is missing, and not that the host has failed.
        pace.succeed(isTile: false, at: start)
        let last = zooms.last ?? 0
        let isStillMissing = pace.isMissing(zoom: last, lowestZoom: lowestZoom)
        #expect(isStillMissing == expected.last)
        pace.succeed(isTile: true, at: start)
        let isMissing = (0...9).allSatisfy { pace.isMissing(zoom: $0, lowestZoom: lowestZoom) }
        #expect(isMissing)
    }
}
