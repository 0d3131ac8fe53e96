import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

@Suite("Motion on a recorded trip", .enabled(if: SharedData.exists(RecordedUploads.path)))
struct RecordedUploadTests {
    /// The movement of the vehicle on the screen between two frames.
    private struct Step {
        let frame: Int
        let meters: Double
        /// The movement along the route, in metres; negative if the vehicle moves backwards. Nil if the route is new, or if the
        /// vehicle is not on it.
        let alongMeters: Double?
    }

    /// Returns the movements on a screen that polls every five seconds and draws ten frames a second.
    private func steps(_ recorded: RecordedUploads, loss: Double, seed: UInt64) throws -> (steps: [Step], routes: Int, offRoute: Int) {
        var dice = SeededRandom(seed: seed)
        var trip = Trip(name: try TripName("providers/demo/trips/t1"), vehicleID: "car", status: .enrouteToDropoff)
        var tracker = FreshnessTracker()
        var motion = VehicleMotion()
        var pending = recorded.uploads[...]
        var last: VehicleMotion.Drawn?
        var (steps, routes, offRoute): ([Step], Int, Int) = ([], 0, 0)
        for frame in 0..<Int(recorded.end.timeIntervalSince(recorded.start) * 10) {
            let now = recorded.start.addingTimeInterval(Double(frame) / 10 + 0.5)
            var isNewRoute = false
            if frame % 50 == 0, !dice.chance(loss) {
                let before = trip.activeRoute
                while let upload = pending.first, upload.location.serverTime.map({ $0 < now.addingTimeInterval(-0.3) }) == true {
                    pending = pending.dropFirst()
                    trip.lastLocation = upload.location
                    trip.activeRoute = upload.route.map { RouteLine($0) } ?? trip.activeRoute
                }
                isNewRoute = trip.activeRoute != before
                routes += isNewRoute ? 1 : 0
                let isNew = tracker.observe(trip, now: now)
                motion.ageCapSeconds = tracker.reportGapSeconds + tracker.pollIntervalSeconds
                motion.observe(trip, ageSeconds: tracker.ageSeconds(now: now), isNewFix: isNew, now: now)
            }
            guard let drawn = motion.frame(at: now) else { continue }
            if let last {
                let along = isNewRoute ? nil : drawn.alongMeters.flatMap { new in last.alongMeters.map { new - $0 } }
                steps.append(Step(frame: frame, meters: drawn.coordinate.distanceMeters(to: last.coordinate), alongMeters: along))
            }
            offRoute += drawn.isOffRoute ? 1 : 0
            last = drawn
        }
        return (steps, routes, offRoute)
    }

    @Test("twenty new versions of the route, including one after a missed exit: no jump, never backwards", arguments: [0.0, 0.1, 0.3])
    func newVersions(loss: Double) throws {
        let recorded = try RecordedUploads()
        let seen = try steps(recorded, loss: loss, seed: 1)
        #expect(seen.routes >= 18)
        #expect(seen.steps.count > 14_000)
        #expect(seen.offRoute == 0)
        for step in seen.steps {
            if step.meters > MotionSimulation.jumpMeters { Issue.record("\(step.meters) m in frame \(step.frame)") }
            if let along = step.alongMeters, along < -0.01 { Issue.record("backwards in frame \(step.frame)") }
        }
    }
}
