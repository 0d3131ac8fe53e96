import GRPCCore
import GRPCNIOTransportHTTP2Posix

/// A service that does nothing. It uses the same gRPC library as the engine, so it shows the lowest possible cost of a call.
struct EmptyService: RegistrableRPCService {
    static let method = MethodDescriptor(fullyQualifiedService: "tripwatch.benchmarks.Empty", method: "Call")

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(
            forMethod: Self.method, deserializer: Bytes(), serializer: Bytes(),
            handler: { request, _ in
                for try await _ in request.messages {}
                return StreamingServerResponse(single: ServerResponse(message: []))
            })
    }
}

/// Sends and receives messages as plain bytes.
struct Bytes: MessageSerializer, MessageDeserializer {
    func serialize<Buffer: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Buffer { Buffer(message) }
    func deserialize<Buffer: GRPCContiguousBytes>(_ serializedMessageBytes: Buffer) throws -> [UInt8] {
        serializedMessageBytes.withUnsafeBytes { Array($0) }
    }
}

struct EmptyClient: Sendable {
    let grpc: GRPCClient<HTTP2ClientTransport.Posix>

    func call() async throws {
        _ = try await grpc.unary(
            request: ClientRequest(message: []), descriptor: EmptyService.method, serializer: Bytes(), deserializer: Bytes(),
            options: .defaults
        ) { try $0.message }
    }
}

func withEmptyService(_ body: @escaping @Sendable (EmptyClient) async throws -> Void) async throws {
    let server = GRPCServer(
        transport: .http2NIOPosix(address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext), services: [EmptyService()])
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.serve() }
        guard let port = try await server.listeningAddress?.ipv4?.port else { return }
        try await withGRPCClient(
            transport: .http2NIOPosix(target: .ipv4(address: "127.0.0.1", port: port), transportSecurity: .plaintext)
        ) { try await body(EmptyClient(grpc: $0)) }
        server.beginGracefulShutdown()
        try await group.waitForAll()
    }
}
