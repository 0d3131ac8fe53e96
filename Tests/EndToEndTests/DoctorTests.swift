import FleetEngineAPI
import Foundation
import SwiftProtobuf
import TerminalHarness
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("doctor", .timeLimit(.minutes(3)))
struct DoctorTests {
    private struct Line: Decodable {
        let check: String
        let result: String
        let message: String
        let advice: String?
    }

    private func findings(_ arguments: [String], setting: [String: String] = [:]) throws -> (status: Int32, lines: [Line]) {
        let outcome = try Program().run(["doctor", "--json"] + arguments, setting: setting)
        let text = try #require(outcome.lines.first, "\(outcome.errors)")
        #expect(outcome.lines.count == 1 && outcome.errors.isEmpty, "\(outcome.errors)")
        return (outcome.status, try JSONDecoder().decode([Line].self, from: Data(text.utf8)))
    }

    private func result(_ check: String, in lines: [Line]) -> String? { lines.first { $0.check == check }?.result }

    @Test("without a home, an endpoint and a terminal nothing fails, and skipped checks say so")
    func bare() throws {
        let (status, lines) = try findings([])
        #expect(status == 0)
        #expect(!lines.contains { $0.result == "fail" })
        for check in ["terminal", "server"] {
            #expect(lines.first { $0.check == check }?.message.hasPrefix("not checked: ") == true, "\(check)")
        }
        let plain = try Program().run(["doctor"])
        #expect(plain.status == 0)
        #expect(plain.lines.allSatisfy { $0.contains(/^(ok|warn|fail)  [a-z]+: .*[.]$/) }, "\(plain.lines)")
    }

    @Test("the advice about the locale names the variable that counts", arguments: ["LC_ALL", "LANG"])
    func locale(variable: String) throws {
        var program = Program()
        program.environment["LC_ALL"] = nil
        let setting = ["LANG": "C.UTF-8"].merging([variable: "C"]) { $1 }
        let outcome = try program.run(["doctor"], setting: setting)
        let words = "locale: \(variable) is C, which is not a UTF-8 locale on this machine, so "
        let line = try #require(outcome.lines.first { $0.contains(words) }, "\(outcome.lines)")
        #expect(line.hasPrefix("warn  ") && line.contains("Set \(variable)=C.UTF-8"), "\(line)")
    }

    @Test("a server that answers, one that does not exist, and one that is silent")
    func server() async throws {
        let engine = ScriptedFleetEngine { _, _, _ in
            .with {
                $0.name = "providers/demo/trips/t"
                $0.tripStatus = .new
            }
        }
        try await engine.serve { port in
            let options = ["--endpoint", "127.0.0.1:\(port)", "--plaintext"]
            let (status, lines) = try await background { try findings(["providers/demo/trips/t"] + options) }
            #expect(status == 0, "\(lines)")
            #expect(result("server", in: lines) == "ok" && result("trip", in: lines) == "ok" && result("tls", in: lines) == "ok")
        }
        let (status, lines) = try findings(["--endpoint", "127.0.0.1:1", "--plaintext"])
        #expect(status == 1 && result("server", in: lines) == "fail")
        #expect(lines.first { $0.check == "server" }?.advice != nil)
    }

    @Test(
        "the clock is compared with the server's with the help of a trip under way",
        arguments: [(Int64(0), "ok"), (-180, "warn"), (1_500, "fail")])
    func clock(ahead: Int64, verdict: String) async throws {
        let engine = ScriptedFleetEngine { request, _, _ in
            let now = Int64(Date().timeIntervalSince1970) - ahead
            return .with {
                $0.name = request.name
                $0.tripStatus = .enrouteToPickup
                $0.vehicleID = "car"
                $0.etaToFirstWaypoint.seconds = now + 300
                $0.remainingTimeToFirstWaypoint.seconds = 300
            }
        }
        try await engine.serve { port in
            let options = ["--endpoint", "127.0.0.1:\(port)", "--plaintext"]
            let (status, lines) = try await background { try findings(["providers/demo/trips/t"] + options) }
            let line = try #require(lines.first { $0.check == "clock" })
            #expect(line.result == verdict && status == (verdict == "fail" ? 1 : 0), "\(line)")
            #expect(line.message.contains(ahead == 0 ? "within" : ahead < 0 ? "behind the server's" : "ahead of the server's"), "\(line)")
        }
    }

    @Test("an unsigned token, another algorithm and a long lifetime are warnings for a server on this machine, and failures for others")
    func signatures() async throws {
        let engine = ScriptedFleetEngine { _, _, _ in MadeUpRide.trip(.new) }
        try await engine.serve { port in
            let here = [MadeUpRide.name, "--endpoint", "127.0.0.1:\(port)", "--plaintext"]
            // 0.0.0.0 is not a loopback address, and nothing listens on port 1.
            let elsewhere = [MadeUpRide.name, "--endpoint", "0.0.0.0:1"]
            for (algorithm, seconds) in [("none", 3_600), ("HS256", 3_600), ("RS256", 7_200), ("RS256", 3_600)] {
                let isGood = algorithm == "RS256" && seconds == 3_600
                let token = madeUpToken(trip: "made-up-ride", algorithm: algorithm, seconds: seconds)
                for (options, verdict) in [(here, isGood ? "ok" : "warn"), (elsewhere, isGood ? "ok" : "fail")] {
                    let (_, lines) = try await background { try findings(options, setting: ["TRIPWATCH_TOKEN": token]) }
                    #expect(result("token", in: lines) == verdict, "\(lines)")
                }
            }
        }
    }

