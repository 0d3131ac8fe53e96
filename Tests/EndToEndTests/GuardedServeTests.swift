import Foundation
import Glibc
import Testing

@testable import ProgramHarness

/// A server that uses TLS and checks tokens.
final class GuardedServer {
    let folder: Folder
    let running: Program.Running
    let words: String
    let errors: LineWatch
    private var port: (grpc: String, http: String) {
        let ports = words.matches(of: /:([0-9]+)/).map { String($0.1) }
        return (ports.first ?? "", ports.last ?? "")
    }
    var desk: String { "https://127.0.0.1:\(port.http)" }
    var certificate: String { folder.path + "/cert.pem" }
    /// The options with which a client connects to the server.
    var connection: [String] { ["--endpoint", "127.0.0.1:\(port.grpc)", "--ca", certificate, "--provider", "demo"] }

    static func makeCertificate(in folder: String) throws {
        let maker = Process()
        maker.executableURL = URL(filePath: "/usr/bin/openssl")
        maker.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem",
        ]
        maker.currentDirectoryURL = URL(filePath: folder)
        maker.standardError = FileHandle.nullDevice
        try maker.run()
        maker.waitUntilExit()
    }

    /// - Parameter makesAccounts: whether the server creates the accounts itself, as it does at its first start.
    init(_ folder: Folder, makesAccounts: Bool = false) throws {
        self.folder = folder
        if !makesAccounts { try MadeAccounts.write(to: folder.keys) }
        if !FileManager.default.fileExists(atPath: folder.path + "/cert.pem") { try Self.makeCertificate(in: folder.path) }
        running = try Program().start([
            "serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on", "--keys", folder.keys, "--tls-cert",
            folder.path + "/cert.pem", "--tls-key", folder.path + "/key.pem", "--speed", "20",
        ])
        words = try #require(running.line())
        errors = LineWatch(running.errors)
    }

    deinit { running.stop() }

    /// Writes a file that contains a new token.
    /// - Returns: the path of the file.
    func token(_ name: String, _ arguments: [String]) throws -> String {
        let minted = try Program().run(["token", "mint", "--keys", folder.keys] + arguments)
        return try folder.write(name, try #require(minted.lines.first, "\(minted.errors)") + "\n")
    }

    /// Writes a file that contains the header for the provider API.
    /// - Returns: the path of the file.
    func deskHeader() throws -> String {
        let key = try String(contentsOfFile: folder.keys + "/desk.key", encoding: .utf8)
        return try folder.write("desk.header", "Authorization: Bearer \(key)")
    }

    func status(_ trip: String, _ options: [String]) throws -> Int32 {
        try Program().run(["status", trip] + connection + options).status
    }

    /// Repeats a request for at most a minute, until the command exits with this code.
    /// - Returns: whether it exited with this code.
    func comes(to status: Int32, _ trip: String, _ options: [String]) throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if try self.status(trip, options) == status { return true }
        }
        return false
    }
}

