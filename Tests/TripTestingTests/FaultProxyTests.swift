import FleetEngine
import FleetEngineAPI
import FleetEngineGRPC
import SwiftProtobuf
import Testing

@testable import TripTesting

@Suite("A proxy that injects faults into connections", .timeLimit(.minutes(1)))
struct FaultProxyTests {
    /// Runs `body` with a client whose connection goes through a proxy with this fault.
    private func withClient(
        _ fault: ConnectionFault, _ body: @escaping @Sendable (FaultProxy, LiveFleetEngineClient) async throws -> Void
    ) async throws {
        let engine = ScriptedFleetEngine { request, _, _ in
            .with {
                $0.name = request.name
                $0.tripStatus = .new
            }
        }
        try await engine.serve { port in
            try await FaultProxy.with(to: port, fault) { proxy in
                try await withFleetEngineClient(
                    endpoint: ServerEndpoint(proxy.address, security: .plaintext),
                    identity: ClientIdentity(role: .server, version: "test"), tokens: nil
                ) { client in try await body(proxy, client) }
            }
        }
    }

    private static func ask(_ client: LiveFleetEngineClient) async throws -> FleetEngineError? {
        let name = try TripName(provider: "p", trip: "t")
        do throws(FleetEngineError) {
            _ = try await client.getTrip(GetTripRequest(name: name))
            return nil
        } catch {
            return error
        }
    }

    private static let breaking: [ConnectionFault] =
        [
            .refuse, .blackHole, .halfOpen, .cut(afterBytes: 0), .cut(afterBytes: 20), .reset(afterBytes: 0), .reset(afterBytes: 20),
            .corrupt(afterBytes: 0), .answer(Array("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".utf8)),
        ] + FrameFault.allCases.map { .frame($0) }

    @Test("each fault fails a first call, and a later one succeeds once the fault is over", arguments: breaking)
    func failsAndHeals(_ fault: ConnectionFault) async throws {
        try await withClient(fault) { proxy, client in
            #expect(try await Self.ask(client) != nil)
            try await proxy.set(.none)
            // After a fault, the client may wait before it connects again.
            while try await Self.ask(client) != nil {}
        }
    }

    @Test("each fault affects a connection that has worked, and another connection works later", arguments: breaking)
    func strikesOpenConnection(_ fault: ConnectionFault) async throws {
        try await withClient(.none) { proxy, client in
            while try await Self.ask(client) != nil {}
            try await proxy.set(fault)
            #expect(try await Self.ask(client) != nil)
            try await proxy.set(.none)
            while try await Self.ask(client) != nil {}
            #expect(proxy.connectionCount >= 2)
        }
    }

    @Test(
        "late and slow bytes arrive completely and in order",
        arguments: [ConnectionFault.delay(milliseconds: 50), .drip(bytes: 3, milliseconds: 1)])
    func slow(_ fault: ConnectionFault) async throws {
        try await withClient(fault) { proxy, client in
            for _ in 0..<3 {
                let error = try await Self.ask(client)
                #expect(error == nil)
            }
            #expect(proxy.connectionCount == 1)
        }
    }
}

@Suite("The server's bytes under a fault")
struct ServerBytesTests {
    private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
    private static let head: [UInt8] = [0, 0, 2, 1, 4, 0, 0, 0, 1]
    private static let data: [UInt8] = [0, 0, 3, 0, 0, 0, 0, 0, 1]
    private static let trailer: [UInt8] = [0, 0, 1, 1, 5, 0, 0, 0, 1]
    private static let answer = settings + head + [7, 7] + data + [8, 8, 8] + trailer + [9]

    /// Sends an answer in pieces of `size` bytes through the proxy. Returns the bytes that the proxy lets through, and
    /// the proxy's last step.
    private func passed(_ fault: FrameFault, parts size: Int) -> (bytes: [UInt8], last: ServerBytes.Step?) {
        var bytes = ServerBytes()
        var steps: [ServerBytes.Step] = []
        for start in stride(from: 0, to: Self.answer.count, by: size) {
            steps += bytes.steps(for: Array(Self.answer.dropFirst(start).prefix(size)), .frame(fault), era: 1)
        }
        let all = steps.flatMap { step -> [UInt8] in
            guard case .pass(let bytes, _) = step else { return [] }
            return bytes
        }
        return (all, steps.last)
    }

    @Test("a fault finds its frame, wherever the pieces begin", arguments: [1, 5, 9, 1_000])
    func frames(size: Int) {
        let beforeData = Self.settings + Self.head + [7, 7]
        let expected: [(FrameFault, [UInt8])] = [
            (.cutHead, Self.settings + Self.head), (.cutMessage, beforeData + Self.data),
            (.cutTrailer, beforeData + Self.data + [8, 8, 8] + Self.trailer),
            (.goAway, Self.settings + [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            (.resetStream, Self.settings + [0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 2]),
        ]
        #expect(passed(.goAways, parts: size).bytes.count == Self.settings.count + 17_000)
        for (fault, bytes) in expected {
            let result = passed(fault, parts: size)
            #expect(result.bytes == bytes && result.last == .end, "\(fault)")
        }
    }

    @Test("a frame head whose beginning passed before the fault passes once")
    func head() {
        var bytes = ServerBytes()
        let first = bytes.steps(for: Array(Self.settings.prefix(4)), .none, era: 0)
        #expect(first == [.pass(Array(Self.settings.prefix(4)))])
        let second = bytes.steps(for: Array(Self.settings.dropFirst(4)), .frame(.cutHead), era: 1)
        #expect(second == [.pass(Array(Self.settings.dropFirst(4)))])
    }

    @Test("bytes are counted from the beginning of a fault, and none pass after its end")
    func counted() {
        var bytes = ServerBytes()
        let whole = bytes.steps(for: [1, 2, 3], .none, era: 0)
        #expect(whole == [.pass([1, 2, 3])])
        let first = bytes.steps(for: [4, 5], .cut(afterBytes: 3), era: 1)
        let second = bytes.steps(for: [6, 7], .cut(afterBytes: 3), era: 1)
        let third = bytes.steps(for: [8], .none, era: 2)
        #expect(first == [.pass([4, 5])] && second == [.pass([6]), .end] && third.isEmpty)
    }

    @Test("corrupt bytes have all their bits inverted")
    func corrupt() {
        var bytes = ServerBytes()
        let steps = bytes.steps(for: [1, 2, 0xFF], .corrupt(afterBytes: 1), era: 1)
        #expect(steps == [.pass([1, 0xFD, 0])])
    }
}
