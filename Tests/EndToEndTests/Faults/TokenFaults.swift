import Foundation
import Synchronization
import Testing
import TripTesting

@testable import ProgramHarness

/// An engine that checks tokens, and a web server that provides them. The web server's answer for each scenario can be set.
final class TokenServers: Sendable {
    typealias Answer = ScriptedHTTPServer.Answer

    /// The number of seconds for which a program may use a token.
    private static let lifeSeconds = 3

    private let engine: LocalServer
    private let token: String
    private let web: ScriptedHTTPServer
    private let folder: Folder
    private let faults: Faults

    /// The failure answers to token requests, keyed by the scenario's id.
    private final class Faults: Sendable {
        struct Fault {
            let answer: Answer
            /// The number of requests that succeed before the fault.
            var spared: Int
        }

        private let faults = Mutex<[String: Fault]>([:])

        func set(_ fault: Fault?, for id: String) { faults.withLock { $0[id] = fault } }

        /// Returns the answer to a request that fails; nil if the request succeeds.
        func answer(for id: String) -> Answer? {
            faults.withLock { faults in
                guard let fault = faults[id] else { return nil }
                guard fault.spared > 0 else { return fault.answer }
                faults[id]?.spared -= 1
                return nil
            }
        }
    }

    private init(_ engine: LocalServer, _ token: String, _ web: ScriptedHTTPServer, _ folder: Folder, _ faults: Faults) {
        self.engine = engine
        self.token = token
        self.web = web
        self.folder = folder
        self.faults = faults
    }

    /// Runs `body` while the servers listen.
    static func with(_ body: (TokenServers) async throws -> Void) async throws {
        let folder = try Folder()
        let token = try await background { try makeToken(folder) }
        let engine = try await background { try LocalServer(options: ["--auth", "on", "--keys", folder.keys]) }
        defer { engine.stop() }
        let faults = Faults()
        let good = #"{"jwt":"\#(token)","expirationTimestamp":\#(lifeSeconds)}"#
        try await ScriptedHTTPServer.with { request, _ in
            faults.answer(for: String(request.path.dropFirst())) ?? .reply(200, good)
        } _: { web in
            try await body(TokenServers(engine, token, web, folder, faults))
        }
    }

    /// Makes the accounts, and a token that allows everything.
    private static func makeToken(_ folder: Folder) throws -> String {
        try MadeAccounts.write(to: folder.keys)
        let minted = try Program().run(["token", "mint", "--role", "server", "--keys", folder.keys])
        return try #require(minted.lines.first, "\(minted.errors)")
    }

    var connection: [String] { engine.connection }
    /// The options for a token from the web server.
    var address: [String] { ["--token-url", "\(web.address)/{id}"] }

    /// Returns the options for a token that is made by a command, and that the engine accepts for a few seconds.
    /// - Parameter first: shell commands to run before the token is made.
    func command(_ first: String) -> [String] {
        let mint = "exec '\(Program.path)' token mint --role server --ttl \(Self.lifeSeconds)s --keys '\(folder.keys)'"
        return ["--token-command", "\(first); \(mint)"]
    }

    private var calls: RESTCalls { get throws { try RESTCalls(engine.http, token: token) } }

    func makeTrip(_ id: String) throws { try FaultScene.makeTrip(id, calls) }

    func sendCar(to id: String) throws { try calls.sendCar(to: id) }

    func setStatus(_ status: String, _ id: String) throws {
        let answer = try calls.ask("PUT", "trips/\(id)?updateMask=tripStatus", #"{"tripStatus":"\#(status)"}"#)
        try #require(answer.contains("200 OK"), "\(answer)")
    }

    /// Sets the web server's answer for a scenario; nil to provide tokens.
    /// - Parameter spared: the number of requests that succeed before the fault.
    func set(_ answer: Answer?, for id: String, spared: Int = 0) {
        faults.set(answer.map { Faults.Fault(answer: $0, spared: spared) }, for: id)
    }
}

/// Faults of a token source while a program uses it. Tokens have a short life, so the program needs a new one during the fault.
enum TokenFaults {
    /// The arguments of a program, with its output before and after the fault.
    private struct Watcher {
        let command: String
        let arguments: [String]
        let before: String
        let news: String
        var words = "The token source gave no token"
        var isOnScreen = false
        var departure = FaultRow.Departure.asked()
        var status = "ENROUTE_TO_PICKUP"
    }