@Suite(
    "serve with tokens, over TLS", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")), .timeLimit(.minutes(3)))
struct GuardedServerTests {
    private static let pickup = "-35.9900,-20.0000"
    private static let dropoff = "-35.9800,-20.0000"

    private func book(_ server: GuardedServer, _ options: [String]) throws -> Program.Outcome {
        try Program().run(
            ["book", "--from", Self.pickup, "--to", Self.dropoff, "--provider-url", server.desk, "--ca", server.certificate] + options)
    }

    @Test("the first start creates an account of each role and the desk's key, readable only by their owner; the next one keeps them")
    func firstStart() throws {
        let folder = try Folder()
        var server: GuardedServer? = try GuardedServer(folder, makesAccounts: true)
        #expect(server?.words.contains(/^listening grpc=127\.0\.0\.1:\d+ https=127\.0\.0\.1:\d+$/) == true)
        let files = ["admin.pem", "consumer.pem", "desk.key", "driver.pem", "server.pem"]
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.keys).sorted() == files)
        #expect(folder.mode(folder.keys) == 0o700)
        for file in files { #expect(folder.mode(folder.keys + "/" + file) == 0o600) }
        func contents() throws -> [Data] { try files.map { try Data(contentsOf: URL(filePath: folder.keys + "/" + $0)) } }
        let before = try contents()
        server = nil
        server = try GuardedServer(folder, makesAccounts: true)
        #expect(try contents() == before)
        withExtendedLifetime(server) {}
    }

    @Test("token inspect trusts the server of the token with --ca or the configuration")
    func inspected() throws {
        let server = try GuardedServer(try Folder())
        let address = "\(server.desk)/token/consumer/{tripID}"
        let inspect = ["token", "inspect", "t1", "--token-url", address, "--token-header-file", try server.deskHeader()]
        #expect(try Program().run(inspect).errors.contains("is not safe"))
        #expect(try Program().run(inspect + ["--ca", server.certificate]).status == 0)
        #expect(try Program().run(inspect, setting: ["TRIPWATCH_CA": server.certificate]).status == 0)
    }

    @Test("a ride with minted tokens and the desk's: booked, driven, followed; without the right one everything is refused")
    func ride() throws {
        let server = try GuardedServer(try Folder())
        let header = try server.deskHeader()
        let denied = try book(server, [])
        #expect(denied.status != 0 && denied.lines.isEmpty)
        let booked = try book(server, ["--provider-header-file", header])
        let trip = try #require(booked.lines.first, "\(booked.errors)")
        let bare = String(try #require(trip.split(separator: "/").last))
        let own = try server.token("own", ["--role", "consumer", "--trip", bare])
        #expect(try server.status(trip, ["--token-file", own]) == 0)
        #expect(try server.status(trip, []) == 4)
        #expect(try server.status(trip, ["--token-file", try server.token("other", ["--role", "consumer", "--trip", "t9"])]) == 4)
        #expect(try server.status("t9", ["--token-file", own]) == 4)
        #expect(try server.status("t9", ["--token-file", try server.token("all", ["--role", "server"])]) == 3)
        let source = ["--token-url", "\(server.desk)/token/consumer/{tripID}", "--token-header-file", header]
        #expect(try server.status(trip, source) == 0)
        #expect(try server.status(trip, ["--token-url", "\(server.desk)/token/consumer/{tripID}"]) == 4)
        let command = "'\(Program.path)' token mint --role server --keys '\(server.folder.keys)'"
        let makers = try Program().start(
            ["drive", "--vehicle", "car-1", "--simulate", "--create", "--speed", "20", "--dwell", "5", "--trips", "1"]
                + ["--route", "-35.9930,-20.0000;-35.9700,-20.0000", "--token-command", command] + server.connection)
        defer { makers.stop() }
        let driver = LineWatch(makers.output)
        #expect(driver.line(with: " online") != nil, "\(driver.all)")
        let followed = try Program().run(["follow", trip, "--output", "json", "--interval", "1"] + source + server.connection)
        #expect(followed.status == 0, "\(followed.errors)")
        #expect(followed.lines.contains { $0.contains("\"location\"") } && followed.lines.last?.contains("\"COMPLETE\"") == true)
        #expect(driver.line(with: ": completed") != nil, "\(driver.all)")
    }

    @Test("a driver's own token cannot create a vehicle, and the message says which token can")
    func madeByDriver() throws {
        let server = try GuardedServer(try Folder())
        let token = try server.token("driver", ["--role", "driver", "--vehicle", "car-1"])
        let refused = try Program().run(
            ["drive", "--vehicle", "car-1", "--simulate", "--create", "--token-file", token] + server.connection)
        #expect(refused.status == 4)
        #expect(
            refused.errors.contains("This token is not allowed to create car-1")
                && refused.errors.contains("a token with the role 'server'"))
    }

    @Test("a driver's own token is sufficient to drive", arguments: [true, false])
    func driver(mints: Bool) throws {
        let server = try GuardedServer(try Folder())
        let header = try server.deskHeader()
        let command = "'\(Program.path)' token mint --role server --keys '\(server.folder.keys)'"
        let route = ["--route", "-35.9930,-20.0000;-35.9700,-20.0000"]
        let drive = ["drive", "--vehicle", "car-1", "--simulate", "--speed", "20", "--dwell", "5"] + route + server.connection
        let maker = try Program().start(drive + ["--create", "--token-command", command])
        let made = LineWatch(maker.output)
        #expect(made.line(with: " online") != nil, "\(made.all)")
        maker.stop()
        let source =
            mints
            ? ["--token-file", try server.token("driver", ["--role", "driver", "--vehicle", "car-1"])]
            : ["--token-url", "\(server.desk)/token/driver/{vehicleID}", "--token-header-file", header]
        let car = try Program().start(drive + ["--trips", "1"] + source)
        defer { car.stop() }
        let lines = LineWatch(car.output)
        #expect(lines.line(with: " online") != nil, "\(lines.all)")
        #expect(try book(server, ["--provider-header-file", header]).status == 0)
        #expect(lines.line(with: ": completed") != nil, "\(lines.all)")
        #expect(!lines.all.contains { $0.contains("refused") }, "\(lines.all)")
    }

    @Test("HUP, or a little time, accepts a new account and removes an old one, and stops nothing")
    func renewal() throws {
        let server = try GuardedServer(try Folder())
        #expect(
            try Program().run(["token", "keys", "new", "server", "--name", "later", "--keys", server.folder.keys]).status == 0)
        let token = try server.token("later", ["--role", "server", "--account", "later"])
        kill(server.running.process.processIdentifier, SIGHUP)
        #expect(try server.comes(to: 3, "t9", ["--token-file", token]))
        #expect(server.errors.line(with: "tripwatch: HUP: reloaded the certificate and the keys.") != nil)
        try FileManager.default.removeItem(atPath: server.folder.keys + "/server-later.pem")
        #expect(try server.comes(to: 4, "t9", ["--token-file", token]))
        #expect(server.running.process.isRunning)
    }

    @Test("a pair that does not match is reported, and the old one remains; a new certificate is used soon, and reported")
    func certificate() throws {
        let server = try GuardedServer(try Folder())
        let token = try server.token("all", ["--role", "server"])
        let old = try Data(contentsOf: URL(filePath: server.certificate))
        let key = URL(filePath: server.folder.path + "/key.pem")
        try FileManager.default.moveItem(atPath: key.path, toPath: key.path + ".old")
        _ = try server.folder.write("key.pem", "no key")
        kill(server.running.process.processIdentifier, SIGHUP)
        #expect(server.errors.line(with: "tripwatch: the certificate was not reloaded: ") != nil)
        #expect(try server.status("t9", ["--token-file", token]) == 3)
        try FileManager.default.removeItem(at: key)
        try GuardedServer.makeCertificate(in: server.folder.path)
        #expect(try Data(contentsOf: URL(filePath: server.certificate)) != old)
        #expect(server.errors.line(with: "tripwatch: reloaded the certificate.") != nil)
        #expect(try server.comes(to: 3, "t9", ["--token-file", token]))
        #expect(server.running.process.isRunning)
    }

    @Test("a certificate that has expired is reported at the start, with its file and the day")
    func expired() throws {
        let folder = try Folder()
        try FaultCertificate.expired.make(in: folder.path)
        let server = try GuardedServer(folder)
        let line = try #require(server.errors.line(with: "tripwatch: warning: the certificate \(server.certificate) expired on "))
        #expect(line.contains(#/ expired on \d{4}-\d\d-\d\d, so clients do not accept it\.$/#), "\(line)")
    }

    @Test("TLS 1.2 is accepted only with forward secrecy, on both ports")
    func suites() throws {
        let server = try GuardedServer(try Folder())
        for address in [server.connection[1], String(server.desk.dropFirst("https://".count))] {
            func shakesHands(_ suite: String) throws -> Bool {
                let client = Process()
                client.executableURL = URL(filePath: "/usr/bin/openssl")
                client.arguments = ["s_client", "-connect", address, "-tls1_2", "-cipher", suite, "-alpn", "h2,http/1.1"]
                client.standardInput = FileHandle.nullDevice
                client.standardOutput = FileHandle.nullDevice
                client.standardError = FileHandle.nullDevice
                try client.run()
                client.waitUntilExit()
                return client.terminationStatus == 0
            }
            for suite in ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-CHACHA20-POLY1305"] { #expect(try shakesHands(suite), "\(suite)") }
            for suite in ["AES128-SHA", "AES256-SHA", "AES128-GCM-SHA256", "AES256-GCM-SHA384"] {
                #expect(try !shakesHands(suite), "\(suite)")
            }
        }
    }

    @Test("beyond loopback it requires TLS and tokens, unless an option turns each of them off")
    func beyondLoopback() throws {
        let folder = try Folder()
        try GuardedServer.makeCertificate(in: folder.path)
        let tls = ["--tls-cert", folder.path + "/cert.pem", "--tls-key", folder.path + "/key.pem"]
        func serve(_ options: [String]) throws -> Program.Outcome {
            // No machine has this address, so the server can never start.
            try Program().run(
                ["serve", "--listen", "192.0.2.1", "--grpc-port", "0", "--http-port", "0", "--keys", folder.keys] + options)
        }
        let refused = [[], ["--allow-anonymous"], ["--auth", "off"] + tls, ["--auth", "off", "--allow-plaintext"], ["--auth", "on"]]
        for options in refused {
            #expect(try serve(options).status == 64, "\(options)")
        }
        // The options are also accepted under their former names.
        let open = [
            ["--allow-anonymous", "--allow-plaintext"], ["--allow-anonymous"] + tls, ["--insecure"],
            ["--insecure-no-auth", "--insecure-plaintext"],
        ]
        for options in open {
            #expect(try serve(options).errors.contains("this machine has no such address"), "\(options)")
            #expect(!FileManager.default.fileExists(atPath: folder.keys))
        }
        for options in [tls, ["--allow-plaintext"], ["--insecure-plaintext"], ["--insecure", "--auth", "on"]] {
            #expect(try serve(options).errors.contains("this machine has no such address"), "\(options)")
            #expect(FileManager.default.fileExists(atPath: folder.keys + "/server.pem"))
        }
    }

    @Test("a TLS key that every user of the machine can read is used, with a warning")
    func exposedKey() throws {
        let folder = try Folder()
        try GuardedServer.makeCertificate(in: folder.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path + "/key.pem")
        let server = try GuardedServer(folder)
        let words = "the mode of the key file \(folder.path)/key.pem lets every user of this machine read it"
        #expect(server.errors.line(with: words)?.hasPrefix("tripwatch: warning: ") == true)
    }

    @Test("keys that become readable by every user are reported once at the next reload")
    func exposedLater() throws {
        let server = try GuardedServer(try Folder())
        let paths = [server.folder.path + "/key.pem", server.folder.keys + "/server.pem"]
        for path in paths { try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path) }
        kill(server.running.process.processIdentifier, SIGHUP)
        #expect(server.errors.line(with: "tripwatch: HUP: reloaded the certificate and the keys.") != nil)
        let lines = server.errors.all
        for path in paths {
            let words = "tripwatch: warning: the mode of the key file \(path) lets every user of this machine read it"
            #expect(lines.filter { $0.hasPrefix(words) }.count == 1, "\(lines)")
        }
    }

    @Test("doctor says when the server's certificate expires")
    func certificateEnd() throws {
        let server = try GuardedServer(try Folder())
        let lines = try Program().run(["doctor"] + server.connection).lines
        let words = "ok  tls: the server's certificate is trusted, and expires on 20"
        #expect(lines.contains { $0.hasPrefix(words) }, "\(lines)")
    }
}
