import FleetEngineAPI
import Foundation
import GRPCCore
import SwiftProtobuf
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("Following a shipment", .timeLimit(.minutes(2)))
struct ShipmentTests {
    private static let name = "providers/demo/taskTrackingInfo/P-1"
    private typealias Answer = @Sendable (_ call: Int) throws -> WireTaskTrackingInfo

    private static func shipment(_ change: (inout WireTaskTrackingInfo) -> Void) -> WireTaskTrackingInfo {
        .with {
            $0.name = name
            $0.state = .open
            change(&$0)
        }
    }

    /// Runs the program against a server that gives these answers.
    private func run(_ arguments: [String], setting: [String: String] = [:], _ answer: @escaping Answer) async throws -> Program.Outcome {
        var script = FleetEngineScript()
        script.getTaskTrackingInfo = { request, call in
            #expect(request.name == Self.name)
            return try answer(call.number)
        }
        script.getTrip = { _, _ in MadeUpRide.trip(.complete) }
        return try await ScriptedFleetEngine(script).serve { port in
            try await background {
                try Program().run(arguments + ["--endpoint", "127.0.0.1:\(port)", "--plaintext", "--interval", "1"], setting: setting)
            }
        }
    }

    private static let done: Answer = { call in
        shipment {
            if call == 1 { $0.remainingStopCount = .init(3) }
            if call > 1 {
                $0.state = .closed
                $0.taskOutcome = .succeeded
            }
            $0.remainingDrivingDistanceMeters = .init(900)
        }
    }

    @Test("JSON lines begin with state, window, shared and freshness, and end with the outcome and exit code 0", arguments: [true, false])
    func json(isFullName: Bool) async throws {
        let subject = isFullName ? [Self.name] : ["--tracking", "P-1", "--provider", "demo"]
        let outcome = try await run(["follow", "--output", "json"] + subject, Self.done)
        #expect(outcome.status == 0)
        let events = try outcome.lines.map { line in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(object["tracking"] as? String == Self.name)
            #expect(object["trip"] == nil)
            return object["event"] as? String
        }
        #expect(Array(events.prefix(6)) == ["state", "window", "shared", "freshness", "eta", "stops"])
        #expect(events.last == "end")
        #expect(outcome.lines.last?.contains(#""state":"CLOSED","outcome":"SUCCEEDED""#) == true)
        try checkSchema(outcome.lines)
    }

