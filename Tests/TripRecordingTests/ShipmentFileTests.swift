import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import SwiftProtobuf
import Synchronization
import Testing

@testable import TripRecording

@Suite("A .trip file of a shipment")
struct ShipmentFileTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 1_000_000.123_456_7)

    private func name() throws -> TaskTrackingName { try TaskTrackingName(provider: "made-up-mail", trackingID: "P-1") }

    private func answer(_ stops: Int32, isDone: Bool = false) -> WireTaskTrackingInfo {
        .with {
            $0.name = "providers/made-up-mail/taskTrackingInfo/P-1"
            $0.state = isDone ? .closed : .open
            if isDone { $0.taskOutcome = .succeeded }
            $0.remainingStopCount = .init(stops)
        }
    }

    /// Returns the lines of a tape: its header, an answer after 5 s, a failure after 10 s, and the last answer. The clock is set back
    /// before the last answer, so the last answer gets the time of the failure.
    private func lines() throws -> [String] {
        let written = Mutex<[String]>([])
        let tape = ShipmentTape(of: try name()) { line in written.withLock { $0.append(line) } }
        tape.begin(pollIntervalSeconds: 5, at: Self.start)
        tape.hear(answer(9), of: try TaskTrackingName(provider: "made-up-mail", trackingID: "other"))
        tape.writeAnswer(at: Self.start)
        tape.hear(answer(3), of: try name())
        tape.writeAnswer(at: Self.start.addingTimeInterval(5))
        tape.note(
            FleetEngineError(code: .unavailable, message: "cut", origin: .network), retryInSeconds: 4.5,
            at: Self.start.addingTimeInterval(10))
        tape.hear(answer(1, isDone: true), of: try name())
        // The clock is set back.
        tape.writeAnswer(at: Self.start)
        return written.withLock { $0 }
    }

    private func data(_ lines: [String]) -> Data { Data((lines.joined(separator: "\n") + "\n").utf8) }

    @Test("the first line names the shipment instead of a trip")
    func header() throws {
        let lines = try lines()
        #expect(lines.count == 4)
        let beginning = #"{"tripwatch":"trip","version":1,"tracking":"providers/made-up-mail/taskTrackingInfo/P-1","t":""#
        #expect(lines.first?.hasPrefix(beginning) == true, "\(lines)")
    }

    @Test("the answers are returned unchanged, each once at its time")
    func roundTrip() async throws {
        let shipment = try #require(try RecordedShipment(data(try lines())))
        #expect(shipment.name == (try name()) && shipment.pollIntervalSeconds == 5)
        #expect(shipment.answers.first?.date == Self.start.addingTimeInterval(5))
        let clock = shipment.clock(speed: 1, base: JumpingTimeSource())
        let client = RecordedShipmentClient(shipment, clock: clock)
        #expect(try await client.getTaskTrackingInfo(try name(), header: nil).remainingStopCount == 3)
        await #expect(throws: FleetEngineError(code: .unavailable, message: "cut", origin: .network)) {
            try await client.getTaskTrackingInfo(try name(), header: nil)
        }
        #expect(clock.lastMoment.flatMap(shipment.retrySeconds) == 4.5)
        #expect(try await client.getTaskTrackingInfo(try name(), header: nil).outcome == .succeeded)
        #expect(clock.lastMoment == shipment.end)
    }

    @Test(
        "answers at the same time are returned one after the other, in a distant year too",
        arguments: ["2031-01-01T00:00:00Z", "9999-01-01T00:00:00Z"])
    func sameTime(time: String) throws {
        let header = #"{"tripwatch":"trip","version":1,"tracking":"\#(try name())","t":"\#(time)"}"#
        let lines = [3, 2].map { #"{"t":"\#(time)","answer":{"remainingStopCount":\#($0)}}"# }
        let answers = try #require(try RecordedShipment(data([header] + lines))).answers
        #expect(answers.map { $0.shipment.remainingStopCount } == [3, 2])
        #expect(zip(answers, answers.dropFirst()).allSatisfy { $0.date < $1.date })
    }

    @Test("a shipment's file is not a recording of a trip, and a trip's file is not a shipment")
    func kinds() throws {
        let lines = try lines()
        #expect(throws: TripRecordingError.isShipment(trackingID: "P-1")) { try RecordedTrip(data(lines)) }
        let ofTrip = #"{"tripwatch":"trip","version":1,"trip":"providers/p/trips/t","t":"2031-01-01T00:00:00Z"}"#
        #expect(try RecordedShipment(data([ofTrip])) == nil)
        #expect(try RecordedShipment(data(["[]"])) == nil)
    }

    @Test("half a line at the end is skipped, and a damaged file is refused with its line")
    func damaged() throws {
        let lines = try lines()
        let cut = Data((lines.dropLast().joined(separator: "\n") + "\n" + "{\"t\":\"20").utf8)
        #expect(try RecordedShipment(cut)?.answers.count == 1)
        #expect(throws: TripRecordingError.noAnswer) { try RecordedShipment(data(Array(lines.prefix(1)))) }
        let wrong = lines.prefix(1) + [#"{"t":"2031-01-01T00:00:00Z","answer":{"state":7.5}}"#]
        #expect(throws: TripRecordingError.notATripLine(line: 2)) { try RecordedShipment(data(Array(wrong))) }
        let nameless = #"{"tripwatch":"trip","version":1,"tracking":"P-1","t":"2031-01-01T00:00:00Z"}"#
        #expect(throws: TripRecordingError.notATripLine(line: 1)) { try RecordedShipment(data([nameless])) }
    }
}
