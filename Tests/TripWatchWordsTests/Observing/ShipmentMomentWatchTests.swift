import FleetEngine
import Foundation
import JourneySharing
import Testing
import TripWatchSettings
import TripWatchWords

@Suite("Events of a shipment for hooks")
struct ShipmentMomentWatchTests {
    /// Passes a shipment's answers to a tracker and a watch, as the program does when it follows the shipment.
    private final class Feed {
        static let start = Date(timeIntervalSince1970: 1_935_756_000)
        let name: TaskTrackingName
        var tracker: ShipmentTracker
        var watch: ShipmentMomentWatch
        var last: TaskTrackingInfo?

        init(_ rules: MomentRules = .hooks) throws {
            name = try TaskTrackingName(provider: "demo", trackingID: "P-1")
            tracker = ShipmentTracker(name: name)
            watch = ShipmentMomentWatch(rules)
        }

        func pass(_ kind: ShipmentUpdate.Kind, at seconds: Double) -> [ShipmentMoment] {
            let update = ShipmentUpdate(name: name, time: Self.start.addingTimeInterval(seconds), kind: kind)
            tracker.observe(update)
            return watch.observe(update, tracker)
        }

        func answer(_ seconds: Double, _ change: (inout TaskTrackingInfo) -> Void = { _ in }) -> [ShipmentMoment] {
            var shipment = TaskTrackingInfo(name: name, state: .open)
            change(&shipment)
            let fields = ShipmentFields(from: last, to: shipment)
            last = shipment
            return pass(.shipment(shipment, changed: fields), at: seconds)
        }

        func tick(_ seconds: Double) -> [ShipmentMoment] {
            let now = Self.start.addingTimeInterval(seconds)
            tracker.tick(now: now)
            return watch.tick(tracker, now: now)
        }
    }

    private func words(_ moments: [ShipmentMoment]) -> [String] { moments.map(\.event.rawValue) }

    private func arrival(_ seconds: Double) -> (inout TaskTrackingInfo) -> Void {
        { $0.estimatedArrivalTime = Feed.start.addingTimeInterval(seconds) }
    }

    @Test("the first answer is one state; then come the outcome and the end, each once")
    func course() throws {
        let feed = try Feed()
        #expect(words(feed.answer(0)) == ["state"])
        #expect(feed.answer(30).isEmpty)
        let closed = feed.answer(60) {
            $0.state = .closed
            $0.outcome = .succeeded
        }
        #expect(words(closed) == ["state", "outcome"])
        #expect(closed.last?.state == .closed && closed.last?.outcome == .succeeded)
        #expect(words(feed.pass(.ended(try #require(feed.last)), at: 60)) == ["end"])
    }

    @Test("an outcome and an end are reported without arrival and stops, even if the server keeps them")
    func overWithoutArrival() throws {
        let kept: (inout TaskTrackingInfo) -> Void = {
            $0.estimatedArrivalTime = Feed.start.addingTimeInterval(1_800)
            $0.remainingStopCount = 9
        }
        func hasNothing(_ moment: ShipmentMoment?) -> Bool {
            moment?.arrival == nil && moment?.remainingSeconds == nil && moment?.stopsBefore == nil
        }
        let feed = try Feed()
        let first = feed.answer(0, kept).first
        #expect(first?.remainingSeconds != nil && first?.stopsBefore == 8)
        let failed = feed.answer(60) {
            kept(&$0)
            $0.outcome = .failed
        }
        #expect(words(failed) == ["outcome"] && hasNothing(failed.first))
        let closing = try Feed()
        for seconds in [0.0, 60] {
            _ = closing.answer(seconds) {
                kept(&$0)
                $0.state = .closed
            }
        }
        let end = closing.pass(.ended(try #require(closing.last)), at: 60)
        #expect(words(end) == ["end"] && hasNothing(end.first))
    }

    @Test("a changed arrival counts from the last reported one")
    func changedArrival() throws {
        let feed = try Feed()
        _ = feed.answer(0, arrival(1_800))
        #expect(feed.answer(5, arrival(1_860)).isEmpty)
        let moved = feed.answer(10, arrival(2_000))
        #expect(words(moved) == ["eta_changed"] && moved.first?.changedBySeconds == 200)
        #expect(feed.answer(15, arrival(2_060)).isEmpty)
    }

    @Test("the time left is reported once, and again after it was a fifth above its limit")
    func timeLeft() throws {
        let feed = try Feed(try MomentRules.hooks.reading("eta_changed=off"))
        _ = feed.answer(0, arrival(300))
        #expect(feed.tick(179).isEmpty)
        #expect(words(feed.tick(180)) == ["time_left"])
        #expect(feed.tick(185).isEmpty)
        #expect(feed.answer(190, arrival(800)).isEmpty)
        #expect(words(feed.answer(195, arrival(300))) == ["time_left"])
    }

    @Test("the stops left are reported at their limit, unless they are not shared")
    func stopsLeft() throws {
        let feed = try Feed(try MomentRules.hooks.reading("stops_left=1"))
        _ = feed.answer(0) { $0.remainingStopCount = 4 }
        #expect(feed.answer(5) { $0.remainingStopCount = 3 }.isEmpty)
        let reached = feed.answer(10) { $0.remainingStopCount = 2 }
        #expect(words(reached) == ["stops_left"] && reached.first?.stopsBefore == 1)
        #expect(feed.answer(15) { $0.remainingStopCount = 1 }.isEmpty)
        #expect(feed.answer(20).isEmpty)
    }

    @Test("alerts report only later arrivals, and each threshold once")
    func alerts() throws {
        let feed = try Feed(Alerts(words: [.delay, .minutes(2)]).rules)
        _ = feed.answer(0, arrival(1_800))
        #expect(feed.answer(5, arrival(1_500)).isEmpty)
        #expect(feed.answer(7, arrival(1_700)).isEmpty)
        #expect(words(feed.answer(10, arrival(2_000))) == ["eta_changed"])
        #expect(words(feed.answer(15, arrival(130))) == ["time_left"])
        #expect(feed.answer(20, arrival(200)).isEmpty)
        #expect(feed.answer(25, arrival(100)).isEmpty)
    }

    @Test("a threshold that is reached at the start is reported to hooks, but causes no alert")
    func nearAtTheStart() throws {
        let near: (inout TaskTrackingInfo) -> Void = {
            $0.estimatedArrivalTime = Feed.start.addingTimeInterval(60)
            $0.remainingStopCount = 1
        }
        let hook = try Feed()
        _ = hook.answer(0, near)
        #expect(words(hook.tick(1)) == ["time_left", "stops_left"])
        let alert = try Feed(Alerts(words: [.minutes(2), .here]).rules)
        _ = alert.answer(0, near)
        #expect(alert.tick(1).isEmpty)
        #expect(alert.answer(5, near).isEmpty)
    }

    @Test("another shipment under the same number is reported with its first answer")
    func replaced() throws {
        let feed = try Feed()
        _ = feed.answer(0) { $0.state = .closed }
        #expect(feed.pass(.replaced, at: 30).isEmpty)
        #expect(words(feed.answer(30)) == ["replaced", "state"])
        #expect(feed.answer(60).isEmpty)
    }

    @Test("events that are switched off are not reported")
    func off() throws {
        let feed = try Feed(try MomentRules.hooks.reading("state=off,outcome=off"))
        #expect(feed.answer(0).isEmpty)
        #expect(feed.answer(5) { $0.outcome = .failed }.isEmpty)
        #expect(words(feed.pass(.ended(try #require(feed.last)), at: 5)) == ["end"])
    }
}
