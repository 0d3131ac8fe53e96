import FleetEngine
import Foundation
import Testing
import TripRecording
import TripWatchWords

@Suite("The calls of a recording as lines")
struct RequestLinesTests {
    /// The moment 2031-05-06T15:07:00Z.
    private static let start = Date(timeIntervalSince1970: 1_935_846_420)

    private func call(
        _ outcome: RecordedCall.Outcome, at seconds: Double = 0, method: String = "GetTrip", status: String? = nil
    ) -> RecordedCall {
        RecordedCall(date: Self.start.addingTimeInterval(seconds), method: method, outcome: outcome, status: status)
    }

    private func change(_ path: String, _ from: RecordedValue?, _ to: RecordedValue?) -> ValueChange {
        ValueChange(path: path, from: from, to: to)
    }

    private func lines(_ calls: [RecordedCall], isJSON: Bool = false) -> [String] {
        var lines = RequestLines(isJSON: isJSON)
        return calls.flatMap { lines.lines($0) }
    }

    /// Returns the line for a change in a later answer, without its indentation.
    private func field(_ from: RecordedValue?, _ to: RecordedValue?) -> String {
        String(lines([call(.later([change("x", from, to)]))]).last?.drop { $0 == " " } ?? "")
    }

    private func route(_ count: Int) -> RecordedValue {
        .array((0..<count).map { .object(["latitude": .number(Double($0)), "longitude": .number(1)]) })
    }

    private let refused = FleetEngineError(code: .unavailable, message: "connection refused\u{1B}[2J", origin: .network)

