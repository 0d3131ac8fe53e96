import FleetEngine
import FleetEngineAccess
import GRPCServing
import NIOCore
import NIOHTTP2
import Testing

@testable import LocalFleetEngine

@Suite("Memory that gRPC callers can use", .timeLimit(.minutes(1)))
struct GRPCMemoryTests {
    private static let getTrip = "/maps.fleetengine.v1.TripService/GetTrip"
    private static let watch = "/grpc.health.v1.Health/Watch"
    private static let large = "/made.up.Calls/Large"
    private static let empty: [UInt8] = [0, 0, 0, 0, 0]
    /// The first part of a message: its prefix, which states 995 bytes, and 795 of these bytes.
    private static let half: [UInt8] = [0, 0, 0, 3, 227] + Array(repeating: 0, count: 795)
    private static let methods: [String: GRPCMethod] = [
        large: .unary { _, _ in ByteBuffer(grpcMessage: Array(repeating: 7, count: 60_000)) }
    ]

    @Test("a call without a valid token is refused at its header, and counted once; one with a token waits for its message")
    func token() async throws {
        let gate = openGate()
        try await Servers.with(gate: gate) { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            let cases: [[String: String]] = [[:], ["authorization": "Bearer x"], ["authorization": "Basic x"]]
            for (index, fields) in cases.enumerated() {
                let stream = HTTP2StreamID(2 * index + 1)
                try await client.begin(stream, Self.getTrip, fields: fields)
                #expect(await client.answer(stream)?.status == "16")
            }
            #expect(servers.engine.metrics.count(.getTrip, .unauthenticated) == 3)
            let token = try await gate.mint(.consumer, tripID: "*", vehicleID: nil).secret
            for stream in [7, 9] as [HTTP2StreamID] {
                try await client.begin(stream, Self.getTrip, fields: ["authorization": "Bearer \(token)"])
                try await client.send(stream, bytes: [0, 0], endStream: false)
                try await client.send(stream, bytes: [0, 0, 0])
                #expect(await client.answer(stream)?.status == "3")
            }
            try await client.begin(11, Self.getTrip)
            try? await client.send(11, bytes: Self.empty)
            #expect(await client.answer(11)?.status == "16")
            #expect(servers.engine.metrics.count(.getTrip, .unauthenticated) == 4)
            await client.close()
        }
    }

    @Test("all connections share one limit for messages; a connection that ends releases its part")
    func allConnections() async throws {
        try await Servers.with {
            $0.waitingBytes = 2_200
            $0.ownBytes = 100
        } _: { servers in
            let first = try await HTTP2Client(port: servers.grpcPort)
            for stream in [1, 3] as [HTTP2StreamID] {
                try await first.begin(stream, Self.getTrip)
                try await first.send(stream, bytes: Self.half, endStream: false)
            }
            // The server reads the frames in order. When it answers this call, it has read the earlier calls.
            try await first.begin(5, Self.getTrip)
            try await first.send(5, bytes: Self.empty)
            #expect(await first.answer(5)?.status == "3")
            let second = try await HTTP2Client(port: servers.grpcPort)
            try await second.begin(1, Self.getTrip)
            try await second.send(1, bytes: Self.half, endStream: false)
            try await second.begin(3, Self.getTrip)
            try? await second.send(3, bytes: Self.half, endStream: false)
            #expect(await second.answer(3)?.status == "8")
            // A small call needs no shared memory, so it is answered although no shared memory is left.
            let third = try await HTTP2Client(port: servers.grpcPort)
            try await third.begin(1, Self.getTrip)
            try await third.send(1, bytes: Self.empty)
            #expect(await third.answer(1)?.status == "3")
            let full = servers.grpc.waitingBytes
            #expect(full >= 2_200)
            await first.close()
            // The memory of the closed connection, 1,500 bytes, is released a little later.
            while servers.grpc.waitingBytes > full - 1_500 {
                // The test's time limit cancels this task, and with it the loop.
                try Task.checkCancellation()
                await Task.yield()
            }
            try await second.begin(5, Self.getTrip)
            try await second.send(5, bytes: Self.half, endStream: false)
            try await second.begin(7, Self.getTrip)
            try await second.send(7, bytes: Self.empty)
            #expect(await second.answer(7)?.status == "3")
            // A growing buffer may become twice as large as its contents. Cancelling the first call makes room for this buffer.
            try await second.send(1, .rstStream(.cancel))
            try await second.send(5, bytes: Array(repeating: 0, count: 200))
            #expect(await second.answer(5)?.status == "3")
            for client in [second, third] { await client.close() }
        }
    }

