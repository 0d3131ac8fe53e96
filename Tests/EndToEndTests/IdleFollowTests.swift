import FleetEngine
import FleetEngineAPI
import Foundation
import GRPCCore
import LocalFleetEngine
import SwiftProtobuf
import Testing

/// Reports the connection of each call.
private struct CallLog: ServerInterceptor {
    let call: AsyncStream<String>.Continuation

    func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingServerRequest<Input>, context: ServerContext,
        next: @Sendable (StreamingServerRequest<Input>, ServerContext) async throws -> StreamingServerResponse<Output>
    ) async throws -> StreamingServerResponse<Output> {
        call.yield(context.remotePeer)
        return try await next(request, context)
    }
}

@Suite("A server that ends connections between polls", .timeLimit(.minutes(1)))
struct IdleFollowTests {
    @Test("follow connects again with each poll, and has nothing to tell of it")
    func follow() async throws {
        let engine = LocalFleetEngine(time: SystemTimeSource())
        _ = try await engine.createTrip(
            .with {
                $0.parent = "providers/plain"
                $0.tripID = "t1"
                $0.trip.tripType = .exclusive
                $0.trip.pickupPoint.point = .with { ($0.latitude, $0.longitude) = (10, 20) }
            })
        var limits = ServerLimits()
        limits.idleSeconds = 0.2
        let (calls, call) = AsyncStream.makeStream(of: String.self)
        let server = try LocalFleetEngineServer(engine: engine, port: 0, limits: limits, interceptors: [CallLog(call: call)])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            let address = try await server.listeningAddress
            let running = try Program().start(
                ["follow", "providers/plain/trips/t1", "--endpoint", "\(address)", "--plaintext", "--interval", "1", "--output", "json"])
            var connections: Set<String> = []
            for await connection in calls {
                connections.insert(connection)
                if connections.count == 4 { break }
            }
            _ = try await engine.updateTrip(
                .with {
                    $0.name = "providers/plain/trips/t1"
                    $0.trip.tripStatus = .canceled
                    $0.updateMask.paths = ["trip_status"]
                })
            let told = String(decoding: running.output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            running.process.waitUntilExit()
            #expect(running.process.terminationStatus == 2)
            #expect(told.contains(#""event":"end""#) && !told.contains(#""event":"error""#), "\(told)")
            server.endNow()
            group.cancelAll()
        }
    }
}
