import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("A link from the screen", .timeLimit(.minutes(3)), .enabled(if: WebClient.path != nil, "needs curl"))
struct ScreenLinkTests {
    private static var address: Regex<Substring> { /http:\/\/127\.0\.0\.1:[0-9]+\/s\/[A-Za-z0-9_-]{22}/ }

    /// Starts a program whose screen follows a trip without a car.
    private func follow(_ trip: String, at server: LocalServer, setting: [String: String]) throws -> ProgramOnTerminal {
        let screen = try ProgramOnTerminal(
            ["follow", trip, "--interval", "1"] + server.connection, columns: 120, rows: 40, setting: setting)
        try screen.wait(for: "LOOKING FOR A CAR")
        return screen
    }

    private func book(at server: LocalServer) throws -> String {
        try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
    }

    /// Presses the key that creates a link, and returns the link that the panel shows.
    private func share(on screen: ProgramOnTerminal) throws -> String {
        screen.press("S")
        try screen.wait(for: "the link and its panel") { $0.contains("D ends link") && $0.firstMatch(of: Self.address) != nil }
        return String(try #require(screen.text.firstMatch(of: Self.address)).output)
    }

    @Test("S serves a link that works, is on the clipboard, and ends with its trip")
    func withItsTrip() throws {
        let server = try LocalServer()
        defer { server.stop() }
        let trip = try book(at: server)
        let screen = try follow(trip, at: server, setting: ["TRIPWATCH_SHARE_PORT": "0"])
        let link = try share(on: screen)
        #expect(screen.text.contains("The link opens only on this") && screen.text.contains("LOOKING FOR A CAR"))
        try screen.wait(for: "The link was copied.")
        #expect(screen.terminal.virtual.clipboard.flatMap { Data(base64Encoded: $0) } == Data(link.utf8))
        let json = try WebClient.get(link + ".json")
        #expect(json.status == 200 && json.body.contains("\"NEW\""), "\(json.body)")
        #expect(try WebClient.get(link, "-H", "Accept: text/html").body.contains("This link ends with the trip."))

        let (reader, pipe) = try WebClient.start([link + "/events"])
        defer { reader.terminate() }
        let events = LineWatch(pipe)
        #expect(events.line(with: "\"event\":\"status\"") != nil)
        #expect(try server.cancel(trip).contains("CANCELED"))
        #expect(events.line(with: "\"event\":\"end\"") != nil)
        #expect(events.line(with: "\"event\":\"link_ended\"") != nil)
        try screen.wait(for: "no longer works.")
        #expect(try WebClient.get(link).status == 404)
        screen.press("S")
        try screen.wait(for: "The trip has ended.")
        screen.press("q")
        #expect(try screen.end() == 0)
    }

    @Test("share list shows the link of a screen, and share end ends it")
    func listed() throws {
        let (server, folder) = (try LocalServer(), try Folder())
        defer { withExtendedLifetime(folder) { server.stop() } }
        let setting = ["TRIPWATCH_SHARE_PORT": "0", "XDG_RUNTIME_DIR": folder.path]
        let trip = try book(at: server)
        let screen = try follow(trip, at: server, setting: setting)
        #expect(try Program().run(["share", "list"], setting: setting).lines.isEmpty)
        let link = try share(on: screen)
        let listed = try Program().run(["share", "list"], setting: setting)
        #expect(listed.lines.count == 1 && listed.lines.first?.hasPrefix("\(trip) \(link) ") == true, "\(listed)")
        #expect(try Program().run(["share", "end", link], setting: setting).status == 0)
        try screen.wait(for: "no longer works.")
        #expect(try WebClient.get(link).status == 404)
        screen.press("q")
        #expect(try screen.end() == 0)
        let sockets = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tripwatch")
        #expect(!sockets.contains { $0.hasSuffix(".sock") }, "\(sockets)")
    }

    @Test("D in the panel ends a link at once, S then serves another one, which ends with the screen")
    func withItsScreen() throws {
        let server = try LocalServer()
        defer { server.stop() }
        let screen = try follow(try book(at: server), at: server, setting: ["TRIPWATCH_SHARE_PORT": "0"])
        let first = try share(on: screen)
        screen.press("\u{1b}")
        try screen.wait(for: "a closed panel") { !$0.contains("D ends link") }
        #expect(try WebClient.get(first + ".json").status == 200)
        #expect(try share(on: screen) == first)
        screen.press("D")
        try screen.wait(for: "no longer works.")
        #expect(try WebClient.get(first).status == 404)

        screen.press("S")
        try screen.wait(for: "another link") { text in
            text.contains("D ends link") && text.matches(of: Self.address).contains { $0.output != first }
        }
        let second = try #require(screen.text.matches(of: Self.address).map { String($0.output) }.last { $0 != first })
        let (reader, pipe) = try WebClient.start([second + "/events"])
        defer { reader.terminate() }
        let events = LineWatch(pipe)
        #expect(events.line(with: "\"event\":\"status\"") != nil)
        screen.press("\u{3}")
        #expect(try screen.end() == 0)
        #expect(events.line(with: "\"event\":\"link_ended\"") != nil)
    }

    @Test("if no link can be served, the panel says what to set", arguments: ["share_port", "share_plaintext"])
    func notServed(key: String) throws {
        let server = try LocalServer()
        defer { server.stop() }
        let taken = try #require(server.http.split(separator: ":").last.map(String.init))
        let setting = key == "share_port" ? ["TRIPWATCH_SHARE_PORT": taken] : ["TRIPWATCH_SHARE_LISTEN": "192.0.2.7"]
        let screen = try follow(try book(at: server), at: server, setting: setting)
        screen.press("S")
        try screen.wait(for: "NO LINK")
        #expect(screen.text.contains(key) && screen.text.contains("LOOKING FOR A CAR"), "\(screen.text)")
        #expect(key != "share_port" || screen.text.contains("Port \(taken) is taken."), "\(screen.text)")
        screen.press("\u{1b}")
        try screen.wait(for: "a closed panel") { !$0.contains("NO LINK") }
        screen.press("q")
        #expect(try screen.end() == 0)
    }

    @Test("a read-only screen serves no link, and says so")
    func readOnly() throws {
        let server = try LocalServer()
        defer { server.stop() }
        let screen = try ProgramOnTerminal(["follow", try book(at: server), "--read-only"] + server.connection)
        try screen.wait(for: "LOOKING FOR A CAR")
        screen.press("S")
        try screen.wait(for: "This screen is read-only.")
        screen.press("q")
        #expect(try screen.end() == 0)
    }
}
