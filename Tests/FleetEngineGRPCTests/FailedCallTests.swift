import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOPosix
import Synchronization
import Testing
import TripTesting

/// A serializer and deserializer that passes bytes through unchanged, so that a test can also send invalid bytes.
private struct Bytes: MessageSerializer, MessageDeserializer {
    func serialize<Contiguous: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Contiguous { Contiguous(message) }
    func deserialize<Contiguous: GRPCContiguousBytes>(_ bytes: Contiguous) throws -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
}

/// An engine that serves only GetTrip. The test sets the bytes of its answer.
private struct OddService: RegistrableRPCService {
    enum Answer: Sendable {
        case messages([[UInt8]])
        case refusal(RPCError)
        /// The server does not answer. The stream gets the call's `grpc-timeout`, or an empty text if the call has no timeout.
        case silence(AsyncStream<String>.Continuation)
    }

    let answer: Answer

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        let method = MethodDescriptor(fullyQualifiedService: "maps.fleetengine.v1.TripService", method: "GetTrip")
        let answer = answer
        router.registerHandler(forMethod: method, deserializer: Bytes(), serializer: Bytes()) { request, context in
            if case .refusal(let error) = answer { throw error }
            if case .silence(let told) = answer {
                told.yield(request.metadata[stringValues: "grpc-timeout"].first { _ in true } ?? "")
                try await context.cancellation.cancelled
            }
            return StreamingServerResponse { writer in
                if case .messages(let messages) = answer { try await writer.write(contentsOf: messages) }
                return [:]
            }
        }
    }
}

/// A server without TLS. It answers with a text and closes the connection, or it never answers.
private struct Listener {
    let port: Int
    private let channel: any Channel

    private final class Closer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        let says: String

        init(says: String) { self.says = says }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(NIOAny(ByteBuffer(string: says)), promise: nil)
            context.close(promise: nil)
        }
    }

    /// - Parameters:
    ///   - says: the text of the answer; nil for no answer.
    ///   - silentConnections: the number of connections at the start that get no answer.
    init(says: String?, silentConnections: Int = 0) async throws {
        let silent = Counter(silentConnections)
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if !silent.countsDown(), let says { try channel.pipeline.syncOperations.addHandler(Closer(says: says)) }
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    func stop() async throws { try await channel.close() }
}

/// Counts down to zero.
private final class Counter: Sendable {
    private let rest: Mutex<Int>

    init(_ count: Int) { rest = Mutex(count) }

    /// Reduces the count by one. Returns false if the count is already zero.
    func countsDown() -> Bool {
        rest.withLock { rest in
            guard rest > 0 else { return false }
            rest -= 1
            return true
        }
    }
}

@Suite("Calls that fail", .timeLimit(.minutes(1)))
struct FailedCallTests {
    private func error(
        endpoint: ServerEndpoint, _ check: (FleetEngineError) -> Void
    ) async throws {
        let name = try TripName("providers/demo/trips/t1")
        let failure: FleetEngineError? = try await withFleetEngineClient(
            endpoint: endpoint, identity: .init(role: .consumer, version: "test"), tokens: nil
        ) { client in
            do throws(FleetEngineError) {
                _ = try await client.getTrip(GetTripRequest(name: name))
                return nil
            } catch {
                return error
            }
        }
        check(try #require(failure))
    }

    private func error(_ answer: OddService.Answer, _ check: (FleetEngineError) -> Void) async throws {
        try await withServer(answer) { try await error(endpoint: $0, check) }
    }

    private func withServer(_ answer: OddService.Answer, _ body: (ServerEndpoint) async throws -> Void) async throws {
        let transport = HTTP2ServerTransport.Posix(address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext)
        let server = GRPCServer(transport: transport, services: [OddService(answer: answer)])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            defer { server.beginGracefulShutdown() }
            let port = try #require(try await transport.listeningAddress.ipv4?.port)
            try await body(try ServerEndpoint("127.0.0.1:\(port)", security: .plaintext))
        }
    }

    @Test(
        "an unreadable answer is a local error, and the next answer may be readable",
        arguments: [
            [[0x0A, 3, 0xFF, 0xFE, 0xFD]],  // The name is not valid UTF-8.
            [[0xFF, 0xFF, 0xFF, 0xFF]],  // The bytes are not a message.
            [[0x0A, 200, 1, 0x41]],  // The name ends before its stated length.
            [],  // The stream has no message.
            [[0x10, 1], [0x10, 1]],  // The stream has two messages.
        ] as [[[UInt8]]])
    func unreadable(messages: [[UInt8]]) async throws {
        try await error(.messages(messages)) { error in
            #expect(error.code == .internal && error.origin == .local && error.errorClass() == .retryable)
            #expect(error.message == "the server's answer could not be read")
        }
    }

