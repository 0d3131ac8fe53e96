import FleetEngineAPI
import Foundation
import Glibc
import TerminalHarness
import Testing
import TripTesting

@testable import ProgramHarness

/// A port that accepts connections, but never answers.
private final class SilentPort {
    let number: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isListening = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                bind(descriptor, $0.baseAddress, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0.baseAddress, &length) == 0
            }
        }
        try #require(isListening)
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}

@Suite("Commands and failures", SharedEngine(), .timeLimit(.minutes(3)))
struct TroubleTests {
    private let program = Program()
    private let trip = "providers/demo/trips/t1"

    @Test("a command that asks once ends within 15 s, whatever hangs; if a provider is silent, an engine is still asked")
    func oneShots() async throws {
        let canceled = ScriptedFleetEngine { _, _, _ in MadeUpRide.trip(.canceled) }
        try await canceled.serve { port in try await background { try endOneShots(asking: port) } }
    }

    /// Runs several commands at once, each with a server, provider or token source that never answers, and checks that each command ends in
    /// time with its message.
    /// - Parameter engine: the port of an engine that answers with a cancelled trip. Only the first command asks it: a `cancel` whose
    ///   provider is silent.
    private func endOneShots(asking engine: Int) throws {
        let port = try SilentPort()
        let endpoint = ["--endpoint", "127.0.0.1:\(port.number)"]
        let provider = ["--provider-url", "http://127.0.0.1:\(port.number)"]
        let resolved = try program.start(["cancel", MadeUpRide.name, "--plaintext", "--endpoint", "127.0.0.1:\(engine)"] + provider)
        let hangs: [([String], String)] = [
            (["status", trip, "--plaintext"] + endpoint, "cannot be reached (127.0.0.1:\(port.number) does not answer)."),
            (["status", trip] + endpoint, "cannot be reached (127.0.0.1:\(port.number) does not answer)."),
            (["status", trip, "--plaintext", "--token-command", "sleep 60"] + endpoint, "the token command did not finish within 13 s"),
            (["status", trip, "--plaintext", "--token-url", "http://127.0.0.1:\(port.number)"] + endpoint, "gave no answer within 13 s"),
            (["token", "inspect", "--token-command", "sleep 60"], "the token command did not finish within 13 s"),
            (["token", "inspect", "--token-url", "http://127.0.0.1:\(port.number)"], "gave no answer within 13 s"),
            (["cancel", "t1"] + provider, "no answer within"),
            (["cancel", trip, "--plaintext", "--token-command", "sleep 60"] + provider + endpoint, "Perhaps cancelled"),
            (["book", "--from", "1,1", "--to", "1,2"] + provider, "Perhaps booked"),
        ]
        let start = ContinuousClock.now
        let running = try hangs.map { try program.start($0.0) }
        for (command, hang) in zip(running, hangs) {
            let told = String(decoding: command.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            command.waitForEnd()
            #expect(command.process.terminationStatus == 1 && told.contains(hang.1), "\(hang.0): \(told)")
            // Many commands run at once, so twice the usual time is allowed. A request without a time limit hangs for 60 s.
            #expect(ContinuousClock.now - start < .seconds(30), "\(hang.0)")
        }
        let told = String(decoding: resolved.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        resolved.waitForEnd()
        #expect(resolved.process.terminationStatus == 0 && told.contains("the trip is cancelled."), "\(told)")
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test("a connection that never existed is not lost, and a code that no server sent is not shown")
    func neverConnected() throws {
        let port = try LoopbackPort.free(SOCK_STREAM)
        let outcome = try program.run(["status", trip, "--plaintext", "--endpoint", "127.0.0.1:\(port)"])
        let words = "tripwatch: The server cannot be reached (127.0.0.1:\(port): connection refused)."
        let told = outcome.errors.split(separator: "\n").map(String.init)
        #expect(told.count == 2 && told.first?.hasPrefix(words + " Trying again in ") == true, "\(told)")
        #expect(told.last == words + " 'tripwatch doctor' finds the cause.")
        let follow = try program.start(["follow", trip, "--plaintext", "--endpoint", "127.0.0.1:\(port)"])
        defer { follow.stop() }
        let line = try #require(follow.line())
        #expect(line.contains("The server cannot be reached (127.0.0.1:\(port): connection refused). Trying again in "), "\(line)")
        let json = try program.start(["follow", trip, "--plaintext", "--endpoint", "127.0.0.1:\(port)", "--output", "json"])
        defer { json.stop() }
        let failure = try #require(json.line())
        let object = try #require(try JSONSerialization.jsonObject(with: Data(failure.utf8)) as? [String: Any])
        #expect(object["origin"] as? String == "network" && object["code"] as? String == "UNAVAILABLE")
    }

    @Test("every command without a screen reports the first failure at once, with the server, the reason and the next attempt")
    func firstFailure() throws {
        let port = try LoopbackPort.free(SOCK_STREAM)
        let endpoint = ["--plaintext", "--endpoint", "127.0.0.1:\(port)"]
        let commands = [
            ["wait", trip, "--until", "here"], ["status", trip, "--watch"], ["follow", trip], ["follow", trip, "--output", "json"],
            ["drive", "--vehicle", "providers/demo/vehicles/car", "--simulate", "--route", "1,1;1,2"],
        ]
        for command in commands {
            let running = try program.start(command + endpoint)
            defer { running.stop() }
            let line = try #require(running.errorLine(), "\(command)")
            let words = "tripwatch: The server cannot be reached (127.0.0.1:\(port): connection refused). Trying again in "
            #expect(line.hasPrefix(words), "\(command): \(line)")
        }
    }

    /// Replays a trip that begins at 14:07:01 and is cancelled at 14:08:20. Returns the printed lines.
    /// - Parameter failures: the clock time and the error of each failed request.
    private func replay(_ failures: [(String, String)], as style: String = "plain", setting: [String: String] = [:]) throws -> [String] {
        let folder = try Folder()
        let failures = failures.map { time, error in #"{"t":"2031-05-04T\#(time)Z","error":{\#(error),"retry_in_s":5}}"# }
        let file = """
            {"tripwatch":"trip","version":1,"trip":"\(trip)","t":"2031-05-04T14:07:00Z"}
            {"t":"2031-05-04T14:07:01Z","answer":{"name":"\(trip)","tripStatus":"NEW"}}
            \(failures.joined(separator: "\n"))
            {"t":"2031-05-04T14:08:20Z","answer":{"name":"\(trip)","tripStatus":"CANCELED"}}

            """
        return try program.run(["replay", folder.write("ride.trip", file), "--output", style, "--speed", "64"], setting: setting).lines
    }

    private static let missing = #""code":"NOT_FOUND","message":"made up","origin":"server""#

    @Test("an outage has one line, however long it lasts; a server that keeps failing has a second one")
    func longOutage() throws {
        func lines(_ error: String) throws -> [String] { try replay((1...8).map { ("14:07:1\($0)", error) }) }
        #expect(
            try lines(#""code":"UNAVAILABLE","message":"connection refused","origin":"network""#) == [
                "14:07:01 new         looking for a car",
                "14:07:11 offline     Connection lost (connection refused). Trying again in 5 s.",
                "14:08:20 back        updates resumed after 1 min", "14:08:20 cancelled   the trip was cancelled",
            ])
        let told = try lines(#""code":"INTERNAL","message":"made up","origin":"server""#)
        #expect(
            told.filter { $0.contains(" error ") } == [
                "14:07:11 error       The server reported an internal error. Trying again in 5 s.",
                "14:07:15 error       The server keeps failing. Trying again in 5 s.",
            ], "\(told)")
    }

    @Test("a trip that is missing has a second line after a minute, when it counts as gone")
    func goneForGood() throws {
        let failures = ["14:07:11", "14:07:16", "14:08:10", "14:08:12", "14:08:17"].map { ($0, Self.missing) }
        #expect(
            try replay(failures) == [
                "14:07:01 new         looking for a car",
                "14:07:11 error       The server no longer knows the trip. Trying again in 5 s.",
                "14:08:12 stopped     The trip no longer exists. Ask the provider; the trip may have ended. Trying again in 5 s.",
                "14:08:20 back        updates resumed after 1 min", "14:08:20 cancelled   the trip was cancelled",
            ])
        let spoken = try replay(failures, setting: ["ACCESSIBLE": "1"])
        #expect(
            spoken.filter { $0.contains("no longer") } == [
                "The server no longer knows the trip. Trying again in 5 seconds.",
                "The trip no longer exists. Ask the provider; the trip may have ended. Trying again in 5 seconds.",
            ], "\(spoken)")
        let states = try replay(failures, as: "json").filter { $0.contains(#""event":"freshness""#) }
            .compactMap { $0.firstMatch(of: /"state":"([a-z]+)"/).map { String($0.output.1) } }
        #expect(states == ["offline", "stopped", "ended"])
    }

    @Test("a server without TLS is not tried with TLS forever: the user must change that")
    func wrongProtocol() throws {
        try SharedEngine.with { grpc, _ in
            for command in [["status", trip], ["wait", trip, "--until", "here"], ["follow", trip]] {
                let outcome = try program.run(command + ["--endpoint", grpc])
                #expect(outcome.status == 1 && outcome.errors.contains("\(grpc) does not answer with TLS; is --plaintext missing?"))
            }
        }
    }

    @Test("if a token is required and none was given, the message says so and how to give one")
    func noToken() throws {
        try withStateFolder { folder, setting in
            let own = ["HOME": folder.path].merging(setting) { $1 }
            let server = try program.start(["serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on"], setting: own)
            defer { server.stop() }
            let words = try #require(server.line()).split(separator: " ")
            let grpc = try #require(words.first { $0.hasPrefix("grpc=") }).dropFirst(5)
            let outcome = try program.run(["status", trip, "--plaintext", "--endpoint", String(grpc)])
            #expect(outcome.status == 4 && outcome.errors.contains("No access token is set"), "\(outcome.errors)")
            #expect(outcome.errors.contains("Set TRIPWATCH_TOKEN, --token-file, --token-command or --token-url."))
        }
    }

    @Test("a screen that ends with an error prints its sentence and has its exit code, for a trip that was never seen")
    func afterTheScreen() throws {
        try SharedEngine.with { grpc, http in
            let missing = try ProgramOnTerminal(["follow", trip, "--plaintext", "--endpoint", grpc])
            try missing.wait(for: "There is no such trip")
            try missing.wait(for: grpc)
            missing.press("q")
            #expect(try missing.end() == 3)
            #expect(missing.terminal.visibleOutput.contains("tripwatch: \(grpc): There is no such trip"))
            let away = try ProgramOnTerminal(["follow", trip, "--plaintext", "--endpoint", "127.0.0.1:1"])
            try away.wait(for: "127.0.0.1:1: connection refused")
            away.press("q")
            #expect(try away.end() == 1)
            let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060", "--provider-url", "http://\(http)"]
            let booked = try #require(try program.run(["book"] + places).lines.first)
            let seen = try ProgramOnTerminal(["follow", booked, "--plaintext", "--endpoint", grpc])
            try seen.wait(for: "LOOKING FOR A CAR")
            seen.press("q")
            #expect(try seen.end() == 0)
        }
    }

    @Test("a refused certificate ends a command that asks once at once, because another attempt would not help")
    func refusedCertificate() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (key, certificate) = (folder.appending(path: "key.pem").path, folder.appending(path: "cert.pem").path)
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        let server = try program.start(["serve", "--grpc-port", "0", "--http-port", "0", "--tls-cert", certificate, "--tls-key", key])
        defer { server.stop() }
        let words = try #require(server.line()).split(separator: " ")
        let endpoint = String(try #require(words.first { $0.hasPrefix("grpc=") }).dropFirst(5))
        // The address that the server prints must work as --endpoint.
        #expect(try program.run(["status", trip, "--ca", certificate, "--endpoint", endpoint]).status == 3)
        let start = ContinuousClock.now
        let refused = try program.run(["status", trip, "--endpoint", endpoint])
        #expect(refused.status == 1 && refused.errors.contains("the server's certificate was not accepted"), "\(refused)")
        #expect(!refused.errors.contains("UNAVAILABLE") && ContinuousClock.now - start < .seconds(12), "\(refused)")
    }
}
