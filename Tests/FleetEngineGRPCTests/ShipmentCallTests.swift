import FleetEngine
import FleetEngineAPI
import GRPCCore
import SwiftProtobuf
import Testing
import TripTesting

@testable import FleetEngineGRPC

@Suite("Calls about shipments", .timeLimit(.minutes(1)))
struct ShipmentCallTests {
    /// A source of tokens. The text of a token describes the context for which it was requested.
    private struct Source: AccessTokenProvider {
        let canRenew = true

        func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
            AccessToken(secret: "for-\(context.trackingID ?? "nothing")")
        }
    }

    private func shipments(
        tokens: AccessTokenCache? = nil, _ script: FleetEngineScript,
        _ body: @escaping @Sendable (LiveFleetEngineClient, TaskTrackingName) async throws -> Void
    ) async throws {
        try await ScriptedFleetEngine(script).serve { port in
            try await withFleetEngineClient(
                endpoint: ServerEndpoint("127.0.0.1:\(port)", security: .plaintext),
                identity: .init(role: .consumer, version: "test"), tokens: tokens
            ) { client in
                try await body(client, TaskTrackingName("providers/demo/taskTrackingInfo/P-1"))
            }
        }
    }

    @Test("a shipment is read with the token of its tracking id, in the requested language")
    func read() async throws {
        var script = FleetEngineScript()
        script.getTaskTrackingInfo = { request, call in
            #expect(Array(call.metadata[stringValues: "authorization"]) == ["Bearer for-P-1"])
            #expect(request.header.languageCode == "de" && request.header.regionCode == "US" && request.header.sdkType == .consumer)
            return .with {
                $0.name = request.name
                $0.state = .open
                $0.remainingStopCount = .init(3)
            }
        }
        try await shipments(tokens: AccessTokenCache(provider: Source(), time: SystemTimeSource()), script) { client, name in
            let shipment = try await client.getTaskTrackingInfo(name, header: TripRequestHeader(languageCode: "de"))
            #expect(shipment == TaskTrackingInfo(name: name, state: .open, remainingStopCount: 3))
        }
    }

    @Test("an answer with another shipment's name, or with no name but a state, is not accepted: the call is repeated")
    func mistaken() async throws {
        for (name, words) in [
            ("providers/demo/taskTrackingInfo/P-2", "the server answered with a different shipment"),
            ("", "the server's answer names no shipment"),
        ] {
            var script = FleetEngineScript()
            script.getTaskTrackingInfo = { _, _ in
                .with {
                    $0.name = name
                    $0.state = .open
                }
            }
            try await shipments(script) { client, asked in
                let error = await #expect(throws: FleetEngineError.self) { try await client.getTaskTrackingInfo(asked) }
                #expect(error?.message == words && error?.errorClass() == .retryable)
            }
        }
    }

    @Test("an empty answer is a shipment of unknown state, and NOT_FOUND is an error")
    func missing() async throws {
        var script = FleetEngineScript()
        script.getTaskTrackingInfo = { _, call in
            guard call.number == 1 else { throw RPCError(code: .notFound, message: "no such shipment") }
            return .init()
        }
        try await shipments(script) { client, name in
            let shipment = try await client.getTaskTrackingInfo(name)
            #expect(shipment == TaskTrackingInfo(name: name))
            let error = await #expect(throws: FleetEngineError.self) { try await client.getTaskTrackingInfo(name) }
            #expect(error?.code == .notFound)
        }
    }
}
