import FleetEngineAPI
import Foundation
import GRPCCore
import Glibc
import SwiftProtobuf
import Synchronization
import Testing
import TripTesting

@testable import ProgramHarness

/// A program that shares a trip on a server of this machine. The trip has no car until the test calls `drive()`.
private struct Sharing {
    let server: LocalServer
    let trip: String
    let running: Program.Running
    let link: String
    let folder: URL

    init(_ options: String..., speed: Int = 10) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "share-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try LocalServer(speed: speed)
        trip = try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
        running = try server.program.start(
            ["share", trip, "--http-port", "0", "--interval", "1"] + options + server.connection, setting: ["XDG_RUNTIME_DIR": folder.path])
        let words = (running.line() ?? "").split(separator: " ").map(String.init)
        try #require(words.count == 2, "\(words)")
        #expect(words.first == trip)
        link = words[1]
    }

    func drive() throws -> Program.Running {
        try server.drive("--auto", "--create", "--route", "-36.000,-20.000;-36.005,-19.990;-36.010,-19.980")
    }

    func control(_ arguments: String...) throws -> Program.Outcome {
        try server.program.run(["share"] + arguments, setting: ["XDG_RUNTIME_DIR": folder.path])
    }

    func connect() throws -> TCPConnection {
        try TCPConnection(port: try #require(link.firstMatch(of: /:([0-9]+)\//).flatMap { Int($0.1) }))
    }

    /// Sends a request with these header lines. Returns the whole answer.
    func ask(_ target: String, _ header: String) throws -> String {
        let connection = try connect()
        connection.send("GET \(target) HTTP/1.1\r\n\(header)Connection: close\r\n\r\n")
        return connection.read()
    }

    var path: String { "/s/" + secret }
    var secret: String { String(link.split(separator: "/").last ?? "") }

    func stop() {
        running.stop()
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}

/// Whether a browser is installed that can show pages and take pictures of them.
let hasBrowser = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].contains { FileManager.default.isExecutableFile(atPath: $0) }

private let noLink = "This link no longer works, or it never existed."

