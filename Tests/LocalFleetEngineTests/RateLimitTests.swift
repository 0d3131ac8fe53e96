import FleetEngine
import FleetEngineAccess
import Foundation
import NIOCore
import NIOHTTP2
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("Callers who make calls too fast", .timeLimit(.minutes(1)))
struct RateLimitTests {
    private static func with(gate: AccessGate?, _ body: (Servers) async throws -> Void) async throws {
        var options = EngineOptions()
        options.limits.callsPerSecond = 1
        let engine = LocalFleetEngine(state: FleetEngineState(options: options), time: SystemTimeSource())
        try await Servers.with(gate: gate, engine: engine) { try await body($0) }
    }

    /// Repeats a request until it is refused.
    private func refusal(
        _ servers: Servers, _ path: String, authorization: String? = nil
    ) async throws -> (status: Int, text: String, headers: (String) -> String?) {
        var answer = try await servers.ask("GET", path, authorization: authorization)
        while answer.status != 429 { answer = try await servers.ask("GET", path, authorization: authorization) }
        return answer
    }

    /// Makes gRPC calls with an unreadable message until one is refused because there were too many.
    private func refusedCall(_ client: HTTP2Client, from first: Int = 1, authorization: String? = nil) async throws -> HTTP2Client.Answer {
        var number = first
        while true {
            let stream = HTTP2StreamID(number)
            let fields = authorization.map { ["authorization": $0] } ?? [:]
            try await client.begin(stream, "/maps.fleetengine.v1.TripService/GetTrip", fields: fields)
            // The server may have refused the call already, so a failure to send is not an error.
            try? await client.send(stream, bytes: [0, 0, 0, 0, 1, 0xFF])
            let answer = try #require(await client.answer(stream))
            if answer.status == "8" { return answer }
            number += 2
        }
    }

    @Test("over gRPC an address without a token gets RESOURCE_EXHAUSTED with RetryInfo, before its message is read")
    func grpc() async throws {
        try await Self.with(gate: nil) { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            let answer = try await refusedCall(client)
            #expect(answer.message?.contains("1 calls a second") == true)
            var details = try #require(answer.details)
            details += String(repeating: "=", count: (4 - details.utf8.count % 4) % 4)
            let bytes = try #require(Data(base64Encoded: details))
            #expect(String(decoding: bytes, as: UTF8.self).contains("type.googleapis.com/google.rpc.RetryInfo"))
            #expect(servers.engine.metrics.count(.getTrip, .resourceExhausted) == 1)
            await client.close()
        }
    }

    @Test("health checks are not counted, and an address above its limit still gets their answers")
    func healthChecks() async throws {
        try await Self.with(gate: nil) { servers in
            for _ in 0..<10 { #expect(try await servers.ask("GET", "/healthz").status == 200) }
            _ = try await refusal(servers, "/trip/t1")
            for path in ["/healthz", "/readyz"] { #expect(try await servers.ask("GET", path).status == 200, "\(path)") }
        }
    }

    @Test("over HTTP every other path answers 429 with Retry-After, REST with the body of google.rpc")
    func http() async throws {
        for path in ["/", "/trip/t1", "/no/such/path", "/car/key/osmand"] {
            try await Self.with(gate: nil) { servers in
                let answer = try await refusal(servers, path)
                #expect(answer.headers("retry-after") == "1" && answer.text.contains("\"status\":429"), "\(path) \(answer.text)")
            }
        }
        for path in ["/v1/providers/plain/trips/t1", "/v1/no/such/path"] {
            try await Self.with(gate: nil) { servers in
                let answer = try await refusal(servers, path)
                #expect(answer.headers("retry-after") == "1" && answer.text.contains("\"status\":\"RESOURCE_EXHAUSTED\""), "\(answer.text)")
                #expect(answer.text.contains("google.rpc.RetryInfo") && answer.text.contains("\"code\":429"), "\(answer.text)")
            }
        }
    }

    @Test("a token's account and ids are a separate caller: when it is refused, another token and the address are still served")
    func tokens() async throws {
        let gate = openGate()
        func token(_ trip: String) async throws -> String {
            "Bearer \(try await gate.mint(.consumer, tripID: trip, vehicleID: nil).secret)"
        }
        let (first, other) = (try await token("t1"), try await token("t2"))
        try await Self.with(gate: gate) { servers in
            let path = "/v1/providers/plain/trips/"
            #expect(try await refusal(servers, path + "t1", authorization: first).text.contains("RESOURCE_EXHAUSTED"))
            #expect(try await servers.ask("GET", path + "t2", authorization: other).status == 404)
            #expect(try await servers.ask("GET", "/healthz").status == 200)
            let client = try await HTTP2Client(port: servers.grpcPort)
            _ = try await refusedCall(client, authorization: other)
            await client.close()
        }
    }

    @Test("an address that sent wrong tokens is refused before the next one is checked; callers with known tokens are still served")
    func wrongTokens() async throws {
        let gate = openGate()
        let token = "Bearer \(try await gate.mint(.consumer, tripID: "t1", vehicleID: nil).secret)"
        _ = try await gate.grant(authorization: token)
        try await Self.with(gate: gate) { servers in
            let path = "/v1/providers/plain/trips/t1"
            _ = try await refusal(servers, path, authorization: "Bearer a.b.c")
            #expect(try await servers.ask("GET", path, authorization: token).status == 404)
        }
    }
}
