import FleetEngine
import FoundationEssentials
import Testing
import TripWatchWords

@Suite("What is waited for")
struct WaitGoalTests {
    @Test(
        "times and words",
        arguments: [
            ("2min", .near(seconds: 120)), ("90s", .near(seconds: 90)), ("1.5m", .near(seconds: 90)), ("1h", .near(seconds: 3_600)),
            ("here", .here),
            ("pickup", .pickup), ("complete", .complete),
        ] as [(String, WaitGoal)])
    func read(text: String, goal: WaitGoal) { #expect(WaitGoal(text) == goal) }

    @Test(
        "anything else is refused",
        arguments: ["", "2", "min", "-2min", "0s", "25h", "2 min", "1e400s", "nans", "infs", "2minutes", "HERE", "٢min"])
    func refused(text: String) { #expect(WaitGoal(text) == nil) }

    @Test("later phases reach earlier goals, a cancelled trip reaches none")
    func order() throws {
        let statuses: [TripStatus] = [
            .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination, .enrouteToDropoff, .complete,
        ]
        let goals: [WaitGoal] = [.near(seconds: 60), .here, .pickup, .complete]
        let firstReached = [2, 2, 3, 5]
        for (goal, first) in zip(goals, firstReached) {
            for (place, status) in statuses.enumerated() {
                let sighting = try Sighting { $0.status = status }
                #expect(goal.isReached(by: sighting.journey, now: sighting.now) == (place >= first), "\(goal) at \(status)")
            }
            let cancelled = try Sighting { $0.status = .canceled }
            #expect(!goal.isReached(by: cancelled.journey, now: cancelled.now))
        }
    }

    @Test("a time counts only with a live position")
    func live() throws {
        var sighting = try Sighting { _ in }
        let goal = WaitGoal.near(seconds: 360)
        #expect(goal.isReached(by: sighting.journey, now: sighting.now))
        sighting.fail(.unavailable, afterSeconds: 300)
        #expect(!goal.isReached(by: sighting.journey, now: sighting.now))
    }
}
