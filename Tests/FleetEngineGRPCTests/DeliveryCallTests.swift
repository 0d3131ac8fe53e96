import FleetEngine
import FleetEngineAPI
import GRPCCore
import SwiftProtobuf
import Testing
import TripTesting

@testable import FleetEngineGRPC

@Suite("Calls of a delivery vehicle's driver", .timeLimit(.minutes(1)))
struct DeliveryCallTests {
    /// A source of tokens. The text of a token describes the context for which it was requested.
    private struct Source: AccessTokenProvider {
        let canRenew = true

        func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
            AccessToken(secret: "for-\(context.vehicleID ?? "nothing")")
        }
    }

    private func deliver(
        as vehicleID: String?, _ script: FleetEngineScript,
        _ body: @escaping @Sendable (LiveFleetEngineClient, DeliveryVehicleName) async throws -> Void
    ) async throws {
        let tokens = AccessTokenCache(provider: Source(), time: SystemTimeSource())
        try await ScriptedFleetEngine(script).serve { port in
            try await withFleetEngineClient(
                endpoint: ServerEndpoint("127.0.0.1:\(port)", security: .plaintext),
                identity: .init(role: .driver, vehicleID: vehicleID, version: "test"), tokens: tokens
            ) { client in
                try await body(client, DeliveryVehicleName("providers/demo/deliveryVehicles/van"))
            }
        }
    }

    @Test("every call of a driver carries the token of its vehicle")
    func driver() async throws {
        var script = FleetEngineScript()
        script.getDeliveryVehicle = { request, call in
            #expect(Array(call.metadata[stringValues: "authorization"]) == ["Bearer for-van"])
            return .with {
                $0.name = request.name
                $0.type = .bicycle
            }
        }
        script.updateDeliveryVehicle = { request, call in
            #expect(Array(call.metadata[stringValues: "authorization"]) == ["Bearer for-van"])
            #expect(request.updateMask.paths == ["remaining_vehicle_journey_segments"])
            return request.deliveryVehicle
        }
        script.updateTask = { request, call in
            #expect(Array(call.metadata[stringValues: "authorization"]) == ["Bearer for-van"])
            return request.task
        }
        try await deliver(as: "van", script) { client, name in
            #expect(try await client.getDeliveryVehicle(name) == DeliveryVehicle(name: name, type: .bicycle))
            _ = try await client.updateDeliveryVehicle(name, DeliveryVehicleUpdate(fields: [.stops]))
            let task = try TaskName(provider: "demo", task: "t1")
            #expect(try await client.updateTask(TaskOutcomeRequest(name: task, outcome: .failed)).outcome == .failed)
        }
    }

    @Test("a provider creates a vehicle and its tasks with tokens for them")
    func provider() async throws {
        var script = FleetEngineScript()
        script.createDeliveryVehicle = { request, call in
            #expect(Array(call.metadata[stringValues: "authorization"]) == ["Bearer for-van"])
            #expect(request.deliveryVehicleID == "van")
            return request.deliveryVehicle
        }
        script.batchCreateTasks = { request, call in
            #expect(Array(call.metadata[stringValues: "authorization"]) == ["Bearer for-*"])
            #expect(request.parent == "providers/demo" && request.requests.map(\.taskID) == ["t1"])
            return .with { $0.tasks = request.requests.map(\.task) }
        }
        try await deliver(as: nil, script) { client, name in
            #expect(try await client.createDeliveryVehicle(DeliveryVehicle(name: name)).name == name)
            let task = DeliveryTask(
                name: try TaskName(provider: "demo", task: "t1"), type: .scheduledStop, state: .open, durationSeconds: 60)
            #expect(try await client.batchCreateTasks([task], of: "demo") == [task])
        }
    }

    @Test("an answer with another vehicle's name is not accepted")
    func mistaken() async throws {
        var script = FleetEngineScript()
        script.getDeliveryVehicle = { _, _ in .with { $0.name = "providers/demo/deliveryVehicles/bike" } }
        try await deliver(as: "van", script) { client, name in
            let error = await #expect(throws: FleetEngineError.self) { try await client.getDeliveryVehicle(name) }
            #expect(error?.message == "the server answered with a different delivery vehicle")
        }
    }
}
