import Geo
import TerminalCanvas
import TerminalMap
import Testing
import TileSources
import VectorTiles

/// Tests of details in real tiles. High zooms must show the details that a rider looks for, and low zooms the details of an atlas.
@Suite(.enabled(if: Maps.isPresent))
struct RealDetailTests {
    private func frame(_ map: RealMap, stop: Coordinate? = nil, _ columns: Int = 110, _ rows: Int = 34) async throws -> MapFrame {
        let camera = map.camera(columns, rows)
        var scene = MapScene(base: try await Maps.base(map, for: camera))
        if let stop { scene.overlays.markers = [MarkerOverlay(id: "stop", coordinate: stop)] }
        return scene.drawn(camera).frame
    }

    private static let pigalle = RealMap(file: "omt_paris_ruhr.pmtiles", latitude: 48.8822, longitude: 2.338, zoom: 17)
    private static let powell = RealMap(file: "sf_downtown.mbtiles", latitude: 37.785, longitude: -122.4075, zoom: 17)

    @Test("Pigalle has its station, the entrances to it and arrows; numbers are only around the stop")
    func paris() async throws {
        let stop = Coordinate(latitude: 48.8822, longitude: 2.3383)
        let drawn = try await frame(Self.pigalle, stop: stop)
        let names = drawn.labels.map(\.text)
        #expect(names.contains("Pigalle") && names.contains("Place Pigalle"), "\(names)")
        #expect(names.contains("11") && names.contains("13") && names.contains("16"), "\(names)")
        #expect(drawn.signs.count { $0.text == "⋂" } == 3)
        #expect(drawn.signs.count { "⇠⇡⇢⇣".contains($0.text) } > 5)
        let camera = Self.pigalle.camera(110, 34)
        let cell = try #require(camera.cell(at: stop))
        for number in drawn.labels where Int(number.text) != nil {
            let (right, down) = (Double(number.cells.column - cell.column), Double(2 * (number.cells.row - cell.row)))
            #expect((right * right + down * down).squareRoot() * camera.metersPerColumn < 65, "\(number.text)")
        }
        let bare = try await frame(Self.pigalle).labels
        #expect(!bare.contains { Int($0.text) != nil })
    }

    @Test("San Francisco has tram stops, entrances and house numbers")
    func sanFrancisco() async throws {
        let drawn = try await frame(Self.powell, stop: Coordinate(latitude: 37.7852, longitude: -122.4079), 160, 60)
        #expect(drawn.signs.contains { $0.text == "⋂" } && drawn.labels.contains { Int($0.text) != nil })
        #expect(drawn.labels.contains { $0.text == "Powell Street" }, "\(drawn.labels.map(\.text))")
    }

    @Test("houses in Berlin have numbers in Shortbread's tiles too, and the underground has its station")
    func berlin() async throws {
        let map = RealMap.berlin.at(zoom: 17)
        let drawn = try await frame(map, stop: map.center, 120, 40)
        #expect(drawn.labels.count { $0.text.first?.isNumber == true } >= 3, "\(drawn.labels.map(\.text))")
    }

    @Test("Europe from afar: countries in capital letters, capitals with their sign")
    func atlas() async throws {
        let world = RealMap(file: "omt_world_z0-1_planet-20260112.pmtiles", latitude: 48, longitude: 12, zoom: 1.8)
        let names = try await frame(world).labels.map(\.text)
        #expect(Set(names).isSuperset(of: ["FRANCE", "DEUTSCHLAND", "ITALIA", "ESPAÑA", "Mediterranean Sea"]), "\(names)")
        let europe = RealMap(file: "omt_paris_ruhr.pmtiles", latitude: 50.5, longitude: 8, zoom: 5)
        let towns = try await frame(europe).labels.map(\.text)
        #expect(Set(towns).isSuperset(of: ["DEUTSCHLAND", "✪ Amsterdam", "✪ Luxembourg", "Köln"]), "\(towns)")
    }

    @Test("an overview of about 200 km keeps the numbers of motorways")
    func overview() async throws {
        let ruhr = RealMap(file: "omt_paris_ruhr.pmtiles", latitude: 51.5, longitude: 7.4, zoom: 7)
        let drawn = try await frame(ruhr)
        #expect(Set(drawn.labels.map(\.text)).isSuperset(of: ["A 1", "A 3", "A 31", "Dortmund"]), "\(drawn.labels.map(\.text))")
        let camera = ruhr.camera(110, 34)
        #expect((100_000...250_000).contains(camera.metersPerColumn * 110))
    }
}
