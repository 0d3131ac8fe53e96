import Foundation
import Geo
import Glibc
import Testing

@testable import ProgramHarness

@Suite("The first start with tokens", .timeLimit(.minutes(5)))
struct FirstStartTests {
    private static let files = ["admin.pem", "consumer.pem", "desk.key", "driver.pem", "server.pem"]

    private func start(_ folder: Folder) throws -> Program.Running {
        try Program().start(["serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on", "--keys", folder.keys])
    }

    @Test("six servers that start at once all run, with the same four accounts, which one of them has created")
    func atOnce() throws {
        let folder = try Folder()
        let servers = try (0..<6).map { _ in try start(folder) }
        let errors = servers.map { LineWatch($0.errors) }
        let ports = servers.compactMap { server in
            server.line().flatMap { $0.firstMatch(of: #/grpc=(\S+)/#) }.map { String($0.1) }
        }
        #expect(ports.count == 6, "\(errors.flatMap(\.all))")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.keys).sorted() == Self.files)
        for role in [["consumer", "--trip", "t9"], ["server"]] {
            let minted = try Program().run(["token", "mint", "--keys", folder.keys, "--role"] + role)
            let token = try folder.write("token", try #require(minted.lines.first, "\(minted.errors)") + "\n")
            for port in ports {
                let asked = try Program().run(
                    ["status", "t9", "--provider", "demo", "--endpoint", port, "--plaintext", "--token-file", token])
                #expect(asked.status == 3, "\(role): \(asked.errors)")
            }
        }
        for server in servers { server.stop() }
        for error in errors { _ = error.line(with: "nothing has these words") }
        #expect(errors.flatMap(\.all).filter { $0.hasPrefix("tripwatch: created the accounts ") }.count == 1)
    }

    @Test("after a kill, either no account or all four exist, and the next start creates the missing ones")
    func kills() throws {
        var random = SeededRandom(seed: UInt64(getpid()))
        for round in 0..<4 {
            let folder = try Folder()
            let killed = try start(folder)
            // The server must survive being killed at any point during startup.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + random.double(in: 0.01...0.8))
            kill(killed.process.processIdentifier, SIGKILL)
            killed.waitForEnd()
            let listed = try Program().run(["token", "keys", "--keys", folder.keys])
            #expect([0, 4].contains(listed.lines.count), "round \(round): \(listed.lines)")
            let next = try start(folder)
            #expect(next.line()?.hasPrefix("listening ") == true, "round \(round): \(next.errorLine() ?? "")")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.keys)
            #expect(names.filter { !$0.hasSuffix(".draft") }.sorted() == Self.files, "round \(round): \(names)")
            #expect(!names.contains(".accounts.draft"), "round \(round)")
            next.stop()
            let again = try Program().run(["token", "keys", "--keys", folder.keys])
            #expect(again.lines.count == 4 && (listed.lines.isEmpty || again.lines == listed.lines), "round \(round): \(again.lines)")
        }
    }

    @Test("accounts that a kill has left as drafts are put in place, but an existing account of that name remains")
    func finished() throws {
        let folder = try Folder()
        for role in ["consumer", "driver", "server", "admin"] {
            #expect(try Program().run(["token", "keys", "new", role, "--name", "a", "--keys", folder.path + "/made"]).status == 0)
        }
        try FileManager.default.createDirectory(atPath: folder.keys + "/.accounts", withIntermediateDirectories: true)
        for role in ["consumer", "driver", "server", "admin"] {
            try FileManager.default.copyItem(
                atPath: folder.path + "/made/\(role)-a.pem", toPath: folder.keys + "/.accounts/\(role).pem")
        }
        try Data("mine".utf8).write(to: URL(filePath: folder.keys + "/driver.pem"))
        let listed = try Program().run(["token", "keys", "--keys", folder.keys])
        #expect(listed.lines.count == 3 && listed.errors.contains("driver.pem must contain an RSA key"), "\(listed.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.keys).sorted()
        #expect(names == ["admin.pem", "consumer.pem", "driver.pem", "server.pem"])
        #expect(try Data(contentsOf: URL(filePath: folder.keys + "/driver.pem")) == Data("mine".utf8))
    }
}
