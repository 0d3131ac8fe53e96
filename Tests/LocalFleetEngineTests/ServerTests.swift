import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import HTTPServing
import Testing

@testable import LocalFleetEngine

@Suite("The engine on a socket", .timeLimit(.minutes(1)))
struct ServerTests {
    /// The addresses to listen on. Containers without IPv6 have no `::1`.
    private static var hosts: [String] {
        let addresses = FileManager.default.contents(atPath: "/proc/net/if_inet6").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let hasLoopback = addresses.contains("00000000000000000000000000000001")
        return ["127.0.0.1", "localhost"] + (hasLoopback ? ["::1", "[::1]"] : [])
    }

    private func withServer(
        host: String = "127.0.0.1", _ body: (LocalFleetEngineServer, LocalFleetEngineServer.Address) async throws -> Void
    ) async throws {
        let server = try LocalFleetEngineServer(engine: LocalFleetEngine(time: SystemTimeSource()), host: host, port: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            let address = try await server.listeningAddress
            try await body(server, address)
            server.beginGracefulShutdown()
            try await group.waitForAll()
        }
    }

    private func code(_ address: LocalFleetEngineServer.Address, _ name: String) async throws -> RPCError.Code? {
        let target: any ResolvableTarget =
            address.host.contains(":")
            ? .ipv6(address: address.host, port: address.port) : .ipv4(address: address.host, port: address.port)
        return try await withGRPCClient(transport: try .http2NIOPosix(target: target, transportSecurity: .plaintext)) { client in
            var get = WireGetTripRequest()
            get.name = name
            do {
                _ = try await WireTripService.Client(wrapping: client).getTrip(get)
                return nil
            } catch let error as RPCError { return error.code }
        }
    }

    @Test(
        "the server listens on a free port, reports it, answers, and ends when asked", arguments: Self.hosts)
    func serves(host: String) async throws {
        try await withServer(host: host) { server, address in
            #expect(address.port > 0 && server.requestedAddress.port == 0)
            #expect(address.description == (address.host == "::1" ? "[::1]:\(address.port)" : "127.0.0.1:\(address.port)"))
            let code = try await code(address, "providers/plain/trips/t1")
            #expect(code == .notFound)
        }
    }

    @Test("a port that is in use is reported with a message")
    func portTaken() async throws {
        try await withServer { _, address in
            let second = try LocalFleetEngineServer(engine: LocalFleetEngine(time: SystemTimeSource()), port: address.port)
            let error = await #expect(throws: LocalFleetEngineServer.ListenError.self) { try await second.serve() }
            #expect(error?.description == "cannot listen on \(address): another program already uses this port")
            await #expect(throws: LocalFleetEngineServer.ListenError.self) { _ = try await second.listeningAddress }
        }
    }

    @Test(
        "an invalid address is refused",
        arguments: [("nowhere.example", 1), ("", 1), ("1.2.3", 1), ("127.0.0.1", -1), ("127.0.0.1", 65_536)])
    func badAddress(host: String, port: Int) {
        #expect(throws: LocalFleetEngineServer.ListenError.self) {
            _ = try LocalFleetEngineServer(engine: LocalFleetEngine(time: SystemTimeSource()), host: host, port: port)
        }
    }

    @Test("a request over the size limit is refused with the right code, one at the limit is read, and the server goes on")
    func tooLarge() async throws {
        try await withServer { _, address in
            let limit = ServerLimits().messageBytes
            // In the message, the tag and the length of the name need five bytes.
            for (bytes, expected) in [(limit, RPCError.Code.invalidArgument), (limit + 1, .resourceExhausted)] {
                let code = try await code(address, String(repeating: "x", count: bytes - 5))
                #expect(code == expected, "\(bytes)")
            }
            // If a message is far too large, the server ends the call before it has read all of it.
            let huge = try await code(address, String(repeating: "x", count: 2 * limit))
            #expect(huge != nil && huge != .invalidArgument)
            let small = try await code(address, "providers/plain/trips/t1")
            #expect(small == .notFound)
        }
    }
}
