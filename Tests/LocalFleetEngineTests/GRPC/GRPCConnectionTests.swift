import FleetEngine
import GRPCServing
import NIOCore
import NIOHTTP2
import Testing

@testable import LocalFleetEngine

@Suite("Calls on a gRPC connection", .timeLimit(.minutes(1)))
struct GRPCConnectionTests {
    private static let getTrip = "/maps.fleetengine.v1.TripService/GetTrip"
    private static let hold = "/made.up.Calls/Hold"
    private static let empty: [UInt8] = [0, 0, 0, 0, 0]

    /// A method whose calls run until they are cancelled.
    private final class Holding: Sendable {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)

        var methods: [String: GRPCMethod] {
            [
                GRPCConnectionTests.hold: .unary { [arrival, end] _, _ in
                    let (never, waiting) = AsyncStream.makeStream(of: Void.self)
                    arrival.yield()
                    for await _ in never {}
                    withExtendedLifetime(waiting) {}
                    end.yield()
                    throw CancellationError()
                }
            ]
        }
    }

    @Test("each fault of a call gets its code, and the connection goes on")
    func wrong() async throws {
        try await Servers.with { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            let cases: [(String, [UInt8]?, String)] = [
                (Self.getTrip, nil, "12"), (Self.getTrip, Self.empty, "3"), (Self.getTrip, [1, 0, 0, 0, 1, 0], "13"),
                (Self.getTrip, Self.empty + Self.empty, "12"), (Self.getTrip, [0, 0, 0, 0, 9, 1], "13"),
                (Self.getTrip, [2, 0, 0, 0, 0], "13"), (Self.getTrip, [0, 0], "13"),
                (Self.getTrip, [0, 0, 0, 0, 2, 0xFF, 0xFF], "3"), (Self.getTrip, [0, 0xFF, 0xFF, 0xFF, 0xFF], "8"),
                ("/made.up.Calls/None", Self.empty, "12"), (Self.getTrip, Self.empty, "3"),
            ]
            for (index, (path, bytes, status)) in cases.enumerated() {
                let stream = HTTP2StreamID(2 * index + 1)
                try await client.begin(stream, path, endStream: bytes == nil)
                if let bytes { try? await client.send(stream, bytes: bytes) }
                let answer = await client.answer(stream)
                #expect(answer?.status == status && answer?.message?.isEmpty == false, "\(path) \(bytes ?? [])")
                #expect(answer?.headers.first?[":status"] == "200" && answer?.headers.count == 1)
            }
            await client.close()
        }
    }

    @Test("a request that is not a gRPC call gets an HTTP answer")
    func noCalls() async throws {
        try await Servers.with { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            for (index, (name, value, status)) in [(":method", "GET", "405"), ("content-type", "text/html", "415")].enumerated() {
                let stream = HTTP2StreamID(2 * index + 1)
                try await client.begin(stream, Self.getTrip, fields: [name: value], endStream: true)
                #expect(await client.answer(stream)?.headers.first?[":status"] == status)
            }
            await client.close()
        }
    }

    @Test("a refusal states the field and what is wrong with it")
    func details() async throws {
        try await Servers.with { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            try await client.begin(1, "/maps.fleetengine.v1.VehicleService/CreateVehicle")
            try await client.send(1, bytes: Self.empty)
            let answer = await client.answer(1)
            #expect(answer?.status == "3" && answer?.details?.isEmpty == false && answer?.details?.contains("=") == false)
            #expect(answer?.headers.last?["date"]?.hasSuffix(" GMT") == true)
            await client.close()
        }
    }

    @Test("a call whose timeout has passed is DEADLINE_EXCEEDED, and its work stops")
    func deadline() async throws {
        let holding = Holding()
        try await Servers.with(methods: holding.methods) { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            try await client.begin(1, Self.hold, fields: ["grpc-timeout": "100m"])
            try await client.send(1, bytes: Self.empty)
            #expect(await client.answer(1)?.status == "4")
            _ = await holding.ends.first { _ in true }
            // A call with a long timeout does not delay the timeout of another call.
            try await client.begin(3, Self.hold, fields: ["grpc-timeout": "1H"])
            try await client.send(3, bytes: Self.empty)
            try await client.begin(5, Self.hold, fields: ["grpc-timeout": "50m"])
            try await client.send(5, bytes: Self.empty)
            #expect(await client.answer(5)?.status == "4")
            await client.close()
        }
    }

    @Test("a call with a timeout of zero is DEADLINE_EXCEEDED at once, and is not carried out", arguments: ["0n", "0H", "00000000S"])
    func noTime(timeout: String) async throws {
        try await Servers.with { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            try await client.begin(1, Self.getTrip, fields: ["grpc-timeout": timeout])
            #expect(await client.answer(1)?.status == "4")
            try? await client.send(1, bytes: Self.empty)
            try await client.begin(3, Self.getTrip, fields: ["grpc-timeout": "1H"])
            try await client.send(3, bytes: Self.empty)
            #expect(await client.answer(3)?.status == "3")
            #expect(servers.engine.metrics.callDurations.counts.reduce(0, +) == 1)
            await client.close()
        }
    }

    @Test("work on a call stops if its caller cancels it or disconnects")
    func givenUp() async throws {
        for isReset in [true, false] {
            let holding = Holding()
            try await Servers.with(methods: holding.methods) { servers in
                let client = try await HTTP2Client(port: servers.grpcPort)
                try await client.begin(1, Self.hold)
                try await client.send(1, bytes: Self.empty)
                _ = await holding.arrivals.first { _ in true }
                if isReset { try await client.send(1, .rstStream(.cancel)) } else { await client.close() }
                _ = await holding.ends.first { _ in true }
                await client.close()
                while servers.grpc.connectionCount > 0 { await Task.yield() }
            }
        }
    }

    @Test("the incomplete messages of a connection share a limit, and a cancelled one no longer counts")
    func waitingBytes() async throws {
        try await Servers.with {
            $0.waitingBytes = 1_000
            $0.ownBytes = 0
        } _: { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            let half: [UInt8] = [0, 0, 0, 2, 0] + Array(repeating: 0, count: 395)
            for stream in [1, 3] as [HTTP2StreamID] {
                try await client.begin(stream, Self.getTrip)
                try await client.send(stream, bytes: half, endStream: false)
            }
            try await client.begin(5, Self.getTrip)
            try await client.send(5, bytes: half, endStream: false)
            #expect(await client.answer(5)?.status == "8")
            try await client.send(3, .rstStream(.cancel))
            try await client.begin(7, Self.getTrip)
            try await client.send(7, bytes: half, endStream: false)
            try await client.begin(9, Self.getTrip)
            try await client.send(9, bytes: Self.empty)
            #expect(await client.answer(9)?.status == "3")
            await client.close()
        }
    }

    @Test("a client that reads late, or opens its flow-control window bit by bit, gets all answers", arguments: [1 << 24, 70_000])
    func slowReader(windowBytes: Int) async throws {
        let large = ByteBuffer(grpcMessage: Array(repeating: 7, count: 60_000))
        try await Servers.with(methods: ["/made.up.Calls/Large": .unary { _, _ in large }]) { servers in
            let client = try await HTTP2Client(port: servers.grpcPort, windowBytes: windowBytes)
            try await client.setReading(false)
            let streams = (0..<100).map { HTTP2StreamID(2 * $0 + 1) }
            for stream in streams {
                try await client.begin(stream, "/made.up.Calls/Large")
                try await client.send(stream, bytes: Self.empty)
            }
            try await client.setReading(true)
            for _ in streams { try await client.send(.rootStream, .windowUpdate(windowSizeIncrement: 60_005)) }
            for stream in streams {
                let answer = await client.answer(stream)
                #expect(answer?.status == "0" && answer?.bytes.count == 60_005)
            }
            await client.close()
        }
    }

    @Test("a message larger than the window comes through")
    func largeMessage() async throws {
        let methods: [String: GRPCMethod] = [
            "/made.up.Calls/Count": .unary { _, message in ByteBuffer(grpcMessage: Array("\(message.readableBytes)".utf8)) }
        ]
        try await Servers.with(methods: methods) { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            for stream in [1, 3, 5] as [HTTP2StreamID] {
                try await client.begin(stream, "/made.up.Calls/Count")
                try await client.send(stream, bytes: Array(buffer: ByteBuffer(grpcMessage: Array(repeating: 1, count: 3 << 20))))
                #expect(await client.answer(stream)?.bytes.dropFirst(5) == ArraySlice("\(3 << 20)".utf8))
            }
            await client.close()
        }
    }

    @Test("at shutdown, calls under way are answered, later ones are ignored, and the connection closes when all is read")
    func leaving() async throws {
        let (holding, go) = AsyncStream.makeStream(of: Void.self)
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let methods: [String: GRPCMethod] = [
            "/made.up.Calls/Wait": .unary { _, _ in
                arrival.yield()
                for await _ in holding { break }
                return ByteBuffer(grpcMessage: [1])
            }
        ]
        try await Servers.with(methods: methods) { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            for stream in [1, 3] as [HTTP2StreamID] {
                try await client.begin(stream, "/made.up.Calls/Wait")
                try await client.send(stream, bytes: Self.empty)
            }
            var count = 0
            for await _ in arrivals {
                count += 1
                if count == 2 { break }
            }
            servers.grpc.beginGracefulShutdown()
            #expect(await client.lastStreamOfGoAway() == 3)
            // The calls are answered one after the other. The connection must stay open until both answers are sent.
            for _ in 1...2 { go.yield() }
            for stream in [1, 3] as [HTTP2StreamID] { #expect(await client.answer(stream)?.status == "0") }
            while servers.grpc.connectionCount > 0 { await Task.yield() }
        }
    }
}
