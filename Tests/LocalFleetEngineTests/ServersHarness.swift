import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import GRPCServing
import HTTPCalls
import HTTPServing
import NIOCore
import SwiftProtobuf
import Testing

@testable import LocalFleetEngine

/// A gRPC server and an HTTP server on loopback. The test sets their limits.
struct Servers {
    let grpc: LocalFleetEngineServer
    let http: ProviderServer
    let engine: LocalFleetEngine
    let grpcPort: Int
    let httpPort: Int
    let refused: RefusedConnections
    let health: ServerHealth

    /// Runs `body` with servers on loopback.
    /// - Parameters:
    ///   - engine: the engine of the servers, which must use the clock `time`; nil for an empty engine.
    ///   - methods: methods to add, by their paths; they replace methods of the engine with the same path.
    static func with(
        security: LocalFleetEngineServer.Security = .plaintext, gate: AccessGate? = nil, time: any TimeSource = SystemTimeSource(),
        engine: LocalFleetEngine? = nil, methods: [String: GRPCMethod] = [:], _ change: (inout ServerLimits) -> Void = { _ in },
        _ body: (Servers) async throws -> Void
    ) async throws {
        var limits = ServerLimits()
        change(&limits)
        let refused = RefusedConnections()
        let health = ServerHealth()
        let engine = engine ?? LocalFleetEngine(time: time)
        let ids = IDs()
        let desk = ProviderDesk(provider: "plain", engine: engine, time: time) { ids.next() }
        let grpc = try LocalFleetEngineServer(
            methods: EngineMethods(engine: engine, gate: gate).all.merging(methods) { _, own in own }, host: "127.0.0.1", port: 0,
            security: security, limits: limits, refused: refused, health: health, time: time)
        let http = try ProviderServer(desk: desk, port: 0, security: security, gate: gate, limits: limits, refused: refused, health: health)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await grpc.serve() }
            group.addTask { try await http.serve { port.yield($0.port) } }
            defer {
                grpc.endNow()
                http.endNow()
                group.cancelAll()
            }
            let httpPort = try #require(await ports.first { _ in true })
            try await body(
                Servers(
                    grpc: grpc, http: http, engine: engine, grpcPort: try await grpc.listeningAddress.port, httpPort: httpPort,
                    refused: refused, health: health))
        }
    }

    /// Returns a client transport for the gRPC port.
    func transport() throws -> HTTP2ClientTransport.Posix {
        try .http2NIOPosix(target: .ipv4(address: "127.0.0.1", port: grpcPort), transportSecurity: .plaintext)
    }

    /// Sends one HTTP request and returns the answer's status, text and headers.
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, authorization: String? = nil
    ) async throws -> (status: Int, text: String, headers: (String) -> String?) {
        let answer = try await HTTPExchange(
            method: method, url: "http://127.0.0.1:\(httpPort)\(path)",
            headers: authorization.map { [(name: "Authorization", value: $0)] } ?? [], body: body.map { Array($0.utf8) },
            largestAnswer: 1 << 20, limitSeconds: 30
        ).send(SystemTimeSource())
        return (answer.status, String(decoding: answer.body, as: UTF8.self), { answer.header($0) })
    }

    /// An HTTP request that is answered with `ok`.
    static let health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Makes one call on a new connection.
    /// - Returns: the status code of the failed call; nil if the call succeeds.
    func call() async throws -> RPCError.Code? {
        try await withGRPCClient(transport: try transport()) { try await Self.call($0) }
    }

    private static func call(_ client: GRPCClient<HTTP2ClientTransport.Posix>) async throws -> RPCError.Code? {
        do {
            _ = try await WireTripService.Client(wrapping: client).getTrip(.with { $0.name = "providers/plain/trips/t1" })
            return nil
        } catch let error as RPCError { return error.code }
    }
}

