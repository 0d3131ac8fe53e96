import Benchmark
import Foundation
import Geo
import Navigation
import Routing

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.cpuTotal, .wallClock, .throughput, .peakMemoryResident], timeUnits: .milliseconds, maxDuration: .seconds(10),
        maxIterations: 200)

    // One iteration is the whole drive, with one fix for each second.
    for kilometers in [100, 2_000] {
        Benchmark("the navigator of a drive of \(kilometers) km, a fix a second") { benchmark in
            guard let drive = Drive(meters: Double(kilometers) * 1_000) else { return }
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { blackHole(drive.eventCount()) }
            benchmark.stopMeasurement()
        }
    }
}

/// A route with a bend every 20 m, and a vehicle that drives on it at 15 m/s.
struct Drive {
    private static let stepMeters = 20.0
    private static let metersPerSecond = 15.0

    let route: NavigationRoute
    let fixes: [LocationFix]

    init?(meters: Double) {
        var random = SeededRandom(seed: 3)
        var path = [Coordinate(latitude: 47, longitude: 8)]
        var bearing = 40.0
        for _ in 0..<Int(meters / Self.stepMeters) {
            bearing += random.double(in: -12...12)
            let (east, north) = (sin(bearing * .pi / 180) * Self.stepMeters, cos(bearing * .pi / 180) * Self.stepMeters)
            path.append((path.last ?? path[0]).offset(eastMeters: east, northMeters: north))
        }
        let line = Polyline(path)
        guard let route = try? NavigationRoute(line: line, durationSeconds: line.lengthMeters / Self.metersPerSecond) else { return nil }
        self.route = route
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        fixes = (0..<Int(line.lengthMeters / Self.metersPerSecond)).compactMap { second in
            let along = Double(second) * Self.metersPerSecond
            return line.coordinate(atMeters: along).map {
                LocationFix(
                    coordinate: $0.offset(eastMeters: 3, northMeters: -2), time: start + Double(second), accuracyMeters: 5,
                    courseDegrees: line.bearingDegrees(atMeters: along), speedMetersPerSecond: Self.metersPerSecond)
            }
        }
    }

    /// Drives the route once. Returns the number of events.
    func eventCount() -> Int {
        var navigator = NavigatorState()
        _ = navigator.apply(.setRoute(route, .newDestinations))
        _ = navigator.apply(.setGuidanceActive(true))
        var (events, count) = ([NavigatorEvent](), 0)
        for fix in fixes {
            navigator.apply(fix, at: fix.time, addingTo: &events)
            count += events.count
            events.removeAll(keepingCapacity: true)
        }
        return count
    }
}
