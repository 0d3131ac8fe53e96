import Foundation
import Glibc
import Testing

@testable import ProgramHarness

@Suite("Keys of the provider API with some rights", .timeLimit(.minutes(3)))
struct DeskKeyTests {
    /// A server that checks keys. The test writes files into the server's key folder before the server starts.
    private final class Server {
        let folder: Folder
        let running: Program.Running
        let errors: LineWatch
        let port: Int
        var url: String { "http://127.0.0.1:\(port)" }
        var log: String { (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? "" }

        init(_ files: [String: String]) throws {
            folder = try Folder()
            try FileManager.default.createDirectory(atPath: folder.keys, withIntermediateDirectories: true)
            try MadeAccounts.write(to: folder.keys)
            for (name, text) in files { _ = try folder.write("state/keys/" + name, text) }
            running = try Program().start([
                "serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on", "--keys", folder.keys, "--log", folder.path + "/log",
            ])
            port = try #require(running.line()?.matches(of: /:([0-9]+)/).compactMap { Int($0.1) }.last)
            errors = LineWatch(running.errors)
        }

        deinit { running.stop() }

        func status(_ key: String, _ method: String, _ path: String) throws -> Int? {
            let connection = try TCPConnection(port: port)
            connection.send(
                "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\nContent-Length: 2\r\n"
                    + "Connection: close\r\n\r\n{}")
            return connection.read().split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }

        /// Repeats a request until its answer has this status. Returns false after a minute.
        func comes(to status: Int, _ key: String, _ method: String, _ path: String) throws -> Bool {
            let deadline = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < deadline {
                if try self.status(key, method, path) == status { return true }
            }
            return false
        }
    }

    private static let booking = ["book", "--from", "-35.99,-20.0", "--to", "-35.98,-20.0"]

    @Test("a key can book where its rights allow it, but cannot create a phone's key, and the program names the missing right")
    func rights() throws {
        let server = try Server(["desk-shop.key": "sh0p\nrights: book\n", "desk-vans.key": "v4ns\nrights: phones\n"])
        let header = try server.folder.write("header", "Authorization: Bearer sh0p\n")
        let booked = try Program().run(Self.booking + ["--provider-url", server.url, "--provider-header-file", header])
        #expect(booked.status == 0, "\(booked.errors)")
        let keyless = try Program().run(Self.booking + ["--provider-url", server.url])
        #expect(
            keyless.status == 4 && keyless.errors.hasSuffix(" Give valid credentials with --provider-header-file.\n"),
            "\(keyless.errors)")
        let unset = try Program().run(["phone", "car-7", "--provider-url", server.url])
        #expect(unset.errors.hasSuffix(" Give valid credentials with --desk-key-file.\n"), "\(unset.errors)")
        let phone = ["phone", "car-7", "--json", "--provider-url", server.url, "--desk-key-file"]
        let refused = try Program().run(phone + [server.folder.keys + "/desk-shop.key"])
        #expect(refused.status == 4 && refused.errors.contains("(missing: phones)"), "\(refused.errors)")
        let made = try Program().run(phone + [server.folder.keys + "/desk-vans.key"])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try server.status("v4ns", "GET", "/token/server") == 403)
        let allRights = server.folder.keys + "/desk.key"
        #expect(try Program().run(phone + [allRights]).status == 0)
        let configured = ["TRIPWATCH_PROVIDER_URL": server.url, "TRIPWATCH_PROVIDER_HEADER_FILE": header]
        let replaced = try Program().run(["phone", "car-7", "--json", "--desk-key-file", allRights], setting: configured)
        #expect(replaced.status == 0, "the given key replaces the configured one: \(replaced.errors)")
    }

    @Test("the log has a line for a token that no account of the server has signed, without the token")
    func forgedToken() throws {
        let server = try Server([:])
        #expect(try server.status("f0rged.to.ken", "GET", "/v1/providers/demo/trips/t1") == 401)
        #expect(server.log.contains("token refused") && server.log.contains("door=token") && !server.log.contains("f0rged"))
    }

    @Test("a malformed file grants nothing and is reported by name; the others work, and a change is read on HUP and automatically")
    func malformed() throws {
        let server = try Server(["desk-a.key": "k1\nrights: book everything\n", "desk-b.key": "k2\nrights: book\n"])
        let words =
            "desk-a.key has an unknown right: on line 2, write 'rights:' and one or more of the words 'book', 'cancel', 'tokens' and 'phones', "
            + "separated by spaces"
        #expect(server.log.contains(words))
        #expect(server.errors.line(with: words)?.hasPrefix("tripwatch: ") == true)
        #expect(try server.status("k1", "GET", "/vehicles") == 401)
        #expect(server.log.contains("key refused") && server.log.contains("door=provider-api"))
        #expect(try server.status("k2", "POST", "/trip/new") == 400)
        _ = try server.folder.write("state/keys/desk-a.key", "k1\nrights: cancel\n")
        kill(server.running.process.processIdentifier, SIGHUP)
        #expect(try server.comes(to: 403, "k1", "POST", "/trip/new"))
        _ = try server.folder.write("state/keys/desk-c.key", "k2\nrights: tokens\n")
        #expect(server.errors.line(with: "desk-c.key has the same key as another file")?.hasPrefix("tripwatch: ") == true)
        #expect(try server.status("k2", "GET", "/token/server") == 403)
        try FileManager.default.removeItem(atPath: server.folder.keys + "/desk-b.key")
        #expect(try server.comes(to: 200, "k2", "GET", "/token/server"))
    }
}