/// The frames that were received on an HTTP/2 connection. A frame at the end counts as soon as its header of nine bytes is complete.
struct Frames {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let reset: UInt8 = 3
    static let ping: UInt8 = 6
    static let goAway: UInt8 = 7
    static let continuation: UInt8 = 9
    /// The largest payload of a frame, in bytes.
    private static let largestPayload = 16_384
    private(set) var types: [UInt8] = []
    /// The stream number of each frame. It is correct only up to 127.
    private(set) var streams: [UInt8] = []
    /// The last stream number in each GOAWAY.
    private(set) var goAwayStreams: [UInt32] = []

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while rest.count >= 9 {
            let header = Array(rest.prefix(9))
            types.append(header[3])
            streams.append(header[8])
            rest = rest.dropFirst(9)
            if header[3] == Self.goAway { goAwayStreams.append(rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }) }
            rest = rest.dropFirst(Int(header[0]) << 16 + Int(header[1]) << 8 + Int(header[2]))
        }
    }

    /// Returns the bytes of a frame.
    static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }

    /// The bytes that a client sends first: the preface and empty settings.
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    /// Two frames: the acknowledgement of the server's settings, and a ping.
    static let settled: [UInt8] = [0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 8, ping, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]

    /// Returns the types of the frames of a stream.
    func types(ofStream number: UInt8) -> [UInt8] { zip(types, streams).filter { $1 == number }.map(\.0) }

    /// Returns a data frame with an empty message, or with only the first byte of the message.
    static func emptyMessage(stream: UInt8, isWhole: Bool = true) -> [UInt8] {
        [0, 0, isWhole ? 5 : 1, 0, isWhole ? 1 : 0, 0, 0, 0, stream] + Array(repeating: 0, count: isWhole ? 5 : 1)
    }

    /// Returns the frames with the header of a call: one frame for every 16 KiB.
    ///
    /// - Parameters:
    ///   - size: the size of the header as HTTP/2 counts it: names, values, and 32 bytes for each field. Nil for a small
    ///     header.
    ///   - isOpen: true for a call of GetTrip whose message follows; false for a complete call of an unknown method.
    ///   - path: the path of the method; nil for the method that `isOpen` selects.
    ///   - fields: header fields to add; they replace usual fields with the same name.
    static func call(
        stream: UInt8, size: Int? = nil, isOpen: Bool = false, path: String? = nil, fields own: [String: String] = [:]
    ) -> [UInt8] {
        let path = path ?? (isOpen ? "/maps.fleetengine.v1.TripService/GetTrip" : "/no/method")
        var fields = [(":path", path), (":authority", "here"), ("content-type", "application/grpc"), ("te", "trailers")]
        fields = fields.map { ($0.0, own[$0.0] ?? $0.1) } + own.filter { own in !fields.contains { $0.0 == own.key } }
        if let size {
            let count = { (name: String, value: String) in name.utf8.count + value.utf8.count + 32 }
            let least = fields.reduce(count(":method", "POST") + count(":scheme", "http") + count("x", "")) { $0 + count($1.0, $1.1) }
            fields.append(("x", String(repeating: "x", count: size - least)))
        }
        var block: [UInt8] = [0x83, 0x86]
        for (name, value) in fields {
            block += [0x00, UInt8(name.utf8.count)] + Array(name.utf8) + length(value.utf8.count) + Array(value.utf8)
        }
        var frames: [UInt8] = []
        for start in stride(from: 0, to: block.count, by: largestPayload) {
            let part = Array(block[start...].prefix(largestPayload))
            let endHeaders: UInt8 = start + part.count == block.count ? 0x04 : 0
            let endStream: UInt8 = start == 0 && !isOpen ? 0x01 : 0
            let type = start == 0 ? headers : continuation
            frames += [0, UInt8(part.count >> 8), UInt8(part.count & 0xff), type, endHeaders | endStream, 0, 0, 0, stream]
            frames += part
        }
        return frames
    }

    /// Returns a length in the encoding of HPACK.
    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 127 else { return [UInt8(count)] }
        var (bytes, rest): ([UInt8], Int) = ([127], count - 127)
        while rest >= 128 {
            bytes.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
