import FleetEngine
import FleetEngineAccess
import Foundation
import Testing

@testable import LocalFleetEngine

@Suite("Rights of the provider API's keys", .timeLimit(.minutes(1)))
struct DeskPathTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func words(_ need: DeskNeed) -> String {
        switch need {
        case .open: "no key"
        case .key: "any key"
        case .allRights: "all rights"
        case .right(let right): "`\(right.rawValue)`"
        }
    }

    @Test("every path that the server answers is open, or is once in the table")
    func complete() async throws {
        let clock = AdjustableTimeSource(SystemTimeSource())
        let engine = LocalFleetEngine(time: clock)
        let desk = ProviderDesk(provider: "plain", engine: engine, time: clock) { "t1" }
        let server = try ProviderServer(desk: desk, port: 0, hooks: TestHooks(engine: engine, clock: clock))
        let routes = server.routes.filter { $0.method != "HEAD" }
        #expect(routes.count > DeskPath.table.count)
        for route in routes {
            let rows = DeskPath.table.filter { $0.text == route.path && $0.methods.contains(route.method) }
            let isOpen = DeskPath.need(of: route.method, path: route.path) == .open
            #expect(rows.count == (isOpen ? 0 : 1), "\(route)")
        }
        for row in DeskPath.table {
            for method in row.methods { #expect(routes.contains { $0.path == row.text && $0.method == method }, "\(row.text)") }
        }
    }

    @Test("the table in docs/serving.md is the table of the program")
    func documented() throws {
        let text = try String(contentsOf: Self.package.appending(path: "docs/serving.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let table = DeskPath.table.map { row in
            "| `\(row.methods.joined(separator: " ")) \(row.text)` | \(Self.words(row.need)) |"
        }
        #expect(rows == table)
    }

    @Test("HEAD needs the same right as GET, and a write that is not in the table needs all rights")
    func others() {
        #expect(DeskPath.need(of: "HEAD", path: "/token/server") == .right(.tokens))
        #expect(DeskPath.need(of: "POST", path: "//trip/new/") == .right(.book))
        #expect(DeskPath.need(of: "GET", path: "/nosuch") == .key)
        #expect(DeskPath.need(of: "DELETE", path: "/trip/t1") == .allRights)
        #expect(DeskPath.need(of: "POST", path: "/car/KEY/owntracks") == .open)
    }

    @Test("a key may do what its rights allow, and the refusal states the missing right")
    func refusals() async throws {
        let limited = try [
            DeskKey(name: "desk-a", text: "ka\nrights: book"), DeskKey(name: "desk-b", text: "kb\nrights: tokens phones cancel"),
        ]
        let gate = AccessGate(accounts: AccountRing(), deskKey: "full", limitedKeys: limited)
        try await ProviderHarness.with(gate: gate, hasTestHooks: true) { harness in
            func ask(_ key: String, _ method: String, _ path: String) async throws -> (Int, String) {
                let answer = try await harness.ask(method, path, "{}", headers: [("Authorization", "Bearer \(key)")])
                return (answer.status, answer.text)
            }
            let book = try await ask("kb", "POST", "/trip/new")
            #expect(book.0 == 403 && book.1.contains("(missing: book):") && book.1.contains(#""status":403"#))
            for (method, path, right) in [
                ("PUT", "/trip/t1", "cancel"), ("GET", "/token/server", "tokens"), ("POST", "/car/new", "phones"),
                ("PUT", "/vehicle/car", "phones"), ("PUT", "/_tripwatch/clock", "cancel, tokens, phones"),
            ] {
                let answer = try await ask("ka", method, path)
                #expect(answer.0 == 403 && answer.1.contains("(missing: \(right)):"), "\(method) \(path): \(answer)")
                #expect(try await ask("full", method, path).0 != 403, "\(method) \(path)")
            }
            #expect(try await ask("ka", "POST", "/trip/new").0 == 400)
            for key in ["ka", "kb", "full"] { #expect(try await ask(key, "GET", "/vehicles").0 == 200) }
            #expect(try await ask("kc", "GET", "/vehicles").0 == 401)
        }
    }
}
