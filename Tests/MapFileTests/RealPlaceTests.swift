import Geo
import TerminalCanvas
import TerminalMap
import Testing
import TileSources
import VectorTiles

/// Tests that maps of real places show the water, the land and the names of these places.
@Suite(.enabled(if: Maps.isPresent))
struct RealPlaceTests {
    private func canvas(_ map: RealMap, _ columns: Int = 100, _ rows: Int = 32) async throws -> (canvas: Canvas, camera: Camera) {
        let camera = map.camera(columns, rows)
        return (MapScene.bare(try await Maps.base(map, for: camera)).drawn(camera).canvas, camera)
    }

    @Test(
        "the same place from MBTiles and from PMTiles gives the same frame",
        arguments: [RealMap.sanFrancisco, .sanFrancisco.at(zoom: 15.5), .monaco.at(zoom: 11), .monaco, .monaco.at(zoom: 17)])
    func pairs(map: RealMap) async throws {
        let camera = map.camera(80, 24)
        var other = map
        other.file = map.file?.replacing(".mbtiles", with: ".pmtiles")
        let (left, right) = (try await Maps.base(map, for: camera), try await Maps.base(other, for: camera))
        for painter in Painter.allCases {
            for depth in [ColorDepth.none, .ansi16, .palette256] {
                let frames = [left, right].map { MapScene(base: $0, painter: painter, colorDepth: depth).drawn(camera).canvas }
                #expect(frames[0].ansi(colors: depth) == frames[1].ansi(colors: depth))
                #expect(frames[0].text().contains("OpenStreetMap"))
            }
        }
    }

    /// Points on water and on land, and a map that shows them.
    private static let shores: [(map: RealMap, water: [(Double, Double)], land: [(Double, Double)])] = [
        (.sanFrancisco, [(37.790, -122.383), (37.781, -122.384)], [(37.788, -122.4075), (37.7785, -122.413)]),
        (.monaco, [(43.735, 7.432), (43.7345, 7.4255)], [(43.7312, 7.4246), (43.7395, 7.4274), (43.7405, 7.419)]),
    ]

    @Test("the coast is in the right place: sea is water, land is not", arguments: 0..<2, [12.5, 13, 14])
    func coast(shore: Int, zoom: Double) async throws {
        let (map, water, land) = Self.shores[shore]
        let (canvas, camera) = try await canvas(map.at(zoom: zoom), 260, 90)
        let color = try #require(MapStyle.dark[area: .water]?.color)
        for (places, isWater) in [(water, true), (land, false)] {
            for (latitude, longitude) in places {
                let cell = try #require(camera.cell(at: Coordinate(latitude: latitude, longitude: longitude)))
                #expect((canvas[cell.column, cell.row].style.background == color) == isWater, "\(latitude) \(longitude)")
            }
        }
    }

    /// A map, and the allowed shares of water, green areas and roads in its cells, in percent.
    private struct Shares: Sendable {
        var map: RealMap
        var water: ClosedRange<Int>
        var green: ClosedRange<Int>
        var ways: ClosedRange<Int>
    }

    private static let shares = [
        Shares(map: .sanFrancisco, water: 8...25, green: 0...6, ways: 25...60),
        Shares(map: .monaco, water: 20...45, green: 1...15, ways: 12...45),
        Shares(map: .paris, water: 0...2, green: 0...6, ways: 20...50),
        Shares(map: .berlin, water: 0...2, green: 1...25, ways: 10...35),
        Shares(map: .paris.at(zoom: 16), water: 0...2, green: 0...10, ways: 0...10),
    ]

    @Test("water, green areas and roads have the same share of the picture as of the ground", arguments: 0..<shares.count)
    func coverage(index: Int) async throws {
        let shares = Self.shares[index]
        let canvas = try await canvas(shares.map).canvas
        let cells = (0..<canvas.size.rows).flatMap { Array(canvas.row($0)) }
        let styles: (MapClass) -> Color? = { MapStyle.dark[area: $0]?.color }
        let greens = [styles(.park), styles(.wood), styles(.grass)]
        func percent(_ isMeant: (Cell) -> Bool) -> Int { cells.count(where: isMeant) * 100 / cells.count }
        let water = percent { $0.style.background == styles(.water) }
        let green = percent { greens.contains($0.style.background) }
        // The edges of areas are drawn with the same dots as roads and paths, but in the areas' colours.
        let areas = MapClass.allCases.compactMap(styles)
        let ways = percent { cell in
            (0x2801...0x28ff).contains(cell.glyph.base.value) && !areas.contains { $0 == cell.style.foreground }
        }
        #expect(shares.water.contains(water) && shares.green.contains(green) && shares.ways.contains(ways), "\(water) \(green) \(ways)")
    }