    /// Checks the lines against docs/json-output.schema.json, if a Python installation that can do so is present.
    private func checkSchema(_ lines: [String]) throws {
        guard Python.path != nil else { return }
        let file = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
        let schema = Program.package.appending(path: "docs/json-output.schema.json").path
        let result = try Python.run("schema_check.py", schema, file.path)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("plain lines exit with 2 for a shipment that was not delivered")
    func plain() async throws {
        let outcome = try await run(["follow", "--tracking", Self.name]) { call in
            Self.shipment {
                if call == 1 { $0.remainingStopCount = .init(3) } else { $0.taskOutcome = .failed }
                $0.remainingDrivingDistanceMeters = .init(900)
            }
        }
        #expect(outcome.status == 2)
        #expect(outcome.lines.map { $0.dropFirst(9) } == ["on its way  2 stops before yours", "not done    the attempt failed"])
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("for a screen reader, follow and status print sentences")
    func sentences() async throws {
        let setting = ["ACCESSIBLE": "1"]
        let followed = try await run(["follow", "--tracking", Self.name], setting: setting) { call in
            Self.shipment {
                if call == 1 { $0.remainingStopCount = .init(3) } else { $0.taskOutcome = .failed }
                $0.remainingDrivingDistanceMeters = .init(900)
            }
        }
        let onItsWay = "The shipment is on its way. Distance 900 metres. The vehicle has 2 stops before yours."
        #expect(followed.status == 2)
        #expect(followed.lines == [onItsWay, "The shipment was not completed. The attempt failed."])
        let watched = try await run(["status", "--watch", "--tracking", Self.name], setting: setting, Self.done)
        #expect(watched.status == 0)
        #expect(watched.lines == [onItsWay, "The shipment has been completed."])
    }

    @Test("trips and shipments are followed together, and the worst outcome decides the exit code")
    func together() async throws {
        let outcome = try await run(["follow", "--output", "json", MadeUpRide.name, Self.name]) { _ in
            Self.shipment { $0.taskOutcome = .failed }
        }
        #expect(outcome.status == 2)
        #expect(outcome.lines.contains { $0.contains(#""trip":"#) && $0.contains(#""event":"end""#) })
        #expect(outcome.lines.contains { $0.contains(#""tracking":"#) && $0.contains(#""event":"end""#) })
    }

    @Test("lines of trips and shipments share one connection, and a command handles one event at a time")
    func oneConnection() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "events-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let command = "sh -c 'for word in begin \"$TRIPWATCH_TRIP$TRIPWATCH_TRACKING\" end; do echo $word >> \(file.path); done'"
        var script = FleetEngineScript()
        script.getTrip = { _, _ in MadeUpRide.trip(.complete) }
        script.getTaskTrackingInfo = { _, _ in Self.shipment { $0.taskOutcome = .succeeded } }
        try await ScriptedFleetEngine(script).serve { port in
            try await FaultProxy.with(to: port) { proxy in
                let options = ["--endpoint", proxy.address, "--plaintext", "--on-event", command, "--output", "json"]
                let outcome = try await background { try Program().run(["follow", MadeUpRide.name, Self.name] + options) }
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(proxy.connectionCount == 1)
            }
        }
        let words = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(words.contains(MadeUpRide.name) && words.contains(Self.name), "\(words)")
        #expect(words.enumerated().allSatisfy { ($0.element == "begin") == ($0.offset % 3 == 0) }, "\(words)")
    }

    @Test("a shipment that does not exist gives exit code 3, a server without shipments 1", arguments: ["follow", "status", "wait"])
    func missing(command: String) async throws {
        var arguments = [command, "--tracking", Self.name]
        if command == "wait" { arguments += ["--until", "next"] }
        for isRefused in [true, false] {
            let outcome = try await ask(arguments) { _ in
                if isRefused { throw RPCError(code: .notFound, message: "gone") }
                return .with { $0.name = Self.name }
            }
            #expect(outcome.status == 3)
            #expect(outcome.errors.contains("No shipment P-1 at demo."), "\(outcome.errors)")
        }
        let outcome = try await ask(arguments) { _ in throw RPCError(code: .unimplemented, message: "") }
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("This server does not support shipments."), "\(outcome.errors)")
    }

    /// Does the same as ``run(_:setting:_:)``, but for a command that has no option for the interval.
    private func ask(_ arguments: [String], _ answer: @escaping Answer) async throws -> Program.Outcome {
        var script = FleetEngineScript()
        script.getTaskTrackingInfo = { _, call in try answer(call.number) }
        return try await ScriptedFleetEngine(script).serve { port in
            try await background { try Program().run(arguments + ["--endpoint", "127.0.0.1:\(port)", "--plaintext"]) }
        }
    }

    @Test(
        "status prints one line and shows the outcome by its exit code",
        arguments: [("open", 0), ("failed", 2), ("closed", 0)] as [(String, Int32)])
    func status(state: String, code: Int32) async throws {
        let outcome = try await ask(["status", "--tracking", Self.name, "--json"]) { _ in
            Self.shipment {
                if state == "failed" { $0.taskOutcome = .failed }
                if state == "closed" { $0.state = .closed }
            }
        }
        #expect(outcome.status == code)
        #expect(outcome.lines.count == 1)
        #expect(outcome.lines.first?.hasPrefix(#"{"tracking":"providers/demo/taskTrackingInfo/P-1","state":"#) == true)
    }

