import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("A shipment on the screen, in the program", SharedEngine(), .timeLimit(.minutes(3)))
struct ShipmentScreenTests {
    /// Creates a task for today. The task has no vehicle yet.
    private func make(_ id: String, _ calls: RESTCalls) throws {
        let stamp = ISO8601DateFormatter()
        let (start, end) = (stamp.string(from: Date()), stamp.string(from: Date(timeIntervalSinceNow: 7_200)))
        let answer = try calls.ask(
            "POST", "tasks?taskId=\(id)",
            #"{"type":"DELIVERY","state":"OPEN","trackingId":"p-\#(id)","taskDuration":"120s","#
                + #""plannedLocation":{"point":{"latitude":-36.01,"longitude":-19.98}},"#
                + #""targetTimeWindow":{"startTime":"\#(start)","endTime":"\#(end)"}}"#)
        #expect(answer.contains("200"), "\(answer)")
    }

    private func end(_ id: String, _ outcome: String, _ calls: RESTCalls) throws {
        let answer = try calls.ask("PATCH", "tasks/\(id)?updateMask=taskOutcome", #"{"taskOutcome":"\#(outcome)"}"#)
        #expect(answer.contains("200"), "\(answer)")
    }

    @Test(
        "follow draws a shipment's page on a terminal, r polls at once, the outcome rings and decides the exit code",
        arguments: [("SUCCEEDED", "DONE", 0), ("FAILED", "NOT COMPLETED", 2)] as [(String, String, Int32)])
    func alone(outcome: String, heading: String, code: Int32) throws {
        try SharedEngine.with { grpc, http in
            let calls = try RESTCalls(http)
            let id = "alone-\(outcome.lowercased())"
            try make(id, calls)
            let follow = try ProgramOnTerminal(
                ["follow", "--tracking", "p-\(id)", "--provider", "demo", "--endpoint", grpc, "--plaintext"],
                setting: ["TRIPWATCH_ALERTS": "arrived"])
            try follow.wait(for: "PLANNED")
            try follow.wait(for: "checked every 30 s")
            #expect(follow.text.contains("Shipment p-\(id)") && follow.text.contains("last checked"), "\(follow.text)")
            follow.press("x")
            try follow.wait(for: "A shipment cannot be cancelled here.")
            try end(id, outcome, calls)
            follow.press("r")
            try follow.wait(for: heading)
            #expect(follow.terminal.virtual.bells == 1)
            follow.press("q")
            #expect(try follow.end() == code)
        }
    }

    @Test("a trip and a shipment are two pages of one screen")
    func together() throws {
        try SharedEngine.with { grpc, http in
            try make("beside", try RESTCalls(http))
            let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060"]
            let trip = try #require(try Program().run(["book", "--provider-url", "http://\(http)"] + places).lines.first)
            let options = ["--tracking", "p-beside", "--provider", "demo", "--endpoint", grpc, "--plaintext", "--interval", "1"]
            let follow = try ProgramOnTerminal(["follow", trip] + options)
            try follow.wait(for: "LOOKING FOR A CAR")
            follow.press("2")
            try follow.wait(for: "PLANNED")
            follow.press("\t")
            try follow.wait(for: "LOOKING FOR A CAR")
            follow.press("q")
            #expect(try follow.end() == 0)
        }
    }

    @Test("in the list, a adds a shipment beside a trip, and a tracking id without provider beside a shipment")
    func added() throws {
        try SharedEngine.with { grpc, http in
            let calls = try RESTCalls(http)
            try make("added", calls)
            try make("first", calls)
            let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060"]
            let trip = try #require(try Program().run(["book", "--provider-url", "http://\(http)"] + places).lines.first)
            let options = ["--provider", "demo", "--endpoint", grpc, "--plaintext", "--interval", "1"]
            let starts = [
                (["follow", trip], "LOOKING FOR A CAR", "providers/demo/taskTrackingInfo/p-added"),
                (["follow", "--tracking", "p-first"], "PLANNED", "p-added"),
            ]
            for (words, heading, typed) in starts {
                let follow = try ProgramOnTerminal(words + options)
                try follow.wait(for: heading)
                follow.press("La\(typed)\r")
                try follow.wait(for: "Shipment p-added was added.")
                follow.press("\r")
                try follow.wait(for: "the page of the added shipment") { $0.contains("PLANNED") && $0.contains("last checked") }
                follow.press("q")
                #expect(try follow.end() == 0)
            }
        }
    }

    @Test("the key a in the list adds no page for which the token address has no placeholder")
    func withoutPlaceholder() throws {
        try SharedEngine.with { grpc, http in
            let calls = try RESTCalls(http)
            try make("placed", calls)
            let options = ["--provider", "demo", "--endpoint", grpc, "--plaintext", "--interval", "1"]
            let starts = [
                (["t1"], "{tripID}", "providers/demo/taskTrackingInfo/p-placed", "a token for a shipment needs {trackingID}."),
                (["--tracking", "p-placed"], "{trackingID}", "providers/demo/trips/t1", "a token for a trip needs {tripID}."),
            ]
            for (words, placeholder, typed, reason) in starts {
                // No server has to answer at the token address, because the page is refused before a token is fetched.
                let token = ["--token-url", "http://127.0.0.1:9/\(placeholder)"]
                let follow = try ProgramOnTerminal(["follow"] + words + options + token, columns: 120, rows: 30)
                try follow.wait(for: "q quit")
                follow.press("La\(typed)\r")
                try follow.wait(for: "Not added: --token-url has \(placeholder): \(reason)")
                follow.press("q")
                _ = try follow.end()
            }
        }
    }

    @Test("a recorded shipment that is removed and added again is recorded to its end")
    func recordedAgain() throws {
        try SharedEngine.with { grpc, http in
            let calls = try RESTCalls(http)
            try make("taped", calls)
            try make("other", calls)
            let file = FileManager.default.temporaryDirectory.appending(path: "parcel-\(UUID().uuidString).trip").path
            defer { try? FileManager.default.removeItem(atPath: file) }
            let options = ["--provider", "demo", "--endpoint", grpc, "--plaintext", "--interval", "1", "--record", file]
            let follow = try ProgramOnTerminal(["follow", "--tracking", "p-taped"] + options)
            try follow.wait(for: "PLANNED")
            follow.press("Lap-other\r")
            try follow.wait(for: "Shipment p-other was added.")
            follow.press("k")
            follow.press("D")
            try follow.wait(for: "Shipment p-taped is no longer being watched.")
            follow.press("ap-taped\r")
            try follow.wait(for: "Shipment p-taped was added.")
            follow.press("\r")
            try follow.wait(for: "the page of the shipment") { $0.contains("PLANNED") && $0.contains("last checked") }
            try end("taped", "SUCCEEDED", calls)
            follow.press("r")
            try follow.wait(for: "DONE")
            follow.press("q")
            #expect(try follow.end() == 0)
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count { $0.contains("\"tracking\":") } == 1, "\(lines)")
            #expect(lines.last?.contains("SUCCEEDED") == true && !lines.contains { $0.contains("p-other") }, "\(lines)")
        }
    }

    @Test(
        "S serves a link to the shipment; the link ends after the outcome and omits the address",
        .enabled(if: WebClient.path != nil, "needs curl"))
    func link() throws {
        try SharedEngine.with { grpc, http in
            let calls = try RESTCalls(http)
            try make("linked", calls)
            let follow = try ProgramOnTerminal(
                ["follow", "--tracking", "p-linked", "--provider", "demo", "--endpoint", grpc, "--plaintext", "--interval", "1"],
                columns: 120, rows: 40, setting: ["TRIPWATCH_SHARE_PORT": "0"])
            try follow.wait(for: "PLANNED")
            follow.press("S")
            let address = /http:\/\/127\.0\.0\.1:[0-9]+\/s\/[A-Za-z0-9_-]{22}/
            try follow.wait(for: "the link and its panel") { $0.contains("D ends link") && $0.firstMatch(of: address) != nil }
            #expect(follow.text.contains("The link stops working when the shipment"), "\(follow.text)")
            let link = String(try #require(follow.text.firstMatch(of: address)).output)
            let json = try WebClient.get(link + ".json")
            #expect(json.status == 200 && json.body.contains("\"tracking\":\"p-linked\""), "\(json.body)")
            #expect(!json.body.contains("\"place\""), "\(json.body)")
            try end("linked", "SUCCEEDED", calls)
            follow.press("r")
            try follow.wait(for: "The link to Shipment p-linked no longer works.")
            #expect(try WebClient.get(link).status == 404)
            follow.press("S")
            try follow.wait(for: "The shipment has ended.")
            follow.press("q")
            #expect(try follow.end() == 0)
        }
    }

    @Test("without a name, follow chooses the newest trip or shipment that is not over, and says which")
    func newest() throws {
        try withStateFolder { _, setting in
            try SharedEngine.with { grpc, http in
                let calls = try RESTCalls(http)
                try make("known", calls)
                func follow(_ words: [String], _ heading: String) throws -> String {
                    let follow = try ProgramOnTerminal(["follow"] + words, setting: setting)
                    try follow.wait(for: heading)
                    follow.press("q")
                    #expect(try follow.end() == 0)
                    return follow.terminal.visibleOutput
                }
                let program = Program(environment: Program().environment.merging(setting) { $1 })
                let provider = ["--provider-url", "http://\(http)"]
                let name = "providers/demo/taskTrackingInfo/p-known"
                _ = try follow([name, "--endpoint", grpc, "--plaintext"], "PLANNED")
                #expect(try follow([], "PLANNED").contains("tripwatch: following \(name) at \(grpc)."))
                let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060"]
                let trip = try #require(try program.run(["book"] + provider + places).lines.first)
                #expect(try follow([], "LOOKING FOR A CAR").contains("tripwatch: following \(trip) at \(grpc)."))
                #expect(try program.run(["cancel", trip] + provider).status == 0)
                try end("known", "SUCCEEDED", calls)
                _ = try follow([], "DONE")
                #expect(try program.run(["follow"]).status == 64)
            }
        }
    }

    @Test("for a shipment that does not exist, the exit code is 3 when the screen is left")
    func missing() throws {
        try SharedEngine.with { grpc, _ in
            let follow = try ProgramOnTerminal([
                "follow", "--tracking", "none", "--provider", "demo", "--endpoint", grpc, "--plaintext",
            ])
            try follow.wait(for: "No shipment none at demo")
            follow.press("q")
            #expect(try follow.end() == 3)
        }
    }
}