    @Test("the best-known names of each place are on the map")
    func names() async throws {
        let wanted: [(RealMap, [String])] = [
            (.sanFrancisco.at(zoom: 12.5), ["San Francisco", "James Lick Freeway"]),
            (.sanFrancisco.at(zoom: 14), ["Mission Street", "Union Square", "South of Market"]),
            (.monaco.at(zoom: 12), ["Monaco", "Monte-Carlo", "Fontvieille"]), (.monaco, ["La Condamine", "Monte-Carlo"]),
            (.paris, ["9e Arrondissement", "Rue La Fayette"]), (.berlin, ["Karl-Marx-Straße", "Sonnenallee"]),
        ]
        for (map, names) in wanted {
            let camera = map.camera(120, 40)
            let labels = MapScene(base: try await Maps.base(map, for: camera)).drawn(camera).frame.labels.map(\.text)
            for name in names { #expect(labels.contains(name), "\(map): \(name) is not among \(labels)") }
        }
    }

    @Test(
        "a route is never lost: its cells are its own at every size, in every painter",
        arguments: [
            ("sf_downtown.pmtiles", "sf_caltrain_to_chinatown"), ("sf_downtown.pmtiles", "sf_moscone_to_embarcadero"),
            ("monaco.pmtiles", "mc_fontvieille_to_larvotto"),
        ])
    func route(file: String, name: String) async throws {
        let drive = try Maps.drive(name)
        let line = PolylineOverlay(coordinates: drive.line, style: PolylineStyleOptions(strokeColor: .palette(215)))
        let box = try #require(BoundingBox(drive.line))
        for (columns, rows) in [(24, 8), (40, 15), (80, 24), (150, 45)] {
            let camera = Camera(center: box.center, zoom: 1, size: Size(columns: columns, rows: rows)).fitted(to: box, zoomStep: 0.5)
            let map = RealMap(file: file, latitude: box.center.latitude, longitude: box.center.longitude, zoom: camera.zoom)
            let base = try await Maps.base(map, for: camera)
            for painter in Painter.allCases {
                var alone = MapScene.bare(nil, painter: painter)
                alone.overlays.polylines = [line]
                var over = MapScene(base: base, overlays: alone.overlays, painter: painter, showsScale: false)
                over.base?.attribution = ""
                let (path, picture) = (alone.drawn(camera).canvas, over.drawn(camera))
                var count = 0
                for row in 0..<rows {
                    for column in 0..<columns where path[column, row].style.foreground == .palette(215) {
                        count += 1
                        #expect(picture.canvas[column, row].glyph == path[column, row].glyph)
                        #expect(picture.canvas[column, row].style.foreground == .palette(215))
                    }
                }
                #expect(count >= min(columns, rows) / 2)
                // Names are expected only if the view has room for them.
                if columns >= 80, painter == .braille { #expect(!picture.frame.labels.isEmpty) }
            }
        }
    }

    @Test("if a file has no tiles of a zoom, lower ones are drawn enlarged; two zooms are enough for a world map")
    func gaps() async throws {
        let world = RealMap(file: "omt_world_z0-1_planet-20260112.pmtiles", latitude: 20, longitude: 0, zoom: 1)
        let (canvas, camera) = try await canvas(world, 250, 120)
        let color = try #require(MapStyle.dark[area: .water]?.color)
        func isWater(_ place: (Double, Double)) -> Bool? {
            camera.cell(at: Coordinate(latitude: place.0, longitude: place.1)).map { canvas[$0.column, $0.row].style.background == color }
        }
        for place in [(0.0, -30.0), (-20, 80), (30, -150), (60, -30)] { #expect(isWater(place) == true) }
        for place in [(23.0, 10.0), (-10, -55), (60, 90), (-25, 135), (40, -100)] { #expect(isWater(place) == false) }
        // The file has no tiles of Paris between zooms 6 and 14.
        for zoom in [6.0, 11, 14] {
            let canvas = try await self.canvas(.paris.at(zoom: zoom)).canvas
            let cells = canvas.text().unicodeScalars.count { (0x2801...0x28ff).contains($0.value) }
            #expect(cells > 20, "zoom \(zoom): \(cells)")
        }
    }
}
