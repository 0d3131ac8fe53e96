import FleetEngine
import FleetEngineAPI
import SwiftProtobuf
import Testing
import TripTesting

@testable import FleetEngineGRPC

@Suite("Answers about the wrong object", .timeLimit(.minutes(1)))
struct ConfirmedAnswerTests {
    private func trips(_ names: [String], _ body: @escaping @Sendable (LiveFleetEngineClient, TripName) async throws -> Void) async throws {
        var script = FleetEngineScript()
        script.getTrip = { _, call in .with { ($0.name, $0.tripStatus) = (names[min(call.number, names.count) - 1], .new) } }
        script.getVehicle = { _, call in .with { $0.name = names[min(call.number, names.count) - 1] } }
        try await ScriptedFleetEngine(script).serve { port in
            try await withFleetEngineClient(
                endpoint: ServerEndpoint("127.0.0.1:\(port)", security: .plaintext),
                identity: .init(role: .consumer, version: "test"), tokens: nil
            ) { client in
                try await body(client, TripName("providers/demo/trips/t1"))
            }
        }
    }

    @Test(
        "an answer with another trip's name, or none, is not accepted: the call is repeated, and the next answer counts",
        arguments: [
            ("providers/demo/trips/t2", "the server answered with a different trip"), ("", "the server's answer names no trip"),
            ("t1", "the server answered with a different trip"),
            ("providers/demo/vehicles/t1", "the server answered with a different trip"),
        ])
    func mistaken(name: String, words: String) async throws {
        try await trips([name, "providers/demo/trips/t1"]) { client, asked in
            let error = await #expect(throws: FleetEngineError.self) { try await client.getTrip(GetTripRequest(name: asked)) }
            #expect(error?.message == words && error?.origin == .local && error?.errorClass() == .retryable)
            let next = try await client.getTrip(GetTripRequest(name: asked))
            #expect(next.status == .new)
        }
    }

    @Test("a provider's number instead of its id means the same trip")
    func providerNumber() async throws {
        try await trips(["providers/123456/trips/t1"]) { client, asked in
            let trip = try await client.getTrip(GetTripRequest(name: asked))
            #expect(trip.name == asked)
        }
    }

    @Test("an answer with another vehicle's name, or none, is not accepted", arguments: ["providers/demo/vehicles/v2", ""])
    func vehicles(name: String) async throws {
        try await trips([name, "providers/demo/vehicles/v1"]) { client, _ in
            let asked = try VehicleName("providers/demo/vehicles/v1")
            let error = await #expect(throws: FleetEngineError.self) { try await client.getVehicle(asked) }
            #expect(error?.errorClass() == .retryable)
            let next = try await client.getVehicle(asked)
            #expect(next.name == asked)
        }
    }
}