    @Test("status --watch prints a line for each change, and ends with the shipment", arguments: [true, false])
    func watch(fails: Bool) async throws {
        let outcome = try await run(["status", "--watch", "--json", "--tracking", Self.name]) { call in
            Self.shipment {
                $0.remainingDrivingDistanceMeters = .init(900)
                $0.remainingStopCount = .init(call < 3 ? 3 : 2)
                if call > 3 { $0.taskOutcome = fails ? .failed : .succeeded }
            }
        }
        #expect(outcome.status == (fails ? 2 : 0))
        let lines = outcome.lines
        #expect(lines.count == 3, "\(lines)")
        #expect(lines.first?.contains(#""outcome":null"#) == true && lines.first?.contains(#""stops_before":2"#) == true)
        #expect(lines.last?.contains(fails ? #""outcome":"FAILED""# : #""outcome":"SUCCEEDED""#) == true)
    }

    @Test("status --watch exits with 3 for a shipment that does not exist")
    func watchMissing() async throws {
        let outcome = try await run(["status", "--watch", "--tracking", Self.name]) { _ in
            throw RPCError(code: .notFound, message: "gone")
        }
        #expect(outcome.status == 3)
        #expect(outcome.lines.isEmpty)
        #expect(outcome.errors.contains("No shipment P-1 at demo."), "\(outcome.errors)")
    }

    @Test(
        "wait ends when the given number of stops is left, and exits with 2 after a failure",
        arguments: [("1stop", false, 0), ("done", true, 2)] as [(String, Bool, Int32)])
    func wait(goal: String, fails: Bool, code: Int32) async throws {
        let outcome = try await run(["wait", Self.name, "--until", goal]) { call in
            Self.shipment {
                $0.remainingStopCount = .init(call == 1 ? 3 : 2)
                $0.remainingDrivingDistanceMeters = .init(900)
                if call > 1, fails { $0.taskOutcome = .failed }
            }
        }
        #expect(outcome.status == code)
        #expect(outcome.lines.isEmpty)
    }

