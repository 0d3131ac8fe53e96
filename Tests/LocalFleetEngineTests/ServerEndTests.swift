import FleetEngine
import GRPCCore
import GRPCServing
import ServerHarness
import Testing

@testable import LocalFleetEngine

@Suite("The shutdown of a server", .timeLimit(.minutes(1)))
struct ServerEndTests {
    /// A GetTrip method whose calls wait until the test releases them, and then fail.
    private final class Holding: Sendable {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (permissions, permission) = AsyncStream.makeStream(of: Void.self)

        var methods: [String: GRPCMethod] {
            [
                "/maps.fleetengine.v1.TripService/GetTrip": .unary { [arrival, permissions] _, _ in
                    arrival.yield()
                    _ = await permissions.first { _ in true }
                    throw FleetEngineError(code: .notFound, message: "there is none")
                }
            ]
        }
    }

    @Test("a call under way is answered; silent and idle connections do not delay the shutdown")
    func graceful() async throws {
        let holding = Holding()
        try await Servers.with(methods: holding.methods) {
            $0.goodbyeSeconds = 0.2
        } _: { servers in
            let silent = [try await RawConnection(port: servers.grpcPort), try await RawConnection(port: servers.httpPort)]
            let idle = try await RawConnection(port: servers.grpcPort)
            try await idle.send(Frames.preface)
            #expect(await idle.wait(for: "\u{0}\u{4}"))
            async let answer = servers.call()
            _ = await holding.arrivals.first { _ in true }
            servers.grpc.beginGracefulShutdown()
            servers.http.beginGracefulShutdown()
            for connection in silent + [idle] { try await connection.waitForEnd() }
            holding.permission.yield()
            #expect(try await answer == .notFound)
            while servers.grpc.connectionCount + servers.http.connectionCount > 0 { await Task.yield() }
            await #expect(throws: (any Error).self) { try await RawConnection(port: servers.httpPort) }
        }
    }

    @Test("a request under way is answered before the HTTP server ends")
    func gracefulHTTP() async throws {
        try await Servers.with { servers in
            let request = try await RawConnection(port: servers.httpPort)
            let body = #"{"vehicleId":"car"}"#
            try await request.send("POST /vehicle/new HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n{")
            try await request.waitUntilRead()
            let other = try await RawConnection(port: servers.httpPort)
            try await other.send(Servers.health)
            #expect(await other.wait(for: "ok\n"))
            servers.http.beginGracefulShutdown()
            try await other.waitForEnd()
            try await request.send(String(body.dropFirst()))
            #expect(try await request.waitForEnd().hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test("a cancelled server ends, whether it is listening yet or not", arguments: 0..<20)
    func cancelled(yields: Int) async throws {
        let server = try LocalFleetEngineServer(engine: LocalFleetEngine(time: SystemTimeSource()), port: 0)
        let serving = Task { try? await server.serve() }
        for _ in 0..<yields * yields { await Task.yield() }
        serving.cancel()
        await serving.value
        await #expect(throws: LocalFleetEngineServer.ListenError.self) { _ = try await server.listeningAddress }
    }

    @Test("a connection that does not come to an end is cut off")
    func cutOff() async throws {
        let holding = Holding()
        try await Servers.with(methods: holding.methods) { servers in
            async let answer = servers.call()
            _ = await holding.arrivals.first { _ in true }
            servers.grpc.endNow()
            let code = try await answer
            #expect(code == .unavailable)
        }
    }
}
