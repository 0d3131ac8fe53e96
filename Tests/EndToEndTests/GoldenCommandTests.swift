import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("The JSON of commands, compared with that of earlier versions", .timeLimit(.minutes(3)))
struct GoldenCommandTests {
    private func check(_ name: String, _ outcome: Program.Outcome, _ version: String) throws {
        let golden = try Golden.lines(version, "commands/\(name).json")
        #expect(!golden.isEmpty)
        #expect(try Golden.missing(from: outcome.lines, in: golden) == [], "\(name): \(outcome.lines) \(outcome.errors)")
    }

    @Test("status, for a ride, an order and a shipment", arguments: Golden.versions, ["ride", "order", "shipment"])
    func status(version: String, kind: String) async throws {
        try await EventfulServer.make(skipping: 1).serve { port in
            let server = ["--endpoint", "127.0.0.1:\(port)", "--plaintext"]
            try await background {
                let subject = EventfulServer.subject(kind)
                try check("status-\(kind)", Program().run(["status", "--json"] + subject + server), version)
                guard kind != "shipment" else { return }
                try check("waybar", Program().run(["status", "--waybar"] + subject + server), version)
            }
        }
    }

    @Test("follow and list, wait, share and share list, for an order and a shipment", arguments: Golden.versions, ["order", "shipment"])
    func known(version: String, kind: String) async throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let setting = ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
        let pace = ["--interval", "1"]
        try await EventfulServer.make(skipping: 1).serve { port in
            let words = EventfulServer.subject(kind) + ["--endpoint", "127.0.0.1:\(port)", "--plaintext"]
            try await background {
                let share = try Program().start(["share", "--json", "--http-port", "0"] + words, setting: setting)
                defer { share.stop() }
                let shared = Program.Outcome(status: 0, lines: [try #require(share.line())], errors: "")
                try check("share-\(kind)", shared, version)
                try check("share-list-\(kind)", Program().run(["share", "list", "--json"], setting: setting), version)
                let wait = ["wait", "--json", "--until", kind == "order" ? "shop" : "done"]
                try check("wait-\(kind)", Program().run(wait + pace + words, setting: setting), version)
                #expect(try Program().run(["follow", "--output", "json"] + pace + words, setting: setting).status == 0)
                try check("list-\(kind)", Program().run(["list", "--json"], setting: setting), version)
            }
        }
    }

    @Test("token mint, doctor, phone and phone list", arguments: Golden.versions)
    func others(version: String) throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let setting = ["HOME": folder.path]
        try MadeAccounts.write(to: folder.keys)
        let mint = ["token", "mint", "--role", "consumer", "--trip", "t1", "--json", "--keys", folder.keys]
        try check("token-mint", Program().run(mint, setting: setting), version)
        try check("doctor", Program().run(["doctor", "--json"], setting: setting), version)
        let server = try LocalServer()
        defer { server.stop() }
        let desk = ["--json", "--provider-url", server.desk]
        try check("phone", Program().run(["phone", "car-7", "--for", "30d"] + desk, setting: setting), version)
        try check("phone-list", Program().run(["phone", "list"] + desk, setting: setting), version)
    }
}
