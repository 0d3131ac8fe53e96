import FleetEngine
import FleetEngineAPI
import Foundation
import GRPCCore
import LocalFleetEngine
import SwiftProtobuf
import Testing

@testable import ProgramHarness

/// Sends a value to a stream for each answered call.
private struct CallReports: CallObserver {
    let call: AsyncStream<Void>.Continuation

    func note(_ call: AnsweredCall) { self.call.yield() }
}

@Suite("A server that ends connections between polls", .timeLimit(.minutes(1)))
struct IdleFollowTests {
    @Test("follow connects again for each poll, and reports nothing about it")
    func follow() async throws {
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        let engine = LocalFleetEngine(time: SystemTimeSource(), callObservers: [CallReports(call: call)])
        _ = try await engine.createTrip(
            .with {
                $0.parent = "providers/plain"
                $0.tripID = "t1"
                $0.trip.tripType = .exclusive
                $0.trip.pickupPoint.point = .with { ($0.latitude, $0.longitude) = (10, 20) }
            })
        var limits = ServerLimits()
        limits.idleSeconds = 0.2
        let server = try LocalFleetEngineServer(engine: engine, port: 0, limits: limits)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            let address = try await server.listeningAddress
            let running = try Program().start(
                ["follow", "providers/plain/trips/t1", "--endpoint", "\(address)", "--plaintext", "--interval", "1", "--output", "json"])
            for await _ in calls where server.acceptedConnections >= 4 { break }
            _ = try await engine.updateTrip(
                .with {
                    $0.name = "providers/plain/trips/t1"
                    $0.trip.tripStatus = .canceled
                    $0.updateMask.paths = ["trip_status"]
                })
            let told = String(decoding: running.output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            running.waitForEnd()
            #expect(running.process.terminationStatus == 2)
            #expect(told.contains(#""event":"end""#) && !told.contains(#""event":"error""#), "\(told)")
            server.endNow()
            group.cancelAll()
        }
    }
}