    private static let new = #""status":"NEW""#
    private static let moving = #""status":"ENROUTE_TO_PICKUP""#
    private static let lines = Watcher(
        command: "follow, lines", arguments: ["follow", "{trip}", "--output", "plain"], before: "looking for a car", news: "moving")
    private static let watchers = [
        Watcher(command: "follow, JSON", arguments: ["follow", "{trip}", "--output", "json"], before: new, news: moving),
        Watcher(
            command: "follow, screen", arguments: ["follow", "{trip}"], before: "LOOKING FOR", news: "On the way to you", isOnScreen: true),
        Watcher(command: "status --watch", arguments: ["status", "{trip}", "--watch", "--json"], before: new, news: moving),
        Watcher(
            command: "wait", arguments: ["wait", "{trip}", "--until", "here", "--json", "--verbose"], before: "rpc=GetTrip",
            news: #""reached":true"#, departure: .alone(0), status: "ARRIVED_AT_PICKUP"),
    ]

    private static let answers: [(String, TokenServers.Answer)] = [
        ("HTTP 500", .reply(500, "")), ("HTTP 429", .reply(429, "")), ("connections that end", .hangUp), ("no answer", .stall("")),
    ]

    private static func row(_ watcher: Watcher, _ fault: String, _ servers: TokenServers?, _ source: [String]?) -> FaultRow {
        var row = FaultRow(
            command: watcher.command, fault: fault, words: watcher.words, course: .struck(after: watcher.before, news: watcher.news),
            arguments: watcher.arguments + ["--interval", "1"] + (servers?.connection ?? []) + (source ?? []))
        row.isOnScreen = watcher.isOnScreen
        row.departure = watcher.departure
        row.prepare = { try servers?.makeTrip($0.id) }
        row.meanwhile = {
            if watcher.isOnScreen { try servers?.sendCar(to: $0.id) } else { try servers?.setStatus(watcher.status, $0.id) }
        }
        return row
    }

    /// Creates a row in which the web server fails for a while.
    private static func struck(_ watcher: Watcher, _ fault: String, _ answer: TokenServers.Answer, _ servers: TokenServers?) -> FaultRow {
        var row = Self.row(watcher, "token address with \(fault)", servers, servers?.address)
        row.strike = { scene, _ in servers?.set(answer, for: scene.id) }
        row.heal = { scene, _ in servers?.set(nil, for: scene.id) }
        return row
    }

    /// Creates a row in which a failure of the token source ends the program.
    private static func ending(_ fault: String, _ words: String, _ servers: TokenServers?, _ source: [String]?) -> FaultRow {
        var row = FaultRow(
            command: lines.command, fault: fault, words: words, course: .ends(4),
            arguments: lines.arguments + ["--interval", "1"] + (servers?.connection ?? []) + (source ?? []))
        row.prepare = { try servers?.makeTrip($0.id) }
        return row
    }

    /// Creates a row in which the web server's answer to the second request ends the program.
    private static func refused(_ fault: String, _ words: String, _ answer: TokenServers.Answer, _ servers: TokenServers?) -> FaultRow {
        var row = ending("token address with " + fault, words, servers, servers?.address)
        row.prepare = {
            try servers?.makeTrip($0.id)
            servers?.set(answer, for: $0.id, spared: 1)
        }
        return row
    }

    /// Creates all rows.
    /// - Parameter servers: the servers; nil if only the names of the rows are needed.
    static func rows(at servers: TokenServers?) -> [FaultRow] {
        var hanging = row(lines, "token command that hangs", servers, servers?.command("test ! -e {folder}/down || exec sleep 60"))
        hanging.strike = { scene, _ in _ = try scene.folder.write("down", "") }
        hanging.heal = { scene, _ in try FileManager.default.removeItem(atPath: scene.folder.path + "/down") }
        let once = "test ! -e {folder}/made || exit 3; touch {folder}/made"
        var rows = answers.map { struck(lines, $0, $1, servers) }
        rows += watchers.map { struck($0, "HTTP 500", .reply(500, ""), servers) }
        rows += [
            refused("HTTP 401", "needs credentials (HTTP 401)", .reply(401, ""), servers),
            refused("a page", "provided HTML or XML instead of a token", .reply(200, type: "text/html", "<p>Sign in"), servers),
            ending("token command that fails", "the token command failed (exit 3)", servers, servers?.command(once)), hanging,
        ]
        return rows
    }
}

@Suite("Fault table: tokens that expire", .timeLimit(.minutes(10)))
struct TokenFaultTableTests {
    @Test("a program names the fault of its token source when its token has expired, and reports in time what it missed")
    func renewal() async throws {
        try await TokenServers.with { servers in try await FaultTable.run(TokenFaults.rows(at: servers)) }
    }
}
