import GRPCCore
import HTTPServing
import NIOHTTP2
import ServerHarness
import Testing

@testable import LocalFleetEngine

@Suite("Idle and stalled connections", .timeLimit(.minutes(1)))
struct IdleConnectionTests {
    @Test("a connection without a whole header in time is closed, whether silent, stopped half-way or dripping")
    func unfinishedHeader() async throws {
        try await Servers.with {
            $0.port.headerSeconds = 0.4
        } _: { servers in
            let silent = try await RawConnection(port: servers.httpPort)
            let half = try await RawConnection(port: servers.httpPort)
            try await half.send("GET /healthz HTTP/1.1\r\nHost: local")
            let dripping = try await RawConnection(port: servers.httpPort)
            try await dripping.send("GET /healthz HTTP/1.1\r\nX: ")
            dripping.drip(UInt8(ascii: "x"), every: 20)
            for connection in [silent, half, dripping] { #expect(try await connection.waitForEnd() == "") }
        }
    }

    @Test("after an answer, the time for the next header starts again; when it is over, the connection is closed")
    func afterAnswer() async throws {
        try await Servers.with {
            $0.port.headerSeconds = 0.4
        } _: { servers in
            let connection = try await RawConnection(port: servers.httpPort)
            for count in 1...3 {
                try await connection.send(Servers.health)
                #expect(await connection.wait(for: "ok\n", times: count))
            }
            #expect(try await connection.waitForEnd().hasSuffix("ok\n"))
        }
    }

    @Test("a connection that stops in the middle of a body is closed")
    func unfinishedBody() async throws {
        try await Servers.with {
            $0.port.headerSeconds = 0.4
        } _: { servers in
            let connection = try await RawConnection(port: servers.httpPort)
            try await connection.send("POST /trip/new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
            #expect(try await !connection.waitForEnd().contains("200"))
        }
    }

    @Test("a header over the limit gets 431, whether complete or not; a smaller one is read")
    func largeHeader() async throws {
        try await Servers.with { servers in
            let limit = PortLimits().headerBytes
            for ending in ["\r\n\r\n", ""] {
                let connection = try await RawConnection(port: servers.httpPort)
                try await connection.send(
                    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: limit) + ending)
                let answer = try await connection.waitForEnd()
                #expect(answer.hasPrefix("HTTP/1.1 431 "))
                // Google's libraries read the member `error`; clients of the provider API read `message`.
                let message = #""message":"the header of the request has more than 65536 bytes","status":"#
                #expect(answer.contains(#"{"error":{"code":431,\#(message)"RESOURCE_EXHAUSTED"},\#(message)431}"#), "\(answer)")
            }
            let many = try await RawConnection(port: servers.httpPort)
            try await many.send(
                "GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "Name: value\r\n", count: limit / 8) + "\r\n")
            #expect(try await many.waitForEnd().hasPrefix("HTTP/1.1 431 "))
            let path = try await RawConnection(port: servers.httpPort)
            try await path.send("GET /" + String(repeating: "x", count: limit) + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await path.waitForEnd().hasPrefix("HTTP/1.1 431 "))
            // The limit is for the total size of the path and of the names and values of the header fields.
            let rest = limit - "/healthz".utf8.count - "Host".utf8.count - "localhost".utf8.count - "X".utf8.count
            func ask(_ count: Int) async throws -> RawConnection {
                let connection = try await RawConnection(port: servers.httpPort)
                try await connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: count))\r\n\r\n")
                return connection
            }
            #expect(try await ask(rest).wait(for: "ok\n"))
            #expect(try await ask(rest + 1).waitForEnd().hasPrefix("HTTP/1.1 431 "))
        }
    }

    @Test("an unfinished TLS handshake is closed, on both ports", .enabled(if: TestCertificate.isPossible))
    func handshake() async throws {
        let certificate = try TestCertificate()
        defer { certificate.remove() }
        try await Servers.with(
            security: .tls(certificateFile: certificate.certificateFile, keyFile: certificate.keyFile)
        ) {
            $0.handshakeSeconds = 0.4
            $0.port.headerSeconds = 0.4
        } _: { servers in
            for port in [servers.grpcPort, servers.httpPort] {
                let silent = try await RawConnection(port: port)
                let half = try await RawConnection(port: port)
                // The first bytes of a TLS ClientHello, which states a length of 512 bytes.
                try await half.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
                for connection in [silent, half] { try await connection.waitForEnd() }
            }
        }
    }

