import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

private let noon = Date(timeIntervalSince1970: 1_935_792_000)
private let home = Coordinate(latitude: -31.5, longitude: -16.2)

/// A straight road to the north, 6 km long.
private let road = (0...120).map { home.offset(eastMeters: 0, northMeters: Double($0) * 50) }

private func trip(at meters: Double, speed: Double?, east: Double = 0, route: [Coordinate] = road, vehicle: String = "car") throws -> Trip {
    var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: vehicle, status: .enrouteToPickup)
    trip.activeRoute = RouteLine(route)
    trip.lastLocation = VehicleLocation(coordinate: home.offset(eastMeters: east, northMeters: meters), speedMetersPerSecond: speed)
    return trip
}

@Suite("Vehicle motion")
struct VehicleMotionTests {
    /// The car stops and starts as it drives, and reports every 10 s. The screen polls every 5 s, loses some polls, and draws ten frames
    /// a second.
    @Test("the drawn car never goes back and never jumps", arguments: [0.0, 0.1, 0.4])
    func neverBackwards(loss: Double) throws {
        var dice = SeededRandom(seed: 11)
        var motion = VehicleMotion()
        var position = 0.0
        var speed = 0.0
        var wanted = 12.0
        var positions: [Double] = []
        var speeds: [Double] = []
        for second in 0..<420 {
            if second % 37 == 0 { wanted = dice.double(in: 0...20) }
            speed += min(2, max(-3, wanted - speed))
            position = min(position + speed, 5_900)
            positions.append(position)
            speeds.append(speed)
        }
        var last: Double?
        var reported = -1
        for frame in 0..<4_100 {
            let now = noon.addingTimeInterval(Double(frame) / 10)
            if frame % 50 == 0, !dice.chance(loss) {
                let report = frame / 100 * 10
                if report != reported {
                    reported = report
                    let age = Double(frame) / 10 - Double(report)
                    motion.observe(try trip(at: positions[report], speed: speeds[report]), ageSeconds: age, isNewFix: true, now: now)
                }
            }
            guard let along = motion.frame(at: now)?.alongMeters else { continue }
            if let last {
                #expect(along >= last - 1e-9, "backwards at frame \(frame)")
                #expect(along - last <= 45 * 0.1 + 3, "jump at frame \(frame)")
            }
            last = along
        }
        #expect(last.map { abs($0 - positions[410]) < 150 } == true)
    }

    @Test("a car that stands still is not moved")
    func standing() throws {
        var motion = VehicleMotion()
        motion.observe(try trip(at: 1_000, speed: 0), ageSeconds: 0, isNewFix: true, now: noon)
        for second in 0..<60 {
            let drawn = motion.frame(at: noon.addingTimeInterval(Double(second)))
            #expect(drawn?.alongMeters.map { abs($0 - 1_000) < 0.5 } == true)
        }
    }

    @Test("without news the car stops a little ahead of the last report")
    func decay() throws {
        var motion = VehicleMotion()
        motion.observe(try trip(at: 1_000, speed: 10), ageSeconds: 0, isNewFix: true, now: noon)
        var along = 0.0
        for tenth in 0..<3_000 { along = motion.frame(at: noon.addingTimeInterval(Double(tenth) / 10))?.alongMeters ?? 0 }
        #expect(along > 1_050)
        #expect(along <= 1_100)
    }

    @Test("the car does not pass the end of the route")
    func endOfRoute() throws {
        var motion = VehicleMotion()
        motion.observe(try trip(at: 5_990, speed: 20), ageSeconds: 0, isNewFix: true, now: noon)
        for second in 0..<30 {
            let frame1 = motion.frame(at: noon.addingTimeInterval(Double(second)))
            #expect((frame1?.alongMeters ?? 0) <= 6_001)
        }
    }

    @Test("a gap over 400 m is crossed in one frame")
    func gap() throws {
        var motion = VehicleMotion()
        motion.observe(try trip(at: 100, speed: 10), ageSeconds: 0, isNewFix: true, now: noon)
        _ = motion.frame(at: noon)
        motion.observe(try trip(at: 3_000, speed: 10), ageSeconds: 0, isNewFix: true, now: noon.addingTimeInterval(10))
        let frame2 = motion.frame(at: noon.addingTimeInterval(10.1))
        #expect(frame2?.alongMeters.map { $0 >= 3_000 } == true)
    }

