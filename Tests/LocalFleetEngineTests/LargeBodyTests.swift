import EngineWorld
import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import GRPCServing
import NIOCore
import NIOHTTP2
import NIOPosix
import ServerHarness
import SwiftProtobuf
import Testing

@testable import LocalFleetEngine

@Suite("Large bodies beside other calls", .timeLimit(.minutes(2)))
struct LargeBodyTests {
    /// JSON of 90 KB that no call accepts. It is long enough to be decoded on `DecodingThread`.
    private static let json = "{\"waypoints\":[" + Array(repeating: "{}", count: 30_000).joined(separator: ",") + "]}"

    /// A message with far too many tasks.
    private static let tasks = WireBatchCreateTasksRequest.with {
        $0.parent = World.provider
        $0.requests = Array(repeating: WireCreateTaskRequest(), count: 50_000)
    }

    private func token(_ gate: AccessGate, _ role: AccountRole, trip: String? = nil, vehicle: String? = nil) async throws -> String {
        "Bearer \(try await gate.mint(role, tripID: trip, vehicleID: vehicle).secret)"
    }

    @Test("a role that may never make a call is refused before the body arrives, over REST and gRPC")
    func role() async throws {
        let gate = openGate()
        let consumer = try await token(gate, .consumer, trip: "t1")
        try await Servers.with(gate: gate) { servers in
            let connection = try await RawConnection(port: servers.httpPort)
            try await connection.send(
                "POST /v1/\(World.provider)/trips?tripId=big HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Authorization: \(consumer)\r\nContent-Length: 1000000\r\n\r\n")
            let answer = try await connection.waitForEnd()
            #expect(answer.hasPrefix("HTTP/1.1 403"))
            #expect(answer.contains("a consumer account is not allowed to call CreateTrip"), "\(answer)")
            let client = try await HTTP2Client(port: servers.grpcPort)
            let path = "/maps.fleetengine.delivery.v1.DeliveryService/BatchCreateTasks"
            try await client.begin(1, path, fields: ["authorization": consumer])
            #expect(await client.answer(1)?.status == "7")
            await client.close()
        }
    }

    @Test("a message with too many parts, which would take much more memory than its bytes, is refused")
    func parts() async throws {
        let message = WireBatchCreateTasksRequest.with { $0.requests = Array(repeating: WireCreateTaskRequest(), count: 300_000) }
        try await Servers.with { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            try await client.begin(1, "/maps.fleetengine.delivery.v1.DeliveryService/BatchCreateTasks")
            try await client.send(1, bytes: Array(ByteBuffer(grpcMessage: try message.serializedBytes()).readableBytesView))
            let answer = try #require(await client.answer(1))
            #expect(answer.status == "3" && answer.message?.contains("more than 250000 parts") == true, "\(answer)")
            await client.close()
        }
    }

    @Test("large bodies are decoded one at a time on a thread of their own, and other calls do not wait for them")
    func others() async throws {
        let (work, gate) = (SearchThreadTests.Work(), openGate())
        DecodingThread.pool.submit { _ in work.run() }
        defer { work.end() }
        let admin = try await token(gate, .admin)
        let consumer = try await token(gate, .consumer, trip: "t1")
        let server = try await token(gate, .server, trip: "*", vehicle: "*")
        try await Servers.with(gate: gate) { servers in
            let large = ["/backend_config", "/trip/new", "/manifest/1"].map {
                (path: $0, authorization: "Bearer desk-key")
            }
            let calls = ["trips?tripId=big", "vehicles:search"].map {
                (path: "/v1/\(World.provider)/\($0)", authorization: server)
            }
            // The client has at most eight connections to a server.
            try await withThrowingTaskGroup(of: Int.self) { group in
                for (path, authorization) in large + calls {
                    group.addTask { try await servers.ask("POST", path, Self.json, authorization: authorization).status }
                }
                let client = try await HTTP2Client(port: servers.grpcPort)
                try await client.begin(
                    1, "/maps.fleetengine.delivery.v1.DeliveryService/BatchCreateTasks", fields: ["authorization": admin])
                try await client.send(1, bytes: Array(ByteBuffer(grpcMessage: try Self.tasks.serializedBytes()).readableBytesView))
                let trip = WireGetTripRequest.with { $0.name = "\(World.provider)/trips/t1" }
                let other = try await HTTP2Client(port: servers.grpcPort)
                try await other.begin(1, "/maps.fleetengine.v1.TripService/GetTrip", fields: ["authorization": consumer])
                try await other.send(1, bytes: Array(ByteBuffer(grpcMessage: try trip.serializedBytes()).readableBytesView))
                #expect(await other.answer(1)?.status == "5")
                await other.close()
                #expect(try await servers.ask("GET", "/healthz").status == 200)
                #expect(try await servers.ask("POST", "/trip/new", "{}", authorization: "Bearer desk-key").status == 400)
                let none = "/v1/\(World.provider)/trips/t1"
                #expect(try await servers.ask("GET", none, authorization: consumer).status == 404)
                #expect(servers.engine.metrics.count(.batchCreateTasks, .invalidArgument) == 0)
                work.end()
                for try await status in group { #expect(status == 400) }
                let answer = await client.answer(1)
                #expect(answer?.status == "3" && answer?.message?.contains("more than 500 entries") == true, "\(answer?.message ?? "")")
                await client.close()
            }
        }
    }

    @Test("only a few large requests may wait; a further one is refused, and can be sent again later")
    func bounded() async throws {
        let work = SearchThreadTests.Work()
        DecodingThread.pool.submit { _ in work.run() }
        defer { work.end() }
        @Sendable func decode() async throws(FleetEngineError) -> Int {
            try await DecodingThread.run(1 << 20) { () throws(FleetEngineError) -> Int in 1 }
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<DecodingThread.mostWaiting { group.addTask { try await decode() } }
            while DecodingThread.waitingCount < DecodingThread.mostWaiting { await Task.yield() }
            let error = await #expect(throws: FleetEngineError.self) { _ = try await decode() }
            #expect(error?.code == .resourceExhausted)
            work.end()
            for try await value in group { #expect(value == 1) }
        }
        #expect(try await decode() == 1)
    }

    @Test("bodies from phones and of test controls wait for the same thread, and are answered like small ones")
    func otherBodies() async throws {
        let work = SearchThreadTests.Work()
        DecodingThread.pool.submit { _ in work.run() }
        defer { work.end() }
        try await ProviderHarness.with(hasTestHooks: true) { harness in
            let made = try await harness.ask("POST", "/car/new", #"{"vehicleId":"car"}"#)
            guard case .text(let key)? = try JSON.object(made.text)["key"] else { throw CancellationError() }
            let paths = [("POST", "/car/\(key)/owntracks"), ("PUT", "/_tripwatch/faults"), ("PUT", "/_tripwatch/clock")]
            try await withThrowingTaskGroup(of: Int.self) { group in
                for (method, path) in paths { group.addTask { try await harness.ask(method, path, Self.json).status } }
                #expect(try await harness.ask("GET", "/healthz").status == 200)
                work.end()
                for try await status in group { #expect(status == 400) }
            }
        }
    }
}
