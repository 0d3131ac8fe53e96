import FleetEngine
import FoundationEssentials
import Testing
import TripWatchWords

@Suite("Goals when waiting for a trip")
struct WaitGoalTests {
    @Test(
        "times and words",
        arguments: [
            ("2min", .near(seconds: 120)), ("90s", .near(seconds: 90)), ("1.5m", .near(seconds: 90)), ("1h", .near(seconds: 3_600)),
            ("here", .here),
            ("pickup", .pickup), ("shop", .shop), ("picked-up", .pickedUp), ("complete", .complete),
        ] as [(String, WaitGoal)])
    func read(text: String, goal: WaitGoal) { #expect(WaitGoal(text) == goal) }

    @Test(
        "anything else is refused",
        arguments: [
            "", "2", "min", "-2min", "0s", "25h", "2 min", "1e400s", "nans", "infs", "2minutes", "HERE", "٢min", "picked up", "Shop",
        ])
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

    @Test("an order has its own goals, and times before its drop-off")
    func orderGoals() throws {
        func sighting(_ status: TripStatus, secondsLeft: Double = 600) throws -> Sighting {
            try Sighting {
                $0.attributes = ["kind": "order"]
                $0.status = status
                $0.dropoffTime = Sighting.start.addingTimeInterval(secondsLeft)
            }
        }
        let statuses: [TripStatus] = [
            .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination, .enrouteToDropoff, .complete,
        ]
        for (goal, first) in zip([WaitGoal.shop, .pickedUp, .complete, .near(seconds: 360)], [2, 4, 5, 5]) {
            for (place, status) in statuses.enumerated() {
                let seen = try sighting(status)
                #expect(goal.isReached(by: seen.journey, now: seen.now) == (place >= first), "\(goal) at \(status)")
            }
            let cancelled = try sighting(.canceled)
            #expect(!goal.isReached(by: cancelled.journey, now: cancelled.now))
        }
        let near = try sighting(.arrivedAtPickup, secondsLeft: 350)
        #expect(WaitGoal.near(seconds: 360).isReached(by: near.journey, now: near.now))
    }

    @Test("a goal of the other kind is refused, with a list of the valid goals")
    func refusals() throws {
        for goal in [WaitGoal.here, .pickup] {
            let refusal = try #require(goal.refusal(for: .order))
            #expect(refusal.contains("shop") && refusal.contains("picked-up") && goal.refusal(for: .ride) == nil)
        }
        for goal in [WaitGoal.shop, .pickedUp] {
            let refusal = try #require(goal.refusal(for: .ride))
            #expect(refusal.contains("here") && refusal.contains("pickup") && goal.refusal(for: .order) == nil)
        }
        for goal in [WaitGoal.near(seconds: 1), .complete] {
            #expect(goal.refusal(for: .ride) == nil && goal.refusal(for: .order) == nil)
        }
    }

    @Test("the goal of a time is reached only with a live position")
    func live() throws {
        var sighting = try Sighting { _ in }
        let goal = WaitGoal.near(seconds: 360)
        #expect(goal.isReached(by: sighting.journey, now: sighting.now))
        sighting.fail(.unavailable, afterSeconds: 300)
        #expect(!goal.isReached(by: sighting.journey, now: sighting.now))
    }
}
