import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

private let noon = Date(timeIntervalSince1970: 1_935_792_000)
private let home = Drive.origin

private func at(_ east: Double, _ north: Double) -> Coordinate { home.offset(eastMeters: east, northMeters: north) }

/// A vehicle on an invented route, drawn ten times a second.
private struct Stage {
    var trip: Trip
    var motion = VehicleMotion()
    var now = noon
    private(set) var drawn: VehicleMotion.Drawn?
    /// The longest step between two frames, in metres, and the largest turn, in degrees.
    private(set) var longestStep = 0.0
    private(set) var largestTurn = 0.0

    init(_ route: [Coordinate]) throws {
        trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: .enrouteToDropoff)
        trip.activeRoute = RouteLine(route)
    }

    mutating func report(_ place: Coordinate, speed: Double? = 10, accuracy: Double? = nil, isNewFix: Bool = true) {
        trip.lastLocation = VehicleLocation(coordinate: place, speedMetersPerSecond: speed, accuracyMeters: accuracy)
        motion.observe(trip, ageSeconds: 0, isNewFix: isNewFix, now: now)
        draw()
    }

    mutating func go(_ seconds: Double) {
        for _ in 0..<Int(seconds * 10) {
            now += 0.1
            draw()
        }
    }

    private mutating func draw() {
        guard let next = motion.frame(at: now) else { return }
        if let drawn {
            longestStep = max(longestStep, drawn.coordinate.distanceMeters(to: next.coordinate))
            if let old = drawn.headingDegrees, let new = next.headingDegrees {
                largestTurn = max(largestTurn, abs((new - old).remainder(dividingBy: 360)))
            }
        }
        drawn = next
    }
}

@Suite("Vehicle motion with new routes and unusual reports")
struct MotionLineTests {
    private static let road = (0...100).map { at(0, Double($0) * 50) }

    @Test("a route that starts ahead is reached along the old one; until then the car is not on it", arguments: [20.0, 100, 300])
    func startsAhead(meters: Double) throws {
        var stage = try Stage(Self.road)
        stage.report(at(0, 1_000))
        stage.go(5)
        let before = try #require(stage.drawn?.alongMeters)
        let start = before + meters
        stage.trip.activeRoute = RouteLine(Polyline(Self.road).slice(fromMeters: start, toMeters: 5_000))
        stage.report(at(0, start))
        #expect(stage.drawn?.alongMeters == nil && stage.drawn?.isOffRoute == false)
        #expect(stage.drawn?.pathToRoute.first == stage.drawn?.coordinate)
        #expect(stage.drawn?.pathToRoute.last.map { $0.distanceMeters(to: at(0, start)) < 0.1 } == true)
        stage.go(120)
        #expect(stage.longestStep < MotionSimulation.jumpMeters)
        #expect(stage.drawn?.pathToRoute == [])
        let along = try #require(stage.drawn?.alongMeters)
        #expect(along > 40 && along < 110)
        let expected = at(0, start + along)
        #expect(stage.drawn.map { $0.coordinate.distanceMeters(to: expected) < 1 } == true)
    }

    @Test("a car moves to a route slightly to the side at a slant, without a jump", arguments: [2.0, 10, 25])
    func aside(meters: Double) throws {
        var stage = try Stage(Self.road)
        stage.report(at(0, 1_000))
        stage.go(5)
        stage.trip.activeRoute = RouteLine((0...100).map { at(meters, Double($0) * 50) })
        stage.report(at(meters, 1_060))
        stage.go(60)
        #expect(stage.longestStep < 4)
        let line = stage.trip.activeRoute.line
        let drawn = try #require(stage.drawn)
        #expect(line.nearest(to: drawn.coordinate).map { $0.distanceMeters < 0.5 } == true)
        #expect(drawn.alongMeters.map { abs($0 - (line.nearest(to: drawn.coordinate)?.alongMeters ?? 0)) < 1 } == true)
    }

    @Test("a car jumps once to a route elsewhere")
    func elsewhere() throws {
        var stage = try Stage(Self.road)
        stage.report(at(0, 1_000))
        stage.go(5)
        stage.trip.activeRoute = RouteLine((0...100).map { at(200, Double($0) * 50) })
        stage.report(at(200, 1_060))
        #expect(stage.drawn.map { $0.coordinate.distanceMeters(to: at(200, 1_060)) < 1 } == true)
        let jump = stage.longestStep
        stage.go(20)
        #expect(stage.longestStep == jump)
    }

    @Test("a report off the line that is polled repeatedly counts as one report")
    func onePoll() throws {
        var stage = try Stage(Self.road)
        stage.report(at(120, 1_000))
        for _ in 0..<5 {
            stage.go(5)
            stage.report(at(120, 1_000), isNewFix: false)
        }
        #expect(!stage.motion.isOffRoute)
        stage.report(at(120, 1_100))
        #expect(stage.motion.isOffRoute)
    }

    @Test("one wrong report does not move the car to another part of its route")
    func wildReport() throws {
        // The route goes along one street and returns on a parallel street, 160 m away.
        let route = (0...40).map { at(0, Double($0) * 50) } + (0...40).map { at(160, 2_000 - Double($0) * 50) }
        var stage = try Stage(route)
        stage.report(at(0, 500))
        stage.go(10)
        stage.report(at(115, 600))
        stage.go(10)
        stage.report(at(0, 700))
        stage.go(10)
        #expect(stage.longestStep < 4)
        #expect(stage.drawn?.alongMeters.map { $0 < 900 } == true)
    }

    @Test("at a sharp corner the heading turns gradually, and does not flip")
    func turning() throws {
        var stage = try Stage([at(0, 0), at(0, 200), at(200, 200)])
        for second in stride(from: 0.0, through: 30, by: 5) {
            let meters = 10 * second
            stage.report(meters < 200 ? at(0, meters) : at(meters - 200, 200))
            stage.go(5)
        }
        #expect(stage.largestTurn <= 12 + 1e-6, "120 degrees a second")
        #expect(stage.drawn?.headingDegrees.map { abs($0 - 90) < 2 } == true)
    }

    @Test("without a stated speed, the reports give it")
    func noSpeed() throws {
        var stage = try Stage(Self.road)
        for report in 0..<6 {
            stage.report(at(0, 1_000 + 100 * Double(report)), speed: nil)
            stage.go(10)
        }
        #expect(stage.drawn?.alongMeters.map { $0 > 1_480 && $0 < 1_600 } == true)
        #expect(stage.longestStep < 3)
    }

    @Test(
        "impossible values do no harm",
        arguments: [Double.nan, .infinity, -.infinity, -5, 1e300], [Double.nan, .infinity, -3, 0, 1e300])
    func impossible(speed: Double, accuracy: Double) throws {
        let bad = Coordinate(latitude: .nan, longitude: 500)
        var stage = try Stage([bad, at(0, 0), bad, at(0, 1_000), bad])
        stage.motion.ageCapSeconds = speed
        for place in [at(0, 100), bad, at(0, 300), bad, bad, at(0, 500)] {
            stage.report(place, speed: speed, accuracy: accuracy)
            stage.go(5)
            if let along = stage.drawn?.alongMeters { #expect(along >= 0 && along <= 1_001) }
        }
        for route in [[], [at(0, 0)], [bad], [at(0, 0), at(0, 0)]] {
            stage.trip.activeRoute = RouteLine(route)
            stage.report(at(0, 10), speed: speed, accuracy: accuracy)
            stage.go(2)
            #expect(stage.drawn != nil)
        }
    }
}