    @Test("a followed shipment is listed, is found at its server by the end of its name, and can be forgotten")
    func known() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let setting = ["XDG_STATE_HOME": folder.path]
        var script = FleetEngineScript()
        script.getTaskTrackingInfo = { request, _ in
            #expect(request.name == "providers/demo/taskTrackingInfo/PARCEL-77")
            return .with {
                $0.name = request.name
                $0.state = .closed
                $0.taskOutcome = .succeeded
            }
        }
        try await ScriptedFleetEngine(script).serve { port in
            try await background {
                func run(_ arguments: [String]) throws -> Program.Outcome { try Program().run(arguments, setting: setting) }
                let name = "providers/demo/taskTrackingInfo/PARCEL-77"
                #expect(try run(["follow", name, "--endpoint", "127.0.0.1:\(port)", "--plaintext"]).status == 0)
                let listed = try run(["list", "--json"])
                #expect(listed.lines.first?.contains(#""name":"\#(name)","title":null,"status":"SUCCEEDED""#) == true, "\(listed.lines)")
                let line = try #require(try run(["list"]).lines.first)
                #expect(line.hasPrefix("\(name)  –  done  --:--  seen ") && line.hasSuffix("  127.0.0.1:\(port)"), "\(line)")

                let status = try run(["status", "--tracking", "L-77"])
                #expect(status.status == 0, "\(status.errors)")
                #expect(status.errors.contains("'L-77' stands for \(name)."), "\(status.errors)")
                #expect(try run(["wait", "--tracking", "L-77", "--until", "done"]).status == 0)
                #expect(try run(["follow", "--tracking", "PARCEL-77"]).status == 0)
                #expect(try run(["list", "--forget", "L-77"]).status == 0)
                #expect(try run(["list", "--json"]).lines == ["[]"])
            }
        }
    }

    @Test("a hook gets the events of a shipment, and a command gets its name")
    func hooks() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "events-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let command = "sh -c 'echo $TRIPWATCH_EVENT $TRIPWATCH_TRACKING $TRIPWATCH_OUTCOME >> \(file.path)'"
        try await ScriptedHTTPServer.with { _, _ in
            .reply(204, "")
        } _: { receiver in
            let hooks = ["--hook", receiver.address, "--on-event", command, "--when", "stops_left=off"]
            let outcome = try await run(["follow", "--tracking", Self.name] + hooks, Self.done)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let bodies = receiver.requests.map(\.body)
            try HookSchema.check(bodies)
            let events = try bodies.map { body in
                let object = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
                #expect(object["tracking"] as? String == Self.name)
                return object["event"] as? String
            }
            #expect(events == ["state", "state", "outcome", "end"])
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.first == "state \(Self.name)" && lines.last == "end \(Self.name) SUCCEEDED", "\(lines)")
        }
    }

    @Test("the token command gets the tracking id")
    func tokens() async throws {
        var script = FleetEngineScript()
        script.getTaskTrackingInfo = { _, call in
            #expect(Array(call.metadata[stringValues: "authorization"]) == ["Bearer for-P-1"])
            return Self.shipment { $0.taskOutcome = .succeeded }
        }
        let outcome = try await ScriptedFleetEngine(script).serve { port in
            try await background {
                try Program().run([
                    "status", Self.name, "--token-command", "printf for-%s \"$TRIPWATCH_TRACKING_ID\"", "--endpoint", "127.0.0.1:\(port)",
                    "--plaintext",
                ])
            }
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private static let long = String(repeating: "x", count: 65)
    private static let wrong: [(arguments: [String], words: String)] = [
        (["follow", "--tracking", "P-1"], "'P-1' is a bare tracking id: add --provider"),
        (["follow", "--tracking", "P/1", "--provider", "demo"], "must not contain any of / : ? , # (this one contains '/')"),
        (["follow", "--tracking", "P,1", "--provider", "demo"], "must not contain any of / : ? , # (this one contains ',')"),
        (["status", "--tracking", "P#1", "--provider", "demo"], "must not contain any of / : ? , # (this one contains '#')"),
        (["follow", "--tracking", "P\u{7}1", "--provider", "demo"], "must not contain control characters"),
        (["follow", "--tracking", "e\u{301}", "--provider", "demo"], "must be normalised to Unicode NFC"),
        (["follow", "--tracking", long, "--provider", "demo"], "must have at most 64 characters"),
        (["wait", "--tracking", "P-1", "--provider", "demo", "--until", "pickup"], "'here', 'pickup' and 'complete' apply only to trips"),
        (["wait", "t1", "--provider", "demo", "--until", "3stops"], "for a shipment, a number of stops such as 3stops, 'next' or 'done'."),
        (["status"], "name a trip or a shipment; see 'tripwatch list'."),
        (["wait", "--until", "2min"], "name a trip or a shipment; see 'tripwatch list'."),
        (["status", "t1", "--tracking", "P-1", "--provider", "demo"], "name one trip or one shipment."),
        (["status", "--tracking", "P-1", "--tracking", "P-2", "--provider", "demo"], "name one trip or one shipment."),
        (
            ["status", name, "--token-url", "http://127.0.0.1:9/{tripID}"],
            "--token-url has {tripID}: a token for a shipment needs {trackingID}."
        ),
        (
            ["follow", "t1", "--provider", "demo", "--token-url", "http://127.0.0.1:9/{trackingID}"],
            "--token-url has {trackingID}: a token for a trip needs {tripID}."
        ),
    ]

    @Test("invalid arguments are reported before any call, with exit code 64", arguments: wrong)
    func usage(arguments: [String], words: String) throws {
        let outcome = try Program().run(arguments + ["--endpoint", "127.0.0.1:9", "--plaintext"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
}
