import Benchmark
import DemoTown
import Foundation
import Geo
import TerminalCanvas
import TerminalMap
import TileSources
import VectorTiles

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock], timeUnits: .microseconds, scalingFactor: .one, maxDuration: .seconds(5),
        maxIterations: 2_000)

    Benchmark("demo town: make it") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(DemoTown()) }
    }

    townFrames()
    parisFrames()
}

/// Everything that a map at one place needs, read once, and the frames of a camera that pans there and back.
final class Scenery {
    static let size = Size(columns: 200, rows: 60)
    private let renderer = MapRenderer()
    private var scene: MapScene
    private var canvas = Canvas(size: Scenery.size)
    private var camera: Camera
    private var step = 0

    /// - Parameter reach: cells in each direction for which tiles are read.
    init(_ source: any TileSource, center: Coordinate, zoom: Double, painter: Painter = .braille, reach: Int = 60) async throws {
        var base = BaseMap(tiles: TileCache(capacity: 512), zoomRange: source.zoomRange, attribution: source.attribution)
        let wide = Camera(
            center: center, zoom: zoom, size: Size(columns: Scenery.size.columns + 2 * reach, rows: Scenery.size.rows + 2 * reach))
        for id in base.missingTiles(for: wide) { base.tiles.insert(try await source.tile(id), for: id) }
        scene = MapScene(base: base, painter: painter, colorDepth: .palette256)
        camera = Camera(center: center, zoom: zoom, size: Scenery.size)
    }

    /// The next frame of the pan: two columns and half a row a frame, 50 frames there, 50 back.
    func pan() {
        let forth = step % 100 < 50
        camera = camera.panned(columns: forth ? 2 : -2, rows: step % 2 == 0 ? 0 : (forth ? 1 : -1))
        step += 1
        stand()
    }

    /// The same frame again.
    func stand() {
        canvas = Canvas(size: Scenery.size)
        blackHole(
            renderer.draw(
                scene, camera: camera, into: &canvas,
                at: Rectangle(column: 0, row: 0, columns: Scenery.size.columns, rows: Scenery.size.rows)))
    }
}

/// Frames of the town, which is always there.
private func townFrames() {
    for painter in Painter.allCases {
        let name = painter == .braille ? "" : ", \(painter)"
        Benchmark("demo town z15: panned frame 200x60\(name)") { benchmark in
            let town = DemoTown()
            let scenery = try await Scenery(DemoTownTileSource(town: town), center: town.center, zoom: 15, painter: painter)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { scenery.pan() }
        }
    }
    Benchmark("demo town z15: standing frame 200x60") { benchmark in
        let town = DemoTown()
        let scenery = try await Scenery(DemoTownTileSource(town: town), center: town.center, zoom: 15)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { scenery.stand() }
    }
}

/// Real tiles of a dense town, where the project's test data lies beside the package; elsewhere a word.
private func parisFrames() {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let path = package.appending(path: "../shared/data/map/tiles/omt_paris_ruhr.pmtiles").standardizedFileURL.path
    guard FileManager.default.isReadableFile(atPath: path) else {
        print("Paris is left out: there is no omt_paris_ruhr.pmtiles in ../shared")
        return
    }
    let center = Coordinate(latitude: 48.8701, longitude: 2.3424)
    for painter in [Painter.braille, .ascii] {
        Benchmark("Paris z15: panned frame 200x60, \(painter)") { benchmark in
            let scenery = try await Scenery(try BaseMapFile(path: path), center: center, zoom: 15, painter: painter)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { scenery.pan() }
        }
    }
    Benchmark("Paris 14/8298/5635: from file to paintable, 910 KB raw") { benchmark in
        let file = try BaseMapFile(path: path)
        guard let id = TileID(zoom: 14, x: 8_298, y: 5_635) else { return }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try await file.tile(id)) }
    }
    Benchmark("Paris: open the file") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(try BaseMapFile(path: path)) }
    }
}
