import FleetEngine
import Foundation
import Geo
import JourneySharing
import Testing
import TripWatchWords

@Suite("Lines about a shipment")
struct ShipmentOutputTests {
    /// The moment 2031-05-06T15:07:00Z.
    private static let now = Date(timeIntervalSince1970: 1_935_846_420)
    private static let full = "providers/demo/taskTrackingInfo/P-1"

    /// A shipment whose answers are reported one by one.
    private struct Told {
        let name: TaskTrackingName
        var tracker: ShipmentTracker
        var observer = ShipmentObserver()
        var plain = ShipmentPlain()
        var last: TaskTrackingInfo?

        init() throws {
            name = try TaskTrackingName(full)
            tracker = ShipmentTracker(name: name)
        }

        mutating func facts(_ kind: ShipmentUpdate.Kind, at seconds: Double) -> [ShipmentFact] {
            let update = ShipmentUpdate(name: name, time: now.addingTimeInterval(seconds), kind: kind)
            tracker.observe(update)
            return observer.observe(update, tracker)
        }

        mutating func answer(at seconds: Double, interval: Double = 5, _ change: (inout TaskTrackingInfo) -> Void) -> [ShipmentFact] {
            var shipment = TaskTrackingInfo(name: name, state: .open)
            change(&shipment)
            tracker.pollIntervalSeconds = interval
            defer { last = shipment }
            return facts(.shipment(shipment, changed: ShipmentFields(from: last, to: shipment)), at: seconds)
        }

        func json(_ facts: [ShipmentFact], at seconds: Double = 0) -> [String] {
            facts.map { ShipmentJSON().line($0, of: name, time: now.addingTimeInterval(seconds)) }
        }

        mutating func lines(_ facts: [ShipmentFact], at seconds: Double) -> [String] {
            plain.lines(facts, tracker, time: now.addingTimeInterval(seconds))
        }
    }

    private static func start(_ time: String, _ event: String) -> String {
        #"{"t":"2031-05-06T\#(time).000Z","tracking":"\#(full)","event":"\#(event)""#
    }

