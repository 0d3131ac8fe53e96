import FleetEngine
import Foundation
import Geo
import JourneySharing
import Testing
import TripWatchWords

@Suite("Sentences about a shipment for a screen reader")
struct ShipmentSpokenTests {
    /// The moment 2031-05-06T15:07:00Z.
    private static let now = Date(timeIntervalSince1970: 1_935_846_420)

    /// Returns the moment that is `count` minutes after `now`.
    private static func minutes(_ count: Double) -> Date { now.addingTimeInterval(60 * count) }

    private static func window(_ start: Double, _ end: Double) -> TimeWindow { TimeWindow(start: minutes(start), end: minutes(end)) }

    /// A shipment whose updates are spoken one by one.
    private struct Spoken {
        let name: TaskTrackingName
        var tracker: ShipmentTracker
        var observer = ShipmentObserver()
        var spoken: ShipmentSpoken
        var last: TaskTrackingInfo?

        init(showsTrip: Bool = false) throws {
            name = try TaskTrackingName("providers/demo/taskTrackingInfo/P-1")
            tracker = ShipmentTracker(name: name)
            spoken = ShipmentSpoken(options: PlainOutput.Options(showsTrip: showsTrip))
        }

        mutating func lines(_ kind: ShipmentUpdate.Kind, at seconds: Double) -> [String] {
            let update = ShipmentUpdate(name: name, time: now.addingTimeInterval(seconds), kind: kind)
            tracker.observe(update)
            let facts = observer.observe(update, tracker)
            return spoken.lines(facts, tracker, time: update.time)
        }

        mutating func answer(at seconds: Double, _ change: (inout TaskTrackingInfo) -> Void) -> [String] {
            var shipment = TaskTrackingInfo(name: name, state: .open)
            change(&shipment)
            defer { last = shipment }
            return lines(.shipment(shipment, changed: ShipmentFields(from: last, to: shipment)), at: seconds)
        }

        mutating func tick(at seconds: Double) -> [String] {
            let moment = now.addingTimeInterval(seconds)
            tracker.tick(now: moment)
            let facts = observer.tick(tracker, now: moment)
            return spoken.lines(facts, tracker, time: moment)
        }
    }