    @Test("with a file of --ca that has no certificate, doctor does not say that the server can be reached")
    func unusableCA() throws {
        let folder = try Folder()
        let file = try folder.write("ca.pem", "no certificate")
        let (status, lines) = try findings(["--endpoint", "127.0.0.1:1", "--ca", file])
        #expect(status == 1 && result("tls", in: lines) == "fail")
        #expect(lines.first { $0.check == "server" }?.message == "not checked: no connection was attempted.")
        withExtendedLifetime(folder) {}
    }

    @Test(
        "over TLS: the right certificate and token, another certificate, another account's token, an expired token",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
    func guarded() throws {
        let server = try GuardedServer(try Folder())
        let trip = "providers/demo/trips/t1"
        let own = try server.token("own", ["--role", "consumer", "--trip", "t1"])
        let (missing, lines) = try findings([trip] + server.connection + ["--token-file", own])
        #expect(missing == 1)
        #expect(result("tls", in: lines) == "ok", "a fresh certificate, although it expires tomorrow")
        #expect(result("token", in: lines) == "ok" && result("trip", in: lines) == "fail")
        let other = try server.token("other", ["--role", "consumer", "--trip", "t2"])
        let (_, withOther) = try findings([trip] + server.connection + ["--token-file", other])
        #expect(result("token", in: withOther) == "fail" && result("server", in: withOther) == "ok")
        let stranger = try Folder()
        try GuardedServer.makeCertificate(in: stranger.path)
        let endpoint = Array(server.connection.prefix(2))
        let (_, refused) = try findings([trip] + endpoint + ["--ca", stranger.path + "/cert.pem"])
        #expect(result("tls", in: refused) == "fail" && result("server", in: refused) == "ok", "\(refused)")
        let secret = try String(contentsOfFile: own, encoding: .utf8).prefix(40)
        #expect(!lines.contains { $0.message.contains(secret) })
    }

    private static let providerAnswers: [(Int, String, String)] = [
        (404, "no trip is named providers/demo/trips/doctor", "ok"), (404, "this address does not exist", "warn"), (404, "", "warn"),
        (500, "", "warn"), (503, "", "fail"), (401, "", "fail"), (403, "", "fail"), (400, "", "fail"),
    ]

    @Test("the provider and the headers for it are checked", arguments: providerAnswers)
    func provider(status: Int, message: String, verdict: String) async throws {
        let folder = try Folder()
        let headers = folder.path + "/headers"
        try Data("Authorization: Bearer desk-key\n".utf8).write(to: URL(filePath: headers))
        try await ScriptedHTTPServer.with { _, _ in
            .reply(status, #"{"message":"\#(message)"}"#)
        } _: { desk in
            let options = ["--provider-url", desk.address, "--provider-header-file", headers]
            let (code, lines) = try await background { try findings(options) }
            let line = try #require(lines.first { $0.check == "provider" }, "\(lines)")
            #expect(line.result == verdict && code == (verdict == "fail" ? 1 : 0), "\(line)")
            #expect(line.message.contains(desk.address) && !line.message.contains("desk-key"), "\(line)")
            #expect(Set(desk.requests.map(\.path)) == ["/trip/doctor"])
            #expect(desk.requests.first?.headers["authorization"] == "Bearer desk-key")
        }
    }

    @Test("with a trip, a provider that fails is a failure")
    func failingProvider() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(500, "{}")
        } _: { desk in
            let options = ["providers/demo/trips/t", "--endpoint", "127.0.0.1:1", "--plaintext", "--provider-url", desk.address]
            let (_, lines) = try await background { try findings(options) }
            #expect(result("provider", in: lines) == "fail", "\(lines)")
        }
    }

