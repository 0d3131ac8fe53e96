import Geo
import TerminalMap
import Testing
import VectorTiles

@Suite("Searching for names on the map")
struct PlaceSearchTests {
    private static let here = SmallTown.place(2048, 2048)

    private static func index() -> PlaceIndex {
        var index = PlaceIndex()
        index.add(SmallTown.tile, kinds: Set(NamedPlace.Kind.allCases), near: here)
        return index
    }

    /// Returns a tile of features with these names, from west to east.
    private static func tile(_ names: [(MapClass, String)], id: TileID = SmallTown.tileID) -> VectorTile {
        var builder = VectorTileBuilder(id: id)
        for (number, (mapClass, name)) in names.enumerated() {
            let x = Int32(200 + number * 300)
            let isRoad = mapClass.isRoad
            let line: [(x: Int32, y: Int32)] = [(x, 0), (x, 4000)]
            let point: [(x: Int32, y: Int32)] = [(x, 100)]
            builder.addFeature(mapClass, kind: isRoad ? .line : .point, name: name, vertices: isRoad ? line : point)
        }
        return builder.finish()
    }

    private static func found(_ words: String, _ names: [(MapClass, String)]) -> [String] {
        var index = PlaceIndex()
        index.add(tile(names), kinds: Set(NamedPlace.Kind.allCases), near: here)
        return index.search(words, near: here).map(\.name)
    }

    @Test("A whole name comes before its prefix, then a word's prefix, then a part inside a word")
    func order() {
        let names: [(MapClass, String)] = [
            (.town, "Unterbad"), (.town, "Neu Bad"), (.town, "Baden"), (.town, "Bad"), (.station, "Bad"), (.street, "Bad"),
            (.town, "Other"),
        ]
        #expect(Self.found("bad", names) == ["Bad", "Bad", "Bad", "Baden", "Neu Bad", "Unterbad"])
        var index = PlaceIndex()
        index.add(Self.tile(names), kinds: Set(NamedPlace.Kind.allCases), near: Self.here)
        #expect(index.search("bad", near: Self.here).prefix(3).map(\.kind) == [.place, .stop, .street])
        #expect(index.search("bad", near: Self.here, limit: 2).count == 2 && index.search(" ", near: Self.here).isEmpty)
    }

    @Test("A bus stop is found like a station, by the beginnings of words in its name, and is not written on the map")
    func busStop() {
        let names: [(MapClass, String)] = [
            (.busStop, "Vaduz, Rheinpark Stadion"), (.street, "Rheinparkweg"), (.tramStop, "Rheinpark"), (.busStop, "Post"),
        ]
        #expect(Self.found("rheinpark sta", names) == ["Vaduz, Rheinpark Stadion"])
        var index = PlaceIndex()
        index.add(Self.tile(names), kinds: [.stop], near: Self.here)
        #expect(index.search("post", near: Self.here).map(\.kind) == [.stop])
        #expect(MapStyle.dark[label: .busStop] == nil && MapStyle.dark[label: .tramStop] != nil)
    }

