import FleetEngine
import Foundation
import JourneySharing
import Testing
import TripRecording

@testable import TripWatchRuntime

@Suite("The updates of a recording", .timeLimit(.minutes(1)))
@MainActor
struct RecordedUpdatesTests {
    @Test("the last answer of an unfinished recording is an update, also if it follows a failure")
    func lastAnswer() async throws {
        func answer(_ second: Int, _ status: String) -> String {
            #"{"t":"2026-01-01T00:00:\#(10 + second)Z","answer":{"name":"providers/p/trips/t","tripStatus":"\#(status)"}}"#
        }
        let lines = [
            #"{"tripwatch":"trip","version":1,"trip":"providers/p/trips/t","t":"2026-01-01T00:00:10Z","interval_s":5.0}"#,
            answer(0, "NEW"),
            #"{"t":"2026-01-01T00:00:15Z","error":{"code":"UNAVAILABLE","message":"cut","origin":"network","retry_in_s":5}}"#,
            answer(10, "ENROUTE_TO_PICKUP"),
        ]
        let recording = try RecordedTrip(Data((lines.joined(separator: "\n") + "\n").utf8))
        var told: [String] = []
        await recording.eachUpdate { update in
            switch update.kind {
            case .trip(let trip, _): told.append(trip.status.name)
            case .failure: told.append("failure")
            case .recovered: told.append("recovered")
            case .ended: told.append("ended")
            case .state: break
            }
        }
        #expect(told == ["NEW", "failure", "recovered", "ENROUTE_TO_PICKUP"])
    }
}
