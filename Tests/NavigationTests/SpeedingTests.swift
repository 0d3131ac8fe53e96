import FoundationEssentials
import Geo
import Navigation
import Routing
import Testing

@Suite("Speeding and speed alerts")
struct SpeedingTests {
    /// Returns a route of four kilometres, each with a different speed limit: 50 km/h, unknown, no limit, 30 km/h.
    private func route() throws -> NavigationRoute {
        let leg = RouterLeg(
            path: Fixture.path([(0, 0), (0, 4_000)]), destination: NavigationWaypoint(coordinate: Fixture.place(0, 4_000)),
            durationSeconds: 400,
            speedLimits: [
                SpeedLimitStretch(offsetMeters: 0, lengthMeters: 1_000, limit: .kilometersPerHour(50)),
                SpeedLimitStretch(offsetMeters: 2_000, lengthMeters: 1_000, limit: .unlimited),
                SpeedLimitStretch(offsetMeters: 3_000, lengthMeters: 1_000, limit: .kilometersPerHour(30)),
            ])
        return try NavigationRoute(legs: [leg])
    }

    private struct Car {
        var navigator = NavigatorState()
        var north = 100.0
        var second = 0.0
        var told: [String] = []

        /// Moves the vehicle north for one second at `speed` km/h.
        mutating func drive(_ speed: Double?, accuracy: Double? = nil, course: Double? = 0) {
            north += (speed ?? 30) / 3.6
            second += 1
            let fix = LocationFix(
                coordinate: Fixture.place(0, north), time: Fixture.start + second, accuracyMeters: 5, courseDegrees: course,
                speedMetersPerSecond: speed.map { $0 / 3.6 }, speedAccuracyMetersPerSecond: accuracy)
            for event in navigator.apply(fix, at: fix.time) {
                switch event {
                case .didUpdateSpeedingPercentage(let percent): told.append("\(Int(percent.rounded())) %")
                case .didUpdateSpeedAlertSeverity(let severity, let percent): told.append("\(severity) at \(Int(percent.rounded()))")
                default: break
                }
            }
        }
    }

    private func car(_ options: SpeedAlertOptions? = nil) throws -> Car {
        var car = Car()
        var configuration = NavigatorConfiguration()
        configuration.speedAlerts = options
        car.navigator.reset(to: try route(), configuration)
        return car
    }

    @Test("Speeding is reported from the second fix on, in steps of a percentage point, and so is its end")
    func percent() throws {
        var car = try car()
        for speed in [50, 50.1, 49, 55, 55, 55.2, 55.4, 56, 50, 60, 40] { car.drive(speed) }
        #expect(car.told == ["10 %", "12 %", "0 %"])
        #expect(car.navigator.speedingPercentage == 0)
    }

    @Test("Uncertain speeds, other directions and unknown limits report nothing; a road without a limit allows every speed")
    func unsure() throws {
        var car = try car()
        for _ in 0..<5 { car.drive(80, accuracy: 3) }
        for _ in 0..<3 { car.drive(80, course: 90) }
        for _ in 0..<3 { car.drive(nil) }
        #expect(car.told.isEmpty)
        car.drive(75, accuracy: 2)
        car.drive(75, accuracy: 2)
        #expect(car.told == ["50 %", "major at 50"])
        #expect(car.navigator.speedLimit == .kilometersPerHour(50))
        car.north = 1_100
        car.drive(75)
        #expect(car.told.suffix(2) == ["0 %", "notSpeeding at 0"])
        car.north = 2_100
        for _ in 0..<5 { car.drive(250) }
        #expect(car.told.count == 4)
    }

