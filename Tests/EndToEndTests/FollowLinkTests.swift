import Foundation
import TerminalHarness
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("A link that does not lead to a trip", .timeLimit(.minutes(2)))
struct FollowLinkTests {
    private static let secret = "/s/AAAAAAAAAAAAAAAAAAAAAA"
    private static let page = "<html><body>Sign in to the network</body></html>\n"

    /// Follows a link on a web server that returns this page with status 200 for every address. Returns the outcome.
    private func follow(_ options: [String], type: String?, body: String) async throws -> Program.Outcome {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, type: type, body)
        } _: { server in
            try await background { try Program().run(["follow", server.address + Self.secret] + options) }
        }
    }

    @Test(
        "an answer that is not a stream of events ends the command with one sentence that names the server",
        arguments: [("text/html; charset=utf-8", page), ("application/json", "{}"), ("text/event-streams", "data: {}\n\n"), (nil, "")])
    func elsewhere(type: String?, body: String) async throws {
        for options in [["--output", "plain"], ["--output", "json"]] {
            let end = try await follow(options, type: type, body: body)
            #expect(end.status == 1 && end.lines.isEmpty)
            #expect(end.errors.hasPrefix("tripwatch: 127.0.0.1:") && end.errors.contains(" answers, but not with a trip or shipment."))
            #expect(end.errors.split(separator: "\n").count == 1, "\(end.errors)")
        }
    }

    @Test("a web address without the form of a link is a usage error, and the sentence names the form")
    func otherAddress() throws {
        for address in ["http://127.0.0.1:9/foo", "HTTPS://rides.example/t/b"] {
            let end = try Program().run(["follow", address])
            #expect(end.status == 64 && end.lines.isEmpty)
            let sentence = "tripwatch: '\(address)' is not a link; the form is https://HOST/s/SECRET.\n"
            #expect(end.errors.hasPrefix(sentence), "\(end.errors)")
        }
    }

    @Test(
        "other commands take no link: the sentence says so, and names the command that does",
        arguments: [["wait", "--until", "done"], ["wait", "--until", "2min"], ["status"], ["share"]])
    func otherCommands(words: [String]) throws {
        let link = "http://127.0.0.1:9" + Self.secret
        let end = try Program().run(words + [link])
        #expect(end.status == 64 && end.lines.isEmpty)
        let sentence = "tripwatch: '\(link)' is a link, not a name: 'tripwatch follow LINK' opens it. "
        #expect(end.errors.hasPrefix(sentence), "\(end.errors)")
    }

    @Test("an address without a link's secret is not a link")
    func noSecret() throws {
        let end = try Program().run(["follow", "http://127.0.0.1:9/s/"])
        #expect(end.status == 64 && end.errors.contains("'http://127.0.0.1:9/s/' is not a link"), "\(end.errors)")
    }

    @Test(
        "what follow cannot do with a link is a usage error",
        arguments: [
            (["--dump"], "--dump works with a trip, not with a link."),
            (["--provider", "demo", "--tracking", "P-1"], "'follow' takes a single link: give only the link"),
        ])
    func unfit(options: [String], words: String) throws {
        let end = try Program().run(["follow", "http://127.0.0.1:9" + Self.secret] + options)
        #expect(end.status == 64 && end.lines.isEmpty && end.errors.hasPrefix("tripwatch: \(words)"), "\(end.errors)")
    }

    @Test("a server that limits requests is named as such, and is asked again")
    func limited() async throws {
        try await ScriptedHTTPServer.with { _, count in
            count == 0 ? .reply(429, "") : .reply(404, "")
        } _: { server in
            let end = try await background { try Program().run(["follow", server.address + Self.secret, "--output", "plain"]) }
            #expect(end.status == 3 && end.errors.contains("Too many requests (HTTP 429). Trying again."), "\(end.errors)")
        }
    }

    @Test(
        "an address that refuses the request ends the command; one that is not available is asked again", arguments: [204, 302, 401, 403])
    func refused(status: Int) async throws {
        try await ScriptedHTTPServer.with { _, count in
            count == 0 ? .reply(503, "") : .reply(status, "")
        } _: { server in
            let end = try await background { try Program().run(["follow", server.address + Self.secret, "--output", "plain"]) }
            #expect(end.status == 1 && end.lines.isEmpty)
            #expect(end.errors.contains("The server is not available (HTTP 503). Trying again."), "\(end.errors)")
            #expect(end.errors.contains(" answers, but not with a trip or shipment (HTTP \(status)). Check the link."), "\(end.errors)")
        }
    }

    @Test("when the server behind a link answers again, its viewer shows the news at once, without the rest of its own pause")
    func serverReturns() async throws {
        func event(_ members: String) -> String { #"data: {"trip":"t1","event":\#(members)}"# + "\n\n" }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        let texts = [
            head + "id: 1\n" + event(#""status","status":"NEW""#), event(#""error""#),
            event(#""recovered""#) + event(#""status","status":"ENROUTE_TO_PICKUP""#),
        ]
        try await ScriptedHTTPServer.with { _, _ in
            .paced(texts, seconds: 2)
        } _: { server in
            try await background {
                let follow = try Program().start(["follow", server.address + Self.secret, "--output", "json"])
                defer { follow.stop() }
                let told = LineWatch(follow.output)
                let failure = try #require(told.line(with: #""event":"error""#), "\(told.all)")
                let pause = try #require(failure.firstMatch(of: #/"retry_in_s":([0-9.]+)/#).flatMap { Double($0.1) })
                #expect(told.line(with: #""event":"recovered""#, within: pause - 0.2) != nil, "\(told.all)")
                #expect(told.line(with: "ENROUTE_TO_PICKUP", within: 0.5) != nil, "\(told.all)")
            }
        }
    }

    @Test("with --keep-trying a sign-in page is waited out; during the ride it counts as a lost connection, and q leaves")
    func signInPage() async throws {
        let event = "id: 1\n" + #"data: {"event":"status","trip":"t1","status":"NEW"}"#
        let head = "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream;charset=utf-8\r\nConnection: close\r\n\r\n"
        try await ScriptedHTTPServer.with { _, count in
            count == 1 ? .bytes(head + event + "\n\n") : .reply(200, type: "text/html", Self.page)
        } _: { server in
            try await background {
                let screen = try ProgramOnTerminal(["follow", server.address + Self.secret, "--keep-trying"])
                try screen.wait(for: "cannot be reached")
                screen.press("q")
                #expect(try screen.end() == 0)
            }
        }
    }

    @Test(
        "before the first answer about the trip the screen can be left, and the terminal is restored",
        arguments: ["\u{3}", "q"], [ScriptedHTTPServer.Answer.reply(200, type: "text/html", page), .stall(""), .hangUp])
    func leaving(key: String, answer: ScriptedHTTPServer.Answer) async throws {
        try await ScriptedHTTPServer.with { _, _ in
            answer
        } _: { server in
            try await background {
                let screen = try ProgramOnTerminal(["follow", server.address + Self.secret, "--keep-trying"])
                try screen.wait(for: "q  quit")
                screen.press(key)
                #expect(try screen.end() == 0)
                #expect(screen.terminal.settings == screen.settings)
            }
        }
    }

    @Test("a trip whose answer comes late is shown")
    func late() async throws {
        let event = "id: 1\n" + #"data: {"event":"status","trip":"t1","status":"NEW"}"#
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        try await ScriptedHTTPServer.with { _, count in
            count < 2 ? .reply(200, type: "text/html", Self.page) : .stall(head + event + "\n\n")
        } _: { server in
            try await background {
                let screen = try ProgramOnTerminal(["follow", server.address + Self.secret, "--keep-trying"])
                try screen.wait(for: "answers, but not with a trip")
                try screen.wait(for: "the trip") { $0.lowercased().contains("looking for a car") }
                screen.press("q")
                #expect(try screen.end() == 0)
            }
        }
    }
}
