import GRPCCore
import HTTPServing
import ServerHarness
import Testing

@testable import LocalFleetEngine

@Suite("Connections beyond the limit", .timeLimit(.minutes(1)))
struct TooManyConnectionsTests {
    @Test("a connection beyond the limit is accepted, closed at once and counted; open ones go on, and a freed slot is used again")
    func http() async throws {
        try await Servers.with {
            $0.port.connections = 3
        } _: { servers in
            var inside: [RawConnection] = []
            for _ in 1...3 {
                let connection = try await RawConnection(port: servers.httpPort)
                try await connection.send(Servers.health)
                #expect(await connection.wait(for: "ok\n"))
                inside.append(connection)
            }
            for _ in 1...2 { #expect(try await RawConnection(port: servers.httpPort).waitForEnd() == "") }
            #expect(servers.refused.nextLine() == "refused 2 connections: limit 3")
            #expect(servers.refused.nextLine() == nil)
            try await inside[0].send(Servers.health.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"))
            try await inside[0].waitForEnd()
            var isServed = false
            while !isServed {
                let next = try await RawConnection(port: servers.httpPort)
                try? await next.send(Servers.health)
                isServed = await next.wait(for: "ok\n")
            }
            try await inside[1].send(Servers.health)
            #expect(await inside[1].wait(for: "ok\n", times: 2))
        }
    }

    @Test("each port has its own limit")
    func grpc() async throws {
        try await Servers.with {
            $0.port.connections = 2
        } _: { servers in
            var inside: [RawConnection] = []
            for _ in 1...2 {
                let connection = try await RawConnection(port: servers.grpcPort)
                try await connection.send(Frames.preface)
                // Waits until the server has sent its settings frame, that is, has accepted the connection.
                #expect(await connection.wait(for: "\u{0}\u{4}"))
                inside.append(connection)
            }
            #expect(try await RawConnection(port: servers.grpcPort).waitForEnd() == "")
            #expect(servers.refused.nextLine() == "refused 1 connection: limit 2")
            let other = try await RawConnection(port: servers.httpPort)
            try await other.send(Servers.health)
            #expect(await other.wait(for: "ok\n"))
            for connection in inside { await connection.close() }
            while servers.grpc.connectionCount > 0 { await Task.yield() }
            #expect(try await servers.call() == .notFound)
        }
    }

    @Test("an address may have only a limited number of connections at a port; when one ends, another may open")
    func address() async throws {
        try await Servers.with {
            $0.port.connectionsPerAddress = 2
        } _: { servers in
            var inside: [RawConnection] = []
            for _ in 1...2 {
                let connection = try await RawConnection(port: servers.grpcPort)
                try await connection.send(Frames.preface)
                #expect(await connection.wait(for: "\u{0}\u{4}"))
                inside.append(connection)
            }
            #expect(try await RawConnection(port: servers.grpcPort).waitForEnd() == "")
            #expect(servers.refused.nextLine() == "refused 1 connection: limit 2 per address")
            await inside[0].close()
            while servers.grpc.connectionCount > 1 { await Task.yield() }
            #expect(try await servers.call() == .notFound)
        }
    }
}
