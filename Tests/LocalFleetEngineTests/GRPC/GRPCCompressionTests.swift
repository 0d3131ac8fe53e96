import FleetEngineAPI
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOHTTP2
import SwiftProtobuf
import Testing

@testable import GRPCServing
@testable import LocalFleetEngine

@Suite("Compression on a gRPC connection", .timeLimit(.minutes(1)))
struct GRPCCompressionTests {
    private static let echo = "/made.up.Calls/Echo"
    private static let echoes: [String: GRPCMethod] = [
        echo: .unary { _, message in ByteBuffer(grpcMessage: Array(buffer: message)) }
    ]
    private static let gzip = ["grpc-encoding": "gzip"]

    /// Returns a compressed message with its five-byte prefix.
    private func compressed(_ plain: [UInt8]) throws -> [UInt8] {
        let message = ByteBuffer(grpcMessage: plain).grpcCompressed()
        try #require(message.isGRPCCompressed)
        return Array(buffer: message)
    }

    /// Returns a message whose prefix says that the message is compressed.
    private func flagged(_ bytes: [UInt8]) -> [UInt8] { [1] + Array(buffer: ByteBuffer(grpcMessage: bytes)).dropFirst() }

    @Test("a compressed request is answered; a large answer is compressed for clients that accept gzip")
    func answers() async throws {
        try await Servers.with(methods: Self.echoes) { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            let bytes: [UInt8] = Array(repeating: 7, count: 5_000)
            let plain = Array(buffer: ByteBuffer(grpcMessage: bytes))
            let packed = try compressed(bytes)
            let cases: [(fields: [String: String], isCompressed: Bool)] = [
                ([:], false), (["grpc-accept-encoding": "identity,deflate"], false), (["grpc-accept-encoding": "deflate, gzip"], true),
            ]
            for (index, (fields, isCompressed)) in cases.enumerated() {
                let stream = HTTP2StreamID(2 * index + 1)
                try await client.begin(stream, Self.echo, fields: fields.merging(Self.gzip) { own, _ in own })
                try await client.send(stream, bytes: packed)
                let answer = try #require(await client.answer(stream))
                #expect(answer.status == "0" && answer.headers.first?["grpc-accept-encoding"] == "identity,gzip")
                #expect(answer.headers.first?["grpc-encoding"] == (isCompressed ? "gzip" : nil))
                #expect(answer.bytes == (isCompressed ? packed : plain))
            }
            // A message may be uncompressed although the header states gzip. A small answer is not compressed.
            try await client.begin(7, Self.echo, fields: ["grpc-encoding": "gzip", "grpc-accept-encoding": "gzip"])
            try await client.send(7, bytes: [0, 0, 0, 0, 1, 9])
            let small = await client.answer(7)
            #expect(small?.status == "0" && small?.bytes == [0, 0, 0, 0, 1, 9] && small?.headers.first?["grpc-encoding"] == nil)
            await client.close()
        }
    }

    @Test("each fault of a compressed request gets its code, and the connection goes on")
    func wrong() async throws {
        try await Servers.with(methods: Self.echoes) { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            let bomb = try compressed(Array(repeating: 0, count: 8 << 20))
            let lying = Array(bomb.dropLast(4)) + [100, 0, 0, 0]
            let good = try compressed(Array(repeating: 7, count: 5_000))
            var wrongSum = good
            wrongSum[good.count - 8] ^= 1
            let cases: [(fields: [String: String], bytes: [UInt8], status: String)] = [
                (Self.gzip, bomb, "8"), (Self.gzip, lying, "8"), (Self.gzip, wrongSum, "13"),
                (Self.gzip, flagged(Array(repeating: 0xAB, count: 100)), "13"), (Self.gzip, flagged([]), "13"),
                ([:], good, "13"), (["grpc-encoding": "identity"], good, "13"), (["grpc-encoding": "deflate"], good, "12"),
                (Self.gzip, good, "0"),
            ]
            for (index, (fields, bytes, status)) in cases.enumerated() {
                let stream = HTTP2StreamID(2 * index + 1)
                try await client.begin(stream, Self.echo, fields: fields)
                try? await client.send(stream, bytes: bytes)
                let answer = await client.answer(stream)
                #expect(answer?.status == status, "\(index)")
                #expect(answer?.headers.first?["grpc-accept-encoding"] == "identity,gzip")
            }
            await client.close()
        }
    }

    @Test("decompressed messages count against the connection's limit until their calls are over")
    func budget() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let methods: [String: GRPCMethod] = [
            "/made.up.Calls/Hold": .unary { _, _ in
                arrival.yield()
                let (never, waiting) = AsyncStream.makeStream(of: Void.self)
                for await _ in never {}
                withExtendedLifetime(waiting) {}
                throw CancellationError()
            }
        ]
        try await Servers.with(methods: methods.merging(Self.echoes) { own, _ in own }) {
            // The memory is enough for two messages and a small answer, but not for three messages.
            $0.waitingBytes = 14_000
            $0.ownBytes = 0
        } _: { servers in
            let client = try await HTTP2Client(port: servers.grpcPort)
            let message = try compressed(Array(repeating: 7, count: 4_000))
            for stream in [1, 3] as [HTTP2StreamID] {
                try await client.begin(stream, "/made.up.Calls/Hold", fields: Self.gzip)
                try await client.send(stream, bytes: message)
                _ = await arrivals.first { _ in true }
            }
            try await client.begin(5, Self.echo, fields: Self.gzip)
            try await client.send(5, bytes: message)
            #expect(await client.answer(5)?.status == "8")
            try await client.send(3, .rstStream(.cancel))
            // The server reads the frames of a connection in order, so it has handled the reset before the next call.
            for stream in [7, 9, 11] as [HTTP2StreamID] {
                try await client.begin(stream, Self.echo, fields: Self.gzip)
                try await client.send(stream, bytes: message)
                #expect(await client.answer(stream)?.status == "0")
            }
            await client.close()
        }
    }

    @Test("grpc-swift's client reads compressed answers to compressed requests")
    func library() async throws {
        let getTrip: GRPCMethod = .unary { _, message in
            let name = try WireGetTripRequest(serializedBytes: Array(buffer: message)).name
            return ByteBuffer(grpcMessage: try WireTrip.with { $0.name = name }.serializedBytes())
        }
        try await Servers.with(methods: ["/maps.fleetengine.v1.TripService/GetTrip": getTrip]) { servers in
            let transport: HTTP2ClientTransport.Posix = try .http2NIOPosix(
                target: .ipv4(address: "127.0.0.1", port: servers.grpcPort), transportSecurity: .plaintext,
                config: .defaults { $0.compression = .init(algorithm: .gzip, enabledAlgorithms: .gzip) })
            try await withGRPCClient(transport: transport) { client in
                for (count, isCompressed) in [(10, false), (1_000, true)] {
                    let name = String(repeating: "trip", count: count)
                    let trips = WireTripService.Client(wrapping: client)
                    let answer = try await trips.getTrip(.with { $0.name = name }) { response in
                        try [response.message.name] + Array(response.metadata[stringValues: "grpc-encoding"])
                    }
                    #expect(answer == [name] + (isCompressed ? ["gzip"] : []))
                }
            }
        }
    }
}