    @Test("on a trimmed route, the car continues from where it is drawn")
    func trimmedRoute() throws {
        var motion = VehicleMotion()
        motion.observe(try trip(at: 1_000, speed: 10), ageSeconds: 0, isNewFix: true, now: noon)
        let frame3 = motion.frame(at: noon.addingTimeInterval(3))
        let before = try #require(frame3)
        motion.observe(
            try trip(at: 1_030, speed: 10, route: Array(road.dropFirst(19))), ageSeconds: 0, isNewFix: true, now: noon.addingTimeInterval(3)
        )
        let frame4 = motion.frame(at: noon.addingTimeInterval(3.1))
        let after = try #require(frame4)
        #expect(before.coordinate.distanceMeters(to: after.coordinate) < 4)
    }

    @Test("two fixes beside the line are off the route; a single one is not")
    func offRoute() throws {
        var motion = VehicleMotion()
        motion.observe(try trip(at: 1_000, speed: 10), ageSeconds: 0, isNewFix: true, now: noon)
        motion.observe(try trip(at: 1_050, speed: 10, east: 120), ageSeconds: 0, isNewFix: true, now: noon.addingTimeInterval(5))
        #expect(!motion.isOffRoute)
        motion.observe(try trip(at: 1_100, speed: 10, east: 150), ageSeconds: 0, isNewFix: true, now: noon.addingTimeInterval(10))
        #expect(motion.isOffRoute)
        let frame5 = motion.frame(at: noon.addingTimeInterval(11))
        let drawn = try #require(frame5)
        #expect(drawn.alongMeters == nil)
        #expect(drawn.coordinate == home.offset(eastMeters: 150, northMeters: 1_100))
        motion.observe(try trip(at: 1_200, speed: 10), ageSeconds: 0, isNewFix: true, now: noon.addingTimeInterval(15))
        #expect(!motion.isOffRoute)
    }

    @Test("a car that has not reached the start of its route is not off the route, but a car beside the route is")
    func beforeStart() throws {
        var waiting = VehicleMotion()
        var beside = VehicleMotion()
        for seconds in [0.0, 5, 10] {
            let now = noon.addingTimeInterval(seconds)
            waiting.observe(try trip(at: -150 + seconds, speed: 2), ageSeconds: 0, isNewFix: true, now: now)
            beside.observe(try trip(at: 1_000 + seconds, speed: 2, east: 150), ageSeconds: 0, isNewFix: true, now: now)
        }
        #expect(!waiting.isOffRoute && beside.isOffRoute)
        let frame = waiting.frame(at: noon.addingTimeInterval(10))
        #expect(frame?.coordinate == home.offset(eastMeters: 0, northMeters: -140) && frame?.alongMeters == nil)
        waiting.observe(try trip(at: 10, speed: 2), ageSeconds: 0, isNewFix: true, now: noon.addingTimeInterval(20))
        for seconds in [25.0, 30] {
            let fix = try trip(at: -100, speed: 2, east: 100)
            waiting.observe(fix, ageSeconds: 0, isNewFix: true, now: noon.addingTimeInterval(seconds))
        }
        #expect(waiting.isOffRoute)
    }

    @Test("another vehicle is drawn at its own position")
    func otherVehicle() throws {
        var motion = VehicleMotion()
        motion.observe(try trip(at: 1_000, speed: 10), ageSeconds: 0, isNewFix: true, now: noon)
        _ = motion.frame(at: noon)
        motion.observe(try trip(at: 1_200, speed: 0, vehicle: "other"), ageSeconds: 0, isNewFix: true, now: noon.addingTimeInterval(5))
        let frame6 = motion.frame(at: noon.addingTimeInterval(5))
        #expect(frame6?.alongMeters.map { abs($0 - 1_200) < 1 } == true)
    }

    @Test("without a route the car is drawn at its fix")
    func noRoute() throws {
        var motion = VehicleMotion()
        motion.observe(try trip(at: 1_000, speed: 10, route: []), ageSeconds: 0, isNewFix: true, now: noon)
        let frame7 = motion.frame(at: noon)
        let drawn = try #require(frame7)
        #expect(drawn.coordinate == home.offset(eastMeters: 0, northMeters: 1_000))
        #expect(drawn.alongMeters == nil)
    }

    @Test("clocks that go backwards and frames that are hours apart do no harm")
    func oddClocks() throws {
        var motion = VehicleMotion()
        motion.observe(try trip(at: 1_000, speed: .nan), ageSeconds: -50, isNewFix: true, now: noon)
        for seconds in [0.0, -100, 7_200, 7_199, 1e9] {
            let along = motion.frame(at: noon.addingTimeInterval(seconds))?.alongMeters
            #expect(along.map { $0.isFinite && $0 >= 0 && $0 <= 6_001 } == true)
        }
    }
}
