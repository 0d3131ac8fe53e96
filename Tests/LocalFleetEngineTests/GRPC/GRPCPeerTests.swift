import ServerHarness
import Testing

@testable import LocalFleetEngine

@Suite("Frames that other gRPC clients send", .timeLimit(.minutes(1)))
struct GRPCPeerTests {
    private static func call(_ stream: UInt8) -> [UInt8] { Frames.call(stream: stream, isOpen: true) + Frames.emptyMessage(stream: stream) }

    @Test("a client that sends pings with its calls, as Go clients do, is answered, and its connection goes on")
    func pings() async throws {
        try await Servers.with { servers in
            let connection = try await RawConnection(port: servers.grpcPort)
            try await connection.send(Frames.preface)
            let pings = (0..<20).flatMap { number in Frames.frame(Frames.ping, [0, 0, 0, 0, 0, 0, 0, number]) }
            for number in 0..<50 {
                try await connection.send(pings + Self.call(UInt8(2 * number + 1)))
                #expect(await connection.wait { Frames($0).types.count { $0 == Frames.headers } > number })
            }
            #expect(await connection.wait { Frames($0).types.count { $0 == Frames.ping } == 1_000 })
            #expect(!Frames(connection.receivedBytes).types.contains(Frames.goAway))
            await connection.close()
        }
    }

    @Test(
        "when the server gives up a connection, its GOAWAY states the last call that was begun",
        arguments: [
            // Too many data frames without data.
            Array(repeating: Frames.frame(Frames.data, stream: 3, []), count: 3).flatMap { $0 },
            // A data frame for a call that was never begun.
            Frames.frame(Frames.data, stream: 9, [0]),
            // A ping frame of one byte instead of eight.
            Frames.frame(Frames.ping, [0]),
            // More reset frames than any real client sends.
            (0..<201).flatMap { _ in Frames.frame(Frames.reset, stream: 1, [0, 0, 0, 8]) },
        ])
    func goAway(fault: [UInt8]) async throws {
        try await Servers.with { servers in
            let connection = try await RawConnection(port: servers.grpcPort)
            try await connection.send(Frames.preface + Self.call(1) + Frames.call(stream: 3, isOpen: true))
            #expect(await connection.wait { Frames($0).types(ofStream: 1).contains(Frames.headers) })
            try await connection.send(fault)
            try await connection.waitForEnd()
            #expect(Frames(connection.receivedBytes).goAwayStreams == [3])
        }
    }

    @Test("a client may send GOAWAY before its last calls, but the hundredth one ends the connection")
    func manyGoAways() async throws {
        let goAway = Frames.frame(Frames.goAway, [0, 0, 0, 0, 0, 0, 0, 0])
        try await Servers.with { servers in
            let connection = try await RawConnection(port: servers.grpcPort)
            try await connection.send(Frames.preface + goAway + goAway + Self.call(1))
            #expect(await connection.wait { Frames($0).types(ofStream: 1).contains(Frames.headers) })
            try await connection.send((0..<97).flatMap { _ in goAway } + Self.call(3))
            #expect(await connection.wait { Frames($0).types(ofStream: 3).contains(Frames.headers) })
            // Without the limit, the connection would stay open for longer than this suite's time limit.
            try await connection.send(goAway)
            try await connection.waitForEnd()
        }
    }

    /// Malformed calls on stream 3.
    enum Malformed: String, CaseIterable {
        case te, capitals, control, length, longer, window, late, secondHeader

        var bytes: [UInt8] {
            let good = Frames.call(stream: 3, isOpen: true)
            // A call that still runs after its message was sent.
            let watch = Frames.call(stream: 3, isOpen: true, path: "/grpc.health.v1.Health/Watch") + Frames.emptyMessage(stream: 3)
            return switch self {
            case .te: Frames.call(stream: 3, isOpen: true, fields: ["te": "gzip"])
            case .capitals: Frames.call(stream: 3, isOpen: true, fields: ["X-Name": "value"])
            case .control: Frames.call(stream: 3, isOpen: true, fields: ["x": "a\u{0}b"])
            case .length: Frames.call(stream: 3, isOpen: true, fields: ["content-length": "4"]) + Frames.emptyMessage(stream: 3)
            case .longer: Frames.call(stream: 3, isOpen: true, fields: ["content-length": "9"]) + Frames.emptyMessage(stream: 3)
            case .window: good + Frames.frame(8, stream: 3, [0, 0, 0, 0])
            case .late: watch + Frames.emptyMessage(stream: 3)
            case .secondHeader: watch + good
            }
        }
    }

    @Test(
        "a malformed call ends alone: another call under way is answered, and so is the next one",
        arguments: Malformed.allCases)
    func malformed(call: Malformed) async throws {
        try await Servers.with { servers in
            let connection = try await RawConnection(port: servers.grpcPort)
            try await connection.send(Frames.preface + Frames.call(stream: 1, isOpen: true) + call.bytes)
            #expect(await connection.wait { Frames($0).types(ofStream: 3).contains(Frames.reset) })
            try await connection.send(Frames.emptyMessage(stream: 1) + Self.call(5))
            for stream in [1, 5] as [UInt8] {
                #expect(await connection.wait { Frames($0).types(ofStream: stream).contains(Frames.headers) })
            }
            #expect(!Frames(connection.receivedBytes).types.contains(Frames.goAway))
            await connection.close()
        }
    }

    /// Returns a frame with another stream number, which may be greater than 127.
    private func frames(_ bytes: [UInt8], stream: Int) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(7...8, with: [UInt8(stream >> 8), UInt8(stream & 0xFF)])
        return bytes
    }

    @Test("a client may begin many calls before it has read the settings, however its first bytes are split", arguments: [1, 7, 1_000])
    func early(partBytes: Int) async throws {
        try await Servers.with { servers in
            let connection = try await RawConnection(port: servers.grpcPort)
            // A settings frame with one setting: a flow-control window of 1 MiB.
            let settings = Frames.frame(4, [0, 4, 0, 16, 0, 0])
            let preface = Array(Frames.preface.prefix(24)) + settings
            for start in stride(from: 0, to: preface.count, by: partBytes) {
                try await connection.send(Array(preface[start..<min(start + partBytes, preface.count)]))
                try await connection.waitUntilRead()
            }
            let streams = (0..<300).map { 2 * $0 + 1 }
            try await connection.send(streams.flatMap { frames(Frames.call(stream: 0, isOpen: true), stream: $0) })
            try await connection.send(streams.flatMap { frames(Frames.emptyMessage(stream: 0), stream: $0) })
            #expect(await connection.wait { Frames($0).types.count { $0 == Frames.headers } == 300 })
            // A client is allowed to acknowledge the server's settings late.
            try await connection.send(Frames.settled)
            #expect(await connection.wait { Frames($0).types.contains(Frames.ping) })
            let types = Frames(connection.receivedBytes).types
            #expect(!types.contains(Frames.goAway) && types.count { $0 == 4 } == 2)
            await connection.close()
        }
    }
}
