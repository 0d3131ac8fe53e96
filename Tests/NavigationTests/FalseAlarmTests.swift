import FoundationEssentials
import Geo
import Navigation
import Testing

/// The position errors of a receiver. Like real errors, they are correlated over 30 s.
private struct Errors {
    private let deviation: Double
    private var random: SeededRandom
    private var place = (east: 0.0, north: 0.0)

    init(accuracyMeters: Double, seed: UInt64) {
        // The accuracy is the radius that contains 68 % of the fixes: 1.51 times the standard deviation along one axis.
        deviation = accuracyMeters / 1.51
        random = SeededRandom(seed: seed)
        place = (deviation * random.normal(), deviation * random.normal())
    }

    mutating func next(afterSeconds seconds: Double) -> (east: Double, north: Double) {
        let kept = seconds >= 0 && seconds < 600 ? Self.kept[Int(seconds)] : 0
        let fresh = deviation * max(0, 1 - kept * kept).squareRoot()
        place = (kept * place.east + fresh * random.normal(), kept * place.north + fresh * random.normal())
        return place
    }

    private static let kept: [Double] = (0..<600).reduce(into: [1.0]) { kept, _ in kept.append((kept.last ?? 1) * 0.967_216) }
}

@Suite("False alarms, at most one in ten hours")
struct FalseAlarmTests {
    static let mostAnHour = 0.1

    private func isAlarm(_ event: NavigatorEvent) -> Bool {
        if case .didLeaveRoute = event { true } else { false }
    }

    @Test("On a straight road at 10 m/s with errors of 6 and 15 m, and of 45 m if the fixes have an accuracy", arguments: [true, false])
    func simulated(hasAccuracy: Bool) throws {
        let accurate = (UInt64(1)...20).map { ($0, 6.0) } + (UInt64(1)...50).map { ($0, 15) }
        // The test has drives with errors of 45 m only if the fixes state their accuracy. Without a stated accuracy, such errors would
        // cause false alarms.
        let drives = accurate + (hasAccuracy ? (UInt64(51)...100).map { ($0, 45) } : [])
        var (alarms, hours) = (0, 0.0)
        let route = try Fixture.route([(0, 0), (0, 36_000)], seconds: 3_600)
        for (seed, accuracy) in drives {
            var errors = Errors(accuracyMeters: accuracy, seed: seed)
            var navigator = NavigatorState()
            navigator.reset(to: route)
            var events: [NavigatorEvent] = []
            for second in stride(from: 0.0, to: 3_500, by: 1) {
                let error = errors.next(afterSeconds: 1)
                let fix = LocationFix(
                    coordinate: Fixture.place(error.east, second * 10 + error.north), time: Fixture.start + second,
                    accuracyMeters: hasAccuracy ? accuracy : nil, courseDegrees: 0, speedMetersPerSecond: 10)
                navigator.apply(fix, at: fix.time, addingTo: &events)
                alarms += events.count(where: isAlarm)
                events.removeAll(keepingCapacity: true)
            }
            hours += 3_500 / 3_600
            #expect(navigator.progressMeters > 34_000)
        }
        #expect(Double(alarms) <= Self.mostAnHour * hours, "\(alarms) alarms in \(hours) h")
    }

    /// Drives a recorded track along its own path, with errors added to those of the recording. Returns the number of alarms and the
    /// duration in hours.
    private func replay(_ fixes: [LocationFix], accuracy: Double, seed: UInt64) throws -> (alarms: Int, hours: Double) {
        var way: [Coordinate] = []
        for fix in fixes where way.last.map({ $0.distanceMeters(to: fix.coordinate) >= 40 }) ?? true { way.append(fix.coordinate) }
        let route = try NavigationRoute(line: Polyline(way), durationSeconds: 3_600)
        var errors = Errors(accuracyMeters: accuracy, seed: seed)
        var navigator = NavigatorState()
        navigator.reset(to: route)
        var (alarms, before, last) = (0, 0.0, fixes.first?.time ?? Fixture.start)
        for fix in fixes {
            let error = errors.next(afterSeconds: fix.time.timeIntervalSince(last))
            last = fix.time
            let noisy = LocationFix(
                coordinate: fix.coordinate.offset(eastMeters: error.east, northMeters: error.north), time: fix.time,
                accuracyMeters: accuracy, courseDegrees: fix.courseDegrees, speedMetersPerSecond: fix.speedMetersPerSecond)
            alarms += navigator.apply(noisy, at: fix.time).count(where: isAlarm)
            #expect(navigator.progressMeters >= before)
            before = navigator.progressMeters
        }
        return (alarms, last.timeIntervalSince(fixes.first?.time ?? last) / 3_600)
    }

    @Test(
        "On a real drive of an hour through Seattle, five times, with errors of 6, 15 and 45 m on top of its own",
        .enabled(if: RecordedDrive.isThere), arguments: [6.0, 15, 45])
    func seattle(accuracy: Double) throws {
        let fixes = try RecordedDrive.seattle()
        var (alarms, hours) = (0, 0.0)
        for seed in UInt64(1)...5 {
            let one = try replay(fixes, accuracy: accuracy, seed: seed)
            (alarms, hours) = (alarms + one.alarms, hours + one.hours)
        }
        #expect(hours > 5)
        #expect(Double(alarms) <= Self.mostAnHour * hours, "\(alarms) alarms in \(hours) h")
    }

    @Test(
        "On every shape, with errors up to 45 m, progress never falls and a snapped position lies on the line",
        arguments: 0..<Fixture.shapes.count)
    func snapped(index: Int) throws {
        let route = try Fixture.route(Fixture.shapes[index].points)
        for (accuracy, seed) in [(6.0, UInt64(1)), (15, 2), (45, 3)] {
            var configuration = SimulationConfiguration()
            configuration.noise = SimulatedNoise(accuracyMeters: accuracy)
            var drive = Drive(route, configuration: configuration, seed: seed)
            drive.run()
            #expect(!drive.progressFalls, "\(accuracy)")
            var count = 0
            for case .didUpdateLocation(let location) in drive.events where location.isSnapped {
                let near = try #require(route.line.nearest(to: location.coordinate))
                #expect(near.distanceMeters < 0.01, "\(Fixture.shapes[index].name) \(accuracy)")
                count += 1
            }
            #expect(count > 10)
        }
    }
}
