import FleetEngineAPI
import Foundation
import GRPCCore
import SwiftProtobuf
import Synchronization
import Testing
import TripTesting

@testable import ProgramHarness

/// A server with a shipment. The shipment is on its way until a test marks it as delivered.
private final class ShipmentServer: Sendable {
    static let name = "providers/demo/taskTrackingInfo/P-1"
    private let isDone = Mutex(false)

    func finish() { isDone.withLock { $0 = true } }

    /// Runs `body` while the server listens.
    func serve(_ body: @escaping @Sendable (_ connection: [String]) throws -> Void) async throws {
        var script = FleetEngineScript()
        script.getTaskTrackingInfo = { [self] request, _ in
            guard request.name == Self.name else { throw RPCError(code: .notFound, message: "no such shipment") }
            return answer
        }
        try await ScriptedFleetEngine(script).serve { port in
            try await background { try body(["--interval", "1", "--endpoint", "127.0.0.1:\(port)", "--plaintext"]) }
        }
    }

    private var answer: WireTaskTrackingInfo {
        let isDone = isDone.withLock { $0 }
        return .with {
            $0.name = Self.name
            $0.state = isDone ? .closed : .open
            if isDone {
                $0.taskOutcome = .succeeded
                return
            }
            $0.remainingStopCount = .init(3)
            $0.remainingDrivingDistanceMeters = .init(2_200)
            $0.plannedLocation.point = Self.place(-35.98)
            $0.routePolylinePoints = [Self.place(-36), Self.place(-35.98)]
        }
    }

    private static func place(_ latitude: Double) -> WireLatLng {
        .with {
            $0.latitude = latitude
            $0.longitude = -20
        }
    }
}

@Suite("A shared shipment", .timeLimit(.minutes(2)), .enabled(if: WebClient.path != nil, "needs curl"))
struct SharedShipmentTests {
    private func share(_ options: [String], _ folder: URL) throws -> (running: Program.Running, link: String) {
        let running = try Program().start(["share", "--http-port", "0"] + options, setting: ["XDG_RUNTIME_DIR": folder.path])
        let words = (running.line() ?? "").split(separator: " ").map(String.init)
        guard words.count == 2, words.first == ShipmentServer.name, let link = words.last else {
            running.stop()
            throw RPCError(code: .internalError, message: "\(words)")
        }
        return (running, link)
    }

    private func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "share-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test("its page, object, picture and list show its state without the address, and follow of the link ends with its outcome")
    func doors() async throws {
        let server = ShipmentServer()
        try await server.serve { connection in
            let folder = try makeFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let (running, link) = try share(["--tracking", "P-1", "--provider", "demo"] + connection, folder)
            defer { running.stop() }
            let page = try WebClient.get(link, "-H", "Accept: text/html").body
            #expect(page.contains("<p class=\"what\">On its way</p>") && page.contains("2 stops before yours"))
            #expect(page.contains("<b>last checked</b>") && !page.contains("live</b>"))
            let json = try WebClient.get(link + ".json").body
            #expect(json.hasPrefix(#"{"tracking":"P-1","state":"OPEN","outcome":null"#), "\(json)")
            #expect(json.contains(#""freshness_text":"last checked "#) && !json.contains("\"place\""))
            #expect(try WebClient.output([link + "?plain"]).contains("ON ITS WAY"))
            #expect(try WebClient.get(link + "/map.svg").body.hasPrefix("<svg"))
            let listed = try Program().run(["share", "list", "--json"], setting: ["XDG_RUNTIME_DIR": folder.path])
            #expect(listed.lines.first?.contains("\"tracking\":\"\(ShipmentServer.name)\"") == true, "\(listed.lines)")

            let follower = try Program().start(["follow", link, "--output", "json"])
            defer { follower.stop() }
            let told = LineWatch(follower.output)
            #expect(told.line(with: #""event":"stops","stops_before":2"#)?.contains(#""tracking":"providers/link/"#) == true)
            #expect(told.line(with: #""event":"route""#)?.contains("\"points\":2") == true)
            server.finish()
            #expect(told.line(with: #""event":"end","state":"CLOSED","outcome":"SUCCEEDED""#) != nil)
            follower.waitForEnd()
            #expect(follower.process.terminationStatus == 0)
            #expect(try WebClient.get(link + ".json").body.contains(#""ends_at":"20"#))
            #expect(try WebClient.get(link, "-H", "Accept: text/html").body.contains("<p class=\"what\">Done</p>"))
        }
    }