    @Test(
        "Marks and capitals make no difference; letters of other scripts are found as they are",
        arguments: [
            ("zurich", "Zürich"), ("ZÜRICH", "Zürich"), ("lodz", "Łódź"), ("sankt gall", "Sankt-Gallen"), ("мос", "Москва"),
            ("mos", "Москва"),
            ("東京", "東京"), ("saint", "Saint‐Denis"),
        ])
    func folding(words: String, name: String) { #expect(Self.found(words, [(.city, name), (.city, "Elsewhere")]) == [name]) }

    @Test(
        "The best matches have exactly this name, or else contain its words, as in a search",
        arguments: [
            ("newton", ["Newton"]), ("new", ["New Quay", "Newton", "Newton Road"]), ("quay", ["New Quay"]), ("nowhere", []), (" - ", []),
        ])
    func best(words: String, names: [String]) {
        var index = PlaceIndex()
        let tile = Self.tile([(.village, "Newton"), (.street, "Newton Road"), (.village, "New Quay")])
        index.add(tile, kinds: Set(NamedPlace.Kind.allCases), near: Self.here)
        #expect(index.best(words, near: Self.here).map(\.name).sorted() == names)
    }

    @Test("Of equal matches, the nearest comes first")
    func nearest() {
        var index = PlaceIndex()
        let far = TileID(zoom: 14, x: SmallTown.tileID.x + 40, y: SmallTown.tileID.y)
        for id in [far, SmallTown.tileID].compactMap({ $0 }) {
            index.add(Self.tile([(.village, "Newton")], id: id), kinds: [.place], near: Self.here)
        }
        let found = index.search("newton", near: Self.here)
        #expect(found.count == 2 && found[0].coordinate.distanceMeters(to: Self.here) < found[1].coordinate.distanceMeters(to: Self.here))
    }

    @Test("A name in several tiles is one result; a street is at its nearest point")
    func once() throws {
        var index = PlaceIndex()
        let next = try #require(TileID(zoom: 14, x: SmallTown.tileID.x + 1, y: SmallTown.tileID.y))
        for id in [next, SmallTown.tileID] {
            index.add(Self.tile([(.street, "Long Road")], id: id), kinds: [.street], near: Self.here)
        }
        #expect(index.count == 1 && index.search("long", near: Self.here).first.map { $0.coordinate.longitude < 0.02 } == true)
    }

    @Test("The town's own names are found where they are")
    func town() throws {
        let place = try #require(Self.index().search("madeup", near: Self.here).first)
        #expect(place.kind == .place && place.coordinate.distanceMeters(to: SmallTown.place(1500, 2200)) < 5)
        #expect(Self.index().search("cross lane", near: Self.here).count == 4)
        #expect(Self.index().search("slow river", near: Self.here).map(\.kind) == [.water])
        #expect(Self.index().search("north park", near: Self.here).map(\.kind) == [.pointOfInterest])
    }

    @Test("Every name that the map writes is found", arguments: MapClass.allCases.filter { MapStyle.dark[label: $0] != nil })
    func written(mapClass: MapClass) {
        // The search leaves house numbers out.
        #expect(Self.found("made up", [(mapClass, "Made Up")]) == (mapClass == .houseNumber ? [] : ["Made Up"]))
    }

    @Test("If a station or a street has exactly this name, points of interest and rivers of this name are left out")
    func preference() {
        var index = PlaceIndex()
        let names: [(MapClass, String)] = [
            (.pointOfInterest, "Old Market"), (.street, "Old Market"), (.river, "Bridge"), (.pointOfInterest, "Bridge"),
            (.station, "Bridge"), (.pointOfInterest, "Market Hall"), (.river, "Market Brook"),
        ]
        index.add(Self.tile(names), kinds: Set(NamedPlace.Kind.allCases), near: Self.here)
        #expect(index.best("old market", near: Self.here).map(\.kind) == [.street])
        #expect(index.best("bridge", near: Self.here).map(\.kind) == [.stop])
        #expect(index.search("bridge", near: Self.here).map(\.kind) == [.stop, .pointOfInterest, .water])
        #expect(index.best("market", near: Self.here).map(\.kind) == [.pointOfInterest, .water, .street, .pointOfInterest])
        #expect(index.best("market hall", near: Self.here).map(\.kind) == [.pointOfInterest])
    }

    @Test("Shops of a chain are different places; a station is the same place as its entrance and the point of interest there")
    func same() throws {
        #expect(Self.found("shop", [(.pointOfInterest, "Shop"), (.pointOfInterest, "Shop")]).count == 2)
        var builder = VectorTileBuilder(id: SmallTown.tileID)
        builder.addFeature(.entrance, kind: .point, name: "Central", vertices: [(400, 100)])
        builder.addFeature(.pointOfInterest, kind: .point, name: "Central", vertices: [(240, 100)])
        builder.addFeature(.station, kind: .point, name: "Central", vertices: [(200, 100)])
        var index = PlaceIndex()
        index.add(builder.finish(), kinds: Set(NamedPlace.Kind.allCases), near: Self.here)
        let place = try #require(index.search("central", near: Self.here).first)
        #expect(index.count == 1 && place.kind == .stop && place.coordinate.distanceMeters(to: SmallTown.place(200, 100)) < 1)
    }

    @Test("A place with another local name is found by both; if only the local name matches, it is added in brackets")
    func localNames() {
        var builder = VectorTileBuilder(id: SmallTown.tileID)
        for (number, names) in [("Vienna", "Wien"), ("Wiener Neustadt", ""), ("Cologne", "Köln"), ("Roma", "ROMA")].enumerated() {
            builder.addFeature(
                .city, kind: .point, name: names.0, localName: names.1, vertices: [(Int32(200 + number * 300), 100)])
        }
        var index = PlaceIndex()
        index.add(builder.finish(), kinds: [.place], near: Self.here)
        func found(_ words: String) -> [String] { index.search(words, near: Self.here).map(\.name) }
        #expect(found("vienna") == ["Vienna"] && found("VIEN") == ["Vienna"])
        #expect(found("wien") == ["Vienna (Wien)", "Wiener Neustadt"])
        #expect(found("koln") == ["Cologne (Köln)"] && found("rom") == ["Roma"])
    }

    /// A source of an online map. Some of its tiles are stored.
    private struct KeptTiles: RemoteTileSource {
        let tiles: [VectorTile]
        let news = AsyncStream<TileNews> { $0.finish() }
        var attribution: String { "nobody" }
        var zoomRange: ClosedRange<Int> { 0...14 }
        var isOffline: Bool { true }
        func tile(_ id: TileID) async throws -> VectorTile? {
            Issue.record("the server was asked")
            return nil
        }
        func standIn(for id: TileID) async -> VectorTile? { nil }
        func kept(_ id: TileID) async -> VectorTile? { tiles.first { $0.id == id } }
        func keptTiles(limit: Int) async -> [TileID] { tiles.prefix(limit).map(\.id) }
        func askNow() async {}
    }

    @Test("All stored tiles of a map from the network are searched, wherever they are; partial results are reported in between")
    func kept() async throws {
        let here = SmallTown.tileID
        let far = (1..<40).compactMap { TileID(zoom: 14, x: (here.x + $0 * 97) % 16_384, y: here.y) }
        let world = try #require(TileID(zoom: 3, x: 4, y: 4))
        var tiles = far.map { Self.tile([(.village, "Farville"), (.street, "Far Street \($0.x)")], id: $0) }
        tiles += [
            Self.tile([(.city, "Bigtown"), (.street, "Through Road"), (.river, "Great River")], id: world),
            Self.tile([(.village, "Nearby")]),
        ]
        let order = PlaceIndex.order(tiles.map(\.id), near: Self.here)
        #expect(order.first == world && order.dropFirst().first == here && order.count == tiles.count)
        var counts: [Int] = []
        let index = await PlaceIndex.load(from: KeptTiles(tiles: tiles), near: Self.here) { counts.append($0.count) }
        for name in ["Farville", "Far Street \(far[20].x)", "Bigtown", "Great River", "Nearby"] {
            #expect(index.search(name, near: Self.here).first?.name == name)
        }
        #expect(index.search("through road", near: Self.here).isEmpty, "from afar streets are elsewhere")
        #expect(counts.count == 2 && counts == counts.sorted() && counts.allSatisfy { $0 < index.count })
    }

    @Test("All of a small map is read for places, and only the surroundings of a large one; streets are read only around, or in a town")
    func tiles() {
        let here = Coordinate(latitude: 47, longitude: 9)
        let small = TileSourceDetails(
            attribution: "", zoomRange: 0...14, bounds: BoundingBox(south: 46.9, west: 8.9, north: 47.2, east: 9.3))
        let places = PlaceIndex.tiles(of: small, near: here, kinds: [.place])
        #expect(places.count < 100 && places.allSatisfy { $0.zoom <= 12 } && Set(places.map(\.zoom)) == Set(0...12))
        let world = TileSourceDetails(attribution: "", zoomRange: 0...14)
        #expect(PlaceIndex.tiles(of: world, near: here, kinds: Set(NamedPlace.Kind.allCases)).count < 2_200)
        let streets = PlaceIndex.tiles(of: small, near: here, kinds: [.street])
        #expect(streets.count == 25 && streets.first == TileID.containing(WebMercator.project(here), zoom: 14))
        let fine = TileSourceDetails(attribution: "", zoomRange: 0...15)
        let finest = PlaceIndex.tiles(of: fine, near: here, kinds: [.street])
        #expect(finest.count == 81 && finest.first == TileID.containing(WebMercator.project(here), zoom: 15))
        let town = TileSourceDetails(
            attribution: "", zoomRange: 0...14, bounds: BoundingBox(south: 46.98, west: 8.95, north: 47, east: 9.05))
        let corner = Coordinate(latitude: 46.99, longitude: 9.049)
        let edge = Coordinate(latitude: 47, longitude: 8.95)
        #expect(
            PlaceIndex.tiles(of: town, near: edge, kinds: [.pointOfInterest]).contains(
                TileID.containing(WebMercator.project(corner), zoom: 14)))
        let odd = TileSourceDetails(attribution: "", zoomRange: 16...18)
        #expect(PlaceIndex.tiles(of: odd, near: here, kinds: Set(NamedPlace.Kind.allCases)).allSatisfy { $0.zoom <= 18 })
    }
}
