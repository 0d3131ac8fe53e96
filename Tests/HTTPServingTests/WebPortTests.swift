import HTTPServing
import ServerHarness
import Testing

@Suite("HTTP at a port without an engine", .timeLimit(.minutes(1)))
struct WebPortTests {
    /// Runs `body` with a port. The port answers each request with a line about the request.
    private func withPort(
        _ limits: PortLimits = PortLimits(), _ refused: RefusedConnections = RefusedConnections(), _ body: (Int) async throws -> Void
    ) async throws {
        let port = try WebPort(host: "127.0.0.1", port: 0, security: .plaintext, limits: limits, refused: refused)
        let (addresses, address) = AsyncStream.makeStream(of: ServerAddress.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { address.finish() }
                try await port.serve(onListening: { address.yield($0) }, answer: Self.answer)
            }
            defer { port.endNow() }
            try await body(try #require(await addresses.first { _ in true }).port)
        }
    }

    private static func answer(_ request: WebRequest) -> WebAnswer {
        let parts: [String?] = [request.method, request.path, request.query, request.host, request.header("x-name")]
        let line = parts.map { $0 ?? "-" }.joined(separator: " ") + "\n"
        return WebAnswer(status: 200, headers: [(name: "Content-Type", value: "text/plain")], body: .whole(WebBytes(line.utf8)))
    }

    @Test("a request has its path, query, host and fields; a HEAD request is answered without a body")
    func requests() async throws {
        try await withPort { port in
            let connection = try await RawConnection(port: port)
            try await connection.send("GET /s/link?c=d HTTP/1.1\r\nHost: LOCALHOST:1\r\nX-Name: z\r\n\r\n")
            #expect(await connection.wait(for: "GET /s/link c=d localhost z\n"))
            try await connection.send("HEAD /s/link HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let answers = try await connection.waitForEnd()
            #expect(answers.hasSuffix("\r\n\r\n") && !answers.contains("HEAD"), "\(answers)")
        }
    }

    @Test("a connection beyond the limit is closed and counted; a header that is too large gets 431")
    func limits() async throws {
        var limits = PortLimits()
        limits.connections = 2
        limits.headerBytes = 200
        let refused = RefusedConnections()
        let large = "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: limits.headerBytes))\r\n\r\n"
        try await withPort(limits, refused) { port in
            let inside = [try await RawConnection(port: port), try await RawConnection(port: port)]
            #expect(try await RawConnection(port: port).waitForEnd() == "")
            #expect(refused.nextLine() == "refused 1 connection: limit 2")
            try await inside[0].send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await inside[0].wait(for: "GET / - localhost -\n"))
            try await inside[1].send(large)
            #expect(try await inside[1].waitForEnd().hasPrefix("HTTP/1.1 431 "))
        }
    }
}
