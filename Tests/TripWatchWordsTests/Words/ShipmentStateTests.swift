import FleetEngine
import Foundation
import Geo
import JourneySharing
import Testing
import TripWatchWords

@Suite("The page of a shipment")
struct ShipmentStateTests {
    /// The moment 2031-05-06T15:07:00Z.
    private static let now = Date(timeIntervalSince1970: 1_935_846_420)

    /// Returns the moment that is `count` minutes after `now`.
    private static func minutes(_ count: Double) -> Date { now.addingTimeInterval(60 * count) }

    private static func window(_ start: Double, _ end: Double) -> TimeWindow { TimeWindow(start: minutes(start), end: minutes(end)) }

    /// A row of the table: the last answer, and the words that the page shows after it.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The answers before the last answer, with the times at which they arrive, in minutes from `now`.
        var before: [(minutes: Double, change: @Sendable (inout TaskTrackingInfo) -> Void)] = []
        let change: @Sendable (inout TaskTrackingInfo) -> Void
        let heading: String
        var value = ""
        var clock = ""
        var line = ""
        var windowLine = ""
        let short: String

        var testDescription: String { name }
    }

    private static let ended: [Row] = [
        Row(
            name: "succeeded", change: { ($0.state, $0.outcome, $0.outcomeTime) = (.closed, .succeeded, minutes(-10)) }, heading: "DONE",
            value: "14:57", short: "done"),
        Row(name: "succeeded and open, without a time", change: { $0.outcome = .succeeded }, heading: "DONE", short: "done"),
        Row(
            name: "failed", change: { ($0.state, $0.outcome, $0.outcomeTime) = (.closed, .failed, minutes(14)) }, heading: "NOT COMPLETED",
            line: "the attempt at 15:21 failed", short: "failed"),
        Row(
            name: "failed without a time", change: { $0.outcome = .failed }, heading: "NOT COMPLETED", line: "the attempt failed",
            short: "failed"),
        Row(
            name: "closed for 60 s", before: [(-2, { $0.estimatedArrivalTime = minutes(12) }), (-1, { $0.state = .closed })],
            change: { $0.state = .closed }, heading: "NO LONGER PLANNED", line: "a new attempt may follow",
            short: "closed"),
        Row(
            name: "closed for less", before: [(-2, { $0.estimatedArrivalTime = minutes(12) }), (-0.5, { $0.state = .closed })],
            change: { $0.state = .closed }, heading: "ARRIVES IN", value: "12 min", clock: "15:19", short: "closed"),
        Row(
            name: "closed when first seen", change: { $0.state = .closed }, heading: "NO LONGER PLANNED",
            line: "a new attempt may follow", short: "closed"),
    ]

    private static let arriving: [Row] = [
        Row(
            name: "arrival and two stops before", change: { ($0.estimatedArrivalTime, $0.remainingStopCount) = (minutes(12), 3) },
            heading: "ARRIVES IN", value: "12 min", clock: "15:19", line: "2 stops before yours", short: "12 min"),
        Row(
            name: "one stop before", change: { ($0.estimatedArrivalTime, $0.remainingStopCount) = (minutes(12), 2) },
            heading: "ARRIVES IN", value: "12 min", clock: "15:19", line: "1 stop before yours", short: "12 min"),
        Row(
            name: "next", change: { ($0.estimatedArrivalTime, $0.remainingStopCount) = (minutes(12), 1) },
            heading: "ARRIVES IN", value: "12 min", clock: "15:19", line: "You are next", short: "12 min"),
        Row(
            name: "no stops left counts as next", change: { ($0.estimatedArrivalTime, $0.remainingStopCount) = (minutes(12), 0) },
            heading: "ARRIVES IN", value: "12 min", clock: "15:19", line: "You are next", short: "12 min"),
        Row(
            name: "no count", change: { $0.estimatedArrivalTime = minutes(12) },
            heading: "ARRIVES IN", value: "12 min", clock: "15:19", short: "12 min"),
        Row(
            name: "a negative count is not shared", change: { ($0.estimatedArrivalTime, $0.remainingStopCount) = (minutes(12), -1) },
            heading: "ARRIVES IN", value: "12 min", clock: "15:19", short: "12 min"),
        Row(
            name: "arrival past", change: { ($0.estimatedArrivalTime, $0.remainingStopCount) = (minutes(-3), 1) },
            heading: "ARRIVES", value: "any moment", line: "You are next", short: "any moment"),
        Row(
            name: "arrived earlier than the answer before said", before: [(-0.5, { $0.estimatedArrivalTime = minutes(1) })],
            change: { ($0.estimatedArrivalTime, $0.remainingStopCount) = (minutes(-0.1), 1) },
            heading: "ARRIVES", value: "any moment", line: "You are next", short: "any moment"),
        Row(
            name: "arrival past, but other stops before", change: { ($0.estimatedArrivalTime, $0.remainingStopCount) = (minutes(-3), 10) },
            heading: "ON ITS WAY", line: "9 stops before yours", short: "9 stops"),
        Row(
            name: "on time", change: { ($0.estimatedArrivalTime, $0.targetTimeWindow) = (minutes(12), window(-67, 53)) },
            heading: "ARRIVES IN", value: "12 min", clock: "15:19", windowLine: "planned 14:00 – 16:00, on time", short: "12 min"),
        Row(
            name: "before the window", change: { ($0.estimatedArrivalTime, $0.targetTimeWindow) = (minutes(12), window(24, 53)) },
            heading: "ARRIVES IN", value: "12 min", clock: "15:19", windowLine: "planned 15:31 – 16:00, 12 min early", short: "12 min"),
        Row(
            name: "after the window", change: { ($0.estimatedArrivalTime, $0.targetTimeWindow) = (minutes(12), window(-67, 0)) },
            heading: "ARRIVES IN", value: "12 min", clock: "15:19", windowLine: "planned 14:00 – 15:07, 12 min late", short: "12 min"),
        Row(
            name: "a day after the window",
            change: { ($0.estimatedArrivalTime, $0.targetTimeWindow) = (minutes(12), window(-3_000, -2_212)) },
            heading: "ARRIVES IN", value: "12 min", clock: "15:19", windowLine: "planned 4 May 13:07 – 5 May 02:15, 1 d 13 h late",
            short: "12 min"),
    ]

    private static let waiting: [Row] = [
        Row(
            name: "eight stops before", change: { $0.remainingStopCount = 9 }, heading: "ON ITS WAY", line: "8 stops before yours",
            short: "8 stops"),
        Row(
            name: "one stop before, no arrival", change: { $0.remainingStopCount = 2 }, heading: "ON ITS WAY", line: "1 stop before yours",
            short: "1 stop"),
        Row(name: "next, no arrival", change: { $0.remainingStopCount = 1 }, heading: "ON ITS WAY", line: "You are next", short: "next"),
        Row(
            name: "position alone", change: { $0.vehicleLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1)) },
            heading: "ON ITS WAY", line: "arrival time is not shared", short: "on its way"),
        Row(
            name: "distance alone", change: { $0.remainingDistanceMeters = 5 }, heading: "ON ITS WAY", line: "arrival time is not shared",
            short: "on its way"),
        Row(
            name: "nothing any more", before: [(-5, { $0.estimatedArrivalTime = minutes(12) })], change: { _ in }, heading: "ON ITS WAY",
            line: "no details since 15:02", short: "on its way"),
        Row(
            name: "window ahead", change: { $0.targetTimeWindow = window(53, 113) }, heading: "PLANNED", value: "16:00 – 17:00",
            line: "position and arrival are not shared yet", short: "16:00–17:00"),
        Row(
            name: "window running", change: { $0.targetTimeWindow = window(-67, 0) }, heading: "PLANNED", value: "14:00 – 15:07",
            line: "position and arrival are not shared yet", short: "14:00–15:07"),
        Row(
            name: "window over", change: { $0.targetTimeWindow = window(-67, -1) }, heading: "PLANNED", value: "14:00 – 15:06",
            line: "past planned time", short: "overdue"),
        Row(
            name: "window tomorrow", change: { $0.targetTimeWindow = window(1_373, 1_493) }, heading: "PLANNED",
            value: "7 May 14:00 – 16:00", line: "position and arrival are not shared yet", short: "7 May 14:00–16:00"),
        Row(
            name: "window of three days", change: { $0.targetTimeWindow = window(1_013, 4_493) }, heading: "PLANNED",
            value: "7 May 08:00 – 9 May 18:00", line: "position and arrival are not shared yet", short: "7 May 08:00–9 May 18:00"),
        Row(
            name: "window of 24 hours", change: { $0.targetTimeWindow = window(53, 1_493) }, heading: "PLANNED",
            value: "16:00 – 7 May 16:00", line: "position and arrival are not shared yet", short: "16:00–7 May 16:00"),
        Row(
            name: "window of one night", change: { $0.targetTimeWindow = window(413, 893) }, heading: "PLANNED",
            value: "22:00 – 06:00", line: "position and arrival are not shared yet", short: "22:00–06:00"),
        Row(
            name: "nothing", change: { _ in }, heading: "PLANNED", line: "position and arrival are not shared yet", short: "planned"),
    ]

    @Test("the contents of an answer determine the figure, the lines and the short word", arguments: ended + arriving + waiting)
    func row(_ row: Row) throws {
        let name = try TaskTrackingName("providers/demo/taskTrackingInfo/P-1")
        var tracker = ShipmentTracker(name: name)
        for (minutes, change) in row.before + [(0, row.change)] {
            var shipment = TaskTrackingInfo(name: name, state: .open)
            change(&shipment)
            tracker.observe(ShipmentUpdate(name: name, time: Self.minutes(minutes), kind: .shipment(shipment, changed: [])))
        }
        let state = try #require(ShipmentState(tracker, now: Self.now))
        #expect(state.heading == row.heading)
        #expect(state.value == row.value)
        #expect(state.clock == row.clock)
        #expect(state.line == row.line)
        #expect(state.windowLine == row.windowLine)
        #expect(state.short == row.short)
    }

    @Test(
        "an arrival is approximate while the position is old",
        arguments: [(0, 12, "12 min"), (-2, 12, "12 min"), (-2, 0.5, "1 min")] as [(Double, Double, String)])
    func approximate(minutes: Double, arrival: Double, value: String) throws {
        let isApproximate = minutes < 0
        let name = try TaskTrackingName("providers/demo/taskTrackingInfo/P-1")
        var shipment = TaskTrackingInfo(name: name, state: .open)
        shipment.vehicleLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: Self.minutes(minutes))
        shipment.estimatedArrivalTime = Self.minutes(arrival)
        var tracker = ShipmentTracker(name: name)
        tracker.observe(ShipmentUpdate(name: name, time: Self.minutes(minutes), kind: .shipment(shipment, changed: [])))
        tracker.tick(now: Self.now)
        let state = try #require(ShipmentState(tracker, now: Self.now))
        #expect(state.heading == (isApproximate ? "ARRIVES IN ABOUT" : "ARRIVES IN") && state.value == value)
        #expect(state.short == (isApproximate ? "about \(value)" : value) && state.short == state.text)
        let past = try #require(ShipmentState(tracker, now: Self.minutes(13)))
        #expect(past.heading == (isApproximate ? "ON ITS WAY" : "ARRIVES"))
        #expect(past.text == (isApproximate ? "" : "any moment") && past.short == (isApproximate ? "on its way" : "any moment"))
        #expect(past.line == (isApproximate ? "the arrival time has passed" : ""))
    }

    @Test("before the first answer there is no page")
    func none() throws {
        let tracker = ShipmentTracker(name: try TaskTrackingName("providers/demo/taskTrackingInfo/P-1"))
        #expect(ShipmentState(tracker, now: Self.now) == nil)
    }
}
