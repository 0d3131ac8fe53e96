import Foundation
import Glibc
import Testing

@testable import ProgramHarness

/// A server on this machine, with its ports.
private struct Server {
    let running: Program.Running
    /// The first line that the server prints.
    let words: String
    let grpcPort: Int
    let httpPort: Int

    init(_ options: [String] = [], descriptors: Int? = nil) throws {
        running = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"] + options, descriptors: descriptors)
        words = try #require(running.line())
        let ports = words.matches(of: /:([0-9]+)/).compactMap { Int($0.1) }
        try #require(ports.count == 2, "\(words)")
        try #require(running.errorLine()?.contains("are lost on exit") == true)
        try #require(
            running.errorLine()?.contains("next, run in another terminal: tripwatch book --endpoint 127.0.0.1:\(ports[0]) ") == true)
        (grpcPort, httpPort) = (ports[0], ports[1])
    }

    var pid: Int32 { running.process.processIdentifier }

    /// Returns the processor time that the server has used, in seconds.
    func processorSeconds() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = text.drop { $0 != ")" }.split(separator: " ")
        let ticks = try #require(Double(fields[12])) + #require(Double(fields[13]))
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Sends a request and returns the whole answer.
    func ask(_ path: String, host: String = "localhost", origin: String? = nil) throws -> String {
        let connection = try TCPConnection(port: httpPort)
        let page = origin.map { "Origin: \($0)\r\n" } ?? ""
        connection.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(page)Connection: close\r\n\r\n")
        return connection.read()
    }

    /// Sends a request without the last byte of its body.
    func beginRequest() throws -> TCPConnection {
        let connection = try TCPConnection(port: httpPort)
        connection.send("POST /vehicle/new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 19\r\n\r\n{\"vehicleId\":\"car\"")
        connection.waitUntilRead()
        // If the system's table does not list the connection, `waitUntilRead` does not wait. Therefore four more requests follow, for up to
        // four event loops. The one on the same loop as the unfinished request is answered only after that request has been read.
        for _ in 1...4 { _ = try ask("/healthz") }
        return connection
    }

    /// Waits until the port refuses new connections.
    func waitUntilClosed() { while (try? TCPConnection(port: httpPort)) != nil {} }
}

private let health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
/// A request for the front page. Such a request counts towards the rate limit.
private let page = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

@Suite("The doors of serve", .timeLimit(.minutes(2)))
struct ServeTests {
    @Test("connections beyond --max-connections are closed at once, on each port, and reported on stderr")
    func tooMany() throws {
        let server = try Server(["--max-connections", "3"])
        defer { server.running.stop() }
        var inside: [TCPConnection] = []
        for _ in 1...3 {
            inside += [try TCPConnection(port: server.httpPort), try TCPConnection(port: server.grpcPort)]
            inside[inside.count - 2].send(health)
            #expect(inside[inside.count - 2].read(until: "ok\n").contains("200 OK"))
        }
        #expect(try TCPConnection(port: server.httpPort).read() == "")
        #expect(try TCPConnection(port: server.grpcPort).read() == "")
        #expect(server.running.errorLine() == "refused 2 connections: limit 3")
    }

    @Test("connections of one address beyond --max-connections-per-address are closed at once, and reported on stderr")
    func tooManyOfOne() throws {
        let server = try Server(["--max-connections-per-address", "2"])
        defer { server.running.stop() }
        let inside = try (1...2).map { _ in try TCPConnection(port: server.httpPort) }
        for connection in inside {
            connection.send(health)
            #expect(connection.read(until: "ok\n").contains("200 OK"))
        }
        #expect(try TCPConnection(port: server.httpPort).read() == "")
        #expect(server.running.errorLine() == "refused 1 connection: limit 2 per address")
    }