    @Test("the tokens of calls whose messages are incomplete count against the limit of all connections")
    func tokens() async throws {
        try await Servers.with {
            $0.waitingBytes = 2_500
            $0.ownBytes = 0
        } _: { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            let token = ["authorization": String(repeating: "x", count: 1_000)]
            for stream in [1, 3] as [HTTP2StreamID] { try await client.begin(stream, Self.getTrip, fields: token) }
            try await client.begin(5, Self.getTrip, fields: token)
            #expect(await client.answer(5)?.status == "8")
            #expect(servers.grpc.waitingBytes == 2_000)
            try await client.send(1, bytes: Self.empty)
            #expect(await client.answer(1)?.status == "3")
            try await client.begin(7, Self.getTrip, fields: token)
            try await client.send(7, bytes: Self.empty)
            #expect(await client.answer(7)?.status == "3")
            await client.close()
        }
    }

    @Test("the unread answers of a connection have a limit; when they are read, the next one is sent")
    func unread() async throws {
        try await Servers.with(methods: Self.methods) {
            $0.unreadBytes = 100_000
        } _: { servers in
            let client = try await HTTP2Client(port: servers.grpcPort, windowBytes: 1_000)
            try await client.begin(1, Self.large)
            try await client.send(1, bytes: Self.empty)
            #expect(await client.isAnswered(1))
            try await client.begin(3, Self.large)
            try await client.send(3, bytes: Self.empty)
            #expect(await client.answer(3)?.status == "8")
            for stream in [.rootStream, 1] as [HTTP2StreamID] { try await client.send(stream, .windowUpdate(windowSizeIncrement: 200_000)) }
            #expect(await client.answer(1)?.bytes.count == 60_005)
            try await client.begin(5, Self.large)
            try await client.send(5, .windowUpdate(windowSizeIncrement: 200_000))
            try await client.send(5, bytes: Self.empty)
            #expect(await client.answer(5)?.bytes.count == 60_005)
            await client.close()
        }
    }

    @Test("unread answers count against the limit of all connections, and a cancelled one no longer counts")
    func unreadOfAll() async throws {
        try await Servers.with(methods: Self.methods) {
            $0.waitingBytes = 100_000
            $0.ownBytes = 10_000
        } _: { servers in
            let first = try await HTTP2Client(port: servers.grpcPort, windowBytes: 1_000)
            try await first.begin(1, Self.large)
            try await first.send(1, bytes: Self.empty)
            #expect(await first.isAnswered(1))
            let second = try await HTTP2Client(port: servers.grpcPort)
            var statuses: [String?] = []
            for stream in [1, 3] as [HTTP2StreamID] {
                if stream == 3 {
                    try await first.send(1, .rstStream(.cancel))
                    // The server reads the frames of a connection in order, so it has handled the reset when it answers the
                    // next call.
                    try await first.begin(3, Self.getTrip)
                    try await first.send(3, bytes: Self.empty)
                    #expect(await first.answer(3)?.status == "3")
                }
                try await second.begin(stream, Self.large)
                try await second.send(stream, bytes: Self.empty)
                statuses.append(await second.answer(stream)?.status)
            }
            #expect(statuses == ["8", "0"])
            for client in [first, second] { await client.close() }
        }
    }

    @Test("the connection of a client that reads no answers is closed")
    func noProgress() async throws {
        try await Servers.with(methods: Self.methods) {
            $0.unreadSeconds = 0.3
        } _: { servers in
            let client = try await HTTP2Client(port: servers.grpcPort, windowBytes: 1_000)
            try await client.begin(1, Self.large)
            try await client.send(1, bytes: Self.empty)
            try await client.waitForEnd()
            #expect(await client.answer(1)?.isOver == false)
        }
    }

    @Test("a connection may have only a limited number of health watches; when one ends, another may begin")
    func watches() async throws {
        try await Servers.with {
            $0.watchesPerConnection = 2
        } _: { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            for stream in [1, 3] as [HTTP2StreamID] {
                try await client.begin(stream, Self.watch)
                try await client.send(stream, bytes: Self.empty)
                #expect(await client.isAnswered(stream))
            }
            try await client.begin(5, Self.watch)
            try? await client.send(5, bytes: Self.empty)
            #expect(await client.answer(5)?.status == "8")
            try await client.send(3, .rstStream(.cancel))
            try await client.begin(7, Self.watch)
            try await client.send(7, bytes: Self.empty)
            #expect(await client.isAnswered(7))
            await client.close()
        }
    }

    @Test("a health check, which needs no token, may have only a small message", arguments: ["Check", "Watch"])
    func healthMessage(method: String) async throws {
        try await Servers.with(gate: openGate()) { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            try await client.begin(1, "/grpc.health.v1.Health/\(method)")
            try? await client.send(1, bytes: [0, 0, 0, 16, 1], endStream: false)
            #expect(await client.answer(1)?.status == "8")
            try await client.begin(3, "/grpc.health.v1.Health/\(method)")
            try await client.send(3, bytes: Self.empty)
            #expect(await client.isAnswered(3))
            await client.close()
        }
    }
}