    @Test("on a terminal, follow of the link draws the shipment's page until its outcome, and shows news as they come")
    func screen() async throws {
        let server = ShipmentServer()
        try await server.serve { connection in
            let folder = try makeFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let (running, link) = try share(["--tracking", "P-1", "--provider", "demo"] + connection, folder)
            defer { running.stop() }
            let follow = try ProgramOnTerminal(["follow", link])
            try follow.wait(for: "ON ITS WAY")
            #expect(follow.text.contains("2 stops before yours"), "\(follow.text)")
            server.finish()
            try follow.wait(for: "DONE")
            follow.press("q")
            #expect(try follow.end() == 0)
        }
    }

    @Test("follow of the link leaves out the configuration's hooks and says so, but refuses --on-event")
    func hooks() async throws {
        let server = ShipmentServer()
        server.finish()
        try await server.serve { connection in
            let folder = try makeFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(at: folder.appending(path: "tripwatch"), withIntermediateDirectories: true)
            try Data("[[hooks]]\ncommand = \"false\"\n".utf8).write(to: folder.appending(path: "tripwatch/config.toml"))
            let (running, link) = try share(["--tracking", "P-1", "--provider", "demo"] + connection, folder)
            defer { running.stop() }
            let setting = ["XDG_CONFIG_HOME": folder.path]
            let followed = try Program().run(["follow", link, "--output", "json"], setting: setting)
            #expect(followed.status == 0 && followed.lines.last?.contains(#""outcome":"SUCCEEDED""#) == true, "\(followed.lines)")
            #expect(followed.errors == "tripwatch: the configuration's hooks do not run, because the link is to a shipment.\n")
            let refused = try Program().run(["follow", link, "--on-event", "false"], setting: setting)
            #expect(refused.status == 64 && refused.errors.contains("remove --hook and --on-event"), "\(refused.errors)")
        }
    }

    @Test("--show-address adds the planned address to the object")
    func address() async throws {
        try await ShipmentServer().serve { connection in
            let folder = try makeFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let (running, link) = try share([ShipmentServer.name, "--show-address"] + connection, folder)
            defer { running.stop() }
            let json = try WebClient.get(link + ".json").body
            #expect(json.contains(#""place":{"latitude":-35.98"#) && json.contains(#""longitude":-20"#), "\(json)")
            guard Python.path != nil else { return }
            let file = folder.appending(path: "link.json")
            try Data(json.utf8).write(to: file)
            let schema = Program.package.appending(path: "docs/link.schema.json").path
            let result = try Python.run("schema_check.py", schema, file.path)
            #expect(result.status == 0, "\(result.output)")
        }
    }

    @Test("a shipment that does not exist is exit code 3 without a line")
    func missing() async throws {
        try await ShipmentServer().serve { connection in
            let outcome = try Program().run(["share", "providers/demo/taskTrackingInfo/P-2", "--http-port", "0"] + connection)
            #expect(outcome.status == 3 && outcome.lines.isEmpty)
            #expect(outcome.errors.contains("No shipment P-2 at demo."), "\(outcome.errors)")
        }
    }

    private static let wrong: [(arguments: [String], words: String)] = [
        ([], "'share' takes 1 to 100 trips or shipments."),
        (["--tracking", "P-1"], "'P-1' is a bare tracking id: add --provider"),
        (["providers/demo/trips/t1", "--show-address"], "--show-address is for shipments"),
        (
            ["providers/demo/trips/t1", "--tracking", ShipmentServer.name, "--title", "Both"],
            "--title works with a single trip or shipment: name only one."
        ),
        ([ShipmentServer.name, "--token-url", "http://127.0.0.1:9/{tripID}"], "a token for a shipment needs {trackingID}."),
    ]

    @Test("invalid arguments are reported before any call, with exit code 64", arguments: wrong)
    func usage(arguments: [String], words: String) throws {
        let outcome = try Program().run(["share"] + arguments + ["--endpoint", "127.0.0.1:9", "--plaintext"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
}