    @Test("Without options, the SDK's thresholds of 10 and 20 km/h over the limit are used")
    func defaults() throws {
        var car = try car()
        for speed in [59, 59, 61, 71, 69, 59, 50.0] { car.drive(speed) }
        #expect(
            car.told == [
                "18 %", "22 %", "minor at 22", "42 %", "major at 42", "38 %", "minor at 38", "18 %", "notSpeeding at 18", "0 %",
            ])
        #expect(car.navigator.speedAlertSeverity == .notSpeeding)
    }

    @Test("With options in percent, and a major alert only after its time")
    func options() throws {
        var car = try car(SpeedAlertOptions(minorPercent: 5, majorPercent: 10, severityUpgradeSeconds: 5))
        for speed in Array(repeating: 60.0, count: 8) + [53, 53, 50] { car.drive(speed) }
        #expect(car.told == ["20 %", "minor at 20", "major at 20", "6 %", "minor at 6", "0 %", "notSpeeding at 0"])
        var only = try self.car(SpeedAlertOptions(majorPercent: 10))
        for speed in [54, 54, 60, 60, 50.0] { only.drive(speed) }
        #expect(only.told == ["8 %", "20 %", "major at 20", "0 %", "notSpeeding at 0"])
    }

    @Test("Changing a threshold moves the other one along; a negative threshold is off")
    func thresholds() {
        var options = SpeedAlertOptions(minorPercent: 5, majorPercent: 10)
        options.minorPercent = 20
        #expect(options.majorPercent == 20)
        options.majorPercent = 8
        #expect(options.minorPercent == 8)
        options.majorPercent = -1
        #expect(options.minorPercent == 8)
        #expect(SpeedAlertOptions(minorPercent: -1, majorPercent: 10).minorPercent == nil)
        #expect(SpeedAlertOptions(minorPercent: 30, majorPercent: 10).majorPercent == 30)
    }
}

@Suite("The next manoeuvre")
struct NavInfoTests {
    @Test("Its distance and time decrease, then the next one is reported; after the last one comes the destination")
    func feed() throws {
        let steps = [
            RouteStep(maneuver: .depart, roadName: "Wick Lane", offsetMeters: 0, lengthMeters: 400),
            RouteStep(maneuver: .left, roadName: nil, offsetMeters: 400, lengthMeters: 200),
            RouteStep(maneuver: .right, roadName: "Anchor Row", offsetMeters: 600, lengthMeters: 400),
        ]
        let leg = RouterLeg(
            path: Fixture.path([(0, 0), (0, 1_000)]), destination: NavigationWaypoint(coordinate: Fixture.place(0, 1_000)),
            durationSeconds: 100, steps: steps)
        var navigator = NavigatorState()
        #expect(navigator.navInfo == nil)
        var configuration = NavigatorConfiguration()
        configuration.distanceUpdateThreshold = 149.9
        navigator.reset(to: try NavigationRoute(legs: [leg]), configuration)
        var told: [String] = []
        for second in stride(from: 0.0, through: 100, by: 1) {
            let fix = LocationFix(
                coordinate: Fixture.place(0, second * 10), time: Fixture.start + second, accuracyMeters: 5, courseDegrees: 0,
                speedMetersPerSecond: 10)
            for case .didUpdateNavInfo(let info) in navigator.apply(fix, at: fix.time) {
                let next = info.nextStep.map { "\($0.maneuver)" } ?? "destination"
                told.append(
                    "\(next) in \(Int(info.distanceToNextStepMeters.rounded())) m, \(Int(info.timeToNextStepSeconds.rounded())) s, "
                        + "on \(info.roadName ?? "-"), then \(info.stepsAfterNext.count)")
            }
        }
        #expect(
            told == [
                "left in 400 m, 40 s, on Wick Lane, then 1", "left in 250 m, 25 s, on Wick Lane, then 1",
                "left in 100 m, 10 s, on Wick Lane, then 1", "right in 200 m, 20 s, on -, then 0", "right in 50 m, 5 s, on -, then 0",
                "destination in 400 m, 40 s, on Anchor Row, then 0", "destination in 250 m, 25 s, on Anchor Row, then 0",
                "destination in 100 m, 10 s, on Anchor Row, then 0", "destination in 0 m, 0 s, on Anchor Row, then 0",
            ])
        #expect(navigator.navInfo?.state == .enroute)
        _ = navigator.apply(.reroute(.requested))
        #expect(navigator.navInfo?.state == .rerouting)
        _ = navigator.apply(.setGuidanceActive(false))
        #expect(navigator.navInfo?.state == .stopped)
    }
}
