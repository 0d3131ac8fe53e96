import Benchmark
import Foundation
import Geo
import Scenery
import TerminalCanvas
import TileSources
import VectorTiles

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock], timeUnits: .microseconds, scalingFactor: .one, maxDuration: .seconds(5),
        maxIterations: 2_000)

    Benchmark("town: open it") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(try BaseMapFile.town()) }
    }

    townFrames()
    guard let path = Paris.path else { return }
    parisFrames(path)
    terminalFrames(path)
}

/// The map of the invented town, which is part of the project.
private enum Town {
    static let center = Coordinate(latitude: -36, longitude: -20)
}

/// Adds benchmarks that paint frames of the town's map.
private func townFrames() {
    for painter in Painter.allCases {
        let name = painter == .braille ? "" : ", \(painter)"
        Benchmark("town z15: panned frame 200x60\(name)") { benchmark in
            let scenery = try await Scenery(BaseMapFile.town(), center: Town.center, zoom: 15, painter: painter)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { scenery.pan() }
        }
    }
    Benchmark("town z15: standing frame 200x60") { benchmark in
        let scenery = try await Scenery(BaseMapFile.town(), center: Town.center, zoom: 15)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { scenery.stand() }
    }
}

private func parisFrames(_ path: String) {
    for painter in [Painter.braille, .ascii] {
        Benchmark("Paris z15: panned frame 200x60, \(painter)") { benchmark in
            let scenery = try await Paris.scenery(path, painter: painter)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { scenery.pan() }
        }
    }
    Benchmark("Paris 14/8298/5635: from file to paintable, 910 KB raw") { benchmark in
        let file = try BaseMapFile(path: path)
        guard let id = Paris.heavyTile else { return }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try await file.tile(id)) }
    }
    Benchmark("Paris: open the file") { benchmark in
        for _ in benchmark.scaledIterations { blackHole(try BaseMapFile(path: path)) }
    }
}

/// Adds benchmarks that show frames on a pseudo-terminal, whose output is read immediately. The wall-clock time is measured from the start
/// of painting to the last byte that ncurses writes.
private func terminalFrames(_ path: String) {
    let bytes = BenchmarkMetric.custom("bytes to the terminal", polarity: .prefersSmaller, useScalingFactor: false)
    let configuration = Benchmark.Configuration(
        metrics: [.wallClock, bytes], timeUnits: .microseconds, scalingFactor: .one, maxDuration: .seconds(5), maxIterations: 500)
    func frames(_ name: String, _ configuration: Benchmark.Configuration, _ next: @escaping @Sendable (Scenery) -> Void) {
        Benchmark("Paris z15, 200x60, with ncurses: \(name)", configuration: configuration) { benchmark in
            let scenery = try await Paris.scenery(path)
            let window = try Window(size: Scenery.size)
            next(scenery)
            window.show(scenery.canvas)
            for _ in benchmark.scaledIterations {
                let before = window.byteCount
                benchmark.startMeasurement()
                next(scenery)
                window.show(scenery.canvas)
                benchmark.stopMeasurement()
                benchmark.measurement(bytes, window.byteCount - before)
            }
            await window.close()
        }
    }
    frames("panned frame", configuration) { $0.pan() }
    frames("a vehicle moves by one cell", configuration) { $0.drive() }
    // If nothing changes, nothing is written, so there is no time to measure.
    let silent = Benchmark.Configuration(metrics: [bytes], scalingFactor: .one, maxDuration: .seconds(5), maxIterations: 20)
    frames("nothing changes", silent) { $0.stand() }
}