    @Test("the first sentences tell everything, later ones only what has changed")
    func changes() throws {
        var told = try Spoken()
        func near(_ shipment: inout TaskTrackingInfo, stops: Int, minutes: Double) {
            shipment.targetTimeWindow = Self.window(-67, 53)
            shipment.estimatedArrivalTime = Self.minutes(minutes)
            shipment.remainingDistanceMeters = 3_400
            shipment.remainingStopCount = stops
        }
        #expect(
            told.answer(at: 0) { $0.targetTimeWindow = Self.window(-67, 53) } == [
                "The shipment is planned for 14:00 to 16:00. Position and arrival are not shared yet."
            ])
        #expect(
            told.answer(at: 30) { near(&$0, stops: 3, minutes: 12) } == [
                "The shipment arrives in 12 minutes, at 15:19. Distance 3 kilometres. The vehicle has 2 stops before yours. "
                    + "The arrival is within the planned time, 14:00 to 16:00."
            ])
        #expect(told.answer(at: 60) { near(&$0, stops: 2, minutes: 12) } == ["The vehicle has 1 stop before yours."])
        #expect(told.answer(at: 65) { near(&$0, stops: 2, minutes: 12) }.isEmpty)
        #expect(
            told.answer(at: 90) { near(&$0, stops: 2, minutes: 15) } == [
                "The arrival is now expected at 15:22, 3 minutes later than last announced."
            ])
        #expect(told.answer(at: 95) { near(&$0, stops: 1, minutes: 15) } == ["You are next."])
        #expect(told.tick(at: 901) == ["The shipment should arrive any moment."])
        #expect(told.tick(at: 930).isEmpty)
        #expect(told.answer(at: 935) { $0.outcome = .succeeded } == ["The shipment has been completed."])
    }

    private typealias Change = @Sendable (inout TaskTrackingInfo) -> Void

    private static let summaries: [(Change, String)] = [
        ({ ($0.outcome, $0.outcomeTime) = (.succeeded, minutes(-10)) }, "The shipment was completed at 14:57."),
        ({ ($0.outcome, $0.outcomeTime) = (.succeeded, minutes(-1_440)) }, "The shipment was completed on 5 May at 15:07."),
        ({ ($0.outcome, $0.outcomeTime) = (.failed, minutes(14)) }, "The shipment was not completed. The attempt at 15:21 failed."),
        (
            { ($0.outcome, $0.outcomeTime) = (.failed, minutes(-1_440)) },
            "The shipment was not completed. The attempt on 5 May at 15:07 failed."
        ),
        ({ $0.estimatedArrivalTime = minutes(1_440) }, "The shipment arrives in 24 hours, on 7 May at 15:07."),
        ({ $0.state = .closed }, "The shipment is no longer planned. A new attempt may follow."),
        ({ _ in }, "The shipment is planned. Position and arrival are not shared yet."),
        (
            { $0.targetTimeWindow = window(1_373, 1_493) },
            "The shipment is planned for 7 May 2031, 14:00 to 16:00. Position and arrival are not shared yet."
        ),
        (
            { $0.targetTimeWindow = window(1_013, 4_493) },
            "The shipment is planned for 7 May 2031, 08:00, to 9 May 2031, 18:00. Position and arrival are not shared yet."
        ),
        (
            { $0.targetTimeWindow = window(53, 1_493) },
            "The shipment is planned for 16:00 to 7 May 2031, 16:00. Position and arrival are not shared yet."
        ),
        ({ $0.targetTimeWindow = window(-67, -1) }, "The shipment is planned for 14:00 to 15:06. The planned time has passed."),
        ({ $0.remainingStopCount = 1 }, "The shipment is on its way. You are next."),
        (
            { ($0.remainingStopCount, $0.targetTimeWindow) = (1, window(-67, 53)) },
            "The shipment is on its way. You are next. The planned time is 14:00 to 16:00."
        ),
        (
            { $0.remainingDistanceMeters = 50 },
            "The shipment is on its way. The vehicle is very near. The arrival time is not shared."
        ),
        (
            { ($0.estimatedArrivalTime, $0.targetTimeWindow) = (minutes(12), window(24, 53)) },
            "The shipment arrives in 12 minutes, at 15:19. The arrival is 12 minutes before the planned time, 15:31 to 16:00."
        ),
        (
            { ($0.estimatedArrivalTime, $0.targetTimeWindow) = (minutes(12), window(-67, 11)) },
            "The shipment arrives in 12 minutes, at 15:19. The arrival is 1 minute after the planned time, 14:00 to 15:18."
        ),
        (
            { ($0.estimatedArrivalTime, $0.targetTimeWindow) = (minutes(12), window(212, 233)) },
            "The shipment arrives in 12 minutes, at 15:19. "
                + "The arrival is 3 hours and 20 minutes before the planned time, 18:39 to 19:00."
        ),
        ({ $0.estimatedArrivalTime = minutes(75) }, "The shipment arrives in 1 hour and 15 minutes, at 16:22."),
        (
            { ($0.estimatedArrivalTime, $0.targetTimeWindow) = (minutes(-3), window(-67, 53)) },
            "The shipment should arrive any moment. The planned time is 14:00 to 16:00."
        ),
    ]

    @Test("the summary has a sentence for each value that is shared", arguments: summaries.indices)
    func summary(index: Int) throws {
        let (change, sentences) = Self.summaries[index]
        var told = try Spoken()
        #expect(told.spoken.summary(told.tracker, time: Self.now) == "Nothing is known about the shipment yet.")
        #expect(told.answer(at: 0, change) == [sentences])
        #expect(told.spoken.summary(told.tracker, time: Self.now) == sentences)
    }

    @Test("a value that is no longer shared is not called lost")
    func absent() throws {
        var told = try Spoken()
        let first = told.answer(at: 0) {
            $0.vehicleLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: Self.now)
            $0.remainingStopCount = 1
        }
        #expect(first == ["The shipment is on its way. You are next."])
        #expect(told.answer(at: 5) { $0.remainingStopCount = 1 }.isEmpty)
        #expect(told.answer(at: 65) { _ in } == ["No details of the drive have been shared since 15:07."])
    }

    @Test("an old position is announced, and the summary says how old it is")
    func old() throws {
        var told = try Spoken()
        _ = told.answer(at: 0) {
            $0.vehicleLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: Self.now)
            $0.remainingStopCount = 1
        }
        #expect(told.tick(at: 45) == ["No position from the vehicle for 45 seconds."])
        #expect(told.tick(at: 62) == ["No position from the vehicle for 1 minute."])
        #expect(
            told.spoken.summary(told.tracker, time: Self.now.addingTimeInterval(62))
                == "The shipment is on its way. You are next. The last position is 1 minute old.")
        _ = told.answer(at: 65) {
            $0.vehicleLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: Self.now)
            $0.estimatedArrivalTime = Self.minutes(12)
        }
        #expect(
            told.spoken.summary(told.tracker, time: Self.minutes(2))
                == "The shipment arrives in about 10 minutes, at 15:19. The last position is 2 minutes old.")
        #expect(
            told.spoken.summary(told.tracker, time: Self.minutes(13))
                == "The shipment is on its way. The arrival time has passed. The last position is 13 minutes old.")
    }

    @Test("a failure is spoken once, without its code, and Enter repeats it before the state")
    func failure() throws {
        var told = try Spoken()
        let error = FleetEngineError(code: .unavailable, message: "made up", origin: .server)
        let failure = PollFailure(error: error, errorClass: .retryable, retryInSeconds: 5, attempt: 1)
        #expect(told.lines(.failure(failure), at: 0) == ["The server is not available. Trying again in 5 seconds."])
        #expect(told.spoken.presentState(told.tracker, time: Self.now) == "The server is not available.")
        #expect(told.lines(.failure(failure), at: 5).isEmpty)
        #expect(told.lines(.recovered(afterSeconds: 5), at: 10) == ["Updates resumed after 5 seconds."])
        #expect(told.answer(at: 10) { $0.remainingStopCount = 1 } == ["The shipment is on its way. You are next."])
        #expect(told.lines(.failure(failure), at: 15) == ["The server is not available. Trying again in 5 seconds."])
        #expect(
            told.spoken.presentState(told.tracker, time: Self.now.addingTimeInterval(130))
                == "The server is not available. The last answer came 2 minutes ago. The shipment is on its way. You are next.")
        told.spoken.isEnding = true
        #expect(told.lines(.failure(failure), at: 20) == ["The server is not available."])
    }

    @Test("after a failure, the old arrival is not announced again before the new one")
    func recovery() throws {
        var told = try Spoken()
        let announced = told.answer(at: 0) { $0.estimatedArrivalTime = Self.minutes(3) }
        #expect(announced.first?.hasPrefix("The shipment arrives in 3 minutes, at 15:10.") == true, "\(announced)")
        let error = FleetEngineError(code: .unavailable, message: "made up", origin: .server)
        let failure = PollFailure(error: error, errorClass: .retryable, retryInSeconds: 5, attempt: 1)
        #expect(told.lines(.failure(failure), at: 5).count == 1)
        #expect(told.lines(.recovered(afterSeconds: 840), at: 840) == ["Updates resumed after 14 minutes."])
        let later = told.answer(at: 840) { $0.estimatedArrivalTime = Self.minutes(18) }
        #expect(later == ["The arrival is now expected at 15:25, 15 minutes later than last announced."])
    }

    @Test("among several, each line names its shipment, and another shipment with the same id is told anew")
    func several() throws {
        var told = try Spoken(showsTrip: true)
        let planned = "Shipment P-1: The shipment is planned. Position and arrival are not shared yet."
        #expect(told.answer(at: 0) { _ in } == [planned])
        #expect(told.spoken.presentState(told.tracker, time: Self.now) == planned)
        #expect(told.lines(.replaced, at: 5) == ["Shipment P-1: This tracking id now belongs to another shipment."])
        #expect(told.answer(at: 5) { _ in } == [planned])
    }
}