    @Test("the first answer sends state, window, shared parts and freshness, and null for unknown values")
    func first() throws {
        var told = try Told()
        let facts = told.answer(at: 0, interval: 30) { $0.remainingStopCount = 8 }
        #expect(
            told.json(facts) == [
                Self.start("15:07:00", "state") + #","state":"OPEN"}"#, Self.start("15:07:00", "window") + #","start":null,"end":null}"#,
                Self.start("15:07:00", "shared")
                    + #","location":false,"route":false,"eta":false,"completion":false,"distance":false,"stops":true,"interval_s":30}"#,
                Self.start("15:07:00", "freshness") + #","state":null,"age_s":null}"#,
                Self.start("15:07:00", "stops") + #","stops_before":7}"#,
            ])
    }

    @Test("an unchanged answer sends nothing, and one that shares nothing any more sends nulls and zeros")
    func takenBack() throws {
        var told = try Told()
        let shared: (inout TaskTrackingInfo) -> Void = { shipment in
            shipment.estimatedArrivalTime = Self.now.addingTimeInterval(720)
            shipment.estimatedCompletionTime = Self.now.addingTimeInterval(900)
            shipment.remainingDistanceMeters = 3_400
            shipment.remainingStopCount = 3
            shipment.route = Polyline([Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0.01, longitude: 0)])
        }
        let first = told.json(told.answer(at: 0, shared))
        #expect(
            first.contains(
                Self.start("15:07:00", "eta")
                    + #","eta":"2031-05-06T15:19:00.000Z","remaining_s":720,"remaining_m":3400,"completion":"2031-05-06T15:22:00.000Z"}"#))
        #expect(told.answer(at: 5, shared).isEmpty)
        let second = told.json(told.answer(at: 10, interval: 30) { _ in }, at: 10)
        #expect(second.count == 4)
        #expect(second.first?.contains(#""event":"shared","location":false"#) == true)
        #expect(
            second.dropFirst().map { $0.dropFirst(Self.start("15:07:10", "").count - 1) } == [
                #"eta","eta":null,"remaining_s":null,"remaining_m":null,"completion":null}"#, #"stops","stops_before":null}"#,
                #"route","points":0,"length_m":0}"#,
            ])
    }

    private static let kept: @Sendable (inout TaskTrackingInfo) -> Void = { shipment in
        shipment.estimatedArrivalTime = now.addingTimeInterval(720)
        shipment.remainingStopCount = 3
    }

    private static let none = [
        #"eta","eta":null,"remaining_s":null,"remaining_m":null,"completion":null}"#, #"stops","stops_before":null}"#,
    ]

    @Test("with an outcome, arrival and stops become null before it; a first answer with an outcome has no line for them")
    func outcomeWithEstimates() throws {
        let failed: (inout TaskTrackingInfo) -> Void = { shipment in
            Self.kept(&shipment)
            shipment.outcome = .failed
        }
        var told = try Told()
        _ = told.answer(at: 0, Self.kept)
        let lines = told.json(told.answer(at: 5, failed), at: 5).map { String($0.dropFirst(Self.start("15:07:05", "").count - 1)) }
        #expect(Array(lines.suffix(3)) == Self.none + [#"outcome","outcome":"FAILED","time":null}"#])
        var late = try Told()
        let first = late.json(late.answer(at: 0, failed))
        #expect(!first.contains { $0.contains(#""event":"eta""#) || $0.contains(#""event":"stops""#) }, "\(first)")
    }

    @Test("a shipment that has been closed for a minute has neither arrival nor stops, even if the server keeps them")
    func closedWithEstimates() throws {
        let closed: (inout TaskTrackingInfo) -> Void = { shipment in
            Self.kept(&shipment)
            shipment.state = .closed
        }
        var told = try Told()
        let first = told.answer(at: 0, closed)
        #expect(first.contains(.stops(before: 2)))
        #expect(told.answer(at: 30, closed).isEmpty)
        let lines = told.json(told.answer(at: 60, closed), at: 60).map { String($0.dropFirst(Self.start("15:08:00", "").count - 1)) }
        #expect(lines == Self.none)
    }

    @Test("outcome and end, another shipment, and failures have their lines")
    func others() throws {
        var told = try Told()
        _ = told.answer(at: 0) { _ in }
        var done = TaskTrackingInfo(name: told.name, state: .closed, outcome: .succeeded, outcomeTime: Self.now)
        let outcome = told.answer(at: 5) { $0 = done }
        let all = told.json(outcome + told.facts(.ended(done), at: 5))
        #expect(
            all.contains(Self.start("15:07:00", "outcome") + #","outcome":"SUCCEEDED","time":"2031-05-06T15:07:00.000Z"}"#))
        #expect(all.last == Self.start("15:07:00", "end") + #","state":"CLOSED","outcome":"SUCCEEDED"}"#)
        done.outcome = nil
        #expect(told.json(told.facts(.ended(done), at: 5)).last?.hasSuffix(#""state":"CLOSED","outcome":null}"#) == true)
        #expect(told.json(told.facts(.replaced, at: 10)) == [Self.start("15:07:00", "replaced") + "}"])
        #expect(told.answer(at: 10) { _ in }.contains(.window(nil)))
        let error = FleetEngineError(code: .notFound, message: "no", origin: .server)
        let failed = told.json(
            told.facts(.failure(PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 30, attempt: 1)), at: 15))
        #expect(failed.first?.contains(#""class":"action_required","action":"check_trip_name","origin":"server""#) == true)
        #expect(failed.first?.hasSuffix(#""message":"No shipment P-1 at demo."}"#) == true)
    }

    @Test("plain lines say the same as the page, once; time alone makes no line until the arrival has passed")
    func plain() throws {
        var told = try Told()
        let window = TimeWindow(start: Self.now.addingTimeInterval(-4_020), end: Self.now.addingTimeInterval(3_180))
        let planned = told.answer(at: 0) { $0.targetTimeWindow = window }
        #expect(told.lines(planned, at: 0) == ["15:07:00 planned     14:00 – 16:00, position and arrival are not shared yet"])
        func near(_ shipment: inout TaskTrackingInfo, stops: Int) {
            shipment.targetTimeWindow = window
            shipment.estimatedArrivalTime = Self.now.addingTimeInterval(720)
            shipment.remainingDistanceMeters = 3_400
            shipment.remainingStopCount = stops
        }
        let arriving = told.answer(at: 30) { near(&$0, stops: 3) }
        #expect(
            told.lines(arriving, at: 30) == [
                "15:07:30 arrives     15:19 (12 min, 3 km), 2 stops before yours; planned 14:00 – 16:00, on time"
            ])
        #expect(told.lines([], at: 300).isEmpty)
        #expect(told.lines([], at: 721) == ["15:19:01 on its way  2 stops before yours; planned 14:00 – 16:00"])
        let next = told.answer(at: 730) { near(&$0, stops: 1) }
        #expect(told.lines(next, at: 730) == ["15:19:10 arrives     any moment, You are next; planned 14:00 – 16:00, on time"])
        let done = told.answer(at: 800) { $0.outcome = .succeeded }
        #expect(told.lines(done, at: 800) == ["15:20:20 done        the shipment is complete"])
        var other = try Told()
        let first = other.answer(at: 0) { ($0.remainingStopCount, $0.targetTimeWindow) = (3, window) }
        #expect(other.lines(first, at: 0) == ["15:07:00 on its way  2 stops before yours; planned 14:00 – 16:00"])
    }

    @Test("a line about an arrival has the word about while the position is old")
    func approximate() throws {
        var told = try Told()
        func near(_ shipment: inout TaskTrackingInfo, stops: Int) {
            shipment.vehicleLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: Self.now)
            shipment.estimatedArrivalTime = Self.now.addingTimeInterval(720)
            shipment.remainingStopCount = stops
        }
        let first = told.answer(at: 0) { near(&$0, stops: 3) }
        #expect(told.lines(first, at: 0) == ["15:07:00 arrives     15:19 (12 min), 2 stops before yours"])
        let second = told.answer(at: 240) { near(&$0, stops: 2) }
        #expect(told.lines(second, at: 240).last == "15:11:00 arrives     15:19 (about 8 min), 1 stop before yours")
    }

    @Test("a position that is no longer shared makes no line, and a failure is reported once, without its code")
    func absent() throws {
        var told = try Told()
        let first = told.answer(at: 0) {
            $0.vehicleLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: Self.now)
            $0.remainingStopCount = 1
        }
        #expect(told.lines(first, at: 0) == ["15:07:00 on its way  You are next"])
        #expect(first.contains(.freshness(.live, ageSeconds: 0, previous: nil)))
        let second = told.answer(at: 5) { $0.remainingStopCount = 1 }
        #expect(second.contains(.freshness(nil, ageSeconds: nil, previous: .live)))
        #expect(told.lines(second, at: 5).isEmpty)
        let error = FleetEngineError(code: .unavailable, message: "made up", origin: .server)
        let failure = PollFailure(error: error, errorClass: .retryable, retryInSeconds: 5, attempt: 1)
        let lost = told.facts(.failure(failure), at: 10)
        #expect(told.lines(lost, at: 10) == ["15:07:10 error       The server is not available. Trying again in 5 s."])
        let again = told.facts(.failure(failure), at: 15)
        #expect(told.lines(again, at: 15).isEmpty)
        let answered = PollFailure(
            error: FleetEngineError(code: .internal, message: "made up", origin: .server), errorClass: .retryable, retryInSeconds: 5,
            attempt: 1)
        let line = try #require(told.lines(told.facts(.failure(answered), at: 20), at: 20).first)
        #expect(line.hasPrefix("15:07:20 error       "))
        #expect(!line.contains("made up"))
    }

    @Test("a shipment that is missing has another line when it counts as gone")
    func goneForGood() throws {
        var told = try Told()
        _ = told.lines(told.answer(at: 0) { $0.remainingStopCount = 1 }, at: 0)
        let error = FleetEngineError(code: .notFound, message: "made up", origin: .server)
        func failure(isWithinGrace: Bool) -> PollFailure {
            PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 5, attempt: 1, isWithinGrace: isWithinGrace)
        }
        var lines: [String] = []
        for (seconds, isWithinGrace) in [(5.0, true), (10, true), (70, false), (75, false)] {
            lines += told.lines(told.facts(.failure(failure(isWithinGrace: isWithinGrace)), at: seconds), at: seconds)
        }
        #expect(
            lines == [
                "15:07:05 error       The server no longer knows shipment P-1. Trying again in 5 s.",
                "15:08:10 stopped     No shipment P-1 at demo. Trying again in 5 s.",
            ])
    }
}