    @Test("a server's refusal is reported as the server's, with its details", arguments: StatusCode.allCases.filter { $0 != .ok })
    func refusal(code: StatusCode) async throws {
        let status = try #require(Status.Code(rawValue: code.rawValue))
        let refusal = try #require(RPCError(status: Status(code: status, message: "said so"), metadata: ["x-request-id": "r-1"]))
        try await error(.refusal(refusal)) { error in
            #expect(error.code == code && error.origin == .server && error.message == "said so" && error.requestID == "r-1")
        }
    }

    @Test("a call sends a timeout of 15 s to its server, and ends with its task")
    func unanswered() async throws {
        let (timeouts, told) = AsyncStream.makeStream(of: String.self)
        let name = try TripName("providers/demo/trips/t1")
        try await withServer(.silence(told)) { endpoint in
            let call = Task {
                try await withFleetEngineClient(
                    endpoint: endpoint, identity: .init(role: .consumer, version: "test"), tokens: nil
                ) { client in
                    try await client.getTrip(GetTripRequest(name: name))
                }
            }
            for await timeout in timeouts {
                // The timeout is in microseconds, unless it is a whole number of seconds.
                let seconds = try #require(Double(timeout.dropLast())) * (timeout.hasSuffix("S") ? 1 : 1e-6)
                #expect((14...15).contains(seconds), "\(timeout)")
                break
            }
            call.cancel()
            await #expect(throws: FleetEngineError.self) { try await call.value }
        }
    }

    @Test("a server without TLS is not reported as a bad certificate; before its first answer, the error names the flag")
    func noTLS() async throws {
        for says in ["", "HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.6\r\n"] {
            let listener = try await Listener(says: says)
            let endpoint = try ServerEndpoint("127.0.0.1:\(listener.port)", security: .tls(caFile: nil))
            try await error(endpoint: endpoint) { error in
                // A server that closes the connection without an answer may be starting, so the call can be retried.
                let expected = says.isEmpty ? ErrorClass.retryable : .actionRequired(.checkAddress)
                #expect(error.origin == .network && error.errorClass() == expected, "\(error)")
                #expect(error.message == "\(endpoint) does not answer with TLS; is --plaintext missing?")
            }
            try await listener.stop()
        }
    }

    @Test("a server that expects something other than plaintext is recognised")
    func noPlaintext() async throws {
        let listener = try await Listener(says: "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{46}")
        let endpoint = try ServerEndpoint("127.0.0.1:\(listener.port)", security: .plaintext)
        try await error(endpoint: endpoint) { error in
            #expect(error.origin == .network && error.errorClass() == .retryable)
            #expect(error.message == "\(endpoint) does not answer in plaintext; is --plaintext wrong?")
        }
        try await listener.stop()
    }

    @Test(
        "a connection on which nothing ever arrives is given up before the call's deadline, and reported as silent",
        arguments: [ServerEndpoint.Security.plaintext, .tls(caFile: nil)])
    func silence(security: ServerEndpoint.Security) async throws {
        let listener = try await Listener(says: nil)
        let endpoint = try ServerEndpoint("127.0.0.1:\(listener.port)", security: security)
        try await error(endpoint: endpoint) { error in
            #expect(error.origin == .network && error.code == .unavailable && error.errorClass() == .retryable, "\(error)")
            #expect(error.message == "\(endpoint) does not answer")
        }
        try await listener.stop()
    }

    @Test("a server that was silent and now closes connections is no longer reported as silent")
    func silenceThenClosing() async throws {
        let listener = try await Listener(says: "", silentConnections: 1)
        let endpoint = try ServerEndpoint("127.0.0.1:\(listener.port)", security: .plaintext)
        let name = try TripName("providers/demo/trips/t1")
        let messages = try await withFleetEngineClient(
            endpoint: endpoint, identity: .init(role: .consumer, version: "test"), tokens: nil
        ) { client in
            var messages: [String] = []
            // The calls fail at once until the next connection is tried.
            while messages.count < 2 {
                try Task.checkCancellation()
                do throws(FleetEngineError) {
                    _ = try await client.getTrip(GetTripRequest(name: name))
                } catch {
                    if messages.last != error.message { messages.append(error.message) }
                }
            }
            return messages
        }
        #expect(messages == ["\(endpoint) does not answer", "\(endpoint) does not answer in plaintext; is --plaintext wrong?"])
        try await listener.stop()
    }

    @Test("an unknown host name is reported")
    func unknownName() async throws {
        try await error(endpoint: try ServerEndpoint("no-such-host.invalid:1", security: .plaintext)) { error in
            #expect(error.origin == .network && error.message == "no-such-host.invalid:1: the server's name cannot be resolved")
        }
    }
}