    @Test("with TLS files, the provider API speaks only TLS", .enabled(if: TestCertificate.isPossible))
    func https() async throws {
        let certificate = try TestCertificate()
        defer { certificate.remove() }
        try await Servers.with(
            security: .tls(certificateFile: certificate.certificateFile, keyFile: certificate.keyFile)
        ) { servers in
            let trusting = try await RawConnection(port: servers.httpPort, trusting: certificate.certificateFile)
            try await trusting.send(Servers.health)
            #expect(await trusting.wait(for: "ok\n"))
            let plain = try await RawConnection(port: servers.httpPort)
            try await plain.send(Servers.health)
            #expect(try await !plain.waitForEnd().contains("200"))
        }
    }

    @Test("an HTTP/2 connection without any call gets GOAWAY, and is then closed; a silent one is closed")
    func neverACall() async throws {
        try await Servers.with {
            $0.firstCallSeconds = 0.4
            $0.goodbyeSeconds = 0.2
        } _: { servers in
            let silent = try await RawConnection(port: servers.grpcPort)
            let spoken = try await RawConnection(port: servers.grpcPort)
            try await spoken.send(Frames.preface)
            try await silent.waitForEnd()
            try await spoken.waitForEnd()
            #expect(Frames(spoken.receivedBytes).types.contains(Frames.goAway))
        }
    }

    @Test("a gRPC connection without calls for too long gets GOAWAY, and is then closed; each call restarts the time")
    func idle() async throws {
        try await Servers.with {
            $0.idleSeconds = 0.4
            $0.goodbyeSeconds = 0.2
        } _: { servers in
            let connection = try await RawConnection(port: servers.grpcPort)
            try await connection.send(Frames.preface)
            for number in 0..<3 {
                // The message of this call contains no trip name, so the answer is only a status.
                let stream = UInt8(2 * number + 1)
                try await connection.send(Frames.call(stream: stream, isOpen: true) + Frames.emptyMessage(stream: stream))
                #expect(await connection.wait { Frames($0).types.count { $0 == Frames.headers } > number })
            }
            let frames = Frames(connection.receivedBytes)
            #expect(!frames.types.contains(Frames.goAway))
            try await connection.waitForEnd()
            #expect(Frames(connection.receivedBytes).types.contains(Frames.goAway))
        }
    }

    @Test("refused calls do not keep a gRPC connection open, whether or not it had another call")
    func refused() async throws {
        for hadCall in [false, true] {
            try await Servers.with(gate: openGate()) {
                $0.firstCallSeconds = hadCall ? 600 : 0.4
                $0.idleSeconds = hadCall ? 0.4 : 600
                $0.goodbyeSeconds = 0.2
            } _: { servers in
                let client = try await HTTP2Client(port: servers.grpcPort)
                if hadCall {
                    try await client.begin(1, "/grpc.health.v1.Health/Check")
                    try await client.send(1, bytes: [0, 0, 0, 0, 0])
                    #expect(await client.answer(1)?.status == "0")
                }
                let ends = ["/maps.fleetengine.v1.TripService/GetTrip": "16", "/no/method": "12"]
                var next = 3
                repeat {
                    for (path, status) in ends {
                        guard (try? await client.begin(HTTP2StreamID(next), path)) != nil else { continue }
                        let answer = await client.answer(HTTP2StreamID(next))
                        #expect(answer?.isOver != true || answer?.status == status)
                        next += 2
                    }
                } while servers.grpc.connectionCount > 0
            }
        }
    }

    @Test("a gRPC call's header at the limit is read; with one more byte, only the call ends; at over twice the limit, the connection ends")
    func largeCallHeader() async throws {
        try await Servers.with { servers in
            let limit = PortLimits().headerBytes
            let fitting = try await RawConnection(port: servers.grpcPort)
            try await fitting.send(Frames.preface + Frames.call(stream: 1, size: limit))
            #expect(await fitting.wait { Frames($0).types.contains(Frames.headers) })
            #expect(!Frames(fitting.receivedBytes).types.contains(Frames.goAway))
            for (stream, size) in [(3, limit + 1), (5, 2 * limit), (7, limit)] as [(UInt8, Int)] {
                try await fitting.send(Frames.call(stream: stream, size: size))
                #expect(await fitting.wait { Frames($0).types(ofStream: stream) == [Frames.headers] }, "\(size)")
            }
            #expect(!Frames(fitting.receivedBytes).types.contains(Frames.goAway))
            let large = try await RawConnection(port: servers.grpcPort)
            try await large.send(Frames.preface + Frames.call(stream: 1, size: 2 * limit + 1))
            try await large.waitForEnd()
            let types = Frames(large.receivedBytes).types
            #expect(types.contains(Frames.goAway) && !types.contains(Frames.headers))
            #expect(try await servers.call() == .notFound)
        }
    }