    @Test("a caller beyond --rate-limit gets 429, and without the option a caller on loopback has no limit")
    func tooFast() throws {
        let server = try Server(["--rate-limit", "1"])
        defer { server.running.stop() }
        var answer = ""
        while !answer.contains(" 429 ") { answer = try server.ask("/") }
        #expect(answer.lowercased().contains("retry-after: 1"))
        for path in ["/healthz", "/readyz"] { #expect(try server.ask(path).contains("200 OK")) }
        let open = try Server()
        defer { open.running.stop() }
        let connection = try TCPConnection(port: open.httpPort)
        for _ in 1...300 {
            connection.send(page)
            #expect(connection.read(until: "\r\n\r\n").contains("200 OK"))
        }
    }

    @Test("a server that can be reached from outside accepts 100 calls a second from one caller by default")
    func rateAway() throws {
        let server = try Server(["--listen", "0.0.0.0", "--insecure"])
        defer { server.running.stop() }
        let connection = try TCPConnection(port: server.httpPort)
        connection.send(String(repeating: page, count: 1_000))
        #expect(connection.read(until: " 429 ").contains("200 OK"))
    }

    @Test("without free descriptors callers are refused one by one, existing connections continue, and the processor is idle")
    func descriptors() throws {
        let server = try Server(descriptors: 64)
        defer { server.running.stop() }
        let inside = try TCPConnection(port: server.httpPort)
        inside.send(health)
        #expect(inside.read(until: "ok\n").contains("200 OK"))
        let (began, used) = (ContinuousClock.now, try server.processorSeconds())
        var crowd = try (1...60).map { _ in try TCPConnection(port: server.httpPort) }
        crowd += try (1...60).map { _ in try TCPConnection(port: server.grpcPort) }
        let line = try #require(server.running.errorLine())
        #expect(line.contains(/^refused [0-9]+ connections?: limit of 64 file descriptors$/), "\(line)")
        inside.send(health)
        #expect(inside.read(until: "ok\n").contains("200 OK"))
        let wall = (ContinuousClock.now - began) / .seconds(1)
        #expect(try server.processorSeconds() - used < wall / 2)
        crowd = []
        var answer = ""
        while !answer.contains("200 OK") { answer = try server.ask("/healthz") }
    }

    @Test("TERM and INT end it with 0, even with open connections", arguments: [SIGTERM, SIGINT])
    func end(signal: Int32) throws {
        let server = try Server()
        let idle = [try TCPConnection(port: server.httpPort), try TCPConnection(port: server.grpcPort)]
        idle[0].send(health)
        _ = idle[0].read(until: "ok\n")
        kill(server.pid, signal)
        server.running.waitForEnd()
        #expect(server.running.process.terminationReason == .exit && server.running.process.terminationStatus == 0)
    }

    @Test("on a signal it accepts no new connections, answers current calls, and exits with 0")
    func drain() throws {
        let server = try Server()
        let request = try server.beginRequest()
        #expect(try server.ask("/healthz").contains("200 OK"))
        kill(server.pid, SIGTERM)
        server.waitUntilClosed()
        request.send("}")
        #expect(request.read().contains("200 OK"))
        server.running.waitForEnd()
        #expect(server.running.process.terminationReason == .exit && server.running.process.terminationStatus == 0)
    }

    @Test("a second signal ends it at once", arguments: [SIGTERM, SIGINT])
    func secondSignal(signal: Int32) throws {
        let server = try Server()
        let request = try server.beginRequest()
        #expect(try server.ask("/healthz").contains("200 OK"))
        kill(server.pid, SIGTERM)
        server.waitUntilClosed()
        kill(server.pid, signal)
        server.running.waitForEnd()
        #expect(server.running.process.terminationReason == .uncaughtSignal && server.running.process.terminationStatus == signal)
        request.send("}")
    }

    @Test("under a name that is not its own it reveals nothing; --public-url and --allow-origin add names")
    func names() throws {
        let server = try Server(["--public-url", "https://Desk.example:8443", "--allow-origin", "https://rides.example"])
        defer { server.running.stop() }
        for path in ["/token/server", "/vehicles", "/healthz"] {
            #expect(try server.ask(path, host: "evil.example:\(server.httpPort)").hasPrefix("HTTP/1.1 421 "))
            #expect(try server.ask(path, host: "desk.EXAMPLE:9").hasPrefix("HTTP/1.1 200 "))
            #expect(try server.ask(path, origin: "https://rides.example").hasPrefix("HTTP/1.1 200 "))
            #expect(try server.ask(path, origin: "https://evil.example").hasPrefix("HTTP/1.1 403 "))
        }
    }

    @Test("with TLS files both ports speak TLS, and the desk's says so")
    func tls() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (key, certificate) = (folder.appending(path: "key.pem").path, folder.appending(path: "cert.pem").path)
        let made = try openssl([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ])
        #expect(made.status == 0)
        let server = try Server(["--tls-cert", certificate, "--tls-key", key])
        defer { server.running.stop() }
        #expect(server.words == "listening grpc=127.0.0.1:\(server.grpcPort) https=127.0.0.1:\(server.httpPort)")
        let said = "GET /token/server HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let answer = try openssl(
            ["s_client", "-quiet", "-verify_return_error", "-CAfile", certificate, "-connect", "127.0.0.1:\(server.httpPort)"], said)
        #expect(answer.output.contains("200 OK") && answer.output.contains("\"jwt\""))
        #expect(try !server.ask("/token/server").contains("jwt"))
        try commands(server, certificate)
    }

    /// Runs the commands for riders. The server's certificate is trusted only with `--ca`.
    private func commands(_ server: Server, _ certificate: String) throws {
        let program = Program()
        let desk = "https://127.0.0.1:\(server.httpPort)"
        let booking = ["book", "--from", "10,20", "--to", "10.02,20.01", "--provider-url", desk]
        let refused = try program.run(booking)
        #expect(refused.status == 1 && refused.errors.contains("its certificate is not accepted"), "\(refused.errors)")
        let booked = try program.run(booking + ["--ca", certificate])
        let trip = try #require(booked.lines.first, "\(booked.errors)")
        let connection = [
            "--endpoint", "127.0.0.1:\(server.grpcPort)", "--ca", certificate, "--token-url", "\(desk)/token/consumer/{tripID}",
        ]
        let status = try program.run(["status", trip] + connection)
        #expect(status.status == 0 && status.lines == ["◦ looking for a car"], "\(status.errors)")
        let cancelled = try program.run(["cancel", trip, "--provider-url", desk, "--ca", certificate])
        #expect(cancelled.status == 0, "\(cancelled.errors)")
        let unreadable = try program.run(booking + ["--ca", Program.absent])
        #expect(
            unreadable.status == 1 && unreadable.errors.contains("no certificates can be read from the CA file \(Program.absent)"))
    }

    private func openssl(_ arguments: [String], _ input: String = "") throws -> (status: Int32, output: String) {
        let process = Process()
        let (stdin, stdout) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        (process.standardInput, process.standardOutput, process.standardError) = (stdin, stdout, FileHandle.nullDevice)
        try process.run()
        stdin.fileHandleForWriting.write(Data(input.utf8))
        let output = String(decoding: stdout.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        try stdin.fileHandleForWriting.close()
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    @Test("an error that prevents listening is reported with its reason")
    func failures() throws {
        let program = Program()
        let server = try Server()
        defer { server.running.stop() }
        let free = ["serve", "--grpc-port", "0", "--http-port", "0"]
        let others = "another program already uses this port. Choose other ports with --grpc-port and --http-port."
        for (options, words) in [
            (
                ["--tls-cert", Program.absent, "--tls-key", Program.absent],
                "the certificate \(Program.absent) cannot be used: there is no such file."
            ),
            (["--grpc-port", "\(server.grpcPort)"], "cannot listen on 127.0.0.1:\(server.grpcPort): \(others)"),
            (["--http-port", "\(server.httpPort)"], "cannot listen on 127.0.0.1:\(server.httpPort): \(others)"),
            (["--listen", "192.0.2.1", "--insecure"], "cannot listen on 192.0.2.1:0: this machine has no such address."),
        ] {
            let result = try program.run(free + options)
            #expect(result.status == 1 && result.lines.isEmpty && result.errors == "tripwatch: \(words)\n", "\(result.errors)")
        }
        for options in [
            ["--max-connections", "0"], ["--rate-limit", "1000001"], ["--max-connections-per-address", "0"],
            ["--public-url", "desk.example"], ["--public-url", "http://desk.example/?q"],
            ["--share-within", "-1"], ["--share-within", "301"], ["--max-trips-per-account", "0"], ["--max-vehicles-per-account", "0"],
            ["--allow-origin", "null"],
        ] {
            #expect(try program.run(free + options).status == 64)
        }
        for command in [free, ["share", "providers/p/trips/t"]] {
            let nowhere = try program.run(command + ["--listen", "300.1.1.1"])
            #expect(nowhere.status == 64 && nowhere.errors.contains("--listen takes an IP address of this machine"), "\(nowhere.errors)")
        }
    }
}