@Suite("A shared trip", .timeLimit(.minutes(4)), .enabled(if: WebClient.path != nil, "needs curl"))
struct ShareTests {
    @Test("a trip has one link, whose forms all show the same arrival, and whose events end with the trip")
    func doors() throws {
        let sharing = try Sharing()
        defer { sharing.stop() }
        #expect(sharing.link.wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/s\/[A-Za-z0-9_-]{22}/) != nil)
        let (reader, pipe) = try WebClient.start([sharing.link + "/events"])
        defer { reader.terminate() }
        let events = LineWatch(pipe)
        #expect(events.line(with: "\"event\":\"trip\"")?.contains("\"ends_at\":null") == true)
        let drive = try sharing.drive()
        defer { drive.stop() }
        #expect(events.line(with: "ENROUTE_TO_PICKUP") != nil)
        #expect(events.line(with: "\"event\":\"route\"")?.contains("\"polyline\":\"") == true)
        #expect(events.line(with: "\"event\":\"eta\"") != nil)

        let json = try WebClient.get(sharing.link + ".json")
        #expect(json.status == 200 && json.headers.contains("cache-control: no-store"))
        #expect(json.headers.contains("referrer-policy: no-referrer"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.body.utf8)) as? [String: Any])
        #expect(object["trip"] as? String == String(sharing.trip.split(separator: "/").last ?? ""))
        #expect(object["status"] as? String == "ENROUTE_TO_PICKUP")

        let page = try WebClient.get(sharing.link, "-H", "Accept: text/html")
        #expect(page.status == 200 && page.headers.contains { $0.hasPrefix("content-security-policy: default-src 'none'") })
        #expect(page.body.contains("On the way to the pickup") && !page.body.contains("to you"))
        let map = try WebClient.get(sharing.link + "/map.svg")
        #expect(map.headers.contains("content-type: image/svg+xml") && map.body.hasPrefix("<svg"))
        for answer in [json, page, map] { #expect(!answer.body.contains("demo") && !answer.body.contains(sharing.server.connection[1])) }

        // A link to a cancelled trip ends like a link to a completed trip, but sooner.
        #expect(try sharing.server.cancel(sharing.trip).contains("CANCELED"))
        #expect(events.line(with: "\"event\":\"end\"") != nil)
        #expect(events.line(with: "\"ends_at\":\"")?.contains("\"event\":\"trip\"") == true)
    }

    @Test("curl gets the screen, in colours or plain, in the requested size, and frames that replace each other")
    func pictures() throws {
        let sharing = try Sharing()
        defer { sharing.stop() }
        let standard = try WebClient.output([sharing.link])
        #expect(standard.contains("\u{1b}[") && standard.split(separator: "\n", omittingEmptySubsequences: false).count == 25)
        let plain = try WebClient.output([sharing.link + "?plain&cols=100&rows=30"])
        let lines = plain.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(!plain.contains("\u{1b}") && lines.count == 31 && lines.allSatisfy { $0.count <= 100 })
        #expect(plain.contains("This link ends") && !plain.contains("q quit"))
        #expect(try WebClient.get(sharing.link + "?cols=19").status == 400)
        let (reader, pipe) = try WebClient.start([sharing.link + "?follow&plain&cols=40&rows=10"])
        let frames = LineWatch(pipe)
        #expect(frames.line(with: "\u{1b}[H\u{1b}[2J") != nil)
        #expect(try sharing.control("list").lines.first?.hasSuffix(" 1") == true)
        #expect(try sharing.control("end", sharing.link).status == 0)
        #expect(frames.line(with: "This link no longer works.") != nil)
        reader.waitUntilExit()
    }

    @Test("a reader who reconnects gets the missed events, and no event twice")
    func comingBack() throws {
        let sharing = try Sharing(speed: 30)
        defer { sharing.stop() }
        let drive = try sharing.drive()
        defer { drive.stop() }
        func read(_ options: String..., until words: String) throws -> [String] {
            let (reader, pipe) = try WebClient.start(options + [sharing.link + "/events"])
            defer { reader.terminate() }
            let events = LineWatch(pipe)
            _ = try #require(events.line(with: words))
            return events.all
        }
        let first = try read(until: "ENROUTE_TO_PICKUP")
        let last = try #require(first.compactMap { $0.firstMatch(of: /^id: ([0-9]+)/).flatMap { Int($0.1) } }.max())
        let second = try read("-H", "Last-Event-ID: \(last)", until: "ENROUTE_TO_DROPOFF")
        #expect(second.first { $0.hasPrefix("id: ") } == "id: \(last + 1)")
        // At the pickup, the server sends a changed description of the trip. It must not send the earlier description again.
        #expect(!second.contains { $0.contains("\"event\":\"trip\"") && $0.contains("\"picked_up_at\":null") })
        let unknown = try read("-H", "Last-Event-ID: 999999", until: "\"event\":\"status\"")
        #expect(unknown.contains { $0.contains("\"event\":\"trip\"") })
    }

    @Test("unknown, malformed and ended links get the same answer in each form; for a foreign host the answer names the option to set")
    func noLinks() throws {
        let sharing = try Sharing()
        defer { sharing.stop() }
        let base = sharing.link.dropLast(sharing.path.count)
        let paths = ["/s/AAAAAAAAAAAAAAAAAAAAAA", "/s/", "/", "/s/x/../y", "/favicon.ico", "/s/AAAAAAAAAAAAAAAAAAAAAA.json"]
        for path in paths {
            let text = try WebClient.get(base + path, "--path-as-is")
            #expect(text.status == 404 && text.body == noLink + "\n", "\(path)")
            #expect(try WebClient.get(base + path, "--path-as-is", "-H", "Accept: application/json").body.contains(noLink))
            #expect(try WebClient.get(base + path, "--path-as-is", "-H", "Accept: text/html").body.contains("<p>" + noLink))
        }
        let foreign = try sharing.ask(sharing.path, "Host: evil.example\r\n")
        #expect(foreign.hasPrefix("HTTP/1.1 421") && foreign.contains("--public-url") && !foreign.contains("evil"))
        let moved = try WebClient.get(sharing.link + "/", "-H", "Accept: text/html")
        #expect(moved.status == 308 && moved.headers.contains { $0.hasPrefix("location: ../") })
        #expect(try WebClient.get(sharing.link, "-A", "WhatsApp/2", "-H", "Accept: */*").body.contains("og:title"))
        #expect(try sharing.ask(sharing.path, "Host: localhost\r\nOrigin: https://evil.example\r\n").hasPrefix("HTTP/1.1 403"))
        #expect(try sharing.ask(sharing.path, "Host: localhost\r\nX: \(String(repeating: "x", count: 20_000))\r\n").contains(" 431 "))
        #expect(try sharing.ask(sharing.path + "?" + String(repeating: "q", count: 200_000), "Host: localhost\r\n").contains(" 431 "))
        #expect(try WebClient.get(sharing.link, "-X", "POST").status == 405)

        let before = try WebClient.get(base + paths[0])
        #expect(try sharing.control("end", sharing.link).status == 0)
        let after = try WebClient.get(sharing.link)
        #expect(after.status == 404 && after.body == before.body)
        #expect(after.headers.filter { !$0.hasPrefix("date") } == before.headers.filter { !$0.hasPrefix("date") })
    }

    @Test("readers who do not read, endless headers and endless queries are limited, and others are answered")
    func floods() throws {
        let sharing = try Sharing()
        defer { sharing.stop() }
        let slow = try (0..<200).map { _ in
            let connection = try sharing.connect()
            connection.send("GET \(sharing.path)/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(connection.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            return connection
        }
        let unfinished = try (0..<200).map { index in
            let connection = try sharing.connect()
            connection.send("GET \(sharing.path) HTTP/1.1\r\nX-\(index): ")
            return connection
        }
        #expect(try sharing.control("list").lines.first?.hasSuffix(" 200") == true)
        let flood = (0..<50_000).map { "X-\($0): y\r\n" }.joined()
        let query = String(repeating: "q", count: 10 << 20)
        for (target, header) in [(sharing.path, flood), (sharing.path + "?" + query, ""), ("/s/" + query, "")] {
            // If a client still sends data after the server has answered, the answer can be lost.
            let answer = try sharing.ask(target, "Host: localhost\r\n" + header)
            #expect(answer.isEmpty || answer.contains(" 431 "), "\(answer.prefix(80))")
        }
        let drive = try sharing.drive()
        defer { drive.stop() }
        let (reader, pipe) = try WebClient.start([sharing.link + "/events"])
        defer { reader.terminate() }
        #expect(LineWatch(pipe).line(with: "ENROUTE_TO_PICKUP") != nil)
        #expect(try WebClient.get(sharing.link + ".json").status == 200)
        withExtendedLifetime((slow, unfinished)) {}
    }

    @Test("the owner lists and ends links through a private socket; no log contains the secret")
    func control() throws {
        let log = FileManager.default.temporaryDirectory.appending(path: "share-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: log) }
        let sharing = try Sharing("--for", "2h", "--log", log.path)
        defer { sharing.stop() }
        let socket = sharing.folder.appending(path: "tripwatch/share-\(sharing.running.process.processIdentifier).sock").path
        #expect(try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int == 0o600)
        let listed = try sharing.control("list")
        #expect(listed.lines.count == 1 && listed.lines.first?.hasPrefix("\(sharing.trip) \(sharing.link) 20") == true)
        #expect(listed.lines.first?.hasSuffix("Z 0") == true, "\(listed.lines)")
        #expect(try WebClient.get(sharing.link + ".json").body.contains("\"ends_at\":\"20"))
        let (reader, pipe) = try WebClient.start([sharing.link + "/events"])
        let events = LineWatch(pipe)
        #expect(events.line(with: "\"event\":\"status\"") != nil)
        // `list` and `end` are subcommands, not names of trips.
        for words in [["list", "foo"], ["end"], ["end", sharing.link, sharing.link]] {
            let refused = try sharing.server.program.run(["share"] + words)
            #expect(refused.status == 64 && refused.errors.contains("tripwatch share \(words[0])"), "\(refused.errors)")
        }
        #expect(try sharing.control("end", "\(sharing.link.dropLast())x").status == 1)
        #expect(try sharing.control("end", sharing.link).status == 0)
        #expect(events.line(with: "\"event\":\"link_ended\"") != nil)
        reader.waitUntilExit()
        #expect(try sharing.control("list").lines.isEmpty)
        let text = try String(contentsOf: log, encoding: .utf8)
        #expect(text.contains("link ended") && !text.contains(sharing.secret))
    }

    @Test("an address that tries many wrong links gets 429 with Retry-After, known readers continue, and no log contains a secret")
    func wrongLinks() throws {
        let log = FileManager.default.temporaryDirectory.appending(path: "share-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: log) }
        let sharing = try Sharing("--log", log.path)
        defer { sharing.stop() }
        #expect(try WebClient.get(sharing.link).status == 200)
        let connection = try sharing.connect()
        var tries = 0
        var answer = ""
        while !answer.contains(" 429 "), tries < 1_000 {
            tries += 1
            let secret = "AAAAAAAAAAAAAAAAAA\(1_000 + tries)"
            connection.send("HEAD /s/\(secret) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = connection.read(until: "\r\n\r\n")
        }
        #expect(tries > 100 && answer.lowercased().contains("retry-after: "), "\(answer)")
        #expect(try WebClient.get(sharing.link).status == 200)
        let text = try String(contentsOf: log, encoding: .utf8)
        #expect(text.contains("no such link") && text.contains("too many wrong links") && text.contains("127.0.0.1"), "\(text.prefix(500))")
        #expect(!text.contains("AAAA"))
    }

    @Test("an address that cannot be used for links, and a link combined with others, are refused with an explanation")
    func usage() throws {
        let program = Program()
        let address = try program.run(["share", "providers/p/trips/t", "--public-url", "https://rides.example/?a=1"])
        #expect(address.status == 64 && address.errors.contains("--public-url must not contain ?"), "\(address.errors)")
        let link = "http://127.0.0.1:1/s/AAAAAAAAAAAAAAAAAAAAAA"
        let two = try program.run(["follow", link, link])
        #expect(two.status == 64 && two.errors.contains("'follow' takes a single link"), "\(two.errors)")
    }

    @Test(
        "problems that the sharer must solve are reported once, with the time until the next attempt",
        arguments: [RPCError.Code.permissionDenied, .unimplemented])
    func trouble(code: RPCError.Code) async throws {
        let name = "providers/demo/trips/ride-1"
        let asked = Mutex(0)
        let engine = ScriptedFleetEngine { _, _, _ in
            let count = asked.withLock { count in
                count += 1
                return count
            }
            guard count == 1 else { throw RPCError(code: code, message: "another's") }
            return .with {
                $0.name = name
                $0.tripStatus = .new
            }
        }
        try await engine.serve { port in
            try await background {
                let program = Program()
                let words = ["share", name, "--http-port", "0", "--interval", "1", "--endpoint", "127.0.0.1:\(port)", "--plaintext"]
                let running = try program.start(words)
                defer { running.stop() }
                #expect(running.line()?.hasPrefix(name) == true)
                let line = try #require(LineWatch(running.errors).line(with: "tripwatch: \(name): "))
                let wait = code == .unimplemented ? #/ Trying again in 5 min\.$/# : #/ Trying again in (?:2[4-9]|3[0-6]) s\.$/#
                #expect(line.contains(wait), "\(line)")
            }
        }
    }

    @Test("--for ends a link automatically, and a signal ends the program without an error")
    func lifetime() throws {
        let sharing = try Sharing("--for", "3s")
        defer { sharing.stop() }
        let (reader, pipe) = try WebClient.start([sharing.link + "/events"])
        #expect(LineWatch(pipe).line(with: "\"event\":\"link_ended\"") != nil)
        reader.waitUntilExit()
        #expect(try WebClient.get(sharing.link).status == 404)
        sharing.running.stop()
        #expect(sharing.running.process.terminationStatus == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: sharing.folder.appending(path: "tripwatch").path)
        #expect(left.isEmpty)
    }

    @Test("tripwatch follows a link without a token, on the screen and as lines; an unknown link is exit code 3")
    func following() throws {
        let sharing = try Sharing()
        defer { sharing.stop() }
        let lines = try sharing.server.program.start(["follow", sharing.link, "--output", "json"])
        defer { lines.stop() }
        let told = LineWatch(lines.output)
        #expect(told.line(with: "\"status\":\"NEW\"") != nil)
        let sentences = try sharing.server.program.start(["follow", sharing.link, "--output", "plain"], setting: ["ACCESSIBLE": "1"])
        defer { sentences.stop() }
        let spoken = LineWatch(sentences.output)
        let screen = try ProgramOnTerminal(["follow", sharing.link])
        let unknown = try sharing.server.program.run(["follow", sharing.link.dropLast(3) + "AAA"])
        #expect(unknown.status == 3 && unknown.errors.contains(noLink))
        let drive = try sharing.drive()
        defer { drive.stop() }
        #expect(told.line(with: "\"status\":\"ENROUTE_TO_PICKUP\"") != nil)
        #expect(told.line(with: "\"event\":\"route\"") != nil && told.line(with: "\"waypoint\":\"pickup\"") != nil)
        #expect(spoken.line(with: "The car is on its way to the pickup.") != nil, "\(spoken.all)")
        try screen.wait(for: "PICKUP IN")
        try screen.wait(for: "live")
        kill(sharing.running.process.processIdentifier, SIGKILL)
        try screen.wait(for: "Connection lost")
        screen.press("q")
        #expect(try screen.end() == 0)
    }

    @Test("a link whose server is down is waited for, which is reported once")
    func away() throws {
        let running = try Program().start(["follow", "http://127.0.0.1:1/s/AAAAAAAAAAAAAAAAAAAAAA", "--output", "plain"])
        defer { running.stop() }
        let errors = LineWatch(running.errors)
        #expect(errors.line(with: "tripwatch: 127.0.0.1:1: The server cannot be reached") != nil, "\(errors.all)")
        #expect(errors.line(with: "cannot be reached", after: 1, within: 5) == nil && running.process.isRunning)
    }

    @Test(
        "the page in a real browser moves, and says when its server is down, when it returns, and that the link has ended",
        .enabled(if: hasBrowser))
    func browser() throws {
        let sharing = try Sharing("--basemap", "town", speed: 5)
        defer { sharing.stop() }
        let drive = try sharing.drive()
        defer { drive.stop() }
        let script = Program.package.appending(path: "Tests/EndToEndTests/Interop/page_check.py").path
        let (process, output, input) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script, sharing.link]
        (process.standardOutput, process.standardInput) = (output, input)
        try process.run()
        defer { process.terminate() }
        let steps = LineWatch(output)
        for step in ["shown", "moved", "read aloud", "gone", "back", "wide"] { #expect(steps.line(with: step) != nil, "\(steps.all)") }
        #expect(try sharing.control("end", sharing.link).status == 0)
        #expect(steps.line(with: "ended") != nil, "\(steps.all)")
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(steps.all)")
    }

    @Test("a port that is taken is reported with the option for another one")
    func takenPort() throws {
        let server = try LocalServer(speed: 1)
        defer { server.stop() }
        let port = try #require(server.grpc.split(separator: ":").last.map(String.init))
        let result = try server.program.run(["share", "providers/demo/trips/t", "--http-port", port] + server.connection)
        let words = "another program already uses this port. Choose another port with --http-port, or 0 for any free port."
        #expect(result.status == 1 && result.errors == "tripwatch: cannot listen on 127.0.0.1:\(port): \(words)\n", "\(result.errors)")
    }

    @Test("a trip that does not exist is exit code 3 without a line; if its server is down, the link's page says so")
    func firstAnswers() throws {
        let server = try LocalServer(speed: 1)
        let missing = try server.program.run(["share", "providers/demo/trips/none", "--http-port", "0"] + server.connection)
        #expect(missing.status == 3 && missing.lines.isEmpty)
        server.stop()
        let running = try server.program.start(["share", "providers/demo/trips/none", "--http-port", "0"] + server.connection)
        defer { running.stop() }
        let link = try #require(running.line()?.split(separator: " ").last.map(String.init))
        let page = try WebClient.get(link, "-H", "Accept: text/html")
        #expect(page.status == 200 && page.body.contains("The server is not available."))
        // The command also prints a message for the rider who shares the trip.
        let errors = LineWatch(running.errors)
        #expect(
            errors.line(with: "tripwatch: providers/demo/trips/none: The server cannot be reached") != nil, "\(errors.all)")
        #expect(errors.all.contains { $0.hasSuffix("The link will show the trip once the server answers.") })
        #expect(try server.program.run(["share", "x", "--listen", "0.0.0.0"] + server.connection).status == 64)
    }
}