    @Test("a call has its time, method and code; a failure has its message and the wait until the next call")
    func calls() {
        let status = change("tripStatus", nil, .string("NEW"))
        let moved = change("tripStatus", .string("NEW"), .string("ENROUTE_TO_PICKUP"))
        let told = lines([
            call(.first([status]), at: 0.496), call(.later([moved]), at: 5.503), call(.later([]), at: 10.5),
            call(.first([change("vehicleState", nil, .string("ONLINE"))]), at: 11, method: "GetVehicle"),
            call(.failure(refused, retryInSeconds: 5.24), at: 15.75), call(.failure(refused, retryInSeconds: nil), at: 16),
        ])
        #expect(
            told == [
                "15:07:00.496  GetTrip     OK           first answer", "              tripStatus  NEW",
                "15:07:05.503  GetTrip     OK           +5.0 s", "              tripStatus  NEW ▸ ENROUTE_TO_PICKUP",
                "15:07:10.500  GetTrip     OK           +5.0 s, no change",
                "15:07:11.000  GetVehicle  OK           first answer", "              vehicleState  ONLINE",
                "15:07:15.750  GetTrip     UNAVAILABLE  connection refused[2J; next call in 5.2 s",
                "15:07:16.000  GetTrip     UNAVAILABLE  connection refused[2J",
            ])
    }

    @Test("changed, added and removed values are printed in their shortest form")
    func fields() {
        #expect(field(.number(1_200), .number(1_150.5)) == "x  1200 ▸ 1150.5")
        #expect(field(nil, .bool(true)) == "+ x  true" && field(.null, nil) == "- x  null")
        #expect(field(.object(["a": .null]), nil) == "- x" && field(.object([:]), .object(["a": .null])) == "x  {} ▸ {…}")
        #expect(field(.string(""), .string("a\u{1B}[2J\nb")) == "x  \"\" ▸ a[2J b")
    }

    @Test("long lists and texts are summarized")
    func summaries() {
        #expect(field(route(412), route(1_398)) == "x  412 ▸ 1,398 points")
        #expect(field(route(54), route(54)) == "x  (changed, 54 points)")
        #expect(field(nil, .array([.null])) == "+ x  1 item" && field(route(9), .array([])) == "x  9 ▸ 0 points")
        let long = String(repeating: "a", count: 2_310)
        #expect(field(.string(long + "b"), .string(long)) == "x  (changed, 2,310 characters)")
        #expect(field(nil, .string(long)) == "+ x  (2,310 characters)")
        #expect(field(.string(long), .string("short")) == "x  (2,310 characters) ▸ short")
        #expect(field(nil, .string(String(repeating: "a", count: 80))).hasSuffix("aaa"))
    }

    @Test("at most 40 changes of a call are printed")
    func many() {
        let told = lines([call(.later((0..<1_050).map { change("v\($0)", .number(0), .number(1)) }))])
        #expect(told.count == 42 && told.last == "              … and 1,010 more")
        #expect(lines([call(.later((0..<40).map { change("v\($0)", .number(0), .number(1)) }))]).count == 41)
    }

    @Test("a path from the file cannot control the terminal")
    func path() {
        #expect(lines([call(.first([change("a\u{1B}[2J\u{9B}", nil, .null)]))]).last == "              a[2J  null")
    }

    @Test("the last lines have the statuses with their durations, and the announced and actual arrivals")
    func ribbon() throws {
        var told = RequestLines(isJSON: false)
        #expect(told.summary([]) == [])
        let course: [(String?, Double)] = [
            ("NEW", 0), (nil, 5), ("NEW", 10), ("ENROUTE_TO_PICKUP", 12), (nil, 100), ("COMPLETE", 4_012),
        ]
        for (status, seconds) in course {
            _ = told.lines(call(.later([]), at: seconds, status: status))
        }
        let shipment = TaskTrackingInfo(name: try TaskTrackingName("providers/demo/taskTrackingInfo/P-1"), state: .open)
        var (announced, delivered) = (shipment, shipment)
        announced.estimatedArrivalTime = Self.start
        delivered.estimatedArrivalTime = Self.start.addingTimeInterval(60)
        func record(_ seconds: Double?) throws -> ArrivalRecord {
            delivered.outcomeTime = seconds.map { Self.start.addingTimeInterval($0) }
            return try #require(ArrivalRecord([shipment, announced, delivered]))
        }
        let records = [try record(52), try record(-62), try record(0.2), try record(nil)]
        #expect(
            told.summary(records) == [
                "NEW 0:12 ▸ ENROUTE_TO_PICKUP 1:06:40 ▸ COMPLETE", "stop: first ETA 15:07:00, actual 15:07:52, 52 s late",
                "stop: first ETA 15:07:00, actual 15:05:58, 1 min 2 s early", "stop: first ETA 15:07:00, actual 15:07:00, on time",
                "stop: first ETA 15:07:00",
            ])
        #expect(ArrivalRecord([shipment]) == nil)
    }

    @Test("as JSON, each call is an object with the complete values, and the summary is the last object")
    func json() {
        var told = RequestLines(isJSON: true)
        let changes = [
            change("a[0].b", .number(1), .object(["d": .array([.bool(true), .null]), "c": .string("\"")])), change("e", nil, .number(2.5)),
        ]
        let answered = told.lines(call(.later(changes), status: "NEW"))
        let failed = told.lines(call(.failure(refused, retryInSeconds: 5.2), at: 5))
        #expect(
            answered == [
                #"{"t":"2031-05-06T15:07:00.000Z","call":"GetTrip","code":"OK","changes":["#
                    + #"{"path":"a[0].b","from":1,"to":{"c":"\"","d":[true,null]}},{"path":"e","from":null,"to":2.5}]}"#
            ])
        #expect(
            failed == [
                #"{"t":"2031-05-06T15:07:05.000Z","call":"GetTrip","code":"UNAVAILABLE","message":"connection refused\u001b[2J","#
                    + #""retry_in_s":5.2,"changes":[]}"#
            ])
        #expect(
            told.summary([]) == [
                #"{"event":"summary","statuses":[{"status":"NEW","t":"2031-05-06T15:07:00.000Z","duration_s":5}],"arrivals":[]}"#
            ])
    }
}
