import FleetEngine
import Foundation
import JourneySharing
import Testing
import TripWatchWords

@Suite("Goals when waiting for a shipment")
struct ShipmentGoalTests {
    /// A change that a test makes to an answer of the server.
    struct Change: Sendable {
        let apply: @Sendable (inout TaskTrackingInfo) -> Void

        init(_ apply: @escaping @Sendable (inout TaskTrackingInfo) -> Void) { self.apply = apply }
    }

    @Test(
        "goals are read as they are written",
        arguments: [
            ("20min", .near(seconds: 1_200)), ("90s", .near(seconds: 90)), ("3stops", .stops(3)), ("1stop", .stops(1)), ("next", .stops(0)),
            ("done", .done),
        ] as [(String, ShipmentGoal)])
    func read(text: String, goal: ShipmentGoal) { #expect(ShipmentGoal(text) == goal) }

    @Test(
        "goals of trips and other texts are refused",
        arguments: ["here", "pickup", "complete", "", "stops", "stop", "-1stops", "1.5stops", "99999999999999999999stops", "25h", "0s"])
    func unread(text: String) { #expect(ShipmentGoal(text) == nil) }

    @Test(
        "done fulfils every goal, failed and closed fulfil none, and values that are not shared are waited for",
        arguments: [
            (Change { $0.outcome = .succeeded }, [true, true, true, true]),
            (Change { $0.outcome = .failed }, [false, false, false, false]),
            (Change { $0.state = .closed }, [false, false, false, false]), (Change { _ in }, [false, false, false, false]),
            (Change { $0.remainingStopCount = 4 }, [false, true, false, false]),
            (Change { $0.remainingStopCount = 1 }, [false, true, true, false]),
            (Change { $0.remainingStopCount = 5 }, [false, false, false, false]),
            (Change { $0.estimatedArrivalTime = Date(timeIntervalSince1970: 1_120) }, [true, false, false, false]),
            (Change { $0.estimatedArrivalTime = Date(timeIntervalSince1970: 1_121) }, [false, false, false, false]),
        ] as [(Change, [Bool])])
    func reached(change: Change, expected: [Bool]) throws {
        let name = try TaskTrackingName("providers/demo/taskTrackingInfo/P-1")
        let now = Date(timeIntervalSince1970: 1_000)
        var shipment = TaskTrackingInfo(name: name, state: .open)
        change.apply(&shipment)
        var tracker = ShipmentTracker(name: name)
        tracker.observe(ShipmentUpdate(name: name, time: now, kind: .shipment(shipment, changed: [])))
        let goals: [ShipmentGoal] = [.near(seconds: 120), .stops(3), .stops(0), .done]
        #expect(goals.map { $0.isReached(by: tracker, now: now) } == expected)
    }
}