    @Test("a file with headers but no provider is no fault, and an invalid configuration names no provider")
    func noProviderNamed() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path + "/tripwatch", withIntermediateDirectories: true)
        let setting = ["XDG_CONFIG_HOME": folder.path]
        let headers = try folder.write("headers", "X-Key: made-up\n")
        _ = try folder.write("tripwatch/config.toml", "provider_header_file = \"\(headers)\"\n")
        let (code, lines) = try findings([], setting: setting)
        #expect(code == 0 && result("provider", in: lines) == nil, "\(lines)")
        _ = try folder.write("tripwatch/config.toml", "provider_url = \"nonsense\"\n")
        for options in [[], ["--profile", "nosuch"]] {
            let (code, lines) = try findings(options + ["--provider-header-file", headers], setting: setting)
            let line = lines.first { $0.check == "provider" }
            #expect(code == 1 && line?.message == "not checked: the configuration is invalid.", "\(lines)")
        }
    }

    @Test("a provider that does not exist fails")
    func noProvider() throws {
        let (code, lines) = try findings(["--provider-url", "http://127.0.0.1:1"])
        #expect(code == 1 && result("provider", in: lines) == "fail", "\(lines)")
    }

    @Test("mistakes in the configuration and in what it refers to")
    func configuration() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path + "/tripwatch", withIntermediateDirectories: true)
        try Data("intervall = 5\nbasemap = \"/nowhere/at-all.pmtiles\"\n".utf8)
            .write(to: URL(filePath: folder.path + "/tripwatch/config.toml"))
        let (status, lines) = try findings([], setting: ["XDG_CONFIG_HOME": folder.path])
        #expect(status == 1)
        let configuration = lines.filter { $0.check == "configuration" }
        #expect(configuration.contains { $0.message.contains("intervall") && $0.result == "warn" })
        #expect(configuration.contains { $0.message.contains("/nowhere/at-all.pmtiles") })
        #expect(result("map", in: lines) == "fail")
    }

    @Test("some facts only the terminal knows: it is asked, and the line settings are restored")
    func asked() throws {
        let answer = "\u{1b}[7;3R\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\\u{1b}[?62;22c"
        let program = try ProgramOnTerminal(["doctor"], columns: 160, typed: answer)
        #expect(try program.end() == 0)
        #expect(program.text.contains("ok  background: light, according to the terminal."), "\(program.text)")
        #expect(program.text.contains("warn  width: characters of ambiguous width are 2 columns wide"), "\(program.text)")
        #expect(program.terminal.settings == program.settings)
    }

    @Test("on a narrow terminal lines are wrapped between words")
    func narrow() throws {
        let program = try ProgramOnTerminal(["doctor"], columns: 60, type: "vt100")
        #expect(try program.end() == 0)
        let lines = program.text.split(whereSeparator: \.isNewline)
        #expect(lines.contains { $0.hasPrefix("warn  colours: ") } && lines.contains { $0.hasPrefix("    ") }, "\(program.text)")
        // A line that is cut off would have a letter in the last column.
        #expect(lines.allSatisfy { $0.last == " " }, "\(program.text)")
    }

    @Test("without a trip the token command is run and timed, and none of its output is shown")
    func tokenCommand() throws {
        func token(_ command: String, _ more: [String] = []) throws -> (status: Int32, line: Line) {
            let (status, lines) = try findings(["--token-command", command] + more)
            return (status, try #require(lines.first { $0.check == "token" }, "\(lines)"))
        }
        let (status, line) = try token("echo nobody-may-see-this")
        #expect(status == 0 && line.result == "ok" && line.message.contains(/^the token command succeeded in [0-9]+ ms\.$/), "\(line)")
        let (wanting, warned) = try token("test -n \"$TRIPWATCH_TRIP_ID\" || exit 3")
        let words = #/^the token command failed \(exit 3\)\. It ran for [0-9]+ ms and was given no trip id\.$/#
        #expect(wanting == 0 && warned.result == "warn" && warned.message.contains(words), "\(warned)")
        let (_, told) = try token("echo 'There is no trip.' >&2; exit 3")
        #expect(told.message.contains(#/: There is no trip\. It ran for [0-9]+ ms/#), "\(told)")
        let (missing, failed) = try token("/nowhere/at-all", ["--endpoint", "127.0.0.1:1", "--plaintext"])
        #expect(missing == 1 && failed.result == "fail" && failed.message.contains("was not found (exit 127)"), "\(failed)")
    }

    @Test("a user's theme with a fault, and one that does not exist")
    func themes() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path + "/tripwatch/themes", withIntermediateDirectories: true)
        try Data("text = \"no such colour\"\n".utf8).write(to: URL(filePath: folder.path + "/tripwatch/themes/mine.toml"))
        let (_, lines) = try findings([], setting: ["XDG_CONFIG_HOME": folder.path])
        let fault = lines.first { $0.check == "theme" }
        #expect(fault?.result == "warn" && fault?.message.contains("mine.toml:1") == true, "\(lines)")
        let (status, missing) = try findings(["--theme", "nosuch"], setting: ["XDG_CONFIG_HOME": folder.path])
        #expect(status == 1 && missing.contains { $0.check == "theme" && $0.result == "fail" })
    }

    @Test("on a terminal: colours, characters, background", arguments: ["xterm-256color", "vt100", "linux", "nosuch"])
    func terminal(type: String) throws {
        let program = try ProgramOnTerminal(["doctor"], columns: 160, type: type)
        #expect(try program.end() == 0)
        let text = program.text
        switch type {
        case "nosuch": #expect(text.contains("warn  terminal: TERM is nosuch"), "\(text)")
        case "linux": #expect(text.contains("ok  colours: 8, because the Linux console has no more."), "\(text)")
        case "vt100": #expect(text.contains("warn  colours: none, because of TERM."), "\(text)")
        default:
            #expect(text.contains("ok  terminal: xterm-256color."), "\(text)")
            #expect(text.contains("⣿⡇") && text.contains("ok  background: "), "\(text)")
        }
    }
}
