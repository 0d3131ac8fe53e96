import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("The events of hooks, compared with those of earlier versions", .timeLimit(.minutes(3)))
struct GoldenHookTests {
    private static let files = [
        "ride": ["hooks.jsonl", "hooks-ride.jsonl"], "order": ["hooks-order.jsonl"], "shipment": ["hooks-shipment.jsonl"],
    ]

    @Test("every event has the earlier keys with the same types", arguments: Golden.versions, ["ride", "order", "shipment"])
    func events(version: String, kind: String) async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(204, "")
        } _: { receiver in
            let limits = "time_left=9min,distance_left=5km,position_lost=1s"
            let options = ["--interval", "1", "--hook", receiver.address + "/", "--when", limits]
            let outcome = try await EventfulServer.make().serve { port in
                let server = ["--endpoint", "127.0.0.1:\(port)", "--plaintext"]
                return try await background { try Program().run(["follow"] + EventfulServer.subject(kind) + options + server) }
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            let golden = try (Self.files[kind] ?? []).flatMap { try Golden.lines(version, $0) }
            #expect(golden.count > 6)
            #expect(try Golden.missing(from: receiver.requests.map(\.body), in: golden) == [])
        }
    }
}