    @Test("a gRPC call with a large header is RESOURCE_EXHAUSTED; calls under way on the same connection go on")
    func largeHeaderAmongCalls() async throws {
        try await Servers.with {
            $0.port.headerBytes = 1_000
        } _: { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            let path = "/maps.fleetengine.v1.TripService/GetTrip"
            try await client.begin(1, path)
            try await client.begin(3, path, fields: ["x": String(repeating: "x", count: 1_000)])
            #expect(await client.answer(3)?.status == "8")
            try await client.send(1, bytes: [0, 0, 0, 0, 0])
            #expect(await client.answer(1)?.status == "3")
            await client.close()
        }
    }

    @Test("a gRPC connection may have as many calls under way as its settings state; one more is refused alone")
    func callsUnderWay() async throws {
        try await Servers.with {
            $0.callsPerConnection = 3
        } _: { servers in
            let connection = try await RawConnection(port: servers.grpcPort)
            try await connection.send(Frames.preface)
            // The bytes of SETTINGS_MAX_CONCURRENT_STREAMS with the value 3.
            let told: [UInt8] = [0, 3, 0, 0, 0, 3]
            #expect(await connection.wait { bytes in bytes.indices.contains { bytes[$0...].starts(with: told) } })
            for number in 0..<3 { try await connection.send(Frames.call(stream: UInt8(2 * number + 1), isOpen: true)) }
            try await connection.send(Frames.settled)
            #expect(await connection.wait { Frames($0).types.contains(Frames.ping) })
            #expect(!Frames(connection.receivedBytes).types.contains(Frames.goAway))
            for stream in [7, 9] as [UInt8] {
                try await connection.send(Frames.call(stream: stream, isOpen: true) + Frames.emptyMessage(stream: stream))
                #expect(await connection.wait { Frames($0).types(ofStream: stream) == [Frames.reset] })
            }
            // When a call ends, another call is accepted.
            try await connection.send(Frames.emptyMessage(stream: 1))
            #expect(await connection.wait { Frames($0).types(ofStream: 1).contains(Frames.headers) })
            try await connection.send(Frames.call(stream: 11, isOpen: true) + Frames.emptyMessage(stream: 11))
            #expect(await connection.wait { Frames($0).types(ofStream: 11).contains(Frames.headers) })
            #expect(!Frames(connection.receivedBytes).types.contains(Frames.goAway))
            await connection.close()
        }
    }

    @Test("a gRPC call whose message is late is answered and ended; other calls go on")
    func unfinishedRequest() async throws {
        try await Servers.with {
            $0.requestSeconds = 0.3
        } _: { servers in
            let connection = try await RawConnection(port: servers.grpcPort)
            // This call runs until the client ends it.
            try await connection.send(
                Frames.preface + Frames.call(stream: 1, isOpen: true, path: "/grpc.health.v1.Health/Watch") + Frames.emptyMessage(stream: 1)
            )
            try await connection.send(Frames.call(stream: 3, isOpen: true))
            try await connection.send(Frames.call(stream: 5, isOpen: true) + Frames.emptyMessage(stream: 5, isWhole: false))
            #expect(
                await connection.wait { bytes in
                    [3, 5].allSatisfy { Frames(bytes).types(ofStream: $0).starts(with: [Frames.headers, Frames.reset]) }
                })
            try await connection.send(Frames.call(stream: 7, isOpen: true) + Frames.emptyMessage(stream: 7))
            #expect(await connection.wait { Frames($0).types(ofStream: 7).contains(Frames.headers) })
            let frames = Frames(connection.receivedBytes)
            #expect(!frames.types.contains(Frames.goAway) && !frames.types(ofStream: 1).contains(Frames.reset))
            await connection.close()
        }
    }

    @Test("a gRPC call that ends with its header is answered")
    func noMessage() async throws {
        try await Servers.with { servers in
            let connection = try await RawConnection(port: servers.grpcPort)
            let path = "/maps.fleetengine.v1.TripService/GetTrip"
            try await connection.send(Frames.preface + Frames.call(stream: 1, path: path))
            #expect(await connection.wait { Frames($0).types(ofStream: 1).contains(Frames.headers) })
            await connection.close()
        }
    }
}
