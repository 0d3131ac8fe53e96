import FleetEngineAPI
import Foundation
import SwiftProtobuf
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("The same arrival in all programs on a machine", .timeLimit(.minutes(2)))
struct ArrivalMinuteTests {
    /// The start of a minute, about ten minutes from now.
    private let minute = (Date().timeIntervalSince1970 / 60).rounded(.down) * 60 + 600

    /// Creates a server. Its first answer has an arrival in `minute`. All later answers have an arrival in the next minute.
    private func engine() -> ScriptedFleetEngine {
        ScriptedFleetEngine { [minute] _, call, _ in
            var trip = MadeUpRide.trip(.enrouteToPickup)
            trip.pickupTime = Google_Protobuf_Timestamp(date: Date(timeIntervalSince1970: minute + (call == 1 ? 50 : 70)))
            return trip
        }
    }

    private func shownMinute(_ outcome: Program.Outcome) throws -> Double {
        let object = try JSONSerialization.jsonObject(with: Data(try #require(outcome.lines.first).utf8))
        let state = try #require((object as? [String: Any] ?? (object as? [[String: Any]])?.first))
        let eta = try #require((state["eta"] as? String), "\(outcome.lines)")
        let time = try Date(eta, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return (time.timeIntervalSince1970 / 60).rounded(.down) * 60
    }

    @Test("status and list show the minute that a running program shows")
    func status() async throws {
        let (folder, other) = (try Folder(), try Folder())
        defer { withExtendedLifetime((folder, other)) {} }
        try await engine().serve { port in
            let server = [MadeUpRide.name, "--endpoint", "127.0.0.1:\(port)", "--plaintext"]
            try await background {
                let follow = try ProgramOnTerminal(["follow"] + server, setting: ["HOME": folder.path])
                try follow.wait(for: "PICKUP IN")
                follow.press("q")
                #expect(try follow.end() == 0)
                let status = ["status", "--json"] + server
                #expect(try shownMinute(Program().run(status, setting: ["HOME": folder.path])) == minute)
                #expect(try shownMinute(Program().run(["list", "--json"], setting: ["HOME": folder.path])) == minute)
                // The other home directory has no list of known trips, so `status` has only the server's estimate.
                #expect(try shownMinute(Program().run(status, setting: ["HOME": other.path])) == minute + 60)
            }
        }
    }
}
