import FoundationEssentials
import Geo
import Glibc
import Navigation

/// Lines and drives that the suites share. Their points are given in metres east and north of one place in the open sea.
enum Fixture {
    static let origin = Coordinate(latitude: 47.5, longitude: -30.25)
    static let start = Date(timeIntervalSince1970: 1_700_000_000)

    static func place(_ east: Double, _ north: Double) -> Coordinate { origin.offset(eastMeters: east, northMeters: north) }

    static func path(_ points: [(Double, Double)]) -> [Coordinate] { points.map { place($0.0, $0.1) } }

    static func route(_ points: [(Double, Double)], seconds: Double = 600) throws -> NavigationRoute {
        try NavigationRoute(line: Polyline(path(points)), durationSeconds: seconds)
    }

    /// Converts a direction and a distance into metres east and north.
    static func step(_ degrees: Double, _ meters: Double) -> (Double, Double) {
        (meters * sin(degrees * .pi / 180), meters * cos(degrees * .pi / 180))
    }

    static func circle(radius: Double, centre: (Double, Double), from: Double, to: Double, steps: Int) -> [(Double, Double)] {
        (0...steps).map { step in
            let offset = self.step(from + (to - from) * Double(step) / Double(steps), radius)
            return (centre.0 + offset.0, centre.1 + offset.1)
        }
    }

    static let straight: [(Double, Double)] = [(0, 0), (0, 3_000)]
    static let outAndBack: [(Double, Double)] = [(0, 0), (0, 800), (0, 0)]
    static let outAndBackTwice: [(Double, Double)] = [(0, 0), (0, 500), (0, 0), (0, 500), (400, 500)]
    static let squareLoop: [(Double, Double)] = [(0, 0), (0, 600), (600, 600), (600, 0), (0, 0)]
    static let figureEight: [(Double, Double)] = [
        (0, 0), (300, 300), (600, 600), (900, 300), (600, 0), (300, 300), (0, 600), (-300, 300),
    ]
    /// A route on parallel streets that are 20 m apart.
    static let serpentine: [(Double, Double)] = [(0, 0), (500, 0), (500, 20), (0, 20), (0, 40), (500, 40), (500, 60), (0, 60)]
    /// A route that goes round a small roundabout twice and leaves it.
    static let roundabout: [(Double, Double)] =
        [(0, -400)] + circle(radius: 25, centre: (0, 0), from: 180, to: 900, steps: 96) + [(0, -60), (300, -60)]

    static let shapes: [(name: String, points: [(Double, Double)])] = [
        ("straight", straight), ("out and back", outAndBack), ("out and back twice", outAndBackTwice), ("square loop", squareLoop),
        ("figure eight", figureEight), ("serpentine", serpentine), ("roundabout", roundabout),
    ]

    /// Returns a random path with turns of all sizes. It sometimes crosses itself.
    static func randomWalk(seed: UInt64) -> [(Double, Double)] {
        var random = SeededRandom(seed: seed)
        var points = [(0.0, 0.0)]
        var bearing = random.double(in: 0...360)
        for _ in 0..<random.int(in: 3...25) {
            bearing += random.chance(0.7) ? random.double(in: -100...100) : random.double(in: -20...20)
            let step = step(bearing, random.double(in: 15...400))
            let last = points[points.count - 1]
            points.append((last.0 + step.0, last.1 + step.1))
        }
        return points
    }
}

/// A drive of a simulated vehicle whose positions go to a navigator, in steps of one second.
struct Drive {
    var simulator: DrivingSimulator
    var navigator = NavigatorState()
    var now = Fixture.start
    private(set) var events: [NavigatorEvent] = []
    private(set) var progress: [Double] = []

    init(
        _ route: NavigationRoute, configuration: SimulationConfiguration = .init(), seed: UInt64 = 1,
        navigator settings: NavigatorConfiguration = .init()
    ) {
        simulator = DrivingSimulator(route: route, configuration: configuration, seed: seed, startingAt: now)
        navigator.reset(to: route, settings)
    }

    /// Advances the drive by one second.
    @discardableResult
    mutating func step() -> [NavigatorEvent] {
        now += 1
        guard let fix = simulator.advance(to: now) else { return [] }
        let new = navigator.apply(fix, at: now)
        events += new
        progress.append(navigator.progressMeters)
        return new
    }

    /// Runs the drive until the vehicle has stopped at the end of its path, and then for `more` seconds.
    mutating func run(limitSeconds: Int = 20_000, and more: Int = 10) {
        for _ in 0..<limitSeconds where simulator.activity == .driving { step() }
        for _ in 0..<more { step() }
    }

    var arrivals: Int { events.count { if case .didArrive = $0 { true } else { false } } }
    var alarms: Int { events.count { if case .didLeaveRoute = $0 { true } else { false } } }
    var progressFalls: Bool { zip(progress, progress.dropFirst()).contains { $1 < $0 } }
}

extension NavigatorState {
    mutating func reset(to route: NavigationRoute, _ configuration: NavigatorConfiguration = .init()) {
        _ = apply(.configure(configuration))
        _ = apply(.setRoute(route, .newDestinations))
        _ = apply(.setGuidanceActive(true))
    }
}

extension [NavigatorEvent] {
    /// All events except locations, remaining times and remaining distances.
    var milestones: [NavigatorEvent] {
        filter {
            switch $0 {
            case .didUpdateLocation, .didUpdateRemainingTime, .didUpdateRemainingDistance: false
            default: true
            }
        }
    }
}
