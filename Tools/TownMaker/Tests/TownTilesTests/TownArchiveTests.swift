import DemoTown
import Foundation
import Geo
import MapRouting
import Routing
import Testing
import TileSources
import VectorTiles

@testable import TownTiles

@Suite("The town as a map file")
struct TownArchiveTests {
    private static let town = DemoTown()
    private static let bytes = TownArchive.bytes(of: town)
    private static let committed = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/CTown/town.pmtiles")

    @Test("the file in the program is up to date: if not, 'swift run -c release TownMaker' writes it")
    func current() throws {
        #expect(try Data(contentsOf: Self.committed) == Data(Self.bytes))
        #expect(Self.bytes.count < 300_000)
    }

    @Test("the file is the same each time")
    func steady() { #expect(TownArchive.bytes(of: Self.town) == Self.bytes) }

    @Test("a one-way street in the file runs in its driving direction")
    func oneWay() throws {
        let lines = Self.town.features.compactMap { feature -> [Coordinate]? in
            if case .line(let line) = feature.geometry, feature.isOneWay { line } else { nil }
        }
        let stretches = Set(lines.flatMap { zip($0, $0.dropFirst()).map { [$0, $1] } })
        let edges = Self.town.roads.edges.indices.filter { Self.town.roads.edges[$0].reverse == nil }
        #expect(edges.count > 20)
        for edge in edges {
            let line = Self.town.roads.geometry(ofEdge: edge)
            for (start, end) in zip(line, line.dropFirst()) { #expect(stretches.contains([start, end])) }
        }
    }

    @Test("routes on the file's roads take about as long as routes on the town's roads")
    func ways() async throws {
        let roads = Self.town.roads
        let router = MapRouter(source: try BaseMapFile(path: Self.committed.path))
        var random = SeededRandom(seed: 5)
        var ratios: [Double] = []
        for _ in 0..<60 {
            let places = try (0..<2).map { _ in
                let line = Polyline(roads.geometry(ofEdge: random.int(in: 0...roads.edges.count - 1)))
                return try #require(line.coordinate(atMeters: line.lengthMeters * random.unit()))
            }
            let known = try #require(roads.route(from: places[0], to: places[1]))
            let found = try await router.route(
                RouteRequest(origin: places[0], destinations: [NavigationWaypoint(coordinate: places[1])]))
            ratios.append((found.legs[0].durationSeconds + 30) / (known.durationSeconds + 30))
        }
        #expect(ratios.allSatisfy { (0.75...1.3).contains($0) }, "\(ratios)")
    }

    @Test("tile numbers match the specification's examples")
    func numbers() throws {
        for (zoom, x, y, number) in [
            (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5), (12, 3423, 1763, 19_078_479),
        ] {
            #expect(PMTilesWriter.number(of: try #require(TileID(zoom: zoom, x: x, y: y))) == UInt64(number))
        }
    }

    @Test("rings run in the direction that the specification requires, and rings without an area are dropped")
    func rings() {
        let square = [TileVertex(x: 0, y: 0), TileVertex(x: 0, y: 10), TileVertex(x: 10, y: 10), TileVertex(x: 10, y: 0)]
        let turned = Array(square.reversed())
        #expect(TileGeometry.commands(.polygon, [square]) == TileGeometry.commands(.polygon, [turned]))
        #expect(TileGeometry.commands(.polygon, [turned]) == [9, 20, 0, 26, 0, 20, 19, 0, 0, 19, 15])
        #expect(TileGeometry.commands(.polygon, [Array(square.prefix(2)), turned]).isEmpty)
        #expect(TileGeometry.commands(.line, [[square[0], square[0]]]).isEmpty)
    }
}