@Suite("One line about a shipment")
struct ShipmentReportTests {
    private static let now = Date(timeIntervalSince1970: 1_935_846_420)

    private func report(afterSeconds: Double = 0, _ change: (inout TaskTrackingInfo) -> Void) throws -> ShipmentReport {
        let name = try TaskTrackingName("providers/demo/taskTrackingInfo/P-1")
        var shipment = TaskTrackingInfo(name: name, state: .open)
        change(&shipment)
        var tracker = ShipmentTracker(name: name)
        tracker.observe(ShipmentUpdate(name: name, time: Self.now, kind: .shipment(shipment, changed: [])))
        let moment = Self.now.addingTimeInterval(afterSeconds)
        tracker.tick(now: moment)
        return ShipmentReport(tracker, now: moment)
    }

    @Test("the countdown has the word about while the position is old")
    func approximate() throws {
        let old = try report(afterSeconds: 240) {
            $0.vehicleLocation = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1), serverTime: Self.now)
            $0.estimatedArrivalTime = Self.now.addingTimeInterval(720)
        }
        #expect(old.line == "▾ about 8 min  15:19  (not live)")
        #expect(try StatusTemplate("{eta}").line(old) == "about 8 min")
    }

    @Test("a shipment that is overdue has the planned time that has passed")
    func overdue() throws {
        let line = try report { $0.targetTimeWindow = TimeWindow(start: Self.now.addingTimeInterval(-3_600), end: Self.now - 60) }.line
        #expect(line == "◦ overdue  14:07-15:06  past planned time")
    }

    @Test("a template has the countdown, or the short word instead")
    func template() throws {
        let template = try StatusTemplate("{eta}|{clock}|{distance}|{state}|{freshness}|{trip}|{vehicle}")
        let near = try report {
            $0.estimatedArrivalTime = Self.now.addingTimeInterval(720)
            $0.remainingDistanceMeters = 3_400
        }
        #expect(template.line(near) == "12 min|15:19|3 km|12 min||P-1|")
        #expect(try template.line(report { $0.remainingStopCount = 9 }) == "8 stops|||8 stops||P-1|")
        #expect(try template.line(report { _ in }) == "planned|||planned||P-1|")
    }

    @Test("docs/status-lines.md and docs/json-output.md name every class for waybar", arguments: ["status-lines.md", "json-output.md"])
    func classes(page: String) throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: package.appending(path: "docs/\(page)"), encoding: .utf8)
        let shipments = [
            try report { _ in }, try report { $0.remainingStopCount = 9 }, try report { $0.outcome = .succeeded },
            try report { $0.outcome = .failed }, try report { $0.state = .closed },
        ]
        let classes = shipments.compactMap { $0.waybarLine.firstMatch(of: #/"class":"([a-z]+)"/#)?.output.1 }
        #expect(classes == ["planned", "enroute", "done", "failed", "closed"])
        let all = classes.map(String.init) + StatusReport.Phase.allCases.map(\.rawValue) + ["offline", "stopped"]
        for name in all { #expect(text.contains("`\(name)`"), "\(name)") }
    }

    @Test("JSON has every key, and null for values that are not shared")
    func json() throws {
        #expect(
            try report { _ in }.jsonLine
                == #"{"tracking":"providers/demo/taskTrackingInfo/P-1","state":"OPEN","outcome":null,"outcome_time":null,"#
                + #""window_start":null,"window_end":null,"stops_before":null,"eta":null,"remaining_s":null,"remaining_m":null,"#
                + #""completion":null,"freshness":null,"age_s":null}"#)
    }

    @Test("after a failed attempt JSON has neither arrival nor stops, even if the server keeps its estimates")
    func failedJSON() throws {
        let failed = try report {
            $0.estimatedArrivalTime = Self.now.addingTimeInterval(720)
            $0.estimatedCompletionTime = Self.now.addingTimeInterval(900)
            $0.remainingDistanceMeters = 3_400
            $0.remainingStopCount = 1
            $0.outcome = .failed
        }
        let none = #""stops_before":null,"eta":null,"remaining_s":null,"remaining_m":null,"completion":null"#
        #expect(failed.jsonLine.contains(none), "\(failed.jsonLine)")
    }
}
